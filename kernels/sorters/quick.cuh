// Quicksort of words of 32 or 64 bits: Cederman and Tsigas, "GPU-Quicksort: A Practical Quicksort Algorithm for Graphics
// Processors", 2009, which Capannini, Silvestri and Baraglia compare with the network in section 6.
//
//   choose_pivots   the middle one of three keys of each sequence
//   split_parts     first phase: several blocks for each sequence. A block counts its part's keys below and above the
//                   pivot, reserves room for them at both ends of the sequence in the other buffer, and writes them there
//   fill_pivots     keys equal to the pivot, which are in their final places
//   sort_sequences  second phase: a block for each sequence, with a stack of those that wait. Short ones are sorted in
//                   shared memory by a bitonic network
//
// The host cuts sequences into parts, and after each round makes two sequences of one (Sequence), until there are enough
// of them for all multiprocessors. Not stable.
//
// Memory besides the keys: as many again, and some bytes for each part and sequence.
#pragma once
#include "../inversion/block.cuh"

namespace quick {

using Count = unsigned long long;

constexpr int THREADS = inversion::THREADS;
constexpr int SMALL = 2048;  // keys that are sorted in shared memory
constexpr int STACK = 64;    // the longer half waits, so each entry is less than half of the one before

// Keys from first to last (exclusive), and how many of them are below and above the pivot.
template <class Word>
struct Sequence {
  Count first, last;
  Word pivot;
  Count below, above;
};

// The part of a sequence that a block takes.
struct Part {
  Count first, last;
  unsigned sequence;
};

struct Sums {
  alignas(16) unsigned sums[inversion::WARPS];
};

struct SplitShared {
  Sums below, above;
  Count startBelow, startAbove;
};

// Where a block's keys go: `room` sets the first place of those below and above, from their numbers.
template <class Word, class Room>
__device__ __forceinline__ void splitKeys(const Word *from, Word *to, Count first, Count last, Word pivot, SplitShared &s,
                                          Room room) {
  unsigned t = threadIdx.x, below = 0, above = 0;
  for (Count i = first + t; i < last; i += THREADS) {
    Word key = from[i];
    below += key < pivot;
    above += key > pivot;
  }
  unsigned allBelow, allAbove;
  Count before = inversion::sumBefore(below, s.below.sums, allBelow);
  Count beforeAbove = inversion::sumBefore(above, s.above.sums, allAbove);
  if (t == 0) room(allBelow, allAbove, s.startBelow, s.startAbove);
  __syncthreads();
  Count toBelow = s.startBelow + before, toAbove = s.startAbove + beforeAbove;
  for (Count i = first + t; i < last; i += THREADS) {
    Word key = from[i];
    if (key < pivot) to[toBelow++] = key;
    if (key > pivot) to[toAbove++] = key;
  }
  __syncthreads();
}

// A block of threads for each part.
template <class Word>
__device__ __forceinline__ void splitParts(const Word *from, Word *to, const Part *parts, Sequence<Word> *sequences,
                                           SplitShared &s) {
  Part part = parts[blockIdx.x];
  Sequence<Word> *sequence = sequences + part.sequence;
  splitKeys(from, to, part.first, part.last, sequence->pivot, s,
            [&](unsigned below, unsigned above, Count &startBelow, Count &startAbove) {
              startBelow = sequence->first + atomicAdd(&sequence->below, (Count)below);
              startAbove = sequence->last - atomicAdd(&sequence->above, (Count)above) - above;
            });
}

// A block of threads for each sequence; `keys` is where the sorted keys belong.
template <class Word>
__device__ __forceinline__ void fillPivots(Word *keys, const Sequence<Word> &sequence) {
  for (Count i = sequence.first + sequence.below + threadIdx.x; i < sequence.last - sequence.above; i += THREADS) {
    keys[i] = sequence.pivot;
  }
}

template <class Word>
__device__ __forceinline__ Word middleOf(Word a, Word b, Word c) {
  Word low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c < high ? c : high;
}

// A thread for each sequence.
template <class Word>
__device__ __forceinline__ void choosePivot(const Word *from, Sequence<Word> &sequence) {
  Count first = sequence.first, last = sequence.last;
  sequence.pivot = middleOf(from[first], from[first + (last - first) / 2], from[last - 1]);
}

template <class Word>
struct SortShared {
  Word keys[SMALL];
  SplitShared split;
  // Sequences that wait, and the buffer that each is in.
  Count first[STACK], last[STACK];
  int buffer[STACK];
  int depth;
};

// Sorts a power of two of keys in shared memory by a bitonic network.
template <class Word>
__device__ __forceinline__ void sortShared(Word *keys, unsigned size) {
  for (unsigned length = 2; length <= size; length *= 2) {
    for (unsigned distance = length / 2; distance > 0; distance /= 2) {
      __syncthreads();
      for (unsigned i = threadIdx.x; i < size / 2; i += THREADS) {
        unsigned low = i / distance * 2 * distance + i % distance, high = low + distance;
        bool descends = (low & length) != 0;
        Word a = keys[low], b = keys[high];
        if ((a > b) != descends && a != b) {
          keys[low] = b;
          keys[high] = a;
        }
      }
    }
  }
  __syncthreads();
}

// Sorts a sequence in shared memory, and writes it.
template <class Word>
__device__ __forceinline__ void sortSmall(const Word *from, Word *to, unsigned count, Word *keys) {
  unsigned size = 1;
  while (size < count) size *= 2;
  for (unsigned i = threadIdx.x; i < size; i += THREADS) keys[i] = i < count ? from[i] : ~(Word)0;
  sortShared(keys, size);
  for (unsigned i = threadIdx.x; i < count; i += THREADS) to[i] = keys[i];
  __syncthreads();
}

// A block of threads for each sequence, which is in `keys`, where the sorted keys belong, or (side 1) in `other`.
template <class Word>
__device__ __forceinline__ void sortSequence(Word *keys, Word *other, const Sequence<Word> &sequence, int side,
                                             SortShared<Word> &s) {
  Count first = sequence.first, last = sequence.last;
  if (threadIdx.x == 0) s.depth = 0;
  __syncthreads();
  while (true) {
    const Word *from = side == 0 ? keys : other;
    Word *to = side == 0 ? other : keys;
    if (last - first <= SMALL) {
      sortSmall(from + first, keys + first, (unsigned)(last - first), s.keys);
      if (s.depth == 0) return;
      __syncthreads();
      first = s.first[s.depth - 1];
      last = s.last[s.depth - 1];
      side = s.buffer[s.depth - 1];
      __syncthreads();
      if (threadIdx.x == 0) s.depth--;
      __syncthreads();
      continue;
    }
    Word pivot = middleOf(from[first], from[first + (last - first) / 2], from[last - 1]);
    Count low = first, high = last;
    splitKeys(from, to, first, last, pivot, s.split,
              [&](unsigned below, unsigned above, Count &startBelow, Count &startAbove) {
                startBelow = first;
                startAbove = last - above;
                s.first[s.depth] = first + below;
              });
    low = s.first[s.depth];
    high = s.split.startAbove;
    for (Count i = low + threadIdx.x; i < high; i += THREADS) keys[i] = pivot;
    __syncthreads();
    bool leftIsLonger = low - first > last - high;
    if (threadIdx.x == 0) {
      s.first[s.depth] = leftIsLonger ? first : high;
      s.last[s.depth] = leftIsLonger ? low : last;
      s.buffer[s.depth] = 1 - side;
      s.depth++;
    }
    __syncthreads();
    if (leftIsLonger) {
      first = high;
    } else {
      last = low;
    }
    side = 1 - side;
  }
}

}  // namespace quick
