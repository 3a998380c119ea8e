#include "include/PNGDecoder.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

// Chunks that are not pixels may take this much memory.
#define MOST_CHUNK_BYTES 8000000

static void fail(png_structp png, png_const_charp message) {
  InklingPNG *file = png_get_error_ptr(png);
  strncpy(file->message, message, sizeof file->message - 1);
  longjmp(png_jmpbuf(png), 1);
}

static void ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void readBytes(png_structp png, png_bytep target, size_t count) {
  InklingPNG *file = png_get_io_ptr(png);
  if (count > file->count - file->offset) png_error(png, "the file ends too early");
  memcpy(target, file->bytes + file->offset, count);
  file->offset += count;
}

void inkling_png_end(InklingPNG *file) {
  png_structp png = file->png;
  png_infop info = file->info;
  png_destroy_read_struct(&png, &info, NULL);
  file->png = file->info = NULL;
}

static int hasOpacity(png_structp png, png_infop info) {
  return (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS);
}

int inkling_png_begin(InklingPNG *file) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, file, fail, ignore);
  if (!png) return 0;
  file->png = png;
  if (setjmp(png_jmpbuf(png))) {
    inkling_png_end(file);
    return 0;
  }
  png_infop info = png_create_info_struct(png);
  if (!info) png_error(png, "there is no memory");
  file->info = info;
  png_set_read_fn(png, file, readBytes);
  png_set_chunk_malloc_max(png, MOST_CHUNK_BYTES);
  // 1 keeps none: a thousand texts of that size, which deflate packs into a few megabytes, would fill the memory.
  png_set_chunk_cache_max(png, 1);
  // How large a picture may be is the caller's to say: libpng would call one that is too wide damaged.
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_read_info(png, info);
  file->width = png_get_image_width(png, info);
  file->height = png_get_image_height(png, info);
  const int isColored = png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR;
  file->channels = hasOpacity(png, info) ? 4 : isColored ? 3 : 1;
  return 1;
}

int inkling_png_read(InklingPNG *file, uint8_t *pixels) {
  png_structp png = file->png;
  const size_t rowBytes = (size_t)file->width * (size_t)file->channels;
  volatile int isWhole = 0;
  if (!setjmp(png_jmpbuf(png))) {
    // Palettes to colours, a transparent colour to opacity, fewer bits to 8; 16 bits are rounded, not cut.
    png_set_expand(png);
    png_set_scale_16(png);
    if (hasOpacity(png, file->info)) png_set_gray_to_rgb(png);
    const int passes = png_set_interlace_handling(png);
    // Asks for memory by the width, so not before the caller agreed to it.
    png_read_update_info(png, file->info);
    if (png_get_rowbytes(png, file->info) != rowBytes) png_error(png, "rows have another length");
    for (int pass = 0; pass < passes; pass++) {
      for (uint32_t row = 0; row < file->height; row++) png_read_row(png, pixels + row * rowBytes, NULL);
    }
    png_read_end(png, NULL);
    isWhole = 1;
  }
  inkling_png_end(file);
  return isWhole;
}
