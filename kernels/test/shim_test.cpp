// Compares all kernels on the CPU with std::sort, with small parts: every number of keys around every boundary, and by
// the 0-1 principle (a network that sorts all sequences of zeros and ones sorts everything) all small numbers of keys.
#include "../shim/cuda_shim.h"

#define KMODEL_NO_DEFAULT_KERNELS
#include "../kmodel.cu"

#include "../plan.h"
#include <random>
#include <set>

KMODEL_KERNELS(f64_2, DoubleKey, 2, 1, 0, 1, 1)
KMODEL_KERNELS(f64_3, DoubleKey, 3, 1, 1, 1, 1)
KMODEL_KERNELS(f64_5, DoubleKey, 5, 2, 2, 1, 1)
KMODEL_KERNELS(f64_6, DoubleKey, 6, 2, 3, 1, 1)
KMODEL_KERNELS(f64_7, DoubleKey, 7, 3, 3, 1, 1)
KMODEL_KERNELS(f64_8, DoubleKey, 8, 5, 4, 1, 1)
KMODEL_KERNELS(u64_5, IntegerKey<unsigned long long>, 5, 3, 1, 1, 1)
KMODEL_KERNELS(u64_7, IntegerKey<unsigned long long>, 7, 2, 4, 1, 1)
KMODEL_KERNELS(u32_6, IntegerKey<unsigned>, 6, 3, 0, 1, 1)
KMODEL_KERNELS(u32_8, IntegerKey<unsigned>, 8, 4, 2, 1, 1)
KMODEL_KERNELS(u128_5, WideKey, 5, 2, 4, 1, 1)
KMODEL_KERNELS(u128_7, WideKey, 7, 4, 2, 1, 1)

using Count = unsigned long long;

static inline bool operator<(const Wide &a, const Wide &b) {
  return a.high != b.high ? a.high < b.high : a.low < b.low;
}
static inline bool operator==(const Wide &a, const Wide &b) { return a.high == b.high && a.low == b.low; }

template <class KeyKind, int LOG_SIGMA, int LOG_KEYS, int LOG_K>
struct Sorter {
  using Word = typename KeyKind::Word;
  using P = Part<KeyKind, LOG_SIGMA, LOG_KEYS>;
  static constexpr int M = LOG_SIGMA;
  const char *name;
  void (*sortBlocks)(Word *, Count, Count);
  void (*mergeParts)(Word *, Count, Count, int, int, int);

  void sort(std::vector<Word> &keys) const {
    Word *data = keys.data();
    Count n = keys.size() - 1, none = 0;  // one guard behind the keys
    void *first[] = {&data, &n, &none};
    shim::launch(sortBlocks, (n + P::SIGMA - 1) / P::SIGMA, P::THREADS, P::SHARED_BYTES, first);
    Plan plan = planPasses(n, M, LOG_K);
    for (Pass pass : plan.passes) {
      // In two launches, to test firstPart.
      Count parts = plan.parts(pass, n), half = parts / 2;
      void *lower[] = {&data, &n, &none, &pass.stage, &pass.tail, &pass.highBase};
      void *upper[] = {&data, &n, &half, &pass.stage, &pass.tail, &pass.highBase};
      shim::launch(mergeParts, half, P::THREADS, P::SHARED_BYTES, lower);
      shim::launch(mergeParts, parts - half, P::THREADS, P::SHARED_BYTES, upper);
    }
  }

  void check(const std::vector<Word> &input, const char *what) const {
    Word guard;
    std::memset(&guard, 0x3C, sizeof guard);
    std::vector<Word> actual = input, expected = input;
    actual.push_back(guard);
    sort(actual);
    std::sort(expected.begin(), expected.end());
    expected.push_back(guard);
    if (!(actual == expected)) {
      std::fprintf(stderr, "%s: %zu keys (%s), k = 2^%d: not sorted\n", name, input.size(), what, LOG_K);
      std::exit(1);
    }
  }
};

template <class Word>
Word makeKey(unsigned long long high, unsigned long long low) {
  if constexpr (sizeof(Word) == 16) {
    return Word{low, high};
  } else if constexpr (sizeof(Word) == 8) {
    return low;
  } else {
    return (unsigned)(low >> 32);
  }
}

template <class S>
void checkSizes(const S &sorter, unsigned long long mask, int maxLog) {
  std::set<Count> sizes;
  for (int log = 0; log <= maxLog; log++) {
    for (int delta : {-2, -1, 0, 1, 3}) {
      sizes.insert(std::max<long long>(0, (1ll << log) + delta));
      sizes.insert(std::max<long long>(0, (3ll << log) / 2 + delta));
    }
  }
  std::mt19937_64 random(S::M);
  for (Count n : sizes) {
    if (n > 1ull << maxLog) continue;
    std::vector<typename S::Word> keys(n), few(n), equal(n), up(n), down(n);
    for (Count i = 0; i < n; i++) {
      keys[i] = makeKey<typename S::Word>(random(), random() & mask);
      few[i] = makeKey<typename S::Word>(random() % 2, random() % 3 << 33);
      equal[i] = makeKey<typename S::Word>(~0ull, mask);
      up[i] = makeKey<typename S::Word>(i, i << 20);
      down[i] = makeKey<typename S::Word>(n - i, (n - i) << 20);
    }
    sorter.check(keys, "random");
    sorter.check(few, "few values");
    sorter.check(equal, "all equal");
    sorter.check(up, "ascending");
    sorter.check(down, "descending");
  }
  std::printf("%-7s %zu sizes to 2^%d\n", sorter.name, sizes.size(), maxLog);
}

template <class S>
void checkZeroOne(const S &sorter, int maxKeys) {
  for (int n = 0; n <= maxKeys; n++) {
    std::vector<typename S::Word> keys(n);
    for (unsigned bits = 0; bits < 1u << n; bits++) {
      for (int i = 0; i < n; i++) keys[i] = makeKey<typename S::Word>(0, (unsigned long long)(bits >> i & 1) << 32);
      sorter.check(keys, "zeros and ones");
    }
  }
  std::printf("%-7s all zeros and ones to %d keys\n", sorter.name, maxKeys);
}

#define SORTER(kind, Key, M, V, K) \
  Sorter<Key, M, V, K> { #kind, sort_blocks_##kind, merge_parts_##kind }

int main(int argc, char **argv) {
  // Threads are slower than fibers by orders of magnitude, so there are fewer and smaller cases with them.
  int most = argc > 1 ? std::atoi(argv[1]) : 12;
  const unsigned long long packed = (1ull << 62) - 1, all = ~0ull;
  checkSizes(SORTER(f64_2, DoubleKey, 2, 1, 0), packed, std::min(most, 9));
  checkSizes(SORTER(f64_3, DoubleKey, 3, 1, 1), packed, std::min(most, 10));
  checkSizes(SORTER(f64_5, DoubleKey, 5, 2, 2), packed, most);
  checkSizes(SORTER(u64_5, IntegerKey<unsigned long long>, 5, 3, 1), all, most);
  checkSizes(SORTER(u128_5, WideKey, 5, 2, 4), all, most);
  if (most < 10) return 0;
  checkZeroOne(SORTER(f64_2, DoubleKey, 2, 1, 0), 14);
  checkZeroOne(SORTER(f64_3, DoubleKey, 3, 1, 1), 16);
  checkSizes(SORTER(f64_6, DoubleKey, 6, 2, 3), packed, most);
  checkSizes(SORTER(f64_7, DoubleKey, 7, 3, 3), packed, most + 1);
  checkSizes(SORTER(f64_8, DoubleKey, 8, 5, 4), packed, most + 2);
  checkSizes(SORTER(u64_7, IntegerKey<unsigned long long>, 7, 2, 4), all, most + 1);
  checkSizes(SORTER(u32_6, IntegerKey<unsigned>, 6, 3, 0), all, most);
  checkSizes(SORTER(u32_8, IntegerKey<unsigned>, 8, 4, 2), all, most + 1);
  checkSizes(SORTER(u128_7, WideKey, 7, 4, 2), all, most);
  return 0;
}
