#ifndef INKLING_WIDE_KERNELS_H
#define INKLING_WIDE_KERNELS_H

#include "Kernels.h"

/// The loops of the AVX-512 set in instructions that every processor has, so that they are tested everywhere.
const InklingKernels *inkling_wide_kernels(void);
/// The same with the integer loops of the set with VNNI.
const InklingKernels *inkling_wide_vnni_kernels(void);

#endif
