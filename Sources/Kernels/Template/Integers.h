// Convolutions and dense layers with whole numbers, whose sums are exact.
//
// Inputs lie pixel by pixel, so that what a row of the kernel covers is one run of memory, taken in words of 32 bits:
// 4 bytes or 2 int16. A word is copied to all lanes, and each lane multiplies it with its own filter's weights.
// The including file says:
//   INTEGER_VECTORS   vectors of filters in a tile of a convolution
//   BYTE_LIMIT        the largest byte for which DOT_BYTES is exact; 0 where there are only pairs
//   DOT_BYTES(sums, input, weights)   sums + 4 products of bytes and signed bytes a lane
//   DOT_PAIRS(sums, input, weights)   sums + 2 products of int16 a lane

typedef uint32_t LooseWord __attribute__((aligned(1), may_alias));
typedef Numbers LooseNumbers __attribute__((aligned(4), may_alias));

// One place has no other vectors to share its words with: as many chains of sums as hide the latency.
#define SINGLE_VECTORS 8
#define MOST_TILE_WINDOWS 8
// Windows in a tile: 8 beside few vectors, since one alone would wait for its own sums.
#define TILE_WINDOWS(vectors) (2 * (vectors) <= INTEGER_VECTORS ? 8 : 4)

// What a set without instructions for it does; the compiler finds some.
ALWAYS_INLINE Numbers plainDotPairs(Numbers sums, Numbers input, Numbers weights) {
  return sums + (input << 16 >> 16) * (weights << 16 >> 16) + (input >> 16) * (weights >> 16);
}

ALWAYS_INLINE Numbers plainDotBytes(Numbers sums, Numbers input, Numbers weights) {
  UNROLL for (int i = 0; i < 32; i += 8) sums += (input >> i & 255) * (weights << (24 - i) >> 24);
  return sums;
}

static ptrdiff_t integerBlocks(ptrdiff_t filters, int isSingle) {
  return blockCount(blockCount(filters, LANES), isSingle ? SINGLE_VECTORS : INTEGER_VECTORS);
}

__attribute__((unused)) static void packIntegers(
  const int8_t *matrix, ptrdiff_t filters, ptrdiff_t words, int isWide, int isSingle, void *packed) {
  const ptrdiff_t vectors = blockCount(filters, LANES), blocks = integerBlocks(filters, isSingle);
  const ptrdiff_t count = isWide ? 2 : 4;
  int8_t *bytes = packed;
  int16_t *pairs = packed;
  for (ptrdiff_t block = 0; block < blocks; block++) {
    const ptrdiff_t start = blockStart(block, blocks, vectors), end = blockStart(block + 1, blocks, vectors);
    for (ptrdiff_t word = 0; word < words; word++)
      for (ptrdiff_t filter = start * LANES; filter < end * LANES; filter++)
        for (ptrdiff_t i = 0; i < count; i++) {
          const int8_t weight = filter < filters ? matrix[(filter * words + word) * count + i] : 0;
          if (isWide) *pairs++ = weight;
          else *bytes++ = weight;
        }
  }
}

// Rounded half to even, limited to 0...127; NaN becomes 0.
ALWAYS_INLINE Bytes roundedBytes(Vector values) {
  values = values > 0 ? values : 0;
  values = values < 127 ? values : 127;
  // Adding 1.5 · 2^23 rounds, and leaves the number in the lowest bits.
  const Numbers bits = (Numbers)(values + 12582912.0f) & 255;
  return __builtin_convertvector(bits, Bytes);
}

// The first `count` lanes; nothing is written beyond.
ALWAYS_INLINE void storeBytes(uint8_t *out, Bytes bytes, ptrdiff_t count) {
  if (count >= LANES) {
    *(LooseBytes *)out = bytes;
  } else {
    uint8_t values[LANES];
    *(LooseBytes *)values = bytes;
    const uint8_t *from = values;
    UNROLL for (int part = LANES / 2; part > 0; part /= 2)
      if (count & part) {
        __builtin_memcpy(out, from, part);
        out += part;
        from += part;
      }
  }
}

ALWAYS_INLINE void handOn(
  const int vectors, const InklingIntegers *job, ptrdiff_t place, ptrdiff_t filter, const Numbers *sums) {
  UNROLL for (int v = 0; v < vectors; v++, filter += LANES) {
    const ptrdiff_t at = place * job->filters + filter, left = job->filters - filter;
    const Vector values =
      __builtin_convertvector(sums[v], Vector) * load(job->factors + filter) + load(job->shifts + filter);
    if (job->isStored) {
      storeBytes((uint8_t *)job->out + at, roundedBytes(values), left);
    } else {
      float floats[LANES];
      store(floats, values);
      for (ptrdiff_t i = 0; i < (left < LANES ? left : LANES); i++) ((float *)job->out)[at + i] = floats[i];
    }
  }
}

// The sums of some vectors of filters at some windows.
ALWAYS_INLINE void addIntegers(
  const int windows, const int vectors, const int isWide, const InklingIntegers *job, const uint8_t *const *in,
  const int32_t *weights, Numbers sums[][SINGLE_VECTORS]) {
  UNROLL for (int w = 0; w < windows; w++) UNROLL for (int v = 0; v < vectors; v++) sums[w][v] = (Numbers)(0);
  for (ptrdiff_t k = 0; k < job->words; k++, weights += vectors * LANES) {
    const ptrdiff_t offset = job->offsets[k];
    UNROLL for (int w = 0; w < windows; w++) {
      const Numbers input = (Numbers)(int32_t)*(const LooseWord *)(in[w] + offset);
      UNROLL for (int v = 0; v < vectors; v++) {
        const Numbers row = *(const LooseNumbers *)(weights + v * LANES);
        sums[w][v] = isWide ? DOT_PAIRS(sums[w][v], input, row) : DOT_BYTES(sums[w][v], input, row);
      }
    }
  }
}

ALWAYS_INLINE void integerTile(
  const int vectors, const int isWide, const int isPooled, const InklingIntegers *job, const int32_t *weights,
  ptrdiff_t filter, ptrdiff_t y, ptrdiff_t x) {
  const int windows = TILE_WINDOWS(vectors);
  const int step = isPooled ? 4 : 1;
  Numbers sums[MOST_TILE_WINDOWS][SINGLE_VECTORS];
  const uint8_t *in[MOST_TILE_WINDOWS];
  ptrdiff_t places[MOST_TILE_WINDOWS];
  UNROLL for (int w = 0; w < windows; w++) {
    // Windows beyond the row's end are its last once more.
    const ptrdiff_t column = x + w / step < job->width ? x + w / step : job->width - 1;
    places[w] = y * job->width + column;
    in[w] = job->in + y * job->rowStep + column * job->columnStep;
    if (isPooled) in[w] += w % 2 * job->poolAcross + w / 2 % 2 * job->poolDown;
  }
  addIntegers(windows, vectors, isWide, job, in, weights, sums);
  UNROLL for (int w = 0; w < windows; w += step) {
    if (isPooled)
      UNROLL for (int v = 0; v < vectors; v++)
        UNROLL for (int i = 1; i < 4; i++)
          sums[w][v] = sums[w + i][v] > sums[w][v] ? sums[w + i][v] : sums[w][v];
    handOn(vectors, job, places[w], filter, sums[w]);
  }
}

ALWAYS_INLINE void integerPlaces(
  const int vectors, const int isWide, const int isPooled, const InklingIntegers *job, const int32_t *weights,
  ptrdiff_t filter) {
  const ptrdiff_t step = TILE_WINDOWS(vectors) / (isPooled ? 4 : 1);
  for (ptrdiff_t y = 0; y < job->height; y++)
    for (ptrdiff_t x = 0; x < job->width; x += step)
      integerTile(vectors, isWide, isPooled, job, weights, filter, y, x);
}

ALWAYS_INLINE void integerSingle(
  const int vectors, const int isWide, const InklingIntegers *job, const int32_t *weights, ptrdiff_t filter) {
  Numbers sums[1][SINGLE_VECTORS];
  const uint8_t *in[1] = {job->in};
  addIntegers(1, vectors, isWide, job, in, weights, sums);
  handOn(vectors, job, 0, filter, sums[0]);
}

ALWAYS_INLINE void integerBlock(
  const int isWide, const InklingIntegers *job, ptrdiff_t vectors, const int32_t *weights, ptrdiff_t filter) {
  if (job->isSingle) {
    switch (vectors) { CASES_TO_8(integerSingle(N, isWide, job, weights, filter)) }
  } else if (job->isPooled) {
    switch (vectors) { CASES_TO_INTEGER_VECTORS(integerPlaces(N, isWide, 1, job, weights, filter)) }
  } else {
    switch (vectors) { CASES_TO_INTEGER_VECTORS(integerPlaces(N, isWide, 0, job, weights, filter)) }
  }
}

static void integers(const InklingIntegers *job) {
  const ptrdiff_t vectors = blockCount(job->filters, LANES), blocks = integerBlocks(job->filters, job->isSingle);
  for (ptrdiff_t block = 0; block < blocks; block++) {
    const ptrdiff_t start = blockStart(block, blocks, vectors);
    const ptrdiff_t count = blockStart(block + 1, blocks, vectors) - start;
    const int32_t *weights = (const int32_t *)job->weights + start * LANES * job->words;
#if BYTE_LIMIT
    if (!job->isWide) {
      integerBlock(0, job, count, weights, start * LANES);
      continue;
    }
#endif
    integerBlock(1, job, count, weights, start * LANES);
  }
}
