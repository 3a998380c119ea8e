// AVX2 and FMA: 16 registers of 8 floats hold 6 × 16 sums, one row of inputs and a weight.

#if defined(__x86_64__)

#include <immintrin.h>

#define LANES 8
#define HAS_HALF 1
#define ROWS 6
#define APART_ROWS 6
#define CASES_TO_ROWS CASES_TO_6
#define CASES_TO_APART_ROWS CASES_TO_6
#define MULTIPLY_ADD(a, b, c) __builtin_elementwise_fma(a, b, c)
#define INTEGER_VECTORS 2
#define CASES_TO_INTEGER_VECTORS CASES_TO_2
// Two products of a byte and a signed byte are added up in 16 bits, for which the first must be at most 128.
#define BYTE_LIMIT 127
#define DOT_PAIRS(sums, input, weights) ((sums) + (Numbers)_mm256_madd_epi16((__m256i)(input), (__m256i)(weights)))
#define DOT_BYTES(sums, input, weights) \
  ((sums) + (Numbers)_mm256_madd_epi16( \
    _mm256_maddubs_epi16((__m256i)(input), (__m256i)(weights)), _mm256_set1_epi16(1)))

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#include "Template/Set.h"
#pragma clang attribute pop

const InklingKernels inkling_avx2 = INKLING_SET("avx2", integers, BYTE_LIMIT);

#endif
