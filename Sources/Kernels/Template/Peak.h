// What the arithmetic units can do at best: multiply-adds on registers alone.

#define PEAK_SUMS (INKLING_PEAK_OPERATIONS / 2)

static float peak(ptrdiff_t rounds, float factor) {
  Vector sums[PEAK_SUMS];
  UNROLL for (int i = 0; i < PEAK_SUMS; i++) sums[i] = (Vector)(factor);
  for (ptrdiff_t round = 0; round < rounds; round++)
    UNROLL for (int i = 0; i < PEAK_SUMS; i++) sums[i] = MULTIPLY_ADD(sums[i], (Vector)(factor), (Vector)(factor));
  // The result depends on all of them, so that none is left out.
  UNROLL for (int i = 1; i < PEAK_SUMS; i++) sums[0] += sums[i];
  float values[LANES], total = 0;
  store(values, sums[0]);
  for (int i = 0; i < LANES; i++) total += values[i];
  return total;
}
