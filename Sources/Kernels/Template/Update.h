// The optimisers' steps. Multiplications and additions are kept apart, so that all sets give the same bits.

// Runs a statement on vectors at `i`, then on the rest by way of copies that a vector fills.
ALWAYS_INLINE Vector loadRest(const float *values, ptrdiff_t rest) {
  float copy[LANES] = {0};
  for (ptrdiff_t i = 0; i < rest; i++) copy[i] = values[i];
  return load(copy);
}
ALWAYS_INLINE void storeRest(float *values, Vector vector, ptrdiff_t rest) {
  float copy[LANES];
  store(copy, vector);
  for (ptrdiff_t i = 0; i < rest; i++) values[i] = copy[i];
}
ALWAYS_INLINE Vector loadSome(const float *values, ptrdiff_t count) {
  return count >= LANES ? load(values) : loadRest(values, count);
}
ALWAYS_INLINE void storeSome(float *values, Vector vector, ptrdiff_t count) {
  if (count >= LANES) store(values, vector);
  else storeRest(values, vector, count);
}

static void updateByMomentum(const InklingMomentum *job) {
  for (ptrdiff_t i = 0; i < job->count; i += LANES) {
    const ptrdiff_t rest = job->count - i;
    const Vector gradient = job->scale * loadSome(job->gradient + i, rest);
    const Vector velocity = job->momentum * loadSome(job->velocity + i, rest) + gradient;
    const Vector step = job->isNesterov ? gradient + job->momentum * velocity : velocity;
    storeSome(job->velocity + i, velocity, rest);
    storeSome(job->values + i, loadSome(job->values + i, rest) * job->keep - job->rate * step, rest);
  }
}

static void updateByMoments(const InklingMoments *job) {
  for (ptrdiff_t i = 0; i < job->count; i += LANES) {
    const ptrdiff_t rest = job->count - i;
    const Vector values = loadSome(job->values + i, rest);
    const Vector gradient = job->scale * loadSome(job->gradient + i, rest) + job->decay * values;
    const Vector first = job->beta1 * loadSome(job->first + i, rest) + (1 - job->beta1) * gradient;
    const Vector second = job->beta2 * loadSome(job->second + i, rest) + (1 - job->beta2) * (gradient * gradient);
    const Vector step = job->size * first / (__builtin_elementwise_sqrt(second) * job->spread + job->epsilon);
    storeSome(job->first + i, first, rest);
    storeSome(job->second + i, second, rest);
    storeSome(job->values + i, values * job->keep - step, rest);
  }
}
