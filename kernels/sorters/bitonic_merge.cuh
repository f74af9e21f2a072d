// A merge sort of words of 32 or 64 bits whose merges are bitonic networks: Satish, Kim, Chhugani, Nguyen, Lee, Kim and
// Dubey, "Fast Sort on CPUs and GPUs", section 5.3.
//
//   sort_lists    lists of a tile's keys: each network sorts LANES keys, then pairs of lists are merged in shared memory
//   part_lists    where each tile of a merge starts in its first list (merge.cuh)
//   merge_lists   one pass: pairs of lists become lists of twice the length, a tile of output by each block
//
// A network is LANES neighboring threads. It keeps LANES keys in order, a key in each lane. A round takes the next LANES
// keys of the list whose first key is lower, in reverse order, and merges all 2 * LANES: the lower half is output, the
// network keeps the upper half. The lower half is complete: the keys taken, or else those kept, are no higher than any
// key that is still in the lists. A list that ends within a round is filled up with keys above all others. Equal keys may
// change places, so a key is a whole word.
//
// What differs from the paper: lanes exchange keys by shuffles, not through shared memory. Lists that are longer than a
// network's output are cut into independent pieces by the path of the merge, as in merge.cuh: for each tile in global
// memory, then for each network in shared memory. The paper finds the same quantiles only where lists are fewer than
// blocks of threads.
//
// Memory besides the keys: as many again, and 8 bytes for each tile.
#pragma once
#include "merge.cuh"

namespace bitonic {

using merge::Count;

constexpr unsigned ALL = ~0u;
constexpr unsigned WARP = 32;

template <class Word, int THREADS, int LANES, int ROUNDS>
struct Shared {
  Word keys[THREADS * ROUNDS];
};

// Exchanges keys with the lane whose number differs by `step`; keeps the lower of the two, or the higher.
template <class Word>
__device__ __forceinline__ Word exchange(Word key, unsigned step, bool keepsLow) {
  Word other = __shfl_xor_sync(ALL, key, step);
  return keepsLow == (other < key) ? other : key;
}

// Sorts the bitonic sequence that the lanes of a network hold.
template <int LANES, class Word>
__device__ __forceinline__ Word sortBitonic(Word key, unsigned lane) {
#pragma unroll
  for (unsigned step = LANES / 2; step > 0; step /= 2) key = exchange(key, step, (lane & step) == 0);
  return key;
}

// Sorts keys in any order.
template <int LANES, class Word>
__device__ __forceinline__ Word sortLanes(Word key, unsigned lane) {
#pragma unroll
  for (unsigned size = 2; size < LANES; size *= 2) {
#pragma unroll
    for (unsigned step = size / 2; step > 0; step /= 2) {
      key = exchange(key, step, ((lane & step) == 0) == ((lane & size) == 0));
    }
  }
  // The halves are in opposite orders.
  return sortBitonic<LANES>(key, lane);
}

// The lists [a, endA) and [b, endB) of shared memory while a network merges them.
template <class Word, int LANES>
struct Merging {
  const Word *keys;
  unsigned lane, a, endA, b, endB;
  Word headA, headB, kept;

  __device__ __forceinline__ Merging(const Word *keys, unsigned lane) : keys(keys), lane(lane) {}

  __device__ __forceinline__ Word at(unsigned place, unsigned end) const { return place < end ? keys[place] : ~(Word)0; }

  __device__ __forceinline__ void start(unsigned fromA, unsigned toA, unsigned fromB, unsigned toB) {
    a = fromA;
    endA = toA;
    b = fromB;
    endB = toB;
    headA = at(a, endA);
    headB = at(b, endB);
    kept = take(lane);
  }

  // The key at `offset` of the next LANES of the list with the lower first key. Where first keys are equal and one list
  // has ended, all that is left are keys above all others.
  __device__ __forceinline__ Word take(unsigned offset) {
    bool isA = headA <= headB;
    unsigned from = isA ? a : b, end = isA ? endA : endB, next = from + LANES;
    Word key = at(from + offset, end), head = at(next, end);
    a = isA ? next : a;
    b = isA ? b : next;
    headA = isA ? head : headA;
    headB = isA ? headB : head;
    return key;
  }

  // The lane's key of the next LANES of the merged list.
  __device__ __forceinline__ Word next() {
    Word fresh = take(LANES - 1 - lane);
    Word low = fresh < kept ? fresh : kept, high = fresh < kept ? kept : fresh;
    kept = sortBitonic<LANES>(high, lane);
    return sortBitonic<LANES>(low, lane);
  }
};

// Starts the merge of the `chunk` keys at `diagonal` of the lists [first, middle) and [middle, end) of shared memory.
template <class Word, int LANES>
__device__ __forceinline__ void startChunk(Merging<Word, LANES> &merging, unsigned first, unsigned middle, unsigned end,
                                           unsigned diagonal, unsigned chunk) {
  const Word *keys = merging.keys;
  // Even lanes search for the start, odd ones for the end.
  unsigned size = end - first, start = diagonal < size ? diagonal : size;
  unsigned stop = size - start < chunk ? size : start + chunk;
  unsigned own = merge::pathAt([=](unsigned i) { return keys[first + i]; }, middle - first,
                               [=](unsigned i) { return keys[middle + i]; }, end - middle,
                               merging.lane % 2 == 0 ? start : stop);
  int even = threadIdx.x % WARP & ~1u;
  unsigned a = __shfl_sync(ALL, own, even), endA = __shfl_sync(ALL, own, even + 1);
  merging.start(first + a, first + endA, middle + start - a, middle + stop - endA);
}

// A block for each tile. Keys past the end are above all others, and stay behind them.
template <class Word, int THREADS, int LANES, int ROUNDS>
__device__ __forceinline__ void sortList(const Word *from, Word *to, Count n, Shared<Word, THREADS, LANES, ROUNDS> &s) {
  static_assert((THREADS & (THREADS - 1)) == 0 && (ROUNDS & (ROUNDS - 1)) == 0, "lists of equal lengths");
  constexpr unsigned TILE = THREADS * ROUNDS, CHUNK = LANES * ROUNDS;
  unsigned t = threadIdx.x, lane = t % LANES, chunk = t / LANES * CHUNK;
  Count start = (Count)blockIdx.x * TILE;
  // Keys are in no order yet, so a network may sort the nearest ones.
  Word key[ROUNDS];
#pragma unroll
  for (int r = 0; r < ROUNDS; r++) {
    Count at = start + r * THREADS + t;
    key[r] = sortLanes<LANES>(at < n ? from[at] : ~(Word)0, lane);
  }
#pragma unroll
  for (int r = 0; r < ROUNDS; r++) s.keys[r * THREADS + t] = key[r];
  Merging<Word, LANES> merging(s.keys, lane);
  for (unsigned width = LANES; width < TILE; width *= 2) {
    __syncthreads();
    if (2 * width > CHUNK) {
      unsigned first = chunk / (2 * width) * (2 * width);
      startChunk(merging, first, first + width, first + 2 * width, chunk - first, CHUNK);
    }
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
      unsigned first = chunk + r * LANES;
      if (2 * width <= CHUNK && first % (2 * width) == 0) {
        merging.start(first, first + width, first + width, first + 2 * width);
      }
      key[r] = merging.next();
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) s.keys[chunk + r * LANES + lane] = key[r];
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < ROUNDS; r++) {
    Count at = start + r * THREADS + t;
    if (at < n) to[at] = s.keys[r * THREADS + t];
  }
}

// A block for each tile.
template <class Word, int THREADS, int LANES, int ROUNDS>
__device__ __forceinline__ void mergeLists(const Word *from, Word *to, Count n, Count width, const Count *parts,
                                          Shared<Word, THREADS, LANES, ROUNDS> &s) {
  constexpr unsigned TILE = THREADS * ROUNDS, CHUNK = LANES * ROUNDS;
  unsigned t = threadIdx.x, lane = t % LANES, chunk = t / LANES * CHUNK;
  Count start = (Count)blockIdx.x * TILE;
  merge::Pair pair(start, n, width);
  Count size = pair.end - start < TILE ? pair.end - start : TILE, lengthA = pair.middle - pair.first;
  // The next tile's start, unless it is of another pair.
  bool isLast = start + size == pair.end;
  Count a = parts[blockIdx.x], endA = isLast ? lengthA : parts[blockIdx.x + 1], b = pair.diagonal - a;
  unsigned countA = (unsigned)(endA - a), count = (unsigned)size;
  const Word *fromA = from + pair.first + a, *fromB = from + pair.middle + b;
  for (unsigned i = t; i < count; i += THREADS) s.keys[i] = i < countA ? fromA[i] : fromB[i - countA];
  __syncthreads();
  Merging<Word, LANES> merging(s.keys, lane);
  startChunk(merging, 0, countA, count, chunk, CHUNK);
#pragma unroll
  for (int r = 0; r < ROUNDS; r++) {
    Word key = merging.next();
    unsigned at = chunk + r * LANES + lane;
    if (at < count) to[start + at] = key;
  }
}

}  // namespace bitonic
