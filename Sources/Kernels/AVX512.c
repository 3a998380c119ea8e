// AVX-512: 32 registers of 16 floats. 12 rows of sums hide the latency of 4 cycles on two ports and leave registers
// for addresses' sake: where rows lie apart 8 addresses fit beside the rest.

#if defined(__x86_64__)

#define LANES 16
#define ROWS 12
#define APART_ROWS 8
#define CASES_TO_ROWS CASES_TO_12
#define CASES_TO_APART_ROWS CASES_TO_8
#define MULTIPLY_ADD(a, b, c) __builtin_elementwise_fma(a, b, c)

#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"))), apply_to = function)
#include "Template/Set.h"
#pragma clang attribute pop

const InklingKernels inkling_avx512 = INKLING_SET("avx512");

#endif
