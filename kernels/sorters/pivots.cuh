// Where the keys of two lists belong that are spread over several devices: Tanasic, Vilanova, Jorda, Cabezas, Gelado,
// Navarro and Hwu, "Comparison Based Sorting for Systems with Multiple GPUs", sections 3.4 and 4.1.
//
//   find_pivots   for each border between devices, how many keys of the first list belong before it; a thread for each
//
// Runs on one device and reads the keys of the others by peer access: two keys for each step of a binary search.
#pragma once
#include "merge.cuh"

namespace pivots {

using merge::Count;

constexpr unsigned THREADS = 32;

// The sorted keys of a device, and how many the devices before it have. All fields have 8 bytes, for Java.
template <class Word>
struct Share {
  const Word *keys;
  Count start;
};

// The key at a place of all that the devices have.
template <class Word>
__device__ __forceinline__ Word keyAt(const Share<Word> *shares, Count place) {
  unsigned device = 0;
  while (shares[device + 1].start <= place) device++;
  return shares[device].keys[place - shares[device].start];
}

// The first list is that of the devices before `middle`, the second that of the others before `end`. shares[end] has
// only a start, the number of all keys. Keys that are equal stay in the first list, so as few as possible move. The
// pivot of the border before device i is pivots[i - 1].
template <class Word>
__device__ __forceinline__ void findPivots(const Share<Word> *shares, unsigned middle, unsigned end, Count *pivots) {
  unsigned border = blockIdx.x * THREADS + threadIdx.x + 1;
  if (border >= end) return;
  Count second = shares[middle].start;
  pivots[border - 1] =
      merge::pathAt([=](Count i) { return keyAt(shares, i); }, second,
                    [=](Count i) { return keyAt(shares, second + i); }, shares[end].start - second, shares[border].start);
}

}  // namespace pivots
