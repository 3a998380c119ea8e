// Operands laid out for the tiles.

static void packRows(
  const float *matrix, ptrdiff_t rowCount, ptrdiff_t inner, ptrdiff_t rowStep, ptrdiff_t innerStep, float *packed) {
  const ptrdiff_t blocks = blockCount(rowCount, ROWS);
  for (ptrdiff_t block = 0; block < blocks; block++) {
    const ptrdiff_t start = blockStart(block, blocks, rowCount), end = blockStart(block + 1, blocks, rowCount);
    for (ptrdiff_t k = 0; k < inner; k++)
      for (ptrdiff_t r = start; r < end; r++) *packed++ = matrix[r * rowStep + k * innerStep];
  }
}

typedef float Four __attribute__((ext_vector_type(4)));
typedef float LooseFour __attribute__((ext_vector_type(4), aligned(4), may_alias));

// Turns a square of four filters and four places.
ALWAYS_INLINE void packSquare(const float *planes, ptrdiff_t filters, ptrdiff_t step, float *panel) {
  Four rows[4];
  UNROLL for (int f = 0; f < 4; f++) rows[f] = f < filters ? *(const LooseFour *)(planes + f * step) : (Four)(0.0f);
  const Four low01 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
  const Four high01 = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
  const Four low23 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
  const Four high23 = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
  const Four columns[4] = {
    __builtin_shufflevector(low01, low23, 0, 1, 4, 5), __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
    __builtin_shufflevector(high01, high23, 0, 1, 4, 5), __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
  UNROLL for (int p = 0; p < 4; p++) *(LooseFour *)(panel + p * INKLING_COLUMNS) = columns[p];
}

static void packPanel(
  const float *planes, ptrdiff_t filters, ptrdiff_t places, ptrdiff_t step, float *panel) {
  ptrdiff_t p = 0;
  for (; p + 4 <= places; p += 4)
    for (ptrdiff_t f = 0; f < INKLING_COLUMNS; f += 4)
      packSquare(planes + f * step + p, filters - f, step, panel + p * INKLING_COLUMNS + f);
  for (; p < places; p++)
    for (ptrdiff_t f = 0; f < INKLING_COLUMNS; f++)
      panel[p * INKLING_COLUMNS + f] = f < filters ? planes[f * step + p] : 0;
}
