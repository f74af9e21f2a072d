// A scan: turns each number of an array into the sum of those before it, and writes the sum of all behind the last.
//
//   sum_tiles       the sum of each tile
//   scan_sums       the sums of the tiles before each
//   scan_numbers    each tile
//
// There is always a tile for the place behind the last number, so there are count / SCAN_TILE + 1 tiles.
#pragma once
#include "block.cuh"

namespace inversion {

constexpr int SCAN_EACH = 8;  // numbers of a thread
constexpr int SCAN_TILE = SCAN_EACH * THREADS;

struct SumsShared {
  alignas(16) Count sums[WARPS];
};

// Reads a thread's numbers from `first` on; returns their sum.
__device__ __forceinline__ Count readNumbers(const Count *from, Count first, Count count, Count (&numbers)[SCAN_EACH]) {
  Count sum = 0;
  for (int i = 0; i < SCAN_EACH; i++) {
    numbers[i] = first + i < count ? from[first + i] : 0;
    sum += numbers[i];
  }
  return sum;
}

// Writes the sums before a thread's numbers, and the one behind the last number.
__device__ __forceinline__ void writeSums(Count *to, Count first, Count count, const Count (&numbers)[SCAN_EACH],
                                          Count before) {
  for (int i = 0; i < SCAN_EACH; i++) {
    if (first + i <= count) to[first + i] = before;
    before += numbers[i];
  }
}

// A block of threads for each tile.
INVERSION_KERNEL sum_tiles(const Count *numbers, Count count, Count *tileSums) {
  INVERSION_SHARED(SumsShared, s);
  Count mine[SCAN_EACH], total;
  sumBefore(readNumbers(numbers, (Count)blockIdx.x * SCAN_TILE + SCAN_EACH * threadIdx.x, count, mine), s.sums, total);
  if (threadIdx.x == 0) tileSums[blockIdx.x] = total;
}

// One block of threads.
INVERSION_KERNEL scan_sums(Count *tileSums, Count tiles) {
  INVERSION_SHARED(SumsShared, s);
  Count before = 0;
  // Up to the place behind the last sum, which a reader of all sums needs.
  for (Count start = 0; start <= tiles; start += SCAN_TILE) {
    Count first = start + SCAN_EACH * threadIdx.x, mine[SCAN_EACH], total;
    Count here = before + sumBefore(readNumbers(tileSums, first, tiles, mine), s.sums, total);
    writeSums(tileSums, first, tiles, mine, here);
    before += total;
  }
}

// A block of threads for each tile.
INVERSION_KERNEL scan_numbers(Count *numbers, Count count, const Count *tileSums) {
  INVERSION_SHARED(SumsShared, s);
  Count first = (Count)blockIdx.x * SCAN_TILE + SCAN_EACH * threadIdx.x, mine[SCAN_EACH], total;
  Count before = tileSums[blockIdx.x] + sumBefore(readNumbers(numbers, first, count, mine), s.sums, total);
  writeSums(numbers, first, count, mine, before);
}

}  // namespace inversion
