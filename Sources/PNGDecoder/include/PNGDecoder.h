#ifndef INKLING_PNG_DECODER_H
#define INKLING_PNG_DECODER_H

#include <stddef.h>
#include <stdint.h>

/// A PNG file that is being read. libpng reports errors by longjmp, which Swift cannot take: hence this shim.
typedef struct {
  const uint8_t *bytes;
  size_t count, offset;
  /// Filled in by `inkling_png_begin`.
  uint32_t width, height;
  /// Values a pixel when read: 1 grey, 3 RGB, 4 RGB and opacity.
  int channels;
  /// What is wrong, in libpng's words.
  char message[128];
  void *png, *info;
} InklingPNG;

/// Reads up to the pixels, with memory that does not depend on the size. Whether that is possible; if not, everything is
/// given back.
int inkling_png_begin(InklingPNG *file);

/// Reads the pixels, 8 bits a value, width · height · channels bytes, and all that follows. Whether the file is whole.
/// Gives everything back in any case.
int inkling_png_read(InklingPNG *file, uint8_t *pixels);

/// Gives everything back without reading the pixels.
void inkling_png_end(InklingPNG *file);

#endif
