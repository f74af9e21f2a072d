// Checks and times the sorters of other papers on a device, and CUB's sorts on the same keys.
//
//   sorters_bench check [log2]       every kind and distribution, up to 2^log2 keys (default 24), odd numbers too
//   sorters_bench once               one small sort of each kind
//   sorters_bench time [log2 ...]    median of 7 and spread, beside CUB (default 2^20 2^22 ... 2^28)
//   sorters_bench tune [log2]        all compiled variants (default 28)
//
// Every timed sort is checked before a time is printed. Exits with 1 on the first wrong result or CUDA error.
#include "../sorters/bitonic_merge.h"
#include "../sorters/driver.h"
#include "cub.cuh"
#include "harness.cuh"

static constexpr int COUNT_BLOCKS = 132 * 4;  // as many as an H200 holds at once

static const auto RADIX_U64 = RADIX_SORTER(u64, Key64, RADIX_THREADS_64, RADIX_EACH_64, RADIX_MATCH, COUNT_BLOCKS);
static const auto RADIX_U32 = RADIX_SORTER(u32, unsigned, RADIX_THREADS_32, RADIX_EACH_32, RADIX_MATCH, COUNT_BLOCKS);
static const auto SPLIT_U64 = SPLIT_SORTER(u64, Key64, SPLIT_EACH_64);
static const auto SPLIT_U32 = SPLIT_SORTER(u32, unsigned, SPLIT_EACH_32);
static const auto SPLIT_U64_1 = SPLIT_SORTER(u64_1, Key64, 1);
static const auto SPLIT_U32_1 = SPLIT_SORTER(u32_1, unsigned, 1);
static const auto MERGE_U64 = MERGE_SORTER(u64, Key64, MERGE_THREADS, MERGE_EACH_64);
static const auto MERGE_U32 = MERGE_SORTER(u32, unsigned, MERGE_THREADS, MERGE_EACH_32);
static const auto SEARCH_U64 = MERGE_SORTER(u64_search, Key64, MERGE_THREADS, SEARCH_EACH_64);
static const auto SEARCH_U32 = MERGE_SORTER(u32_search, unsigned, MERGE_THREADS, SEARCH_EACH_32);
static const auto BITONIC_U64 =
    BITONIC_SORTER(u64_bitonic, Key64, BITONIC_THREADS, BITONIC_LANES_64, BITONIC_ROUNDS_64);
static const auto BITONIC_U32 =
    BITONIC_SORTER(u32_bitonic, unsigned, BITONIC_THREADS, BITONIC_LANES_32, BITONIC_ROUNDS_32);
static const auto QUICK_U64 = QUICK_SORTER(u64, Key64, QUICK_BLOCKS);
static const auto QUICK_U32 = QUICK_SORTER(u32, unsigned, QUICK_BLOCKS);
static const auto SAMPLE_U64 = SAMPLE_SORTER(u64, Key64, SAMPLE_PART_KEYS);
static const auto SAMPLE_U32 = SAMPLE_SORTER(u32, unsigned, SAMPLE_PART_KEYS);

// Calls it with every sorter.
template <class Use>
static void withAll(Use use) {
  use(RADIX_U64);
  use(RADIX_U32);
  use(SPLIT_U64);
  use(SPLIT_U32);
  use(SPLIT_U64_1);
  use(SPLIT_U32_1);
  use(MERGE_U64);
  use(MERGE_U32);
  use(SEARCH_U64);
  use(SEARCH_U32);
  use(BITONIC_U64);
  use(BITONIC_U32);
  use(QUICK_U64);
  use(QUICK_U32);
  use(SAMPLE_U64);
  use(SAMPLE_U32);
}

// The memory of sorts of up to n keys, with a guard behind both buffers.
template <class Sorter>
struct Memory {
  using Word = typename Sorter::Word;
  Word *keys, *other;
  char *scratch;

  Memory(const Sorter &sorter, Count n) {
    CUDA(cudaMalloc(&keys, (n + 4) * sizeof(Word)));
    CUDA(cudaMalloc(&other, (n + 4) * sizeof(Word)));
    CUDA(cudaMalloc(&scratch, sorter.scratchBytes(n)));
    sorter.prepare();
  }
  ~Memory() {
    cudaFree(keys);
    cudaFree(other);
    cudaFree(scratch);
  }
};

template <class Sorter>
static void sortAndCheck(const Sorter &sorter, const Memory<Sorter> &memory, Count n, int distribution, Key64 seed) {
  for (auto *end : {memory.keys + n, memory.other + n}) setGuard(end);
  fill<<<1056, 512>>>(memory.keys, n, distribution, seed);
  Key64 sum = summaryOf(memory.keys, n).sum;
  sorter.sort(memory.keys, memory.other, n, memory.scratch);
  expectSorted((sorter.name + " " + NAMES[distribution]).c_str(), memory.keys, n, sum);
  for (auto *end : {memory.keys + n, memory.other + n}) expectGuard(sorter.name.c_str(), end, n);
}

template <class Sorter>
static void checkSorter(const Sorter &sorter, int log2Max) {
  Memory<Sorter> memory(sorter, 1ull << log2Max);
  checkSizes(sorter.name.c_str(), log2Max, [&](Count n, int distribution, Key64 seed) {
    sortAndCheck(sorter, memory, n, distribution, seed);
  });
}

template <class Sorter>
static void checkOnce(const Sorter &sorter) {
  Count n = 5 * sorter.tile() - 7;
  Memory<Sorter> memory(sorter, n);
  sortAndCheck(sorter, memory, n, UNIFORM, 1);
  std::printf("%-16s %llu keys sorted right\n", sorter.name.c_str(), n);
}

template <class Sorter>
static Times timeSorter(const Sorter &sorter, Count n, int distribution, int repeats) {
  Memory<Sorter> memory(sorter, n);
  Key64 sum = 0;
  return timeOf(
      repeats,
      [&] {
        fill<<<1056, 512>>>(memory.keys, n, distribution, 1);
        sum = summaryOf(memory.keys, n).sum;
      },
      [&] { sorter.sort(memory.keys, memory.other, n, memory.scratch); },
      [&] { expectSorted(sorter.name.c_str(), memory.keys, n, sum); });
}

static void timeAll(int log) {
  Count n = 1ull << log;
  withAll([=](const auto &sorter) { print(sorter.name.c_str(), n, timeSorter(sorter, n, UNIFORM, 7)); });
  print("CUB radix u64", n, timeCubRadix<Key64>(n, UNIFORM, 7));
  print("CUB radix u32", n, timeCubRadix<unsigned>(n, UNIFORM, 7));
  print("CUB merge sort u64", n, timeCubMerge<Key64>(n, UNIFORM, 7));
  print("CUB merge sort u32", n, timeCubMerge<unsigned>(n, UNIFORM, 7));
  if (log < 26) return;
  for (int d : {ZIPF, EQUAL, ASCENDING}) {
    print((RADIX_U64.name + " " + NAMES[d]).c_str(), n, timeSorter(RADIX_U64, n, d, 5));
    print((std::string("CUB radix u64 ") + NAMES[d]).c_str(), n, timeCubRadix<Key64>(n, d, 5));
    print((QUICK_U64.name + " " + NAMES[d]).c_str(), n, timeSorter(QUICK_U64, n, d, 5));
    print((SAMPLE_U64.name + " " + NAMES[d]).c_str(), n, timeSorter(SAMPLE_U64, n, d, 5));
    print((MERGE_U64.name + " " + NAMES[d]).c_str(), n, timeSorter(MERGE_U64, n, d, 5));
    print((std::string("CUB merge sort u64 ") + NAMES[d]).c_str(), n, timeCubMerge<Key64>(n, d, 5));
  }
}

#ifdef SORTERS_VARIANTS
#include SORTERS_VARIANTS
#endif

static void tune(int log) {
  Count n = 1ull << log;
  withAll([=](const auto &sorter) { print(sorter.name.c_str(), n, timeSorter(sorter, n, UNIFORM, 5)); });
#ifdef SORTERS_VARIANTS
  withVariants([=](const auto &sorter) { print(sorter.name.c_str(), n, timeSorter(sorter, n, UNIFORM, 5)); });
#endif
}

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "check";
  int log = argc > 2 ? std::atoi(argv[2]) : 0;
  if (mode == "check") {
    withAll([=](const auto &sorter) { checkSorter(sorter, log ? log : 24); });
  } else if (mode == "once") {
    withAll([](const auto &sorter) { checkOnce(sorter); });
  } else if (mode == "time") {
    for (int l : logsFrom(2, argc, argv, {20, 22, 24, 26, 28})) timeAll(l);
  } else if (mode == "tune") {
    tune(log ? log : 28);
  } else {
    std::fprintf(stderr, "usage: sorters_bench check|once|time|tune [log2 of the number of keys]\n");
    return 2;
  }
  return 0;
}
