// Matrix products too small for BLAS to be worth its set-up.

ALWAYS_INLINE void productTile(
  const int count, const InklingProduct *job, const float *a, float *c, ptrdiff_t columns) {
  Vector sums[APART_ROWS][PARTS];
  FOR_TILE(count, part) sums[r][part] = (Vector)(0.0f);
  const float *rows[APART_ROWS];
  UNROLL for (int r = 0; r < count; r++) rows[r] = a + r * job->aRow;
  for (ptrdiff_t k = 0; k < job->inner; k++)
    ADD_ROW(count, sums, job->panel + k * INKLING_COLUMNS, rows[r][k * job->aInner]);
  if (columns == INKLING_COLUMNS && job->cColumn == 1) {
    FOR_TILE(count, part) store(c + r * job->cRow + part * LANES, sums[r][part]);
  } else {
    float row[INKLING_COLUMNS];
    UNROLL for (int r = 0; r < count; r++) {
      FOR_PARTS(part) store(row + part * LANES, sums[r][part]);
      for (ptrdiff_t j = 0; j < columns; j++) c[r * job->cRow + j * job->cColumn] = row[j];
    }
  }
}

static void product(const InklingProduct *job) {
  const ptrdiff_t blocks = blockCount(job->rows, APART_ROWS);
  for (ptrdiff_t j = 0; j < job->columns; j += INKLING_COLUMNS) {
    const ptrdiff_t columns = job->columns - j < INKLING_COLUMNS ? job->columns - j : INKLING_COLUMNS;
    const float *b = job->b + j * job->bColumn;
    if (columns == INKLING_COLUMNS && job->bColumn == 1) {
      for (ptrdiff_t k = 0; k < job->inner; k++)
        FOR_PARTS(part) store(
          job->panel + k * INKLING_COLUMNS + part * LANES, load(b + k * job->bInner + part * LANES));
    } else {
      for (ptrdiff_t k = 0; k < job->inner; k++)
        for (ptrdiff_t i = 0; i < INKLING_COLUMNS; i++)
          job->panel[k * INKLING_COLUMNS + i] = i < columns ? b[k * job->bInner + i * job->bColumn] : 0;
    }
    for (ptrdiff_t block = 0; block < blocks; block++) {
      const ptrdiff_t start = blockStart(block, blocks, job->rows);
      const ptrdiff_t count = blockStart(block + 1, blocks, job->rows) - start;
      const float *a = job->a + start * job->aRow;
      float *c = job->c + start * job->cRow + j * job->cColumn;
      switch (count) { CASES_TO_APART_ROWS(productTile(N, job, a, c, columns)) }
    }
  }
}
