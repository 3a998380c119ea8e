// What AVX-512 does better with VNNI: 4 products of bytes and signed bytes a lane in one instruction, whatever the
// bytes. All else of this set, the packing of weights too, is that of AVX512.c.

#if defined(__x86_64__)

#include <immintrin.h>

#define LANES 16
#define INTEGER_VECTORS 4
#define CASES_TO_INTEGER_VECTORS CASES_TO_4
#define BYTE_LIMIT 255
#define DOT_PAIRS(sums, input, weights) \
  ((Numbers)_mm512_dpwssd_epi32((__m512i)(sums), (__m512i)(input), (__m512i)(weights)))
#define DOT_BYTES(sums, input, weights) \
  ((Numbers)_mm512_dpbusd_epi32((__m512i)(sums), (__m512i)(input), (__m512i)(weights)))

#pragma clang attribute push(__attribute__((target("avx512vnni,avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"))), apply_to = function)
#include "Template/Vector.h"
#include "Template/Integers.h"

void inkling_integersVNNI(const InklingIntegers *job) { integers(job); }
#pragma clang attribute pop

#endif
