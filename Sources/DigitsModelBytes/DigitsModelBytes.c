#include "include/DigitsModelBytes.h"

// C, since an array literal in Swift of this length, which SwiftPM's embedInCode writes, takes the compiler half a minute.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const _Alignas(64) unsigned char model[] = {
#embed "../../Data/models/digits.ink"
};

const unsigned char *inkling_digits_model(size_t *count) {
  *count = sizeof model;
  return model;
}
