#include "include/PNGDecoder.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
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
  // How large a picture may be is the caller's to say: libpng would call one that is too wide damaged.
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_read_info(png, info);
  file->width = png_get_image_width(png, info);
  file->height = png_get_image_height(png, info);
  const int type = png_get_color_type(png, info);
  const int hasOpacity = (type & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS);
  file->channels = hasOpacity ? 4 : (type & PNG_COLOR_MASK_COLOR) ? 3 : 1;
  // Palettes to colours, a transparent colour to opacity, fewer bits to 8; 16 bits are rounded, not cut.
  png_set_expand(png);
  png_set_scale_16(png);
  if (hasOpacity) png_set_gray_to_rgb(png);
  png_set_interlace_handling(png);
  return 1;
}

int inkling_png_read(InklingPNG *file, uint8_t *pixels) {
  png_structp png = file->png;
  const size_t rowBytes = (size_t)file->width * (size_t)file->channels;
  png_bytep *volatile rows = malloc(file->height * sizeof *rows);
  volatile int isWhole = 0;
  if (rows && !setjmp(png_jmpbuf(png))) {
    // Not before the caller has found the size acceptable: libpng makes room for rows here.
    png_read_update_info(png, file->info);
    if (png_get_rowbytes(png, file->info) != rowBytes) png_error(png, "rows have another length");
    for (uint32_t row = 0; row < file->height; row++) rows[row] = pixels + row * rowBytes;
    png_read_image(png, rows);
    png_read_end(png, NULL);
    isWhole = 1;
  }
  free(rows);
  inkling_png_end(file);
  return isWhole;
}
