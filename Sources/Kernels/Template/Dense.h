// A matrix times one vector: every weight is read once, so all depends on reading them in order and in short form.

// Rows side by side, each with two vectors of sums: enough chains to hide an addition's latency.
#define DENSE_ROWS 4

#if HAS_HALF
typedef __fp16 LooseHalves __attribute__((ext_vector_type(LANES), aligned(1), may_alias));
#endif
typedef int8_t LooseSigned __attribute__((ext_vector_type(LANES), aligned(1), may_alias));

ALWAYS_INLINE Vector loadWeights(const void *weights, ptrdiff_t at, const int type) {
#if HAS_HALF
  if (type == INKLING_FLOAT16)
    return __builtin_convertvector(*(const LooseHalves *)((const uint16_t *)weights + at), Vector);
#endif
  if (type == INKLING_INT8)
    return __builtin_convertvector(*(const LooseSigned *)((const int8_t *)weights + at), Vector);
  return load((const float *)weights + at);
}

// The sum of a vector's lanes, halves first: the same order whatever the machine.
ALWAYS_INLINE float total(Vector vector) {
  float values[LANES];
  store(values, vector);
  UNROLL for (int half = LANES / 2; half > 0; half /= 2)
    UNROLL for (int i = 0; i < half; i++) values[i] += values[i + half];
  return values[0];
}

ALWAYS_INLINE void denseRows(const int count, const int type, const InklingDense *job, ptrdiff_t row) {
  Vector sums[DENSE_ROWS][2];
  UNROLL for (int r = 0; r < count; r++) sums[r][0] = sums[r][1] = (Vector)(0.0f);
  for (ptrdiff_t k = 0; k < job->inputs; k += 2 * LANES) {
    const Vector first = load(job->in + k), second = load(job->in + k + LANES);
    UNROLL for (int r = 0; r < count; r++) {
      const ptrdiff_t at = (row + r) * job->inputs + k;
      sums[r][0] = MULTIPLY_ADD(loadWeights(job->weights, at, type), first, sums[r][0]);
      sums[r][1] = MULTIPLY_ADD(loadWeights(job->weights, at + LANES, type), second, sums[r][1]);
    }
  }
  UNROLL for (int r = 0; r < count; r++)
    job->out[row + r] = total(sums[r][0] + sums[r][1]) * job->scales[row + r] + job->bias[row + r];
}

ALWAYS_INLINE void denseOf(const int type, const InklingDense *job) {
  ptrdiff_t row = 0;
  for (; row + DENSE_ROWS <= job->outputs; row += DENSE_ROWS) denseRows(DENSE_ROWS, type, job, row);
  for (; row < job->outputs; row++) denseRows(1, type, job, row);
}

static void dense(const InklingDense *job) {
  switch (job->type) {
    case INKLING_FLOAT32: denseOf(INKLING_FLOAT32, job); break;
#if HAS_HALF
    case INKLING_FLOAT16: denseOf(INKLING_FLOAT16, job); break;
#endif
    case INKLING_INT8: denseOf(INKLING_INT8, job); break;
  }
}
