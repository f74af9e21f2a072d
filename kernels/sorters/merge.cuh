// A stable merge sort of words of 32 or 64 bits, also with values that move along: Davidson, Tarjan, Garland and Owens,
// "Efficient Parallel Merge Sort for Fixed and Variable Length Keys", 2012, section 3.
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
// An item is a word, or a key with its value (KeyValue). Items are compared by ByKey, or by another order that may use
// the values (strings.cuh).
//
// Memory besides the keys and values: as many again, and 8 bytes for each tile.
#pragma once
#include <cstdint>

namespace merge {

using Count = unsigned long long;

// How a thread merges: SEARCH as above, or PATH: it finds where its output starts in both windows, and takes the lower
// key of the two, one by one (Green, McColl and Bader, "GPU Merge Path", 2012).
enum How { BY_SEARCH, BY_PATH };

// A key with a value that moves along.
template <class Key>
struct KeyValue {
  Key key;
  unsigned value;
};

constexpr unsigned NO_VALUE = ~0u;  // of items past the end

// Whether an item is below another.
struct ByKey {
  template <class Word>
  __device__ __forceinline__ bool operator()(Word a, Word b) const {
    return a < b;
  }
  template <class Key>
  __device__ __forceinline__ bool operator()(const KeyValue<Key> &a, const KeyValue<Key> &b) const {
    return a.key < b.key;
  }
};

// An item past the end. None is above it.
template <class Item>
struct Last {
  static __device__ __forceinline__ Item item() { return ~(Item)0; }
};
template <class Key>
struct Last<KeyValue<Key>> {
  static __device__ __forceinline__ KeyValue<Key> item() { return {~(Key)0, NO_VALUE}; }
};

// Keys and their values in memory. Lists of words are plain pointers.
template <class Key>
struct Columns {
  const Key *keys;
  const unsigned *values;

  __device__ __forceinline__ KeyValue<Key> operator[](Count at) const { return {keys[at], values[at]}; }
  __device__ __forceinline__ Columns operator+(Count count) const { return {keys + count, values + count}; }
};
template <class Key>
struct Output {
  Key *keys;
  unsigned *values;
};

template <class Word>
__device__ __forceinline__ void put(Word *to, Count at, Word word) {
  to[at] = word;
}
template <class Key>
__device__ __forceinline__ void put(const Output<Key> &to, Count at, const KeyValue<Key> &item) {
  to.keys[at] = item.key;
  to.values[at] = item.value;
}

// Threads that hold an odd number of keys each do not meet in the same banks; else a word of padding follows each
// thread's keys.
template <int EACH>
__device__ __forceinline__ unsigned padded(unsigned at) {
  return EACH % 2 == 0 ? at + at / EACH : at;
}

template <int THREADS, int EACH>
constexpr unsigned ROOM = EACH % 2 == 0 ? THREADS * EACH + THREADS : THREADS * EACH;

template <class Word, int THREADS, int EACH>
struct Shared {
  Word keys[ROOM<THREADS, EACH>];

  __device__ __forceinline__ Word get(unsigned at) const { return keys[padded<EACH>(at)]; }
  __device__ __forceinline__ void put(unsigned at, Word word) { keys[padded<EACH>(at)] = word; }
};
template <class Key, int THREADS, int EACH>
struct Shared<KeyValue<Key>, THREADS, EACH> {
  Key keys[ROOM<THREADS, EACH>];
  unsigned values[ROOM<THREADS, EACH>];

  __device__ __forceinline__ KeyValue<Key> get(unsigned at) const {
    return {keys[padded<EACH>(at)], values[padded<EACH>(at)]};
  }
  __device__ __forceinline__ void put(unsigned at, const KeyValue<Key> &item) {
    keys[padded<EACH>(at)] = item.key;
    values[padded<EACH>(at)] = item.value;
  }
};

// The number of items of a sorted range that are below one, or also equal to it.
template <bool EQUAL, class Item, class Items, class Below>
__device__ __forceinline__ unsigned before(const Items &items, unsigned from, unsigned to, const Item &item,
                                           const Below &isBelow) {
  unsigned low = from;
  while (low < to) {
    unsigned middle = (low + to) / 2;
    if (EQUAL ? !isBelow(item, items.get(middle)) : isBelow(items.get(middle), item)) {
      low = middle + 1;
    } else {
      to = middle;
    }
  }
  return low - from;
}

// How many of the first `diagonal` items of a merge are of the first list.
template <class Number, class A, class B, class Below = ByKey>
__device__ __forceinline__ Number pathAt(const A &a, Number countA, const B &b, Number countB, Number diagonal,
                                         const Below &isBelow = {}) {
  Number low = diagonal > countB ? diagonal - countB : 0, high = diagonal < countA ? diagonal : countA;
  while (low < high) {
    Number middle = (low + high) / 2;
    if (!isBelow(b(diagonal - 1 - middle), a(middle))) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Merges the lists [first, middle) and [middle, end) of shared memory. The thread's items, item[i] at place `at` + i of
// the two, go to their places from `first` on.
template <class Item, int THREADS, int EACH, class Below>
__device__ __forceinline__ void mergeBySearch(Item (&item)[EACH], unsigned at, unsigned first, unsigned middle,
                                              unsigned end, Shared<Item, THREADS, EACH> &s, const Below &isBelow) {
  unsigned place[EACH], other = 0;
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned mine = at + i;
    if (mine < middle) {
      if (i == 0) {
        other = middle + before<false>(s, middle, end, item[i], isBelow);
      } else {
        while (other < end && isBelow(s.get(other), item[i])) other++;
      }
      place[i] = mine + other - middle;
    } else {
      if (i == 0 || mine == middle) {
        other = first + before<true>(s, first, middle, item[i], isBelow);
      } else {
        while (other < middle && !isBelow(item[i], s.get(other))) other++;
      }
      place[i] = other + mine - middle;
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    if (at + i < end) s.put(place[i], item[i]);
  }
  __syncthreads();
}

// The same; the thread gets its items of the merged list.
template <class Item, int THREADS, int EACH, class Below>
__device__ __forceinline__ void mergeByPath(Item (&item)[EACH], unsigned at, unsigned first, unsigned middle,
                                            unsigned end, const Shared<Item, THREADS, EACH> &s, const Below &isBelow) {
  unsigned diagonal = at - first < end - first ? at - first : end - first;
  unsigned a = first + pathAt([&](unsigned i) { return s.get(first + i); }, middle - first,
                              [&](unsigned i) { return s.get(middle + i); }, end - middle, diagonal, isBelow);
  unsigned b = middle + diagonal - (a - first);
  Item lowA = a < middle ? s.get(a) : Item{}, lowB = b < end ? s.get(b) : Item{};
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    bool takesA = b >= end || (a < middle && !isBelow(lowB, lowA));
    item[i] = takesA ? lowA : lowB;
    if (takesA) {
      if (++a < middle) lowA = s.get(a);
    } else {
      if (++b < end) lowB = s.get(b);
    }
  }
  __syncthreads();
}

// Sorts neighbors in registers, stably: each step exchanges neighbors only.
template <class Item, int EACH, class Below>
__device__ __forceinline__ void sortInRegisters(Item (&item)[EACH], const Below &isBelow) {
#pragma unroll
  for (int step = 0; step < EACH; step++) {
#pragma unroll
    for (int i = step % 2; i + 1 < EACH; i += 2) {
      bool swap = isBelow(item[i + 1], item[i]);
      Item low = swap ? item[i + 1] : item[i];
      item[i + 1] = swap ? item[i] : item[i + 1];
      item[i] = low;
    }
  }
}

// A block for each tile; `from` and `to` are pointers or columns. Items past the end are above all others, and stay
// behind them.
template <class Item, int THREADS, int EACH, How HOW, class From, class To, class Below = ByKey>
__device__ __forceinline__ void sortList(const From &from, const To &to, Count n, Shared<Item, THREADS, EACH> &s,
                                         const Below &isBelow = {}) {
  static_assert((THREADS & (THREADS - 1)) == 0, "lists of equal lengths");
  constexpr unsigned TILE = THREADS * EACH;
  unsigned t = threadIdx.x, at = t * EACH;
  Count start = (Count)blockIdx.x * TILE;
  for (unsigned i = t; i < TILE; i += THREADS) s.put(i, start + i < n ? from[start + i] : Last<Item>::item());
  __syncthreads();
  Item item[EACH];
#pragma unroll
  for (int i = 0; i < EACH; i++) item[i] = s.get(at + i);
  sortInRegisters(item, isBelow);
  for (unsigned width = EACH; width < TILE; width *= 2) {
    // A thread's items are in its own places, which it alone reads before the barrier.
#pragma unroll
    for (int i = 0; i < EACH; i++) s.put(at + i, item[i]);
    __syncthreads();
    unsigned first = at / (2 * width) * (2 * width), middle = first + width, end = middle + width;
    if constexpr (HOW == BY_SEARCH) {
      mergeBySearch(item, at, first, middle, end, s, isBelow);
#pragma unroll
      for (int i = 0; i < EACH; i++) item[i] = s.get(at + i);
      __syncthreads();
    } else {
      mergeByPath(item, at, first, middle, end, s, isBelow);
    }
  }
#pragma unroll
  for (int i = 0; i < EACH; i++) s.put(at + i, item[i]);
  __syncthreads();
  for (unsigned i = t; i < TILE; i += THREADS) {
    if (start + i < n) put(to, start + i, s.get(i));
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
template <class From, class Below = ByKey>
__device__ __forceinline__ void partLists(const From &from, Count n, Count width, unsigned tile, Count *parts,
                                          const Below &isBelow = {}) {
  Count at = (Count)blockIdx.x * blockDim.x + threadIdx.x, start = at * tile;
  if (start >= n) return;
  Pair pair(start, n, width);
  From a = from + pair.first, b = from + pair.middle;
  parts[at] = pathAt([&](Count i) { return a[i]; }, pair.middle - pair.first, [&](Count i) { return b[i]; },
                     pair.end - pair.middle, pair.diagonal, isBelow);
}

// A block for each tile.
template <class Item, int THREADS, int EACH, How HOW, class From, class To, class Below = ByKey>
__device__ __forceinline__ void mergeLists(const From &from, const To &to, Count n, Count width, const Count *parts,
                                           Shared<Item, THREADS, EACH> &s, const Below &isBelow = {}) {
  constexpr unsigned TILE = THREADS * EACH;
  unsigned t = threadIdx.x, at = t * EACH;
  Count start = (Count)blockIdx.x * TILE;
  Pair pair(start, n, width);
  Count size = pair.end - start < TILE ? pair.end - start : TILE, lengthA = pair.middle - pair.first;
  // The next tile's start, unless it is of another pair.
  bool isLast = start + size == pair.end;
  Count a = parts[blockIdx.x], endA = isLast ? lengthA : parts[blockIdx.x + 1], b = pair.diagonal - a;
  unsigned countA = (unsigned)(endA - a), count = (unsigned)size;
  From fromA = from + (pair.first + a), fromB = from + (pair.middle + b);
  for (unsigned i = t; i < count; i += THREADS) s.put(i, i < countA ? fromA[i] : fromB[i - countA]);
  __syncthreads();
  Item item[EACH];
  if constexpr (HOW == BY_SEARCH) {
#pragma unroll
    for (int i = 0; i < EACH; i++) item[i] = at + i < count ? s.get(at + i) : Last<Item>::item();
    mergeBySearch(item, at, 0, countA, count, s, isBelow);
  } else {
    mergeByPath(item, at, 0, countA, count, s, isBelow);
#pragma unroll
    for (int i = 0; i < EACH; i++) s.put(at + i, item[i]);
    __syncthreads();
  }
  for (unsigned i = t; i < count; i += THREADS) put(to, start + i, s.get(i));
}

}  // namespace merge
