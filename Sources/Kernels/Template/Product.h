// Matrix products with a shard's few rows, or a batch's short sums.

// Adds to (or with `isFirst` writes) one tile's sums over a stretch of the inner dimension.
ALWAYS_INLINE void productTile(
  const int count, const InklingProduct *job, const float *a, ptrdiff_t inner, const float *panel, float *c,
  ptrdiff_t cRow, ptrdiff_t columns, int isFirst) {
  Vector sums[APART_ROWS][PARTS];
  float row[INKLING_COLUMNS] = {0};
  if (isFirst) {
    FOR_TILE(count, part) sums[r][part] = (Vector)(0.0f);
  } else if (columns == INKLING_COLUMNS) {
    FOR_TILE(count, part) sums[r][part] = load(c + r * cRow + part * LANES);
  } else {
    UNROLL for (int r = 0; r < count; r++) {
      for (ptrdiff_t j = 0; j < columns; j++) row[j] = c[r * cRow + j];
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
  if (columns == INKLING_COLUMNS) {
    FOR_TILE(count, part) store(c + r * cRow + part * LANES, sums[r][part]);
  } else {
    UNROLL for (int r = 0; r < count; r++) {
      FOR_PARTS(part) store(row + part * LANES, sums[r][part]);
      for (ptrdiff_t j = 0; j < columns; j++) c[r * cRow + j] = row[j];
    }
  }
}

// All rows of a at `columns` columns of the panels, [panel][inner][column].
ALWAYS_INLINE void productRows(
  const InklingProduct *job, ptrdiff_t start, ptrdiff_t inner, ptrdiff_t columns, float *c, ptrdiff_t cRow) {
  const ptrdiff_t blocks = blockCount(job->rows, APART_ROWS);
  for (ptrdiff_t block = 0; block < blocks; block++) {
    const ptrdiff_t first = blockStart(block, blocks, job->rows);
    const ptrdiff_t count = blockStart(block + 1, blocks, job->rows) - first;
    const float *a = job->a + first * job->aRow + start * job->aInner;
    for (ptrdiff_t j = 0; j < columns; j += INKLING_COLUMNS) {
      const ptrdiff_t tile = columns - j < INKLING_COLUMNS ? columns - j : INKLING_COLUMNS;
      const float *panel = job->panel + j * inner;
      float *target = c + first * cRow + j;
      switch (count) { CASES_TO_APART_ROWS(productTile(N, job, a, inner, panel, target, cRow, tile, start == 0)) }
    }
  }
}

// The inner dimension is taken in stretches whose panel, 16 kB, stays in the first cache.
#define PRODUCT_STRETCH 256

ALWAYS_INLINE ptrdiff_t stretchLength(ptrdiff_t start, ptrdiff_t inner) {
  return inner - start < PRODUCT_STRETCH ? inner - start : PRODUCT_STRETCH;
}

// b's rows are contiguous: copied in wide pieces, the next of them fetched ahead, since rows may lie pages apart.
static void productByRows(const InklingProduct *job) {
  for (ptrdiff_t start = 0; start < job->inner; start += PRODUCT_STRETCH) {
    const ptrdiff_t inner = stretchLength(start, job->inner);
    const ptrdiff_t width = INKLING_PANEL_ROWS / inner * INKLING_COLUMNS;
    for (ptrdiff_t first = 0; first < job->columns; first += width) {
      const ptrdiff_t columns = job->columns - first < width ? job->columns - first : width;
      for (ptrdiff_t k = 0; k < inner; k++) {
        const float *from = job->b + (start + k) * job->bInner + first;
        float *to = job->panel + k * INKLING_COLUMNS;
        for (ptrdiff_t j = 0; j < columns; j += INKLING_COLUMNS, to += inner * INKLING_COLUMNS) {
          __builtin_prefetch(from + width + j);
          if (j + INKLING_COLUMNS <= columns) {
            FOR_PARTS(part) store(to + part * LANES, load(from + j + part * LANES));
          } else {
            for (ptrdiff_t i = 0; i < INKLING_COLUMNS; i++) to[i] = j + i < columns ? from[j + i] : 0;
          }
        }
      }
      productRows(job, start, inner, columns, job->c + first, job->cRow);
    }
  }
}

// b's columns are contiguous, as are c's: sums are kept as rows of a tile beside the panel until they are complete.
static void productByColumns(const InklingProduct *job) {
  float *sums = job->panel + PRODUCT_STRETCH * INKLING_COLUMNS;
  const ptrdiff_t most = INKLING_PANEL_ROWS - PRODUCT_STRETCH;
  for (ptrdiff_t firstRow = 0; firstRow < job->rows; firstRow += most) {
    InklingProduct part = *job;
    part.rows = job->rows - firstRow < most ? job->rows - firstRow : most;
    part.a += firstRow * job->aRow;
    for (ptrdiff_t first = 0; first < job->columns; first += INKLING_COLUMNS) {
      const ptrdiff_t columns = job->columns - first < INKLING_COLUMNS ? job->columns - first : INKLING_COLUMNS;
      for (ptrdiff_t start = 0; start < job->inner; start += PRODUCT_STRETCH) {
        const ptrdiff_t inner = stretchLength(start, job->inner);
        const float *from = job->b + start + first * job->bColumn;
        packPanel(from, columns, inner, job->bColumn, job->panel);
        productRows(&part, start, inner, INKLING_COLUMNS, sums, INKLING_COLUMNS);
      }
      for (ptrdiff_t j = 0; j < columns; j++) {
        float *target = job->c + firstRow + (first + j) * job->cColumn;
        for (ptrdiff_t i = 0; i < part.rows; i++) target[i] = sums[i * INKLING_COLUMNS + j];
      }
    }
  }
}

static void product(const InklingProduct *job) {
  if (job->cColumn == 1) productByRows(job);
  else productByColumns(job);
}
