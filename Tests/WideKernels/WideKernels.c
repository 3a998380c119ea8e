// The sizes of the AVX-512 set; the compiler splits the vectors.

#include "include/WideKernels.h"

// It would say how such vectors are passed to functions, but all that take one are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

#define LANES 16
#define HAS_HALF 0
#define ROWS 12
#define APART_ROWS 8
#define CASES_TO_ROWS CASES_TO_12
#define CASES_TO_APART_ROWS CASES_TO_8
#define MULTIPLY_ADD(a, b, c) ((c) + (a) * (b))

#define INTEGER_VECTORS 4
#define CASES_TO_INTEGER_VECTORS CASES_TO_4
#define BYTE_LIMIT 127
#define BYTE_GROUP 3
#define MULTIPLY_BYTES plainMultiplyBytes
#define DOT_PAIRS plainDotPairs
#define DOT_BYTES plainDotBytes

#include "../../Sources/Kernels/Template/Set.h"

static const InklingKernels wide = INKLING_SET("wide", integers, BYTE_LIMIT);

void inkling_wide_integers(const InklingIntegers *job);
static const InklingKernels wideVNNI = INKLING_SET("wide VNNI", inkling_wide_integers, 255);

const InklingKernels *inkling_wide_kernels(void) { return &wide; }
const InklingKernels *inkling_wide_vnni_kernels(void) { return &wideVNNI; }
