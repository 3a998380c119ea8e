// AVX-512: 32 registers of 16 floats hold 12 × 16 sums, enough to hide a latency of 4 cycles on two ports. Where rows
// lie apart each has an address in one of the 16 general registers, which leaves room for 8.

#if defined(__x86_64__)

#include <immintrin.h>

#define LANES 16
#define HAS_HALF 1
#define ROWS 12
#define APART_ROWS 8
#define CASES_TO_ROWS CASES_TO_12
#define CASES_TO_APART_ROWS CASES_TO_8
#define MULTIPLY_ADD(a, b, c) __builtin_elementwise_fma(a, b, c)
#define INTEGER_VECTORS 4
#define CASES_TO_INTEGER_VECTORS CASES_TO_4
// Two products of a byte and a signed byte are added up in 16 bits, for which the first must be at most 128.
#define BYTE_LIMIT 127
#define BYTE_GROUP 3
#define MULTIPLY_BYTES(input, weights) (Shorts)_mm512_maddubs_epi16((__m512i)(input), (__m512i)(weights))
#define DOT_PAIRS(sums, input, weights) ((sums) + (Numbers)_mm512_madd_epi16((__m512i)(input), (__m512i)(weights)))
#define DOT_BYTES(sums, input, weights) DOT_PAIRS(sums, MULTIPLY_BYTES(input, weights), (Numbers)(0x10001))

#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,f16c"))), apply_to = function)
#include "Template/Set.h"
#pragma clang attribute pop

const InklingKernels inkling_avx512 = INKLING_SET("avx512", integers, BYTE_LIMIT);

void inkling_integersVNNI(const InklingIntegers *job);
const InklingKernels inkling_avx512vnni = INKLING_SET("avx512vnni", inkling_integersVNNI, 255);

#endif
