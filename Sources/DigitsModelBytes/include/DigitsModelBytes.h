#ifndef INKLING_DIGITS_MODEL_BYTES_H
#define INKLING_DIGITS_MODEL_BYTES_H

#include <stddef.h>

/// The bytes of Data/models/digits.ink, aligned to 64, and how many there are.
const unsigned char *inkling_digits_model(size_t *count);

#endif
