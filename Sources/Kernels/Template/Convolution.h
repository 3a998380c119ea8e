// The three products of a convolution.

// The sums of one block of filters at one tile of places.
ALWAYS_INLINE void correlateTile(
  const int count, const InklingCorrelation *job, const float *rows, const float *bias, ptrdiff_t p, float *strip,
  ptrdiff_t stripRow) {
  Vector sums[ROWS][PARTS];
  FOR_TILE(count, part) sums[r][part] = (Vector)(bias ? bias[r] : 0);
  for (ptrdiff_t k = 0; k < job->inner; k++)
    ADD_ROW(count, sums, job->in + job->offsets[k] + p, rows[k * count + r]);
  FOR_TILE(count, part) store(strip + r * stripRow + p + part * LANES, sums[r][part]);
}

// Drops the places beyond each row's width.
ALWAYS_INLINE void compact(const float *strip, ptrdiff_t height, ptrdiff_t width, ptrdiff_t pitch, float *out) {
  const float *const end = out + height * width;
  for (ptrdiff_t y = 0; y < height; y++, strip += pitch, out += width) {
    ptrdiff_t x = 0;
    // What a vector writes beyond its row the next row writes over.
    for (; x < width && out + x + LANES <= end; x += LANES) store(out + x, load(strip + x));
    for (; x < width; x++) out[x] = strip[x];
  }
}

static void correlate(const InklingCorrelation *job) {
  const ptrdiff_t places = (job->height - 1) * job->pitch + job->width;
  const ptrdiff_t stripRow = job->height * job->pitch + INKLING_COLUMNS;
  const ptrdiff_t blocks = blockCount(job->rowCount, ROWS);
  for (ptrdiff_t block = 0; block < blocks; block++) {
    const ptrdiff_t start = blockStart(block, blocks, job->rowCount);
    const ptrdiff_t count = blockStart(block + 1, blocks, job->rowCount) - start;
    const float *rows = job->rows + start * job->inner, *bias = job->bias ? job->bias + start : NULL;
    switch (count) {
      CASES_TO_ROWS(for (ptrdiff_t p = 0; p < places; p += INKLING_COLUMNS)
                      correlateTile(N, job, rows, bias, p, job->strip, stripRow))
    }
    for (ptrdiff_t r = 0; r < count; r++)
      compact(
        job->strip + r * stripRow, job->height, job->width, job->pitch,
        job->out + (start + r) * job->height * job->width);
  }
}

// Adds `count` rows of sums to memory, of each row the first `columns` values.
ALWAYS_INLINE void addTile(const int count, Vector sums[][PARTS], float *target, ptrdiff_t rowStep, ptrdiff_t columns) {
  if (columns >= INKLING_COLUMNS) {
    FOR_TILE(count, part) {
      float *values = target + r * rowStep + part * LANES;
      store(values, load(values) + sums[r][part]);
    }
  } else {
    float row[INKLING_COLUMNS];
    UNROLL for (int r = 0; r < count; r++) {
      FOR_PARTS(part) store(row + part * LANES, sums[r][part]);
      for (ptrdiff_t j = 0; j < columns; j++) target[r * rowStep + j] += row[j];
    }
  }
}

ALWAYS_INLINE void scatterTile(
  const int count, const InklingScattering *job, const float *rows, float *in, ptrdiff_t p) {
  // All taps at one place: its outputs are then in the first cache for all but the first.
  for (ptrdiff_t tap = 0; tap < job->taps; tap++) {
    const float *tapRows = rows + tap * job->channels * job->filters;
    Vector sums[ROWS][PARTS];
    FOR_TILE(count, part) sums[r][part] = (Vector)(0.0f);
    for (ptrdiff_t k = 0; k < job->filters; k++)
      ADD_ROW(count, sums, job->out + k * job->outStep + p, tapRows[k * count + r]);
    addTile(count, sums, in + job->tapOffsets[tap] + p, job->channelStep, job->places - p);
  }
}

static void scatter(const InklingScattering *job) {
  const ptrdiff_t blocks = blockCount(job->channels, ROWS);
  for (ptrdiff_t block = 0; block < blocks; block++) {
    const ptrdiff_t start = blockStart(block, blocks, job->channels);
    const ptrdiff_t count = blockStart(block + 1, blocks, job->channels) - start;
    const float *rows = job->rows + start * job->filters;
    float *in = job->in + start * job->channelStep;
    switch (count) {
      CASES_TO_ROWS(for (ptrdiff_t p = 0; p < job->places; p += INKLING_COLUMNS) scatterTile(N, job, rows, in, p))
    }
  }
}

ALWAYS_INLINE void outerTile(
  const int count, const InklingOuterProduct *job, const int32_t *offsets, ptrdiff_t firstY, ptrdiff_t endY,
  float *target) {
  Vector sums[APART_ROWS][PARTS];
  FOR_TILE(count, part) sums[r][part] = load(target + r * INKLING_COLUMNS + part * LANES);
  const float *panel = job->panel + firstY * job->width * INKLING_COLUMNS;
  for (ptrdiff_t y = firstY; y < endY; y++) {
    const float *rows[APART_ROWS];
    UNROLL for (int r = 0; r < count; r++) rows[r] = job->in + offsets[r] + y * job->pitch;
    for (ptrdiff_t x = 0; x < job->width; x++, panel += INKLING_COLUMNS) ADD_ROW(count, sums, panel, rows[r][x]);
  }
  FOR_TILE(count, part) store(target + r * INKLING_COLUMNS + part * LANES, sums[r][part]);
}

// Panel rows of 64 bytes that stay in the first cache while all blocks of input go over them.
#define OUTER_STRETCH 256

static void outerProduct(const InklingOuterProduct *job) {
  const ptrdiff_t blocks = blockCount(job->inner, APART_ROWS);
  const ptrdiff_t stretches = blockCount(job->height * job->width, OUTER_STRETCH);
  for (ptrdiff_t stretch = 0; stretch < stretches; stretch++) {
    const ptrdiff_t firstY = blockStart(stretch, stretches, job->height);
    const ptrdiff_t endY = blockStart(stretch + 1, stretches, job->height);
    for (ptrdiff_t block = 0; block < blocks; block++) {
      const ptrdiff_t start = blockStart(block, blocks, job->inner);
      const ptrdiff_t count = blockStart(block + 1, blocks, job->inner) - start;
      const int32_t *offsets = job->offsets + start;
      float *sums = job->sums + start * INKLING_COLUMNS;
      switch (count) { CASES_TO_APART_ROWS(outerTile(N, job, offsets, firstY, endY, sums)) }
    }
  }
}
