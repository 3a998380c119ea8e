// Convolutions and dense layers with whole numbers, whose sums are exact.
//
// Inputs lie pixel by pixel, so that what a row of the kernel covers is one run of memory, taken in words of 32 bits:
// 4 bytes or 2 int16. A word is copied to all lanes, and each lane multiplies it with its own filter's weights.
// The including file says:
//   INTEGER_VECTORS   vectors of filters in a tile of a convolution
//   BYTE_LIMIT        the largest byte for which DOT_BYTES is exact; 0 where there are only pairs
//   BYTE_GROUP        where DOT_BYTES widens sums of 16 bits: the words whose products are added up before that, if their
//                     weights are small enough; with
//   MULTIPLY_BYTES(input, weights)    the products of bytes and signed bytes, each two added up
//   DOT_BYTES(sums, input, weights)   sums + 4 products of bytes and signed bytes a lane
//   DOT_PAIRS(sums, input, weights)   sums + 2 products of int16 a lane

typedef uint32_t LooseWord __attribute__((aligned(1), may_alias));
typedef Numbers LooseNumbers __attribute__((aligned(4), may_alias));

// One place has no other vectors to share its words with: as many chains of sums as hide the latency.
#define SINGLE_VECTORS 8
#define MOST_TILE_WINDOWS 8
// Windows in a tile: 8 beside few vectors, since one alone would wait for its own sums.
#define TILE_WINDOWS(vectors) (2 * (vectors) <= INTEGER_VECTORS ? 8 : 4)

#ifndef BYTE_GROUP
#define BYTE_GROUP 1
#endif

// What a set without instructions for it does; the compiler finds some.
ALWAYS_INLINE Numbers plainDotPairs(Numbers sums, Numbers input, Numbers weights) {
  return sums + (input << 16 >> 16) * (weights << 16 >> 16) + (input >> 16) * (weights >> 16);
}

ALWAYS_INLINE Numbers plainDotBytes(Numbers sums, Numbers input, Numbers weights) {
  UNROLL for (int i = 0; i < 32; i += 8) sums += (input >> i & 255) * (weights << (24 - i) >> 24);
  return sums;
}

#if BYTE_GROUP > 1
typedef int16_t Shorts __attribute__((ext_vector_type(2 * LANES)));

// As vpmaddubsw: the sum of each two products is limited to 16 bits.
ALWAYS_INLINE Shorts plainMultiplyBytes(Numbers input, Numbers weights) {
  Numbers sums[2];
  UNROLL for (int pair = 0; pair < 2; pair++) {
    const int first = 16 * pair, second = first + 8;
    sums[pair] = (input >> first & 255) * (weights << (24 - first) >> 24) +
      (input >> second & 255) * (weights << (24 - second) >> 24);
    sums[pair] = sums[pair] < 32767 ? sums[pair] : 32767;
    sums[pair] = sums[pair] > -32768 ? sums[pair] : -32768;
  }
  return (Shorts)((sums[0] & 0xFFFF) | sums[1] << 16);
}
#endif

static ptrdiff_t integerBlocks(ptrdiff_t filters, int isSingle) {
  return blockCount(blockCount(filters, LANES), isSingle ? SINGLE_VECTORS : INTEGER_VECTORS);
}

// Products of bytes up to 127 with weights of this sum stay within 16 bits.
#define GROUP_LIMIT 258
// Words further ahead that are tried for a group.
#define GROUP_SEARCH 32

// The weights of one block, whose sum a word adds to: of each lane's two pairs of products the sums above and below 0.
typedef struct {
  const int8_t *matrix;
  ptrdiff_t words, start, end;
} IntegerBlock;
typedef int16_t GroupSums[INTEGER_VECTORS * LANES][2][2];

// Adds a word's weights, unless the sums could then leave 16 bits.
static int joinGroup(const IntegerBlock *block, ptrdiff_t word, GroupSums sums) {
  GroupSums more;
  for (ptrdiff_t f = block->start; f < block->end; f++)
    for (int pair = 0; pair < 2; pair++) {
      const int8_t *weights = block->matrix + (f * block->words + word) * 4 + pair * 2;
      int16_t *old = sums[f - block->start][pair], *new = more[f - block->start][pair];
      new[0] = old[0] + (weights[0] > 0 ? weights[0] : 0) + (weights[1] > 0 ? weights[1] : 0);
      new[1] = old[1] - (weights[0] < 0 ? weights[0] : 0) - (weights[1] < 0 ? weights[1] : 0);
      if (new[0] > GROUP_LIMIT || new[1] > GROUP_LIMIT) return 0;
    }
  __builtin_memcpy(sums, more, sizeof more);
  return 1;
}

// Brings words that can be a group side by side, groups first; returns how many words are in groups.
static ptrdiff_t formGroups(const IntegerBlock *block, int32_t *order) {
  ptrdiff_t grouped = 0, end = block->words;
  while (grouped + BYTE_GROUP <= end) {
    GroupSums sums = {0};
    ptrdiff_t count = 0;
    for (ptrdiff_t i = grouped; i < end && i < grouped + GROUP_SEARCH && count < BYTE_GROUP; i++) {
      if (!joinGroup(block, order[i], sums)) continue;
      const int32_t word = order[i];
      order[i] = order[grouped + count];
      order[grouped + count++] = word;
    }
    if (count == BYTE_GROUP) {
      grouped += BYTE_GROUP;
    } else {
      // The first fits to none of the others.
      end--;
      const int32_t word = order[grouped];
      order[grouped] = order[end];
      order[end] = word;
    }
  }
  return grouped;
}

__attribute__((unused)) static void packIntegers(const InklingIntegerPacking *job) {
  const ptrdiff_t vectors = blockCount(job->filters, LANES), blocks = integerBlocks(job->filters, job->isSingle);
  const ptrdiff_t words = job->words, count = job->isWide ? 2 : 4;
  int8_t *bytes = job->weights;
  int16_t *pairs = job->weights;
  for (ptrdiff_t block = 0; block < blocks; block++) {
    const ptrdiff_t start = blockStart(block, blocks, vectors) * LANES;
    const ptrdiff_t end = blockStart(block + 1, blocks, vectors) * LANES;
    int32_t *table = job->tables + block * (words + 1), *order = table + 1;
    for (ptrdiff_t word = 0; word < words; word++) order[word] = (int32_t)word;
    const IntegerBlock weights = {job->matrix, words, start, end < job->filters ? end : job->filters};
    // One place reads each weight once, which takes as long as the arithmetic.
    table[0] = BYTE_GROUP > 1 && !job->isWide && !job->isSingle ? (int32_t)formGroups(&weights, order) : 0;
    for (ptrdiff_t i = 0; i < words; i++) {
      const ptrdiff_t word = order[i];
      order[i] = job->offsets[word];
      for (ptrdiff_t filter = start; filter < end; filter++)
        for (ptrdiff_t j = 0; j < count; j++) {
          const int8_t weight = filter < job->filters ? job->matrix[(filter * words + word) * count + j] : 0;
          if (job->isWide) *pairs++ = weight;
          else *bytes++ = weight;
        }
    }
  }
}

// Rounded half to even, limited to 0...127, in the lowest bits; NaN becomes 0.
ALWAYS_INLINE Numbers roundedNumbers(Vector values) {
  // Adding 1.5 · 2^23 leaves no room for a fraction, and a number below 128 in the lowest bits.
  const float zero = 12582912, most = zero + 127;
  values += zero;
  values = values > zero ? values : zero;
  values = values < most ? values : most;
  return (Numbers)values & 127;
}

typedef uint8_t TwoBytes __attribute__((ext_vector_type(2 * LANES)));
typedef uint8_t LooseTwoBytes __attribute__((ext_vector_type(2 * LANES), aligned(1), may_alias));

// The first `count` bytes; nothing is written beyond.
ALWAYS_INLINE void storeFirst(uint8_t *out, const uint8_t *bytes, const int most, ptrdiff_t count) {
  UNROLL for (int part = most; part > 0; part /= 2)
    if (count & part) {
      __builtin_memcpy(out, bytes, part);
      out += part;
      bytes += part;
    }
}

ALWAYS_INLINE void storeRounded(const int vectors, const Vector *values, uint8_t *out) {
  int v = 0;
#ifdef ROUND_TWO
  UNROLL for (; v + 1 < vectors; v += 2)
    *(LooseTwoBytes *)(out + v * LANES) = (TwoBytes)ROUND_TWO(values[v], values[v + 1]);
#endif
  UNROLL for (; v < vectors; v++)
    *(LooseBytes *)(out + v * LANES) = __builtin_convertvector(roundedNumbers(values[v]), Bytes);
}

// From sums to `count` values at `out`. With `isLoose` bytes may be written up to the end of the last vector.
ALWAYS_INLINE void handOn(
  const int vectors, const InklingIntegers *job, const Numbers *sums, ptrdiff_t filter, void *out, int isLoose) {
  Vector values[SINGLE_VECTORS];
  UNROLL for (int v = 0; v < vectors; v++)
    values[v] = __builtin_convertvector(sums[v], Vector) * load(job->factors + filter + v * LANES) +
      load(job->shifts + filter + v * LANES);
  if (isLoose) {
    storeRounded(vectors, values, out);
  } else if (job->isStored) {
    uint8_t bytes[SINGLE_VECTORS * LANES];
    storeRounded(vectors, values, bytes);
    storeFirst(out, bytes, SINGLE_VECTORS * LANES / 2, job->filters - filter);
  } else {
    float floats[SINGLE_VECTORS * LANES];
    UNROLL for (int v = 0; v < vectors; v++) store(floats + v * LANES, values[v]);
    for (ptrdiff_t i = 0; i < vectors * LANES && i < job->filters - filter; i++) ((float *)out)[i] = floats[i];
  }
}

ALWAYS_INLINE Numbers wordAt(const uint8_t *in) { return (Numbers)(int32_t)*(const LooseWord *)in; }
ALWAYS_INLINE Numbers weightsAt(const int32_t *weights) { return *(const LooseNumbers *)weights; }

// The sums of some vectors of filters at some windows. The table says how many words come in groups, and where each is.
ALWAYS_INLINE void addIntegers(
  const int windows, const int vectors, const int isWide, ptrdiff_t words, const int32_t *table,
  const uint8_t *const *in, const int32_t *weights, Numbers sums[][SINGLE_VECTORS]) {
  const ptrdiff_t rowCount = vectors * LANES;
  const int32_t *offset = table + 1, *const end = offset + words;
  UNROLL for (int w = 0; w < windows; w++) UNROLL for (int v = 0; v < vectors; v++) sums[w][v] = (Numbers)(0);
#if BYTE_GROUP > 1
  if (!isWide && windows > 1) {
    const int32_t *const groupsEnd = offset + table[0];
    for (; offset < groupsEnd; offset += BYTE_GROUP, weights += BYTE_GROUP * rowCount)
      UNROLL for (int w = 0; w < windows; w++) {
        Numbers inputs[BYTE_GROUP];
        UNROLL for (int i = 0; i < BYTE_GROUP; i++) inputs[i] = wordAt(in[w] + offset[i]);
        UNROLL for (int v = 0; v < vectors; v++) {
          Shorts products = MULTIPLY_BYTES(inputs[0], weightsAt(weights + v * LANES));
          UNROLL for (int i = 1; i < BYTE_GROUP; i++)
            products += MULTIPLY_BYTES(inputs[i], weightsAt(weights + i * rowCount + v * LANES));
          sums[w][v] = DOT_PAIRS(sums[w][v], (Numbers)products, (Numbers)(0x10001));
        }
      }
  }
#endif
  for (; offset < end; offset++, weights += rowCount)
    UNROLL for (int w = 0; w < windows; w++) {
      const Numbers input = wordAt(in[w] + *offset);
      UNROLL for (int v = 0; v < vectors; v++) {
        const Numbers row = weightsAt(weights + v * LANES);
        sums[w][v] = isWide ? DOT_PAIRS(sums[w][v], input, row) : DOT_BYTES(sums[w][v], input, row);
      }
    }
}

// What is written beyond a place's filters the next place writes over, if all filters are worked out at once.
ALWAYS_INLINE int mayBeLoose(const int vectors, const InklingIntegers *job, ptrdiff_t filter) {
  return job->isStored && (filter == 0 || filter + vectors * LANES <= job->filters);
}

ALWAYS_INLINE void integerPlaces(
  const int vectors, const int isWide, const int isPooled, const InklingIntegers *job, const int32_t *table,
  const int32_t *weights, ptrdiff_t filter) {
  const int windows = TILE_WINDOWS(vectors), step = isPooled ? 4 : 1;
  const ptrdiff_t outStep = job->filters * (job->isStored ? 1 : 4);
  ptrdiff_t deltas[MOST_TILE_WINDOWS], outDeltas[MOST_TILE_WINDOWS];
  UNROLL for (int w = 0; w < windows; w++) {
    // In a row that is shorter than a tile its last place comes more than once.
    const ptrdiff_t column = w / step < job->width ? w / step : job->width - 1;
    outDeltas[w] = column * outStep;
    deltas[w] = column * job->columnStep;
    if (isPooled) deltas[w] += w % 2 * job->poolAcross + w / 2 % 2 * job->poolDown;
  }
  // So that the last tile of a row ends with it, some places are worked out twice.
  const ptrdiff_t most = job->width - windows / step, last = most > 0 ? most : 0;
  const int isLoose = mayBeLoose(vectors, job, filter);
  for (ptrdiff_t y = 0; y < job->height; y++) {
    for (ptrdiff_t x = 0; x < job->width; x += windows / step) {
      const ptrdiff_t first = x < last ? x : last;
      const uint8_t *start = job->in + y * job->rowStep + first * job->columnStep;
      uint8_t *out = (uint8_t *)job->out + (y * job->width + first) * outStep + filter * (job->isStored ? 1 : 4);
      const uint8_t *in[MOST_TILE_WINDOWS];
      Numbers sums[MOST_TILE_WINDOWS][SINGLE_VECTORS];
      UNROLL for (int w = 0; w < windows; w++) in[w] = start + deltas[w];
      addIntegers(windows, vectors, isWide, job->words, table, in, weights, sums);
      UNROLL for (int w = 0; w < windows; w += step) {
        if (isPooled)
          UNROLL for (int v = 0; v < vectors; v++)
            UNROLL for (int i = 1; i < 4; i++)
              sums[w][v] = sums[w + i][v] > sums[w][v] ? sums[w + i][v] : sums[w][v];
        handOn(vectors, job, sums[w], filter, out + outDeltas[w], isLoose);
      }
    }
  }
}

ALWAYS_INLINE void integerSingle(
  const int vectors, const int isWide, const InklingIntegers *job, const int32_t *table, const int32_t *weights,
  ptrdiff_t filter) {
  Numbers sums[1][SINGLE_VECTORS];
  const uint8_t *in[1] = {job->in};
  addIntegers(1, vectors, isWide, job->words, table, in, weights, sums);
  uint8_t *out = (uint8_t *)job->out + filter * (job->isStored ? 1 : 4);
  handOn(vectors, job, sums[0], filter, out, mayBeLoose(vectors, job, filter));
}

ALWAYS_INLINE void integerBlock(
  const int isWide, const InklingIntegers *job, ptrdiff_t vectors, const int32_t *table, const int32_t *weights,
  ptrdiff_t filter) {
  if (job->isSingle) {
    switch (vectors) { CASES_TO_8(integerSingle(N, isWide, job, table, weights, filter)) }
  } else if (job->isPooled) {
    switch (vectors) { CASES_TO_INTEGER_VECTORS(integerPlaces(N, isWide, 1, job, table, weights, filter)) }
  } else {
    switch (vectors) { CASES_TO_INTEGER_VECTORS(integerPlaces(N, isWide, 0, job, table, weights, filter)) }
  }
}

static void integers(const InklingIntegers *given) {
  // A copy, which no byte that is written can change.
  const InklingIntegers copy = *given, *const job = &copy;
  const ptrdiff_t vectors = blockCount(job->filters, LANES), blocks = integerBlocks(job->filters, job->isSingle);
  for (ptrdiff_t block = 0; block < blocks; block++) {
    const ptrdiff_t start = blockStart(block, blocks, vectors);
    const ptrdiff_t count = blockStart(block + 1, blocks, vectors) - start;
    const int32_t *weights = (const int32_t *)job->weights + start * LANES * job->words;
    const int32_t *table = job->tables + block * (job->words + 1);
#if BYTE_LIMIT
    if (!job->isWide) {
      integerBlock(0, job, count, table, weights, start * LANES);
      continue;
    }
#endif
    integerBlock(1, job, count, table, weights, start * LANES);
  }
}
