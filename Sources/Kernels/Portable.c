// What every processor of the architecture has: SSE2 on x86-64 (no fused multiply-add), NEON on arm64 (with one).

#if defined(__aarch64__)
#define NAME "neon"
#define ROWS 6
#define APART_ROWS 6
#define CASES_TO_ROWS CASES_TO_6
#define CASES_TO_APART_ROWS CASES_TO_6
#define MULTIPLY_ADD(a, b, c) __builtin_elementwise_fma(a, b, c)
#else
#define NAME "portable"
// 16 registers of 4 floats: 2 × 16 sums, a row of inputs, a weight and a product.
#define ROWS 2
#define APART_ROWS 2
#define CASES_TO_ROWS CASES_TO_2
#define CASES_TO_APART_ROWS CASES_TO_2
#define MULTIPLY_ADD(a, b, c) ((c) + (a) * (b))
#endif
#define LANES 4
#if defined(__aarch64__)
#define HAS_HALF 1
#else
#define HAS_HALF 0
#endif

#include "Template/Set.h"

const InklingKernels inkling_portable = INKLING_SET(NAME);
