// A stable radix sort from the least significant digit, 4 bits at a time, by splits: Satish, Kim, Chhugani, Nguyen, Lee,
// Kim and Dubey, "Fast Sort on CPUs and GPUs", sections 4.2.2 and 4.4.
//
//   sort_tiles      each tile in order of the digit in shared memory, by a split for each of its bits, and how often the
//                   tile has each digit
//   (scan.cuh)      for each digit, its keys in earlier tiles
//   scatter_tiles   each tile's keys to their places
//
// With one key a thread it is the radix sort of Sengupta, Harris, Zhang and Owens ("Scan Primitives for GPU Computing",
// 2007) as Capannini, Silvestri and Baraglia describe it in section 6.
//
// Memory besides the keys: as many again, and 192 bytes for each tile.
#pragma once
#include "../inversion/scan.cuh"

namespace split {

using Count = unsigned long long;

constexpr int DIGIT_BITS = 4;
constexpr int DIGITS = 1 << DIGIT_BITS;
constexpr int THREADS = inversion::THREADS;

template <class Word>
__device__ __forceinline__ unsigned digitOf(Word key, int shift) {
  return (unsigned)(key >> shift) & (DIGITS - 1);
}

template <class Word, int EACH>
struct SortShared {
  Word keys[THREADS * EACH];
  unsigned starts[DIGITS + 1];
  alignas(16) unsigned sums[inversion::WARPS];
};

// Moves the keys whose bit is 0 before the others, which both stay in order. A thread holds neighbors.
template <class Word, int EACH>
__device__ __forceinline__ void splitByBit(Word (&key)[EACH], int bit, SortShared<Word, EACH> &s) {
  unsigned zeros = 0;
#pragma unroll
  for (int i = 0; i < EACH; i++) zeros += !(key[i] >> bit & 1);
  unsigned all, before = inversion::sumBefore(zeros, s.sums, all), first = threadIdx.x * EACH;
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    bool one = key[i] >> bit & 1;
    s.keys[one ? all + first + i - before : before] = key[i];
    before += !one;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < EACH; i++) key[i] = s.keys[first + i];
}

// A block of threads for each tile. `counts` is by digit, then by tile; `starts` by tile, then by digit. Keys past the
// end are above all others, and stay behind them.
template <class Word, int EACH>
__device__ __forceinline__ void sortTile(const Word *from, Word *to, Count n, int shift, Count *counts, unsigned *starts,
                                         SortShared<Word, EACH> &s) {
  unsigned t = threadIdx.x;
  Count first = (Count)blockIdx.x * (THREADS * EACH);
  unsigned here = (unsigned)(n - first < THREADS * EACH ? n - first : THREADS * EACH);
  // Read in order of the lanes, then held by neighbors.
  for (int i = 0; i < EACH; i++) {
    unsigned at = i * THREADS + t;
    s.keys[at] = at < here ? from[first + at] : ~(Word)0;
  }
  __syncthreads();
  Word key[EACH];
#pragma unroll
  for (int i = 0; i < EACH; i++) key[i] = s.keys[t * EACH + i];
  for (int bit = shift; bit < shift + DIGIT_BITS; bit++) splitByBit(key, bit, s);
  // Where the keys with each digit, or a higher one, start: at the first whose predecessor has a lower digit.
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned at = t * EACH + i, digit = digitOf(key[i], shift);
    unsigned last = at == 0 ? 0 : digitOf(s.keys[at - 1], shift) + 1;
    for (unsigned d = last; d <= digit; d++) s.starts[d] = at;
    if (at == THREADS * EACH - 1) {
      for (unsigned d = digit + 1; d <= DIGITS; d++) s.starts[d] = THREADS * EACH;
    }
  }
  __syncthreads();
  if (t < DIGITS) {
    unsigned start = s.starts[t] < here ? s.starts[t] : here, end = s.starts[t + 1] < here ? s.starts[t + 1] : here;
    counts[(Count)t * gridDim.x + blockIdx.x] = end - start;
    starts[(Count)blockIdx.x * DIGITS + t] = start;
  }
  for (int i = 0; i < EACH; i++) {
    unsigned at = i * THREADS + t;
    if (at < here) to[first + at] = s.keys[at];
  }
}

// A block of threads for each tile; `counts` has the places of the tile's first keys by now.
template <class Word, int EACH>
__device__ __forceinline__ void scatterTile(const Word *from, Word *to, Count n, int shift, const Count *counts,
                                            const unsigned *starts) {
  Count first = (Count)blockIdx.x * (THREADS * EACH);
  for (int i = 0; i < EACH; i++) {
    unsigned at = i * THREADS + threadIdx.x;
    if (first + at >= n) break;
    Word key = from[first + at];
    unsigned digit = digitOf(key, shift);
    to[counts[(Count)digit * gridDim.x + blockIdx.x] + at - starts[(Count)blockIdx.x * DIGITS + digit]] = key;
  }
}

}  // namespace split
