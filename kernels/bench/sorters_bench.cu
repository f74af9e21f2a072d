// Checks and times the sorters of other papers on a device, and CUB's radix sort on the same keys.
//
//   sorters_bench check [log2]       every kind and distribution, up to 2^log2 keys (default 24), odd numbers too
//   sorters_bench once               one small sort of each kind
//   sorters_bench time [log2 ...]    median of 7 and spread, beside CUB (default 2^20 2^22 ... 2^28)
//   sorters_bench tune [log2]        all compiled variants (default 28)
//
// Every timed sort is checked before a time is printed. Exits with 1 on the first wrong result or CUDA error.
#include "../sorters/quick_plan.h"
#include "../sorters/sample_plan.h"
#include "../sorters/sorters.cu"
#include "harness.cuh"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

// A sorter that needs as much memory again as the keys. Words have an even number of digits, so the sorted keys are where
// they were.
template <class Key>
struct Sorter {
  using Word = Key;
  std::string name;

  explicit Sorter(std::string name) : name(std::move(name)) {}
  virtual ~Sorter() = default;
  virtual Count tileKeys() const = 0;
  virtual size_t scratchBytes(Count n) const = 0;
  virtual void prepare() const {}
  virtual void sort(Word *keys, Word *other, Count n, char *scratch) const = 0;

  Count tiles(Count n) const { return (n + tileKeys() - 1) / tileKeys(); }
};

template <class Word>
struct Radix : Sorter<Word> {
  int threads, each, sharedBytes;
  void (*countDigits)(const Word *, Count, radix::State *);
  void (*moveKeys)(const Word *, Word *, Count, int, radix::State *);

  Radix(std::string name, int threads, int each, int sharedBytes,
        void (*countDigits)(const Word *, Count, radix::State *),
        void (*moveKeys)(const Word *, Word *, Count, int, radix::State *))
      : Sorter<Word>(name), threads(threads), each(each), sharedBytes(sharedBytes), countDigits(countDigits),
        moveKeys(moveKeys) {}

  Count tileKeys() const override { return threads * each; }
  size_t scratchBytes(Count n) const override {
    return sizeof(radix::State) + this->tiles(n) * radix::DIGITS * sizeof(Count);
  }
  void prepare() const override {
    CHECKED(cudaFuncSetAttribute(moveKeys, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes));
  }

  void sort(Word *keys, Word *other, Count n, char *scratch) const override {
    if (n == 0) return;
    radix::State *state = (radix::State *)scratch;
    CHECKED(cudaMemsetAsync(state, 0, scratchBytes(n)));
    countDigits<<<COUNT_BLOCKS, RADIX_COUNT_THREADS, sizeof(radix::CountShared)>>>(keys, n, state);
    place_digits<<<sizeof(Word), radix::DIGITS, sizeof(radix::PlaceShared)>>>(state);
    for (int pass = 0; pass < (int)sizeof(Word); pass++) {
      moveKeys<<<(unsigned)this->tiles(n), threads, sharedBytes>>>(keys, other, n, pass, state);
      std::swap(keys, other);
    }
    CHECKED(cudaGetLastError());
  }

 private:
  static constexpr int COUNT_BLOCKS = 132 * 4;  // as many as an H200 holds at once
};

template <class Word>
struct Split : Sorter<Word> {
  int each, sharedBytes;
  void (*sortTiles)(const Word *, Word *, Count, int, Count *, unsigned *);
  void (*scatterTiles)(const Word *, Word *, Count, int, const Count *, const unsigned *);

  Split(std::string name, int each, int sharedBytes,
        void (*sortTiles)(const Word *, Word *, Count, int, Count *, unsigned *),
        void (*scatterTiles)(const Word *, Word *, Count, int, const Count *, const unsigned *))
      : Sorter<Word>(name), each(each), sharedBytes(sharedBytes), sortTiles(sortTiles), scatterTiles(scatterTiles) {}

  Count tileKeys() const override { return split::THREADS * each; }
  size_t scratchBytes(Count n) const override {
    Count numbers = this->tiles(n) * split::DIGITS;
    return (numbers + 1 + scanTiles(numbers) + 1) * sizeof(Count) + numbers * sizeof(unsigned);
  }
  static Count scanTiles(Count numbers) { return numbers / inversion::SCAN_TILE + 1; }

  void sort(Word *keys, Word *other, Count n, char *scratch) const override {
    if (n == 0) return;
    Count blocks = this->tiles(n), numbers = blocks * split::DIGITS, scans = scanTiles(numbers);
    Count *counts = (Count *)scratch, *sums = counts + numbers + 1;
    unsigned *starts = (unsigned *)(sums + scans + 1);
    constexpr int THREADS = split::THREADS, SUMS = sizeof(inversion::SumsShared);
    for (int shift = 0; shift < 8 * (int)sizeof(Word); shift += split::DIGIT_BITS) {
      sortTiles<<<(unsigned)blocks, THREADS, sharedBytes>>>(keys, other, n, shift, counts, starts);
      inversion::sum_tiles<<<(unsigned)scans, THREADS, SUMS>>>(counts, numbers, sums);
      inversion::scan_sums<<<1, THREADS, SUMS>>>(sums, scans);
      inversion::scan_numbers<<<(unsigned)scans, THREADS, SUMS>>>(counts, numbers, sums);
      scatterTiles<<<(unsigned)blocks, THREADS>>>(other, keys, n, shift, counts, starts);
    }
    CHECKED(cudaGetLastError());
  }
};

template <class Word>
struct Merge : Sorter<Word> {
  int threads, each, sharedBytes;
  void (*sortLists)(const Word *, Word *, Count);
  void (*partLists)(const Word *, Count, Count, unsigned, Count *);
  void (*mergeLists)(const Word *, Word *, Count, Count, const Count *);

  Merge(std::string name, int threads, int each, int sharedBytes, void (*sortLists)(const Word *, Word *, Count),
        void (*partLists)(const Word *, Count, Count, unsigned, Count *),
        void (*mergeLists)(const Word *, Word *, Count, Count, const Count *))
      : Sorter<Word>(name), threads(threads), each(each), sharedBytes(sharedBytes), sortLists(sortLists),
        partLists(partLists), mergeLists(mergeLists) {}

  Count tileKeys() const override { return threads * each; }
  size_t scratchBytes(Count n) const override { return (this->tiles(n) + 1) * sizeof(Count); }
  void prepare() const override {
    CHECKED(cudaFuncSetAttribute(sortLists, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes));
    CHECKED(cudaFuncSetAttribute(mergeLists, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes));
  }

  void sort(Word *keys, Word *other, Count n, char *scratch) const override {
    if (n == 0) return;
    Count *parts = (Count *)scratch;
    unsigned blocks = (unsigned)this->tiles(n), tile = threads * each;
    int passes = 0;
    for (Count width = tile; width < n; width *= 2) passes++;
    // After an even number of passes the lists are where they were.
    Word *read = keys, *write = passes % 2 == 0 ? keys : other;
    sortLists<<<blocks, threads, sharedBytes>>>(read, write, n);
    read = write;
    write = passes % 2 == 0 ? other : keys;
    for (Count width = tile; width < n; width *= 2) {
      partLists<<<(blocks + MERGE_PART_THREADS - 1) / MERGE_PART_THREADS, MERGE_PART_THREADS>>>(read, n, width, tile,
                                                                                               parts);
      mergeLists<<<blocks, threads, sharedBytes>>>(read, write, n, width, parts);
      std::swap(read, write);
    }
    CHECKED(cudaGetLastError());
  }
};

#define MERGES(kind, Word, THREADS, EACH)                                                                   \
  Merge<Word>("merge " #kind, THREADS, EACH, sizeof(merge::Shared<Word, THREADS, EACH>), sort_lists_##kind,  \
              PART_LISTS<Word>, merge_lists_##kind)

template <class Word>
void (*const PART_LISTS)(const Word *, Count, Count, unsigned, Count *) = nullptr;
template <>
void (*const PART_LISTS<Key64>)(const Key64 *, Count, Count, unsigned, Count *) = part_lists_u64;
template <>
void (*const PART_LISTS<unsigned>)(const unsigned *, Count, Count, unsigned, Count *) = part_lists_u32;

// With the time that the host takes between the rounds.
template <class Word>
struct Quick : Sorter<Word> {
  using Sequence = quick::Sequence<Word>;
  Count blocks;
  void (*choose)(const Word *, Sequence *, unsigned);
  void (*split)(const Word *, Word *, const quick::Part *, Sequence *);
  void (*fill)(Word *, const Sequence *);
  void (*sortEach)(Word *, Word *, const Sequence *, int);

  Quick(std::string name, Count blocks, void (*choose)(const Word *, Sequence *, unsigned),
        void (*split)(const Word *, Word *, const quick::Part *, Sequence *), void (*fill)(Word *, const Sequence *),
        void (*sortEach)(Word *, Word *, const Sequence *, int))
      : Sorter<Word>(name), blocks(blocks), choose(choose), split(split), fill(fill), sortEach(sortEach) {}

  Count tileKeys() const override { return quick::SMALL; }
  // Fewer than twice as many sequences as are enough are split, and there is a part more than needed for each.
  size_t scratchBytes(Count) const override { return 2 * blocks * sizeof(Sequence) + 4 * blocks * sizeof(quick::Part); }
  void prepare() const override {
    CHECKED(cudaFuncSetAttribute(sortEach, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)sizeof(quick::SortShared<Word>)));
  }

  struct Device {
    const Quick &of;
    Word *buffers[2];
    Sequence *sequences;
    quick::Part *parts;

    void put(const std::vector<Sequence> &some) {
      if (some.size() > 2 * of.blocks) tooMany();
      CHECKED(cudaMemcpy(sequences, some.data(), some.size() * sizeof(Sequence), cudaMemcpyHostToDevice));
    }
    void put(const std::vector<quick::Part> &some) {
      if (some.size() > 4 * of.blocks) tooMany();
      CHECKED(cudaMemcpy(parts, some.data(), some.size() * sizeof(quick::Part), cudaMemcpyHostToDevice));
    }
    void get(std::vector<Sequence> &some) {
      CHECKED(cudaMemcpy(some.data(), sequences, some.size() * sizeof(Sequence), cudaMemcpyDeviceToHost));
    }
    void choosePivots(int side, unsigned count) {
      of.choose<<<(count + quick::THREADS - 1) / quick::THREADS, quick::THREADS>>>(buffers[side], sequences, count);
    }
    void splitParts(int side, unsigned count) {
      of.split<<<count, quick::THREADS, sizeof(quick::SplitShared)>>>(buffers[side], buffers[1 - side], parts,
                                                                      sequences);
    }
    void fillPivots(unsigned count) { of.fill<<<count, quick::THREADS>>>(buffers[0], sequences); }
    void sortSequences(int side, unsigned count) {
      of.sortEach<<<count, quick::THREADS, sizeof(quick::SortShared<Word>)>>>(buffers[0], buffers[1], sequences, side);
    }
    static void tooMany() {
      std::fprintf(stderr, "quicksort: more sequences or parts than there is room for\n");
      std::exit(1);
    }
  };

  void sort(Word *keys, Word *other, Count n, char *scratch) const override {
    if (n == 0) return;
    Device device{*this, {keys, other}, (Sequence *)scratch, (quick::Part *)(scratch + 2 * blocks * sizeof(Sequence))};
    quick::sort<Word>(n, quick::Plan::of(n, blocks), device);
    CHECKED(cudaGetLastError());
  }
};

#define QUICKS(kind, Word, BLOCKS)                                                                            \
  Quick<Word>("quick " #kind, BLOCKS, choose_pivots_##kind, split_parts_##kind, fill_pivots_##kind,            \
              sort_sequences_##kind)

// With the time that the host takes between the rounds.
template <class Word>
struct Sample : Sorter<Word> {
  using Sequence = quick::Sequence<Word>;
  Count partKeys;
  void (*choose)(const Word *, const sample::Segment *, Word *);
  void (*count)(const Word *, const sample::Part *, const sample::Segment *, const Word *, Count *);
  void (*fill)(const Word *, Word *, const sample::Part *, const sample::Segment *, const Word *, const Count *);
  void (*fillEach)(Word *, const Sequence *);
  void (*sortEach)(Word *, Word *, const Sequence *, int);

  Sample(std::string name, Count partKeys, void (*choose)(const Word *, const sample::Segment *, Word *),
         void (*count)(const Word *, const sample::Part *, const sample::Segment *, const Word *, Count *),
         void (*fill)(const Word *, Word *, const sample::Part *, const sample::Segment *, const Word *, const Count *),
         void (*fillEach)(Word *, const Sequence *), void (*sortEach)(Word *, Word *, const Sequence *, int))
      : Sorter<Word>(name), partKeys(partKeys), choose(choose), count(count), fill(fill), fillEach(fillEach),
        sortEach(sortEach) {}

  Count tileKeys() const override { return sample::MEDIUM; }
  Count mostSegments(Count n) const { return n / sample::MEDIUM + 1; }
  Count mostParts(Count n) const { return n / partKeys + mostSegments(n); }
  Count mostNumbers(Count n) const { return mostParts(n) * sample::BUCKETS + 1; }
  size_t scratchBytes(Count n) const override {
    Count segments = mostSegments(n);
    return segments * (sizeof(sample::Segment) + sample::SPLITTERS * sizeof(Word) + sample::BUCKETS * sizeof(Count) +
                       (sample::BUCKETS + 1) * sizeof(Sequence)) +
           mostParts(n) * sizeof(sample::Part) +
           (mostNumbers(n) + mostNumbers(n) / inversion::SCAN_TILE + 2) * sizeof(Count) + 64;
  }
  void prepare() const override {
    CHECKED(cudaFuncSetAttribute(sortEach, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)sizeof(quick::SortShared<Word>)));
  }

  struct Device {
    const Sample &of;
    Word *buffers[2];
    sample::Segment *segments;
    sample::Part *parts;
    Sequence *sequences;
    Count *counts, *sums, *starts;
    Word *splitters;

    Device(const Sample &of, Word *keys, Word *other, Count n, char *scratch) : of(of), buffers{keys, other} {
      auto take = [&](size_t bytes) {
        char *at = scratch;
        scratch += (bytes + 7) / 8 * 8;
        return at;
      };
      Count most = of.mostSegments(n), numbers = of.mostNumbers(n);
      segments = (sample::Segment *)take(most * sizeof(sample::Segment));
      parts = (sample::Part *)take(of.mostParts(n) * sizeof(sample::Part));
      sequences = (Sequence *)take(most * (sample::BUCKETS + 1) * sizeof(Sequence));
      counts = (Count *)take(numbers * sizeof(Count));
      sums = (Count *)take((numbers / inversion::SCAN_TILE + 2) * sizeof(Count));
      starts = (Count *)take(most * sample::BUCKETS * sizeof(Count));
      splitters = (Word *)take(most * sample::SPLITTERS * sizeof(Word));
    }

    template <class Item>
    static void copy(Item *to, const std::vector<Item> &some) {
      CHECKED(cudaMemcpy(to, some.data(), some.size() * sizeof(Item), cudaMemcpyHostToDevice));
    }
    void put(const std::vector<sample::Segment> &some) { copy(segments, some); }
    void put(const std::vector<sample::Part> &some) { copy(parts, some); }
    void put(const std::vector<Sequence> &some) { copy(sequences, some); }
    void get(std::vector<Count> &ofBuckets, std::vector<Word> &by, unsigned count) {
      ofBuckets.resize(count * sample::BUCKETS);
      by.resize(count * sample::SPLITTERS);
      CHECKED(cudaMemcpy(ofBuckets.data(), starts, ofBuckets.size() * sizeof(Count), cudaMemcpyDeviceToHost));
      CHECKED(cudaMemcpy(by.data(), splitters, by.size() * sizeof(Word), cudaMemcpyDeviceToHost));
    }
    void chooseSplitters(int side, unsigned count) {
      of.choose<<<count, quick::THREADS, sizeof(sample::SplitterShared<Word>)>>>(buffers[side], segments, splitters);
    }
    void countBuckets(int side, unsigned count) {
      of.count<<<count, quick::THREADS, sizeof(sample::BucketShared<Word>)>>>(buffers[side], parts, segments, splitters,
                                                                              counts);
    }
    void scan(Count numbers) {
      Count scans = numbers / inversion::SCAN_TILE + 1;
      constexpr int SUMS = sizeof(inversion::SumsShared);
      inversion::sum_tiles<<<(unsigned)scans, quick::THREADS, SUMS>>>(counts, numbers, sums);
      inversion::scan_sums<<<1, quick::THREADS, SUMS>>>(sums, scans);
      inversion::scan_numbers<<<(unsigned)scans, quick::THREADS, SUMS>>>(counts, numbers, sums);
    }
    void bucketStarts(unsigned count) { bucket_starts<<<count, quick::THREADS>>>(segments, counts, starts); }
    void fillBuckets(int side, unsigned count) {
      of.fill<<<count, quick::THREADS, sizeof(sample::BucketShared<Word>)>>>(buffers[side], buffers[1 - side], parts,
                                                                             segments, splitters, counts);
    }
    void fillEqual(unsigned count) { of.fillEach<<<count, quick::THREADS>>>(buffers[0], sequences); }
    void sortSequences(int side, unsigned count) {
      of.sortEach<<<count, quick::THREADS, sizeof(quick::SortShared<Word>)>>>(buffers[0], buffers[1], sequences, side);
    }
  };

  void sort(Word *keys, Word *other, Count n, char *scratch) const override {
    Device device(*this, keys, other, n, scratch);
    sample::sort<Word>(n, partKeys, device);
    CHECKED(cudaGetLastError());
  }
};

#define SAMPLES(kind, Word, KEYS)                                                                             \
  Sample<Word>("sample " #kind, KEYS, choose_splitters_##kind, count_buckets_##kind, fill_buckets_##kind,      \
               fill_pivots_##kind, sort_sequences_##kind)

#define RADIX(kind, Word, THREADS, EACH, HOW)                                                          \
  Radix<Word>("radix " #kind, THREADS, EACH, sizeof(radix::MoveShared<Word, THREADS, EACH, HOW>),       \
              COUNT_DIGITS<Word>, move_keys_##kind)
#define SPLITS(what, kind, Word, EACH)                                                                 \
  Split<Word>(what, EACH, sizeof(split::SortShared<Word, EACH>), sort_tiles_##kind, scatter_tiles_##kind)

template <class Word>
void (*const COUNT_DIGITS)(const Word *, Count, radix::State *) = nullptr;
template <>
void (*const COUNT_DIGITS<Key64>)(const Key64 *, Count, radix::State *) = count_digits_u64;
template <>
void (*const COUNT_DIGITS<unsigned>)(const unsigned *, Count, radix::State *) = count_digits_u32;

static const auto RADIX_U64 = RADIX(u64, Key64, RADIX_THREADS_64, RADIX_EACH_64, RADIX_MATCH);
static const auto RADIX_U32 = RADIX(u32, unsigned, RADIX_THREADS_32, RADIX_EACH_32, RADIX_MATCH);
static const auto SPLIT_U64 = SPLITS("splits u64", u64, Key64, SPLIT_EACH_64);
static const auto SPLIT_U32 = SPLITS("splits u32", u32, unsigned, SPLIT_EACH_32);
static const auto SPLIT_U64_1 = SPLITS("splits, one key, u64", u64_1, Key64, 1);
static const auto SPLIT_U32_1 = SPLITS("splits, one key, u32", u32_1, unsigned, 1);

static const auto MERGE_U64 = MERGES(u64, Key64, MERGE_THREADS, MERGE_EACH_64);
static const auto MERGE_U32 = MERGES(u32, unsigned, MERGE_THREADS, MERGE_EACH_32);
static const auto SEARCH_U64 = MERGES(u64_search, Key64, MERGE_THREADS, SEARCH_EACH_64);
static const auto SEARCH_U32 = MERGES(u32_search, unsigned, MERGE_THREADS, SEARCH_EACH_32);

static const auto QUICK_U64 = QUICKS(u64, Key64, QUICK_BLOCKS);
static const auto QUICK_U32 = QUICKS(u32, unsigned, QUICK_BLOCKS);

static const auto SAMPLE_U64 = SAMPLES(u64, Key64, SAMPLE_PART_KEYS);
static const auto SAMPLE_U32 = SAMPLES(u32, unsigned, SAMPLE_PART_KEYS);

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
  use(QUICK_U64);
  use(QUICK_U32);
  use(SAMPLE_U64);
  use(SAMPLE_U32);
}

// The memory of sorts of up to n keys, with a guard behind the keys.
template <class Word>
struct Memory {
  Word *keys, *other;
  char *scratch;

  Memory(const Sorter<Word> &sorter, Count n) {
    CHECKED(cudaMalloc(&keys, (n + 4) * sizeof(Word)));
    CHECKED(cudaMalloc(&other, (n + 4) * sizeof(Word)));
    CHECKED(cudaMalloc(&scratch, sorter.scratchBytes(n)));
    sorter.prepare();
  }
  ~Memory() {
    cudaFree(keys);
    cudaFree(other);
    cudaFree(scratch);
  }
};

template <class Word>
static void sortAndCheck(const Sorter<Word> &sorter, const Memory<Word> &memory, Count n, int distribution, Key64 seed) {
  for (Word *end : {memory.keys + n, memory.other + n}) CHECKED(cudaMemset(end, 0x5A, 4 * sizeof(Word)));
  fill<<<1056, 512>>>(memory.keys, n, distribution, seed);
  Key64 sum = summaryOf(memory.keys, n).sum;
  sorter.sort(memory.keys, memory.other, n, memory.scratch);
  expectSorted((sorter.name + " " + NAMES[distribution]).c_str(), memory.keys, n, sum);
  for (Word *end : {memory.keys + n, memory.other + n}) {
    unsigned char guard[4 * sizeof(Word)];
    CHECKED(cudaMemcpy(guard, end, sizeof guard, cudaMemcpyDeviceToHost));
    for (unsigned char byte : guard) {
      if (byte != 0x5A) {
        std::fprintf(stderr, "%s: %llu keys: wrote behind the keys\n", sorter.name.c_str(), n);
        std::exit(1);
      }
    }
  }
}

template <class Word>
static void checkSorter(const Sorter<Word> &sorter, int log2Max) {
  Memory<Word> memory(sorter, 1ull << log2Max);
  int checked = 0;
  for (int log = 0; log <= log2Max; log++) {
    for (long long delta : {-1ll, 0ll, 1ll, (1ll << log) / 2 + 3}) {
      Count n = (1ull << log) + delta;
      if (n > 1ull << log2Max) continue;
      for (int d = 0; d < DISTRIBUTIONS; d++) {
        if (log > 22 && d != log % DISTRIBUTIONS && d != UNIFORM) continue;
        sortAndCheck(sorter, memory, n, d, (Key64)log + delta);
        checked++;
      }
    }
  }
  std::printf("%-16s %d sorts right, up to 2^%d keys\n", sorter.name.c_str(), checked, log2Max);
  std::fflush(stdout);
}

template <class Word>
static void checkOnce(const Sorter<Word> &sorter) {
  Count n = 5 * sorter.tileKeys() - 7;
  Memory<Word> memory(sorter, n);
  sortAndCheck(sorter, memory, n, UNIFORM, 1);
  std::printf("%-16s %llu keys sorted right\n", sorter.name.c_str(), n);
}

template <class Word>
static Times timeSorter(const Sorter<Word> &sorter, Count n, int distribution, int repeats) {
  Memory<Word> memory(sorter, n);
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

template <class Word>
static Times timeCub(Count n, int distribution, int repeats) {
  Word *keys, *other;
  CHECKED(cudaMalloc(&keys, n * sizeof(Word)));
  CHECKED(cudaMalloc(&other, n * sizeof(Word)));
  size_t bytes = 0;
  cub::DoubleBuffer<Word> buffers(keys, other);
  CHECKED(cub::DeviceRadixSort::SortKeys(nullptr, bytes, buffers, n));
  void *scratch;
  CHECKED(cudaMalloc(&scratch, bytes));
  Key64 sum = 0;
  Times times = timeOf(
      repeats,
      [&] {
        buffers = cub::DoubleBuffer<Word>(keys, other);
        fill<<<1056, 512>>>(keys, n, distribution, 1);
        sum = summaryOf(keys, n).sum;
      },
      [&] { CHECKED(cub::DeviceRadixSort::SortKeys(scratch, bytes, buffers, n)); },
      [&] { expectSorted("CUB radix sort", buffers.Current(), n, sum); });
  CHECKED(cudaFree(scratch));
  CHECKED(cudaFree(other));
  CHECKED(cudaFree(keys));
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
  CHECKED(cudaMalloc(&keys, n * sizeof(Word)));
  size_t bytes = 0;
  CHECKED(cub::DeviceMergeSort::SortKeys(nullptr, bytes, keys, n, Less{}));
  void *scratch;
  CHECKED(cudaMalloc(&scratch, bytes));
  Key64 sum = 0;
  Times times = timeOf(
      repeats,
      [&] {
        fill<<<1056, 512>>>(keys, n, distribution, 1);
        sum = summaryOf(keys, n).sum;
      },
      [&] { CHECKED(cub::DeviceMergeSort::SortKeys(scratch, bytes, keys, n, Less{})); },
      [&] { expectSorted("CUB merge sort", keys, n, sum); });
  CHECKED(cudaFree(scratch));
  CHECKED(cudaFree(keys));
  return times;
}

static void timeAll(int log) {
  Count n = 1ull << log;
  withAll([=](const auto &sorter) { print(sorter.name.c_str(), n, timeSorter(sorter, n, UNIFORM, 7)); });
  print("CUB radix u64", n, timeCub<Key64>(n, UNIFORM, 7));
  print("CUB radix u32", n, timeCub<unsigned>(n, UNIFORM, 7));
  print("CUB merge sort u64", n, timeCubMerge<Key64>(n, UNIFORM, 7));
  print("CUB merge sort u32", n, timeCubMerge<unsigned>(n, UNIFORM, 7));
  if (log < 26) return;
  for (int d : {ZIPF, EQUAL, ASCENDING}) {
    print((RADIX_U64.name + " " + NAMES[d]).c_str(), n, timeSorter(RADIX_U64, n, d, 5));
    print((std::string("CUB radix u64 ") + NAMES[d]).c_str(), n, timeCub<Key64>(n, d, 5));
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
    if (argc > 2) {
      for (int i = 2; i < argc; i++) timeAll(std::atoi(argv[i]));
    } else {
      for (int l = 20; l <= 28; l += 2) timeAll(l);
    }
  } else if (mode == "tune") {
    tune(log ? log : 28);
  } else {
    std::fprintf(stderr, "usage: sorters_bench check|once|time|tune [log2 of the number of keys]\n");
    return 2;
  }
  return 0;
}
