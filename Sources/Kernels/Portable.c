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

#define INTEGER_VECTORS 2
#define CASES_TO_INTEGER_VECTORS CASES_TO_2
#define BYTE_LIMIT 0
#define DOT_BYTES plainDotBytes
#if defined(__x86_64__)
#include <emmintrin.h>
#define DOT_PAIRS(sums, input, weights) ((sums) + (Numbers)_mm_madd_epi16((__m128i)(input), (__m128i)(weights)))
#elif defined(__aarch64__)
#include <arm_neon.h>
#define DOT_PAIRS(sums, input, weights) neonDotPairs(sums, (int16x8_t)(input), (int16x8_t)(weights))
#define neonDotPairs(sums, input, weights) \
  ((sums) + (Numbers)vpaddq_s32( \
    vmull_s16(vget_low_s16(input), vget_low_s16(weights)), vmull_high_s16(input, weights)))
#else
#define DOT_PAIRS plainDotPairs
#endif

#include "Template/Set.h"

const InklingKernels inkling_portable = INKLING_SET(NAME, integers, BYTE_LIMIT);
