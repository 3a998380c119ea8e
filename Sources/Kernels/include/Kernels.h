#ifndef INKLING_KERNELS_H
#define INKLING_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// The inner loops that need an instruction set. Each is compiled once for every set and chosen at run time, so that
// one plain build is fast on any machine.
//
// Convolution needs no unfolded matrix. In an image whose rows are `pitch` apart, the pixel below place k of the
// kernel, for output (y, x), is in[offsets[k] + y · pitch + x]. One table of offsets so serves all three products of
// a convolution: forward, backward by the image, backward by the weights. Sums run over whole rows of `pitch` places,
// and those beyond an output's width are dropped (forward) or zero (backward).

/// Columns of a tile: places of an output, images of a shard, or filters. A multiple of every vector's length.
#define INKLING_COLUMNS 16

/// out[r][y · width + x] = bias[r] + Σ over k of rows[r][k] · in[offsets[k] + y · pitch + x].
///
/// `rows` as `packRows` lays out a [rowCount, inner] matrix; no bias counts as zeros. The input is read up to 15 values
/// past its last place. `strip` holds INKLING_STRIP_ROWS · (height · pitch + INKLING_COLUMNS) values.
typedef struct {
  ptrdiff_t rowCount, inner, height, width, pitch;
  const float *rows, *bias, *in;
  const int32_t *offsets;
  float *strip, *out;
} InklingCorrelation;

/// The most rows that a strip holds.
#define INKLING_STRIP_ROWS 12

/// A convolution by 3 × 3 places with stride 1, by way of tiles of 2 × 2 outputs.
///
/// `in` holds for each channel 2 · tilesDown + 2 rows of at least 2 · tilesAcross + 2 values, where the tiles cover
/// height × width outputs; 64 values past the last are read. `rows` holds 16 matrices [filters, channels] as `packRows`
/// lays them out, those of place (i, j) of a tile at 4 · i + j. `spread` takes 16 · channels · tileStep values, `sums`
/// 16 · INKLING_STRIP_ROWS · tileStep, both and INKLING_COLUMNS more. `offsets` counts channels by `tileStep`, a multiple
/// of INKLING_COLUMNS with room for all tiles where the last row of them is filled up to such a multiple, too.
typedef struct {
  ptrdiff_t channels, filters, height, width, pitch, channelStep, tileStep;
  const float *rows, *bias, *in;
  const int32_t *offsets;
  float *spread, *sums, *out;
} InklingWinograd;

/// in[c · channelStep + tapOffsets[t] + p] += Σ over f of rows[t][c][f] · out[f · outStep + p], p in 0..<places.
///
/// `rows` holds for each tap a [channels, filters] matrix as `packRows` lays it out. `out` is read up to 15 values
/// past its last place.
typedef struct {
  ptrdiff_t channels, filters, taps, places, outStep, channelStep;
  const float *rows, *out;
  const int32_t *tapOffsets;
  float *in;
} InklingScattering;

/// sums[k · INKLING_COLUMNS + f] += Σ over y, x of
/// in[offsets[k] + y · pitch + x] · panel[(y · width + x) · INKLING_COLUMNS + f].
typedef struct {
  ptrdiff_t inner, height, width, pitch;
  const float *in, *panel;
  const int32_t *offsets;
  float *sums;
} InklingOuterProduct;

/// Values that a product works with, in rows of INKLING_COLUMNS: 64 kB, which fits into any second cache.
#define INKLING_PANEL_ROWS 1024

/// c[i · cRow + j · cColumn] = Σ over k of a[i · aRow + k · aInner] · b[k · bInner + j · bColumn].
///
/// Either bColumn and cColumn are 1, or bInner and cRow are. `panel` holds INKLING_PANEL_ROWS · INKLING_COLUMNS values.
typedef struct {
  ptrdiff_t rows, columns, inner, aRow, aInner, bInner, bColumn, cRow, cColumn;
  const float *a, *b;
  float *panel, *c;
} InklingProduct;

/// The largest value of each window of a plane with rows of `inWidth`, and its number in the window, row by row;
/// the first of equals, and a NaN wherever there is one. Up to 31 values past the last window are read. Without
/// `places` their numbers are not worked out.
typedef struct {
  ptrdiff_t inWidth, outHeight, outWidth, windowHeight, windowWidth, strideY, strideX;
  const float *in;
  float *out;
  uint8_t *places;
} InklingMaximum;

/// mask[i] = 1 where 16 random bits are at least `threshold`, else 0. The bits are those of Philox4x32-10 blocks with
/// `key` and the counter (block, index, step, stream), eight values a block, the low half of each word first.
typedef struct {
  ptrdiff_t count;
  uint32_t key[2];
  uint32_t index, step, stream, threshold;
  uint8_t *mask;
} InklingRandomMask;

/// A step of stochastic gradient descent with momentum: velocity = momentum · velocity + scale · gradient,
/// values = values · keep - rate · velocity, or by Nesterov's rule the gradient plus momentum · velocity in its place.
typedef struct {
  ptrdiff_t count;
  const float *gradient;
  float *values, *velocity;
  float scale, keep, rate, momentum;
  int isNesterov;
} InklingMomentum;

/// A step of Adam, with g = scale · gradient + decay · values: first = beta1 · first + (1 - beta1) · g,
/// second = beta2 · second + (1 - beta2) · g², values = values · keep - size · first / (√second · spread + epsilon).
typedef struct {
  ptrdiff_t count;
  const float *gradient;
  float *values, *first, *second;
  float scale, keep, decay, beta1, beta2, size, spread, epsilon;
} InklingMoments;

/// How weights are stored; the numbers are those of the `.ink` format.
enum { INKLING_FLOAT32 = 0, INKLING_FLOAT16 = 1, INKLING_INT8 = 2 };

/// Inputs of a dense layer come in multiples of this many, the rest being zeros.
#define INKLING_DENSE_STEP 32

/// out[o] = scales[o] · Σ over k of weights[o · inputs + k] · in[k] + bias[o]; `inputs` is a multiple of
/// INKLING_DENSE_STEP.
typedef struct {
  ptrdiff_t outputs, inputs;
  int type;
  const void *weights;
  const float *scales, *bias, *in;
  float *out;
} InklingDense;

/// out[y · width + x][f] = sum · factors[f] + shifts[f], the sum over k of weights[f][k] times the word at
/// in + y · rowStep + x · columnStep + offset(k); a word is 4 bytes, or with `isWide` 2 int16, and so has as many
/// weights. Steps and offsets count bytes.
///
/// With `isPooled` the largest of 4 such sums, poolAcross and poolDown apart. With `isStored` the result is rounded
/// half to even and limited to 0...127, in bytes; else it is a float. Weights and the offsets in `tables` as `packIntegers`
/// lays them out; factors and shifts go on for 15 values. Up to 15 bytes
/// are written past the last output.
typedef struct {
  ptrdiff_t filters, height, width, words, rowStep, columnStep, poolAcross, poolDown;
  int isWide, isSingle, isPooled, isStored;
  const uint8_t *in;
  const int32_t *tables;
  const void *weights;
  const float *factors, *shifts;
  void *out;
} InklingIntegers;

/// What `integers` reads, from a matrix [filters, words · 4], with `isWide` [filters, words · 2], and the offset of each
/// word. `isSingle` is for one place alone, as a dense layer has.
///
/// With filters rounded up to whole vectors, `weights` takes words · 4 bytes for each, and `tables` words + 1 numbers
/// for each vector of them.
typedef struct {
  ptrdiff_t filters, words;
  int isWide, isSingle;
  const int8_t *matrix;
  const int32_t *offsets;
  int32_t *tables;
  void *weights;
} InklingIntegerPacking;

/// Additions and multiplications a lane in a round of `peak`.
#define INKLING_PEAK_OPERATIONS 24

/// The loops for one instruction set.
typedef struct {
  /// `avx512vnni`, `avx512`, `avx2`, `neon` or `portable`.
  const char *name;
  /// Floats in a vector.
  int lanes;
  /// Lays a matrix [rowCount, inner], element (r, k) at matrix[r · rowStep + k · innerStep], out in blocks of a few
  /// rows, each k by k. `packed` takes rowCount · inner values.
  void (*packRows)(
    const float *matrix, ptrdiff_t rowCount, ptrdiff_t inner, ptrdiff_t rowStep, ptrdiff_t innerStep, float *packed);
  void (*correlate)(const InklingCorrelation *job);
  void (*winograd)(const InklingWinograd *job);
  void (*scatter)(const InklingScattering *job);
  void (*outerProduct)(const InklingOuterProduct *job);
  void (*product)(const InklingProduct *job);
  void (*maximum)(const InklingMaximum *job);
  void (*randomMask)(const InklingRandomMask *job);
  void (*updateByMomentum)(const InklingMomentum *job);
  void (*updateByMoments)(const InklingMoments *job);
  void (*dense)(const InklingDense *job);
  /// Whether weights may be half floats.
  int hasHalf;
  void (*packIntegers)(const InklingIntegerPacking *job);
  void (*integers)(const InklingIntegers *job);
  /// The largest byte that may come without `isWide`; 0 where none may.
  int byteLimit;
  /// INKLING_PEAK_OPERATIONS · lanes · rounds additions and multiplications, on registers alone.
  float (*peak)(ptrdiff_t rounds, float factor);
  /// panel[p · INKLING_COLUMNS + f] = planes[f · step + p], zero for f from `filters` on (up to INKLING_COLUMNS).
  void (*packPanel)(const float *planes, ptrdiff_t filters, ptrdiff_t places, ptrdiff_t step, float *panel);
} InklingKernels;

/// The sets that this processor can run, the best first; the last is `portable` or `neon`.
const InklingKernels *const *inkling_kernels(size_t *count);

/// The CRC-32 of zlib over more bytes; `crc` is that of the bytes before, 0 at first.
uint32_t inkling_crc32(uint32_t crc, const void *bytes, size_t count);

/// Tells the processor that this thread looks at memory again and again.
static inline void inkling_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif
