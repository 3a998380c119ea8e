// AVX-512: 32 registers of 16 floats hold 12 × 16 sums, enough to hide a latency of 4 cycles on two ports. Where rows
// lie apart each has an address in one of the 16 general registers, which leaves room for 8.

#if defined(__x86_64__)

#define LANES 16
#define HAS_HALF 1
#define ROWS 12
#define APART_ROWS 8
#define CASES_TO_ROWS CASES_TO_12
#define CASES_TO_APART_ROWS CASES_TO_8
#define MULTIPLY_ADD(a, b, c) __builtin_elementwise_fma(a, b, c)

#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,f16c"))), apply_to = function)
#include "Template/Set.h"
#pragma clang attribute pop

const InklingKernels inkling_avx512 = INKLING_SET("avx512");

#endif
