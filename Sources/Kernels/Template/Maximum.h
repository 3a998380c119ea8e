// Max-pooling, one row of outputs at a time, place by place of the window.

#if LANES == 16
#define EVEN_LANES 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#elif LANES == 8
#define EVEN_LANES 0, 2, 4, 6, 8, 10, 12, 14
#else
#define EVEN_LANES 0, 2, 4, 6
#endif

// LANES values, 1 or 2 apart.
ALWAYS_INLINE Vector loadApart(const float *values, const int stride) {
  if (stride == 1) return load(values);
  return __builtin_shufflevector(load(values), load(values + LANES), EVEN_LANES);
}

// LANES outputs from the windows that begin at `window`, `stride` apart.
ALWAYS_INLINE void maximumVector(
  const InklingMaximum *job, const float *window, const int stride, const ptrdiff_t height, const ptrdiff_t width,
  ptrdiff_t at, const int hasPlaces) {
  Vector best = loadApart(window, stride);
  Numbers places = (Numbers)(0);
  int32_t place = 1;
  for (ptrdiff_t y = 0; y < height; y++)
    for (ptrdiff_t x = y == 0; x < width; x++, place++) {
      const Vector values = loadApart(window + y * job->inWidth + x, stride);
      // A NaN is kept, to be noticed in the loss: it differs from itself, and nothing is greater.
      const Numbers wins = (values > best) | (values != values);
      if (hasPlaces) places = wins ? (Numbers)(place) : places;
      best = wins ? values : best;
    }
  const Bytes bytes = __builtin_convertvector(places, Bytes);
  const ptrdiff_t rest = job->outHeight * job->outWidth - at;
  if (rest >= LANES) {
    // What lies beyond the row's end is written over by the next row.
    store(job->out + at, best);
    if (hasPlaces) *(LooseBytes *)(job->places + at) = bytes;
  } else {
    for (ptrdiff_t i = 0; i < rest; i++) {
      job->out[at + i] = best[i];
      if (hasPlaces) job->places[at + i] = bytes[i];
    }
  }
}

ALWAYS_INLINE void maximumScalar(const InklingMaximum *job, const float *window, ptrdiff_t at) {
  float best = window[0];
  uint8_t places = 0, place = 1;
  for (ptrdiff_t y = 0; y < job->windowHeight; y++)
    for (ptrdiff_t x = y == 0; x < job->windowWidth; x++, place++) {
      const float value = window[y * job->inWidth + x];
      const int wins = (value > best) | (value != value);
      best = wins ? value : best;
      places = wins ? place : places;
    }
  job->out[at] = best;
  if (job->places) job->places[at] = places;
}

ALWAYS_INLINE void maximumRow(
  const InklingMaximum *job, const float *in, const int stride, const ptrdiff_t height, const ptrdiff_t width,
  ptrdiff_t at) {
  if (job->places) {
    for (ptrdiff_t x = 0; x < job->outWidth; x += LANES)
      maximumVector(job, in + x * stride, stride, height, width, at + x, 1);
  } else {
    for (ptrdiff_t x = 0; x < job->outWidth; x += LANES)
      maximumVector(job, in + x * stride, stride, height, width, at + x, 0);
  }
}

static void maximum(const InklingMaximum *job) {
  const ptrdiff_t height = job->windowHeight, width = job->windowWidth;
  for (ptrdiff_t y = 0; y < job->outHeight; y++) {
    const float *in = job->in + y * job->strideY * job->inWidth;
    const ptrdiff_t at = y * job->outWidth;
    if (job->strideX == 2 && height == 2 && width == 2) {
      // The usual pool, with loops that unroll.
      maximumRow(job, in, 2, 2, 2, at);
    } else if (job->strideX == 2) {
      maximumRow(job, in, 2, height, width, at);
    } else if (job->strideX == 1) {
      maximumRow(job, in, 1, height, width, at);
    } else {
      for (ptrdiff_t x = 0; x < job->outWidth; x++) maximumScalar(job, in + x * job->strideX, at + x);
    }
  }
}
