// Everything that one instruction set has, under the name SET.

#include "Vector.h"
#include "Convolution.h"
#include "Product.h"
#include "Maximum.h"

#define INKLING_SET(name) \
  {name, LANES, packRows, correlate, scatter, outerProduct, product, maximum, packPanel}
