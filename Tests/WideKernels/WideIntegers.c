// As AVX512VNNI.c, for the weights that WideKernels.c packs.

#include "include/WideKernels.h"

#pragma clang diagnostic ignored "-Wpsabi"

#define LANES 16
#define INTEGER_VECTORS 4
#define CASES_TO_INTEGER_VECTORS CASES_TO_4
#define BYTE_LIMIT 255
#define DOT_PAIRS plainDotPairs
#define DOT_BYTES plainDotBytes

#include "../../Sources/Kernels/Template/Vector.h"
#include "../../Sources/Kernels/Template/Integers.h"

void inkling_wide_integers(const InklingIntegers *job) { integers(job); }
