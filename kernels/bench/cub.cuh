// Times of CUB's sorts, with their own memory.
#pragma once
#include "harness.cuh"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

// By the low `bits` of the keys.
template <class Word>
static Times timeCubRadix(Count n, int distribution, int repeats, int bits = 8 * sizeof(Word)) {
  Word *keys, *other;
  CUDA(cudaMalloc(&keys, n * sizeof(Word)));
  CUDA(cudaMalloc(&other, n * sizeof(Word)));
  size_t bytes = 0;
  cub::DoubleBuffer<Word> buffers(keys, other);
  CUDA(cub::DeviceRadixSort::SortKeys(nullptr, bytes, buffers, n, 0, bits));
  void *scratch;
  CUDA(cudaMalloc(&scratch, bytes));
  Key64 sum = 0;
  Times times = timeOf(
      repeats,
      [&] {
        buffers = cub::DoubleBuffer<Word>(keys, other);
        fill<<<1056, 512>>>(keys, n, distribution, 1);
        sum = summaryOf(keys, n).sum;
      },
      [&] { CUDA(cub::DeviceRadixSort::SortKeys(scratch, bytes, buffers, n, 0, bits)); },
      [&] { expectSorted("CUB radix sort", buffers.Current(), n, sum, bits); });
  CUDA(cudaFree(scratch));
  CUDA(cudaFree(other));
  CUDA(cudaFree(keys));
  return times;
}

struct Less {
  template <class T>
  __device__ bool operator()(const T &a, const T &b) const {
    return a < b;
  }
};

template <class Word>
static Times timeCubMerge(Count n, int distribution, int repeats) {
  Word *keys;
  CUDA(cudaMalloc(&keys, n * sizeof(Word)));
  size_t bytes = 0;
  CUDA(cub::DeviceMergeSort::SortKeys(nullptr, bytes, keys, n, Less{}));
  void *scratch;
  CUDA(cudaMalloc(&scratch, bytes));
  Key64 sum = 0;
  Times times = timeOf(
      repeats,
      [&] {
        fill<<<1056, 512>>>(keys, n, distribution, 1);
        sum = summaryOf(keys, n).sum;
      },
      [&] { CUDA(cub::DeviceMergeSort::SortKeys(scratch, bytes, keys, n, Less{})); },
      [&] { expectSorted("CUB merge sort", keys, n, sum); });
  CUDA(cudaFree(scratch));
  CUDA(cudaFree(keys));
  return times;
}
