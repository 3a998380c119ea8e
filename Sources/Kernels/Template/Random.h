// Philox4x32-10 (Salmon et al., SC 2011) for LANES blocks at once, each in a lane of its own.

typedef uint32_t Words __attribute__((ext_vector_type(LANES)));
typedef uint64_t LongWords __attribute__((ext_vector_type(LANES)));

static void randomMask(const InklingRandomMask *job) {
  Words number;
  for (int lane = 0; lane < LANES; lane++) number[lane] = (uint32_t)lane;
  for (ptrdiff_t start = 0; start < job->count; start += 8 * LANES) {
    Words x0 = number + (Words)(uint32_t)(start / 8), x1 = (Words)(job->index), x2 = (Words)(job->step),
          x3 = (Words)(job->stream);
    uint32_t key0 = job->key[0], key1 = job->key[1];
    for (int round = 0; round < 10; round++) {
      const LongWords p0 = __builtin_convertvector(x0, LongWords) * (LongWords)(0xD2511F53u);
      const LongWords p1 = __builtin_convertvector(x2, LongWords) * (LongWords)(0xCD9E8D57u);
      x0 = __builtin_convertvector(p1 >> 32, Words) ^ x1 ^ (Words)(key0);
      x1 = __builtin_convertvector(p1, Words);
      x2 = __builtin_convertvector(p0 >> 32, Words) ^ x3 ^ (Words)(key1);
      x3 = __builtin_convertvector(p0, Words);
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
    const Words words[4] = {x0, x1, x2, x3};
    uint8_t kept[8 * LANES];
    UNROLL for (int word = 0; word < 4; word++) {
      const Words low = words[word] & (Words)(0xFFFFu), high = words[word] >> 16;
      UNROLL for (int lane = 0; lane < LANES; lane++) {
        kept[8 * lane + 2 * word] = low[lane] >= job->threshold;
        kept[8 * lane + 2 * word + 1] = high[lane] >= job->threshold;
      }
    }
    const ptrdiff_t rest = job->count - start, count = rest < 8 * LANES ? rest : 8 * LANES;
    __builtin_memcpy(job->mask + start, kept, (size_t)count);
  }
}
