// Vectors of LANES floats, and tiles of ROWS × INKLING_COLUMNS sums that stay in registers. The including file says:
//   LANES        floats in a vector
//   ROWS         rows of a tile whose weights lie side by side, at most INKLING_STRIP_ROWS
//   APART_ROWS   rows of a tile whose weights lie apart, each with an address in a register
//   MULTIPLY_ADD(a, b, c)   a · b + c, fused where the set can
// and what Integers.h asks for beside.
// All functions are static: each set has its own copies.

#include "../include/Kernels.h"

#pragma STDC FP_CONTRACT OFF

#define PARTS (INKLING_COLUMNS / LANES)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")

typedef float Vector __attribute__((ext_vector_type(LANES)));
// In memory a vector may start anywhere: weights are read where they lie in a file.
typedef float Loose __attribute__((ext_vector_type(LANES), aligned(1), may_alias));

typedef int32_t Numbers __attribute__((ext_vector_type(LANES)));
typedef uint8_t Bytes __attribute__((ext_vector_type(LANES)));
typedef uint8_t LooseBytes __attribute__((ext_vector_type(LANES), aligned(1), may_alias));

ALWAYS_INLINE Vector load(const float *values) { return *(const Loose *)values; }
ALWAYS_INLINE void store(float *values, Vector vector) { *(Loose *)values = vector; }

// Rows fall into blocks of equal size but for one row: a short last block would run at a fraction of the speed.
ALWAYS_INLINE ptrdiff_t blockCount(ptrdiff_t rows, ptrdiff_t most) { return (rows + most - 1) / most; }
ALWAYS_INLINE ptrdiff_t blockStart(ptrdiff_t block, ptrdiff_t blocks, ptrdiff_t rows) {
  const ptrdiff_t longer = rows % blocks;
  return block * (rows / blocks) + (block < longer ? block : longer);
}

// Runs the statement with N as the constant `count`, so that each size has a fully unrolled loop of its own.
#define CASE(n, ...) case n: { enum { N = n }; __VA_ARGS__; } break;
#define CASES_TO_2(...) CASE(1, __VA_ARGS__) CASE(2, __VA_ARGS__)
#define CASES_TO_4(...) CASES_TO_2(__VA_ARGS__) CASE(3, __VA_ARGS__) CASE(4, __VA_ARGS__)
#define CASES_TO_6(...) CASES_TO_4(__VA_ARGS__) CASE(5, __VA_ARGS__) CASE(6, __VA_ARGS__)
#define CASES_TO_8(...) CASES_TO_6(__VA_ARGS__) CASE(7, __VA_ARGS__) CASE(8, __VA_ARGS__)
#define CASES_TO_12(...) \
  CASES_TO_8(__VA_ARGS__) CASE(9, __VA_ARGS__) CASE(10, __VA_ARGS__) CASE(11, __VA_ARGS__) CASE(12, __VA_ARGS__)

#define FOR_TILE(count, part) \
  UNROLL for (int r = 0; r < (count); r++) UNROLL for (int part = 0; part < PARTS; part++)
#define FOR_PARTS(part) UNROLL for (int part = 0; part < PARTS; part++)

// sums[r] += weight(r) · input, where input is a row of INKLING_COLUMNS values.
#define ADD_ROW(count, sums, input, WEIGHT) \
  do { \
    Vector inputs[PARTS]; \
    FOR_PARTS(part) inputs[part] = load((input) + part * LANES); \
    UNROLL for (int r = 0; r < (count); r++) { \
      const Vector weight = (Vector)(WEIGHT); \
      FOR_PARTS(part) sums[r][part] = MULTIPLY_ADD(weight, inputs[part], sums[r][part]); \
    } \
  } while (0)
