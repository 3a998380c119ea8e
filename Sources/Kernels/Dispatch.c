#include "include/Kernels.h"

extern const InklingKernels inkling_portable;
#if defined(__x86_64__)
extern const InklingKernels inkling_avx2, inkling_avx512, inkling_avx512vnni;
#endif

const InklingKernels *const *inkling_kernels(size_t *count) {
#if defined(__x86_64__)
  static const InklingKernels *const sets[] = {&inkling_avx512vnni, &inkling_avx512, &inkling_avx2, &inkling_portable};
  const int hasAVX2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  const int hasAVX512 = hasAVX2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  const int hasVNNI = hasAVX512 && __builtin_cpu_supports("avx512vnni");
  const size_t first = hasVNNI ? 0 : hasAVX512 ? 1 : hasAVX2 ? 2 : 3;
  *count = 4 - first;
  return sets + first;
#else
  static const InklingKernels *const sets[] = {&inkling_portable};
  *count = 1;
  return sets;
#endif
}
