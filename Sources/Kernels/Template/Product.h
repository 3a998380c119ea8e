// Matrix products with a shard's few rows, or a batch's short sums.

// Adds to (or with `isFirst` writes) the sums of one tile over a stretch of the inner dimension.
ALWAYS_INLINE void productTile(
  const int count, const InklingProduct *job, const float *a, ptrdiff_t inner, const float *panel, float *c,
  ptrdiff_t columns, int isFirst) {
  Vector sums[APART_ROWS][PARTS];
  const int isWhole = columns == INKLING_COLUMNS && job->cColumn == 1;
  float row[INKLING_COLUMNS] = {0};
  if (isFirst) {
    FOR_TILE(count, part) sums[r][part] = (Vector)(0.0f);
  } else if (isWhole) {
    FOR_TILE(count, part) sums[r][part] = load(c + r * job->cRow + part * LANES);
  } else {
    UNROLL for (int r = 0; r < count; r++) {
      for (ptrdiff_t j = 0; j < columns; j++) row[j] = c[r * job->cRow + j * job->cColumn];
      FOR_PARTS(part) sums[r][part] = load(row + part * LANES);
    }
  }
  const float *rows[APART_ROWS];
  UNROLL for (int r = 0; r < count; r++) rows[r] = a + r * job->aRow;
  if (job->aInner == 1) {
    for (ptrdiff_t k = 0; k < inner; k++) ADD_ROW(count, sums, panel + k * INKLING_COLUMNS, rows[r][k]);
  } else {
    for (ptrdiff_t k = 0; k < inner; k++)
      ADD_ROW(count, sums, panel + k * INKLING_COLUMNS, rows[r][k * job->aInner]);
  }
  if (isWhole) {
    FOR_TILE(count, part) store(c + r * job->cRow + part * LANES, sums[r][part]);
  } else {
    UNROLL for (int r = 0; r < count; r++) {
      FOR_PARTS(part) store(row + part * LANES, sums[r][part]);
      for (ptrdiff_t j = 0; j < columns; j++) c[r * job->cRow + j * job->cColumn] = row[j];
    }
  }
}

// Copies `columns` columns of b into panels of INKLING_COLUMNS, [panel][inner][column].
ALWAYS_INLINE void packColumns(const InklingProduct *job, const float *b, ptrdiff_t inner, ptrdiff_t columns) {
  for (ptrdiff_t k = 0; k < inner; k++) {
    const float *from = b + k * job->bInner;
    float *to = job->panel + k * INKLING_COLUMNS;
    ptrdiff_t j = 0;
    if (job->bColumn == 1)
      for (; j + INKLING_COLUMNS <= columns; j += INKLING_COLUMNS, to += inner * INKLING_COLUMNS)
        FOR_PARTS(part) store(to + part * LANES, load(from + j + part * LANES));
    for (; j < columns; j += INKLING_COLUMNS, to += inner * INKLING_COLUMNS)
      for (ptrdiff_t i = 0; i < INKLING_COLUMNS; i++) to[i] = j + i < columns ? from[(j + i) * job->bColumn] : 0;
  }
}

static void product(const InklingProduct *job) {
  const ptrdiff_t blocks = blockCount(job->rows, APART_ROWS);
  for (ptrdiff_t start = 0; start < job->inner; start += INKLING_PANEL_ROWS) {
    const ptrdiff_t rest = job->inner - start, inner = rest < INKLING_PANEL_ROWS ? rest : INKLING_PANEL_ROWS;
    // As many panels as fit, so that long stretches of b's rows are read.
    const ptrdiff_t width = INKLING_PANEL_ROWS / inner * INKLING_COLUMNS;
    for (ptrdiff_t j = 0; j < job->columns; j += width) {
      const ptrdiff_t columns = job->columns - j < width ? job->columns - j : width;
      packColumns(job, job->b + start * job->bInner + j * job->bColumn, inner, columns);
      for (ptrdiff_t block = 0; block < blocks; block++) {
        const ptrdiff_t first = blockStart(block, blocks, job->rows);
        const ptrdiff_t count = blockStart(block + 1, blocks, job->rows) - first;
        const float *a = job->a + first * job->aRow + start * job->aInner;
        for (ptrdiff_t i = 0; i < columns; i += INKLING_COLUMNS) {
          const ptrdiff_t tile = columns - i < INKLING_COLUMNS ? columns - i : INKLING_COLUMNS;
          const float *panel = job->panel + i * inner;
          float *c = job->c + first * job->cRow + (j + i) * job->cColumn;
          switch (count) { CASES_TO_APART_ROWS(productTile(N, job, a, inner, panel, c, tile, start == 0)) }
        }
      }
    }
  }
}
