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
#define BYTE_GROUP 3
#define MULTIPLY_BYTES(input, weights) (Shorts)_mm256_maddubs_epi16((__m256i)(input), (__m256i)(weights))
#define DOT_PAIRS(sums, input, weights) ((sums) + (Numbers)_mm256_madd_epi16((__m256i)(input), (__m256i)(weights)))
#define DOT_BYTES(sums, input, weights) DOT_PAIRS(sums, MULTIPLY_BYTES(input, weights), (Numbers)(0x10001))

// Rounds to even what is at most 127, then limits it from below: a NaN has become the least number.
#define ROUND_LIMITED(values) _mm256_cvtps_epi32(_mm256_min_ps(_mm256_set1_ps(127), (__m256)(values)))
// Both packings work on halves, which the permutation puts in order.
#define ROUND_TWO(first, second) \
  _mm256_castsi256_si128(_mm256_permutevar8x32_epi32( \
    _mm256_packus_epi16(_mm256_packs_epi32(ROUND_LIMITED(first), ROUND_LIMITED(second)), _mm256_setzero_si256()), \
    _mm256_setr_epi32(0, 4, 1, 5, 2, 3, 6, 7)))

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#include "Template/Set.h"
#pragma clang attribute pop

const InklingKernels inkling_avx2 = INKLING_SET("avx2", integers, BYTE_LIMIT);

#endif
