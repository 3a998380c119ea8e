// Convolution by 3 × 3 with stride 1 in the transformed domain: Lavin and Gray, "Fast algorithms for convolutional
// neural networks" (2015), F(2 × 2, 3 × 3). A tile of 4 × 4 inputs gives 2 × 2 outputs by 16 multiplications in place
// of 36. Each of the 16 places of a tile is one matrix product over channels.

// a and b become a0 b0 a1 b1 …, LANES of them at `low`, the rest behind.
ALWAYS_INLINE void interleave(Vector a, Vector b, float *target) {
#if LANES == 16
  store(target, __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  store(target + LANES, __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31));
#elif LANES == 8
  store(target, __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
  store(target + LANES, __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
#else
  store(target, __builtin_shufflevector(a, b, 0, 4, 1, 5));
  store(target + LANES, __builtin_shufflevector(a, b, 2, 6, 3, 7));
#endif
}

// Bᵀ d B of LANES tiles that lie side by side, 2 columns apart.
ALWAYS_INLINE void transformInput(const float *in, ptrdiff_t pitch, float *spread, ptrdiff_t step) {
  Vector rows[4][4];
  UNROLL for (int j = 0; j < 4; j++) {
    Vector d[4];
    UNROLL for (int i = 0; i < 4; i++) d[i] = loadApart(in + i * pitch + j, 2);
    rows[0][j] = d[0] - d[2];
    rows[1][j] = d[1] + d[2];
    rows[2][j] = d[2] - d[1];
    rows[3][j] = d[1] - d[3];
  }
  UNROLL for (int i = 0; i < 4; i++) {
    store(spread + (4 * i + 0) * step, rows[i][0] - rows[i][2]);
    store(spread + (4 * i + 1) * step, rows[i][1] + rows[i][2]);
    store(spread + (4 * i + 2) * step, rows[i][2] - rows[i][1]);
    store(spread + (4 * i + 3) * step, rows[i][1] - rows[i][3]);
  }
}

// Aᵀ m A plus the bias of LANES tiles: two rows of outputs.
ALWAYS_INLINE void transformOutput(const float *sums, ptrdiff_t step, float bias, float *top, float *bottom) {
  Vector rows[2][4];
  UNROLL for (int j = 0; j < 4; j++) {
    Vector m[4];
    UNROLL for (int i = 0; i < 4; i++) m[i] = load(sums + (4 * i + j) * step);
    rows[0][j] = m[0] + m[1] + m[2];
    rows[1][j] = m[1] - m[2] - m[3];
  }
  UNROLL for (int i = 0; i < 2; i++)
    interleave(
      rows[i][0] + rows[i][1] + rows[i][2] + (Vector)(bias), rows[i][1] - rows[i][2] - rows[i][3] + (Vector)(bias),
      i == 0 ? top : bottom);
}

// The outputs of one filter from its sums, `outStep` from one place of a tile to the next.
ALWAYS_INLINE void transformFilter(
  const InklingWinograd *job, ptrdiff_t filter, const float *sums, ptrdiff_t outStep, ptrdiff_t tilesDown,
  ptrdiff_t tilesAcross) {
  for (ptrdiff_t y = 0; y < tilesDown; y++)
    for (ptrdiff_t x = 0; x < tilesAcross; x += LANES) {
      float *top = job->out + filter * job->height * job->width + 2 * y * job->width + 2 * x;
      const float *tiles = sums + y * tilesAcross + x;
      const ptrdiff_t columns = job->width - 2 * x;
      if (columns >= 2 * LANES && 2 * y + 1 < job->height) {
        transformOutput(tiles, outStep, job->bias[filter], top, top + job->width);
      } else {
        float rows[2][2 * LANES];
        transformOutput(tiles, outStep, job->bias[filter], rows[0], rows[1]);
        const ptrdiff_t count = columns < 2 * LANES ? columns : 2 * LANES;
        for (ptrdiff_t i = 0; i < 2 && 2 * y + i < job->height; i++)
          for (ptrdiff_t j = 0; j < count; j++) top[i * job->width + j] = rows[i][j];
      }
    }
}

static void winograd(const InklingWinograd *job) {
  const ptrdiff_t tilesDown = (job->height + 1) / 2, tilesAcross = (job->width + 1) / 2;
  const ptrdiff_t step = job->tileStep, inStep = job->channels * step;

  for (ptrdiff_t c = 0; c < job->channels; c++)
    for (ptrdiff_t y = 0; y < tilesDown; y++)
      // What a vector writes beyond its row the next row writes over.
      for (ptrdiff_t x = 0; x < tilesAcross; x += LANES)
        transformInput(
          job->in + c * job->channelStep + 2 * y * job->pitch + 2 * x, job->pitch,
          job->spread + c * step + y * tilesAcross + x, inStep);

  // A block of filters at a time, so that its sums stay in the first or second cache.
  const ptrdiff_t blocks = blockCount(job->filters, ROWS);
  for (ptrdiff_t block = 0; block < blocks; block++) {
    const ptrdiff_t start = blockStart(block, blocks, job->filters);
    const ptrdiff_t count = blockStart(block + 1, blocks, job->filters) - start, outStep = count * step;
    for (ptrdiff_t place = 0; place < 16; place++) {
      const InklingCorrelation product = {
        .inner = job->channels, .in = job->spread + place * inStep, .offsets = job->offsets};
      const float *rows = job->rows + (place * job->filters + start) * job->channels;
      float *sums = job->sums + place * outStep;
      switch (count) {
        CASES_TO_ROWS(for (ptrdiff_t p = 0; p < tilesDown * tilesAcross; p += INKLING_COLUMNS)
                        correlateTile(N, &product, rows, NULL, p, sums, step))
      }
    }
    for (ptrdiff_t f = 0; f < count; f++)
      transformFilter(job, start + f, job->sums + f * step, outStep, tilesDown, tilesAcross);
  }
}
