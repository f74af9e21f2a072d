// A stable merge sort of words of 32 or 64 bits: Davidson, Tarjan, Garland and Owens, "Efficient Parallel Merge Sort for
// Fixed and Variable Length Keys", 2012, section 3.
//
//   sort_lists    lists of a tile's keys: each thread sorts its keys in registers, then pairs are merged in shared memory
//   part_lists    where each tile of a merge starts in its first list
//   merge_lists   one pass: pairs of lists become lists of twice the length, a tile of output by each block
//
// A block holds the windows of both lists that make its tile in shared memory. A thread keeps neighbors of one list in
// registers. It finds the first one's place among the keys of the other list by binary search, and those of the others
// by a linear search from there. The paper moves its windows when their keys are used up; here the ends of windows are known
// before (part_lists), so each has what its tile needs, and all tiles are of one size.
//
// Memory besides the keys: as many again, and 8 bytes for each tile.
#pragma once
#include <cstdint>

namespace merge {

using Count = unsigned long long;

// How a thread merges: SEARCH as above, or PATH: it finds where its output starts in both windows, and takes the lower
// key of the two, one by one (Green, McColl and Bader, "GPU Merge Path", 2012).
enum How { BY_SEARCH, BY_PATH };

// Threads that hold an odd number of keys each do not meet in the same banks; else a word of padding follows each
// thread's keys.
template <int EACH>
__device__ __forceinline__ unsigned padded(unsigned at) {
  return EACH % 2 == 0 ? at + at / EACH : at;
}

template <class Word, int THREADS, int EACH>
struct Shared {
  static constexpr unsigned TILE = THREADS * EACH;
  Word keys[EACH % 2 == 0 ? TILE + THREADS : TILE];

  __device__ __forceinline__ Word &operator[](unsigned at) { return keys[padded<EACH>(at)]; }
};

// The number of keys of a sorted range that are below a key, or also equal to it.
template <bool EQUAL, class Word, class Keys>
__device__ __forceinline__ unsigned before(Keys &keys, unsigned from, unsigned to, Word key) {
  unsigned low = from;
  while (low < to) {
    unsigned middle = (low + to) / 2;
    if (EQUAL ? keys[middle] <= key : keys[middle] < key) {
      low = middle + 1;
    } else {
      to = middle;
    }
  }
  return low - from;
}

// How many of the first `diagonal` keys of a merge are of the first list.
template <class Number, class A, class B>
__device__ __forceinline__ Number pathAt(const A &a, Number countA, const B &b, Number countB, Number diagonal) {
  Number low = diagonal > countB ? diagonal - countB : 0, high = diagonal < countA ? diagonal : countA;
  while (low < high) {
    Number middle = (low + high) / 2;
    if (a(middle) <= b(diagonal - 1 - middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Merges the lists [first, middle) and [middle, end) of shared memory. The thread's keys, key[i] at place `at` + i of the
// two, go to their places from `first` on.
template <class Word, int THREADS, int EACH>
__device__ __forceinline__ void mergeBySearch(Word (&key)[EACH], unsigned at, unsigned first, unsigned middle,
                                              unsigned end, Shared<Word, THREADS, EACH> &s) {
  unsigned place[EACH], other = 0;
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned mine = at + i;
    if (mine < middle) {
      if (i == 0) {
        other = middle + before<false>(s, middle, end, key[i]);
      } else {
        while (other < end && s[other] < key[i]) other++;
      }
      place[i] = mine + other - middle;
    } else {
      if (i == 0 || mine == middle) {
        other = first + before<true>(s, first, middle, key[i]);
      } else {
        while (other < middle && s[other] <= key[i]) other++;
      }
      place[i] = other + mine - middle;
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    if (at + i < end) s[place[i]] = key[i];
  }
  __syncthreads();
}

// The same; the thread gets its keys of the merged list.
template <class Word, int THREADS, int EACH>
__device__ __forceinline__ void mergeByPath(Word (&key)[EACH], unsigned at, unsigned first, unsigned middle, unsigned end,
                                            Shared<Word, THREADS, EACH> &s) {
  unsigned diagonal = at - first < end - first ? at - first : end - first;
  unsigned a = first + pathAt([&](unsigned i) { return s[first + i]; }, middle - first,
                              [&](unsigned i) { return s[middle + i]; }, end - middle, diagonal);
  unsigned b = middle + diagonal - (a - first);
  Word lowA = a < middle ? s[a] : 0, lowB = b < end ? s[b] : 0;
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    bool takesA = b >= end || (a < middle && lowA <= lowB);
    key[i] = takesA ? lowA : lowB;
    if (takesA) {
      if (++a < middle) lowA = s[a];
    } else {
      if (++b < end) lowB = s[b];
    }
  }
  __syncthreads();
}

// Sorts neighbors in registers, stably: each step exchanges neighbors only.
template <class Word, int EACH>
__device__ __forceinline__ void sortInRegisters(Word (&key)[EACH]) {
#pragma unroll
  for (int step = 0; step < EACH; step++) {
#pragma unroll
    for (int i = step % 2; i + 1 < EACH; i += 2) {
      Word low = key[i + 1] < key[i] ? key[i + 1] : key[i];
      key[i + 1] = key[i + 1] < key[i] ? key[i] : key[i + 1];
      key[i] = low;
    }
  }
}

// A block for each tile. Keys past the end are above all others, and stay behind them.
template <class Word, int THREADS, int EACH, How HOW>
__device__ __forceinline__ void sortList(const Word *from, Word *to, Count n, Shared<Word, THREADS, EACH> &s) {
  static_assert((THREADS & (THREADS - 1)) == 0, "lists of equal lengths");
  constexpr unsigned TILE = THREADS * EACH;
  unsigned t = threadIdx.x, at = t * EACH;
  Count start = (Count)blockIdx.x * TILE;
  for (unsigned i = t; i < TILE; i += THREADS) s[i] = start + i < n ? from[start + i] : ~(Word)0;
  __syncthreads();
  Word key[EACH];
#pragma unroll
  for (int i = 0; i < EACH; i++) key[i] = s[at + i];
  sortInRegisters(key);
  for (unsigned width = EACH; width < TILE; width *= 2) {
    // A thread's keys are in its own places, which it alone reads before the barrier.
#pragma unroll
    for (int i = 0; i < EACH; i++) s[at + i] = key[i];
    __syncthreads();
    unsigned first = at / (2 * width) * (2 * width), middle = first + width, end = middle + width;
    if constexpr (HOW == BY_SEARCH) {
      mergeBySearch(key, at, first, middle, end, s);
#pragma unroll
      for (int i = 0; i < EACH; i++) key[i] = s[at + i];
      __syncthreads();
    } else {
      mergeByPath(key, at, first, middle, end, s);
    }
  }
#pragma unroll
  for (int i = 0; i < EACH; i++) s[at + i] = key[i];
  __syncthreads();
  for (unsigned i = t; i < TILE; i += THREADS) {
    if (start + i < n) to[start + i] = s[i];
  }
}

// The pair of lists that makes a tile, and where the tile starts in its output.
struct Pair {
  Count first, middle, end, diagonal;

  __device__ __forceinline__ Pair(Count start, Count n, Count width) {
    first = start / (2 * width) * (2 * width);
    middle = first + width < n ? first + width : n;
    end = middle + width < n ? middle + width : n;
    diagonal = start - first;
  }
};

// A thread for each tile.
template <class Word>
__device__ __forceinline__ void partLists(const Word *from, Count n, Count width, unsigned tile, Count *parts) {
  Count at = (Count)blockIdx.x * blockDim.x + threadIdx.x, start = at * tile;
  if (start >= n) return;
  Pair pair(start, n, width);
  const Word *a = from + pair.first, *b = from + pair.middle;
  parts[at] = pathAt([&](Count i) { return a[i]; }, pair.middle - pair.first, [&](Count i) { return b[i]; },
                     pair.end - pair.middle, pair.diagonal);
}

// A block for each tile.
template <class Word, int THREADS, int EACH, How HOW>
__device__ __forceinline__ void mergeLists(const Word *from, Word *to, Count n, Count width, const Count *parts,
                                          Shared<Word, THREADS, EACH> &s) {
  constexpr unsigned TILE = THREADS * EACH;
  unsigned t = threadIdx.x, at = t * EACH;
  Count start = (Count)blockIdx.x * TILE;
  Pair pair(start, n, width);
  Count size = pair.end - start < TILE ? pair.end - start : TILE, lengthA = pair.middle - pair.first;
  // The next tile's start, unless it is of another pair.
  bool isLast = start + size == pair.end;
  Count a = parts[blockIdx.x], endA = isLast ? lengthA : parts[blockIdx.x + 1], b = pair.diagonal - a;
  unsigned countA = (unsigned)(endA - a), count = (unsigned)size;
  const Word *fromA = from + pair.first + a, *fromB = from + pair.middle + b;
  for (unsigned i = t; i < count; i += THREADS) s[i] = i < countA ? fromA[i] : fromB[i - countA];
  __syncthreads();
  Word key[EACH];
  if constexpr (HOW == BY_SEARCH) {
#pragma unroll
    for (int i = 0; i < EACH; i++) key[i] = at + i < count ? s[at + i] : ~(Word)0;
    mergeBySearch(key, at, 0, countA, count, s);
  } else {
    mergeByPath(key, at, 0, countA, count, s);
#pragma unroll
    for (int i = 0; i < EACH; i++) s[at + i] = key[i];
    __syncthreads();
  }
  for (unsigned i = t; i < count; i += THREADS) to[start + i] = s[i];
}

}  // namespace merge
