// Everything that one instruction set has.

#include "Vector.h"
#include "Packing.h"
#include "Convolution.h"
#include "Product.h"
#include "Maximum.h"
#include "Dense.h"
#include "Winograd.h"
#include "Integers.h"
#include "Random.h"
#include "Update.h"
#include "Peak.h"

// The loop of `integers` may be another set's.
#define INKLING_SET(setName, integersLoop, integersLimit) \
  { \
    .name = setName, .lanes = LANES, .packRows = packRows, .correlate = correlate, .winograd = winograd, .scatter = scatter, \
    .outerProduct = outerProduct, .product = product, .maximum = maximum, .dense = dense, .hasHalf = HAS_HALF, \
    .packIntegers = packIntegers, .integers = integersLoop, .byteLimit = integersLimit, .randomMask = randomMask, \
    .updateByMomentum = updateByMomentum, .updateByMoments = updateByMoments, .peak = peak, .packPanel = packPanel \
  }
