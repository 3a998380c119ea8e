// AVX2 and FMA: 16 registers of 8 floats hold 6 × 16 sums, one row of inputs and a weight.

#if defined(__x86_64__)

#define LANES 8
#define HAS_HALF 1
#define ROWS 6
#define APART_ROWS 6
#define CASES_TO_ROWS CASES_TO_6
#define CASES_TO_APART_ROWS CASES_TO_6
#define MULTIPLY_ADD(a, b, c) __builtin_elementwise_fma(a, b, c)

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#include "Template/Set.h"
#pragma clang attribute pop

const InklingKernels inkling_avx2 = INKLING_SET("avx2");

#endif
