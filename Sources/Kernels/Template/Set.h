// Everything that one instruction set has.

#include "Vector.h"
#include "Packing.h"
#include "Convolution.h"
#include "Product.h"
#include "Maximum.h"
#include "Dense.h"
#include "Winograd.h"
#include "Random.h"
#include "Update.h"
#include "Peak.h"

#define INKLING_SET(setName) \
  { \
    .name = setName, .lanes = LANES, .packRows = packRows, .correlate = correlate, .winograd = winograd, .scatter = scatter, \
    .outerProduct = outerProduct, .product = product, .maximum = maximum, .dense = dense, .hasHalf = HAS_HALF, .randomMask = randomMask, \
    .updateByMomentum = updateByMomentum, .updateByMoments = updateByMoments, .peak = peak, .packPanel = packPanel \
  }
