#ifndef INKLING_CBLAS_H
#define INKLING_CBLAS_H

#if __has_include(<cblas.h>)
#include <cblas.h>
#else
#error "cblas.h is missing. On Debian or Ubuntu: apt-get install libopenblas-dev liblapacke-dev zlib1g-dev libpng-dev"
#endif

// OpenBLAS's own calls, weak so that any other CBLAS links as well.
extern void openblas_set_num_threads(int) __attribute__((weak));
extern char *openblas_get_corename(void) __attribute__((weak));
extern void MKL_Set_Num_Threads(int) __attribute__((weak));
extern void bli_thread_set_num_threads(long) __attribute__((weak));

/// Keeps the library's own threads out: a worker calls BLAS for its shard alone.
static inline void inkling_blas_use_one_thread(void) {
  if (openblas_set_num_threads) openblas_set_num_threads(1);
  if (MKL_Set_Num_Threads) MKL_Set_Num_Threads(1);
  if (bli_thread_set_num_threads) bli_thread_set_num_threads(1);
}

/// The kernel family that the library chose for this processor, or "unknown".
static inline const char *inkling_blas_core(void) {
  return openblas_get_corename ? openblas_get_corename() : "unknown";
}

#endif
