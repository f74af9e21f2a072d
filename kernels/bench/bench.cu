// Checks and times the kernels on a device, and CUB's sorters on the same keys.
//
//   bench check [log2]       every kind and distribution, up to 2^log2 keys (default 24), odd numbers too
//   bench once               one small sort of each kind
//   bench time [log2 ...]    median of 7, spread, per superstep; and CUB (default 2^20 2^22 ... 2^30)
//   bench tune [log2]        all compiled variants
//   bench large [log2]       one f64 sort in place, timed and checked, of five keys fewer (default 33: 64 GiB)
//
// Every timed sort is checked before a time is printed: the order (of the bits it sorts by), and a sum of hashes of the
// keys. Exits with 1 on the first wrong result or CUDA error.
#include "../kmodel.cu"
#include "../plan.h"
#include "cub.cuh"
#include "harness.cuh"

// ---- the sorters

template <class Word>
struct Sorter {
  std::string name;
  int m, threads, sharedBytes;
  void (*sortBlocks)(Word *, Count, Count);
  void (*mergeParts)(Word *, Count, Count, int, int, int);
  int log2K;

  void prepare() const {
    int bytes = sharedBytes;
    CUDA(cudaFuncSetAttribute(sortBlocks, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CUDA(cudaFuncSetAttribute(mergeParts, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  }

  // With `marks`, an event is recorded before the first superstep and after each.
  void sort(Word *keys, Count n, cudaEvent_t *marks = nullptr) const {
    if (n == 0) return;
    if (marks) CUDA(cudaEventRecord(*marks++));
    sortBlocks<<<(unsigned)((n + (1ull << m) - 1) >> m), threads, sharedBytes>>>(keys, n, 0);
    if (marks) CUDA(cudaEventRecord(*marks++));
    Plan plan = planPasses(n, m, log2K);
    for (Pass pass : plan.passes) {
      mergeParts<<<(unsigned)plan.parts(pass, n), threads, sharedBytes>>>(keys, n, 0, pass.stage, pass.tail,
                                                                         pass.highBase);
      if (marks) CUDA(cudaEventRecord(*marks++));
    }
    CUDA(cudaGetLastError());
  }
};

#define SORTER(kind, Key, M, V, K)                                                                   \
  Sorter<Key::Word> {                                                                                      \
    #kind, M, Part<Key, M, V>::THREADS, Part<Key, M, V>::SHARED_BYTES, sort_blocks_##kind,                 \
        merge_parts_##kind, K                                                                               \
  }

using U64Key = IntegerKey<Key64>;
using U32Key = IntegerKey<unsigned>;

static const Sorter<Key64> F64 = SORTER(f64, DoubleKey, KMODEL_M_64, KMODEL_V_64, KMODEL_K_64);
static const Sorter<Key64> U64 = SORTER(u64, U64Key, KMODEL_M_64, KMODEL_V_64, KMODEL_K_64);
static const Sorter<unsigned> U32 = SORTER(u32, U32Key, KMODEL_M_32, KMODEL_V_32, KMODEL_K_32);
static const Sorter<Wide> U128 = SORTER(u128, WideKey, KMODEL_M_128, KMODEL_V_128, KMODEL_K_128);

// ---- timing

template <class Word>
static Times timeSorter(const Sorter<Word> &sorter, Word *keys, Count n, int repeats) {
  sorter.prepare();
  Key64 sum = 0;
  return timeOf(
      repeats,
      [&] {
        fill<<<1056, 512>>>(keys, n, UNIFORM, 1);
        sum = summaryOf(keys, n).sum;
      },
      [&] { sorter.sort(keys, n); },
      [&] { expectSorted(sorter.name.c_str(), keys, n, sum); });
}

// Times of the launches of one sort.
static void printPasses(const Sorter<Key64> &sorter, Key64 *keys, Count n) {
  std::vector<Pass> plan = planPasses(n, sorter.m, sorter.log2K).passes;
  std::vector<cudaEvent_t> marks(plan.size() + 2);
  for (auto &mark : marks) CUDA(cudaEventCreate(&mark));
  fill<<<1056, 512>>>(keys, n, UNIFORM, 1);
  Key64 sum = summaryOf(keys, n).sum;
  sorter.sort(keys, n, marks.data());
  CUDA(cudaDeviceSynchronize());
  expectSorted(sorter.name.c_str(), keys, n, sum);
  for (size_t i = 0; i + 1 < marks.size(); i++) {
    float ms;
    CUDA(cudaEventElapsedTime(&ms, marks[i], marks[i + 1]));
    std::printf("  %7.3f ms  %5.0f GB/s ", ms, 16e-6 * (double)n / ms);
    if (i == 0) {
      std::printf(" blocks of 2^%d sorted\n", sorter.m);
    } else {
      std::printf(" stage %2d tail %2d head at bit %2d\n", plan[i - 1].stage, plan[i - 1].tail, plan[i - 1].highBase);
    }
  }
  for (auto &mark : marks) CUDA(cudaEventDestroy(mark));
}

// ---- modes

template <class Word>
static void checkSorter(const Sorter<Word> &sorter, int log2Max) {
  sorter.prepare();
  Word *keys;
  CUDA(cudaMalloc(&keys, (sizeof(Word) << log2Max) + 4 * sizeof(Word)));
  checkSizes(sorter.name.c_str(), log2Max, [&](Count n, int distribution, Key64 seed) {
    setGuard(keys + n);
    fill<<<1056, 512>>>(keys, n, distribution, seed);
    Key64 sum = summaryOf(keys, n).sum;
    sorter.sort(keys, n);
    expectSorted((sorter.name + " " + NAMES[distribution]).c_str(), keys, n, sum);
    expectGuard(sorter.name.c_str(), keys + n, n);
  });
  CUDA(cudaFree(keys));
}

static void check(int log2Max) {
  checkSorter(F64, log2Max);
  checkSorter(U64, log2Max);
  checkSorter(U32, log2Max);
  checkSorter(U128, log2Max);
}

// One sort of each kind, small and odd: for compute-sanitizer, under which everything takes hundreds of times longer.
template <class Word>
static void checkOnce(const Sorter<Word> &sorter) {
  sorter.prepare();
  Count n = (5ull << sorter.m) - 7;
  Word *keys;
  CUDA(cudaMalloc(&keys, n * sizeof(Word)));
  fill<<<16, 512>>>(keys, n, UNIFORM, 1);
  Key64 sum = summaryOf(keys, n).sum;
  sorter.sort(keys, n);
  expectSorted(sorter.name.c_str(), keys, n, sum);
  CUDA(cudaFree(keys));
  std::printf("%-5s %llu keys sorted right\n", sorter.name.c_str(), n);
}

static void timeAll(int log) {
  Count n = 1ull << log;
  Key64 *keys;
  CUDA(cudaMalloc(&keys, n * sizeof(Key64)));
  print(("in place, " + F64.name).c_str(), n, timeSorter(F64, keys, n, 7));
  print(("in place, " + U64.name).c_str(), n, timeSorter(U64, keys, n, 5));
  print(("in place, " + U32.name).c_str(), n, timeSorter(U32, (unsigned *)keys, n, 5));
  if (log < 30) print(("in place, " + U128.name).c_str(), n / 2, timeSorter(U128, (Wide *)keys, n / 2, 5));
  if (log >= 28) printPasses(F64, keys, n);
  CUDA(cudaFree(keys));
  print("CUB DeviceRadixSort u64", n, timeCubRadix<Key64>(n, UNIFORM, 7));
  print("CUB DeviceRadixSort 44 bits", n, timeCubRadix<Key64>(n, UNIFORM, 7, 44));
  print("CUB DeviceMergeSort u64", n, timeCubMerge<Key64>(n, UNIFORM, 7));
}

static void large(int log) {
  Count n = (1ull << log) - 5;
  Key64 *keys;
  CUDA(cudaMalloc(&keys, n * sizeof(Key64)));
  Times times = timeSorter(F64, keys, n, 1);
  print(("in place, " + F64.name).c_str(), n, times);
  CUDA(cudaFree(keys));
}

#ifdef KMODEL_VARIANTS
#include KMODEL_VARIANTS
#endif

static void tune(int log) {
  Count n = 1ull << log;
  Key64 *keys, *copy;
  CUDA(cudaMalloc(&keys, n * sizeof(Key64)));
  CUDA(cudaMalloc(&copy, n * sizeof(Key64)));
  Times t = timeOf(7, [] {}, [&] { CUDA(cudaMemcpyAsync(copy, keys, n * 8, cudaMemcpyDeviceToDevice)); }, [] {});
  std::printf("device copy: %.3f ms, %.0f GB/s\n", t.median, 16e-6 * (double)n / t.median);
  CUDA(cudaFree(copy));
#ifdef KMODEL_VARIANTS
  for (const Sorter<Key64> &sorter : variants()) {
    print(sorter.name.c_str(), n, timeSorter(sorter, keys, n, 5));
    printPasses(sorter, keys, n);
  }
#else
  print(F64.name.c_str(), n, timeSorter(F64, keys, n, 5));
  printPasses(F64, keys, n);
#endif
  CUDA(cudaFree(keys));
}

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "check";
  int log = argc > 2 ? std::atoi(argv[2]) : 0;
  if (mode == "check") {
    check(log ? log : 24);
  } else if (mode == "once") {
    checkOnce(F64);
    checkOnce(U64);
    checkOnce(U32);
    checkOnce(U128);
  } else if (mode == "time") {
    for (int l : logsFrom(2, argc, argv, {20, 22, 24, 26, 28, 30})) timeAll(l);
  } else if (mode == "tune") {
    tune(log ? log : 28);
  } else if (mode == "large") {
    large(log ? log : 33);
  } else {
    std::fprintf(stderr, "usage: bench check|once|time|tune|large [log2 of the number of keys]\n");
    return 2;
  }
  return 0;
}
