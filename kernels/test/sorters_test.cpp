// Compares the sorters on the CPU with std::stable_sort: at the borders of tiles and warps, for words of 64 and 32 bits,
// every way to match lanes, and every distribution.
#include "../shim/cuda_shim.h"

#define SORTERS_NO_DEFAULT_KERNELS
#include "../sorters/quick_plan.h"
#include "../sorters/sample_plan.h"
#include "../sorters/sorters.cu"

#include <algorithm>
#include <random>
#include <set>

using radix::Count;

RADIX_MOVE(u64_1, unsigned long long, 256, 1, 1, radix::BY_VOTES)
RADIX_MOVE(u64_3, unsigned long long, 256, 3, 1, radix::BY_INSTRUCTION)
RADIX_MOVE(u64_2, unsigned long long, 288, 2, 1, radix::BY_MASKS)
RADIX_MOVE(u32_2, unsigned, 256, 2, 1, radix::BY_MASKS)
SPLIT(u64_1, unsigned long long, 1)
SPLIT(u64_3, unsigned long long, 3)
SPLIT(u32_2, unsigned, 2)
MERGE(u64_3, unsigned long long, 32, 3, 1, merge::BY_PATH)
MERGE(u64_4, unsigned long long, 64, 4, 1, merge::BY_PATH)
MERGE(u64_5, unsigned long long, 32, 5, 1, merge::BY_SEARCH)
MERGE(u32_2, unsigned, 64, 2, 1, merge::BY_SEARCH)

using Word64 = unsigned long long;

[[noreturn]] static void fail(const char *name, const std::string &what) {
  std::fprintf(stderr, "%s: %s\n", name, what.c_str());
  std::exit(1);
}

// The keys with a guard behind them, which must stay.
template <class Word>
constexpr Word GUARD = (Word)0x3C3C3C3C3C3C3C3Cull;

template <class Word>
std::vector<Word> guarded(std::vector<Word> keys) {
  keys.push_back(GUARD<Word>);
  return keys;
}

template <class Word>
void requireGuards(const char *name, const std::vector<Word> &from, const std::vector<Word> &to) {
  if (from.back() != GUARD<Word> || to.back() != GUARD<Word>) fail(name, "wrote behind the keys");
}

template <class Key, int THREADS, int EACH, radix::Match HOW>
struct Radix {
  using Word = Key;
  static constexpr Count TILE = THREADS * EACH;
  const char *name;
  void (*countDigits)(const Word *, Count, radix::State *);
  void (*moveKeys)(const Word *, Word *, Count, int, radix::State *);

  std::vector<Word> sort(const std::vector<Word> &keys) const {
    Count n = keys.size(), tiles = (n + TILE - 1) / TILE;
    std::vector<Word> from = guarded(keys), to(from);
    std::vector<Count> memory(sizeof(radix::State) / sizeof(Count) + tiles * radix::DIGITS);
    radix::State *state = (radix::State *)memory.data();
    Word *read = from.data(), *write = to.data();
    void *count[] = {&read, &n, &state};
    shim::launch(countDigits, 3, RADIX_COUNT_THREADS, sizeof(radix::CountShared), count);
    void *place[] = {&state};
    shim::launch(place_digits, sizeof(Word), radix::DIGITS, sizeof(radix::PlaceShared), place);
    for (int pass = 0; pass < (int)sizeof(Word); pass++) {
      void *move[] = {&read, &write, &n, &pass, &state};
      shim::launch(moveKeys, tiles, THREADS, sizeof(radix::MoveShared<Word, THREADS, EACH, HOW>), move);
      std::swap(read, write);
    }
    requireGuards(name, from, to);
    return std::vector<Word>(read, read + n);
  }
};

template <class Key, int EACH>
struct Split {
  using Word = Key;
  static constexpr Count TILE = split::THREADS * EACH;
  const char *name;
  void (*sortTiles)(const Word *, Word *, Count, int, Count *, unsigned *);
  void (*scatterTiles)(const Word *, Word *, Count, int, const Count *, const unsigned *);

  std::vector<Word> sort(const std::vector<Word> &keys) const {
    Count n = keys.size(), tiles = (n + TILE - 1) / TILE, numbers = tiles * split::DIGITS;
    Count scanTiles = numbers / inversion::SCAN_TILE + 1;
    std::vector<Word> from = guarded(keys), to(from);
    std::vector<Count> counts(numbers + 1), tileSums(scanTiles + 1);
    std::vector<unsigned> starts(numbers);
    Word *read = from.data(), *write = to.data();
    Count *atCounts = counts.data(), *atSums = tileSums.data();
    unsigned *atStarts = starts.data();
    for (int shift = 0; shift < 8 * (int)sizeof(Word); shift += split::DIGIT_BITS) {
      void *sorting[] = {&read, &write, &n, &shift, &atCounts, &atStarts};
      shim::launch(sortTiles, tiles, split::THREADS, sizeof(split::SortShared<Word, EACH>), sorting);
      void *sums[] = {&atCounts, &numbers, &atSums}, *scan[] = {&atSums, &scanTiles};
      shim::launch(inversion::sum_tiles, scanTiles, inversion::THREADS, sizeof(inversion::SumsShared), sums);
      shim::launch(inversion::scan_sums, 1, inversion::THREADS, sizeof(inversion::SumsShared), scan);
      shim::launch(inversion::scan_numbers, scanTiles, inversion::THREADS, sizeof(inversion::SumsShared), sums);
      void *scattering[] = {&write, &read, &n, &shift, &atCounts, &atStarts};
      shim::launch(scatterTiles, tiles, split::THREADS, 0, scattering);
    }
    requireGuards(name, from, to);
    return std::vector<Word>(from.begin(), from.end() - 1);
  }
};

template <class Key, int THREADS, int EACH>
struct Merge {
  using Word = Key;
  static constexpr Count TILE = THREADS * EACH;
  const char *name;
  void (*sortLists)(const Word *, Word *, Count);
  void (*partLists)(const Word *, Count, Count, unsigned, Count *);
  void (*mergeLists)(const Word *, Word *, Count, Count, const Count *);

  std::vector<Word> sort(const std::vector<Word> &keys) const {
    Count n = keys.size(), tiles = (n + TILE - 1) / TILE;
    std::vector<Word> from = guarded(keys), to(from);
    std::vector<Count> parts(tiles);
    Word *read = from.data(), *write = to.data();
    Count *atParts = parts.data();
    unsigned tile = TILE;
    void *sorting[] = {&read, &write, &n};
    shim::launch(sortLists, tiles, THREADS, sizeof(merge::Shared<Word, THREADS, EACH>), sorting);
    for (Count width = TILE; width < n; width *= 2) {
      std::swap(read, write);
      void *parting[] = {&read, &n, &width, &tile, &atParts};
      shim::launch(partLists, (tiles + 63) / 64, 64, 0, parting);
      void *merging[] = {&read, &write, &n, &width, &atParts};
      shim::launch(mergeLists, tiles, THREADS, sizeof(merge::Shared<Word, THREADS, EACH>), merging);
    }
    requireGuards(name, from, to);
    return std::vector<Word>(write, write + n);
  }
};

template <class Key>
struct Quick {
  using Word = Key;
  using Sequence = quick::Sequence<Word>;
  static constexpr Count TILE = quick::SMALL;
  const char *name;
  Count blocks;
  void (*choose)(const Word *, Sequence *, unsigned);
  void (*split)(const Word *, Word *, const quick::Part *, Sequence *);
  void (*fill)(Word *, const Sequence *);
  void (*sortEach)(Word *, Word *, const Sequence *, int);

  struct Device {
    const Quick &of;
    Word *buffers[2];
    std::vector<Sequence> sequences;
    std::vector<quick::Part> parts;

    void put(const std::vector<Sequence> &some) { sequences = some; }
    void put(const std::vector<quick::Part> &some) { parts = some; }
    void get(std::vector<Sequence> &some) { some = sequences; }
    void choosePivots(int side, unsigned count) {
      Sequence *at = sequences.data();
      void *arguments[] = {&buffers[side], &at, &count};
      shim::launch(of.choose, (count + quick::THREADS - 1) / quick::THREADS, quick::THREADS, 0, arguments);
    }
    void splitParts(int side, unsigned count) {
      Sequence *at = sequences.data();
      quick::Part *atParts = parts.data();
      void *arguments[] = {&buffers[side], &buffers[1 - side], &atParts, &at};
      shim::launch(of.split, count, quick::THREADS, sizeof(quick::SplitShared), arguments);
    }
    void fillPivots(unsigned count) {
      Sequence *at = sequences.data();
      void *arguments[] = {&buffers[0], &at};
      shim::launch(of.fill, count, quick::THREADS, 0, arguments);
    }
    void sortSequences(int side, unsigned count) {
      Sequence *at = sequences.data();
      void *arguments[] = {&buffers[0], &buffers[1], &at, &side};
      shim::launch(of.sortEach, count, quick::THREADS, sizeof(quick::SortShared<Word>), arguments);
    }
  };

  std::vector<Word> sort(const std::vector<Word> &keys) const {
    std::vector<Word> from = guarded(keys), other(from);
    Device device{*this, {from.data(), other.data()}, {}, {}};
    if (!keys.empty()) quick::sort<Word>(keys.size(), quick::Plan::of(keys.size(), blocks), device);
    requireGuards(name, from, other);
    return std::vector<Word>(from.begin(), from.end() - 1);
  }
};

#define QUICK_OF(kind, blocks) \
  {"quick " #kind, blocks, choose_pivots_##kind, split_parts_##kind, fill_pivots_##kind, sort_sequences_##kind}

template <class Key>
struct Sample {
  using Word = Key;
  using Sequence = quick::Sequence<Word>;
  static constexpr Count TILE = sample::MEDIUM;
  const char *name;
  Count partKeys;
  void (*choose)(const Word *, const sample::Segment *, Word *);
  void (*count)(const Word *, const sample::Part *, const sample::Segment *, const Word *, Count *);
  void (*fill)(const Word *, Word *, const sample::Part *, const sample::Segment *, const Word *, const Count *);
  void (*fillEach)(Word *, const Sequence *);
  void (*sortEach)(Word *, Word *, const Sequence *, int);

  struct Device {
    const Sample &of;
    Word *buffers[2];
    std::vector<sample::Segment> segments;
    std::vector<sample::Part> parts;
    std::vector<Sequence> sequences;
    std::vector<Word> splitters;
    std::vector<Count> counts, sums, starts;

    void put(const std::vector<sample::Segment> &some) {
      segments = some;
      splitters.resize(some.size() * sample::SPLITTERS);
      starts.resize(some.size() * sample::BUCKETS);
    }
    void put(const std::vector<sample::Part> &some) {
      parts = some;
      counts.resize(some.size() * sample::BUCKETS + 1);
      sums.resize(counts.size() / inversion::SCAN_TILE + 2);
    }
    void put(const std::vector<Sequence> &some) { sequences = some; }
    void get(std::vector<Count> &of, std::vector<Word> &by, unsigned) {
      of = starts;
      by = splitters;
    }
    template <class... Arguments, class... Given>
    void launch(void (*kernel)(Arguments...), unsigned blocks, size_t shared, Given... given) {
      std::tuple<Arguments...> values(given...);
      std::apply(
          [&](auto &...each) {
            void *arguments[] = {(void *)&each...};
            shim::launch(kernel, blocks, quick::THREADS, shared, arguments);
          },
          values);
    }
    void chooseSplitters(int side, unsigned count) {
      launch(of.choose, count, sizeof(sample::SplitterShared<Word>), buffers[side], segments.data(),
                   splitters.data());
    }
    void countBuckets(int side, unsigned count) {
      launch(of.count, count, sizeof(sample::BucketShared<Word>), buffers[side], parts.data(), segments.data(),
                   splitters.data(), counts.data());
    }
    void scan(Count numbers) {
      Count scans = numbers / inversion::SCAN_TILE + 1;
      size_t shared = sizeof(inversion::SumsShared);
      launch(inversion::sum_tiles, (unsigned)scans, shared, counts.data(), numbers, sums.data());
      launch(inversion::scan_sums, 1, shared, sums.data(), scans);
      launch(inversion::scan_numbers, (unsigned)scans, shared, counts.data(), numbers, sums.data());
    }
    void bucketStarts(unsigned count) {
      launch(bucket_starts, count, 0, segments.data(), counts.data(), starts.data());
    }
    void fillBuckets(int side, unsigned count) {
      launch(of.fill, count, sizeof(sample::BucketShared<Word>), buffers[side], buffers[1 - side], parts.data(),
                   segments.data(), splitters.data(), counts.data());
    }
    void fillEqual(unsigned count) { launch(of.fillEach, count, 0, buffers[0], sequences.data()); }
    void sortSequences(int side, unsigned count) {
      launch(of.sortEach, count, sizeof(quick::SortShared<Word>), buffers[0], buffers[1], sequences.data(), side);
    }
  };

  std::vector<Word> sort(const std::vector<Word> &keys) const {
    std::vector<Word> from = guarded(keys), other(from);
    Device device{*this, {from.data(), other.data()}, {}, {}, {}, {}, {}, {}, {}};
    sample::sort<Word>(keys.size(), partKeys, device);
    requireGuards(name, from, other);
    return std::vector<Word>(from.begin(), from.end() - 1);
  }
};

#define SAMPLE_OF(kind, partKeys)                                                                                  \
  {"sample " #kind, partKeys, choose_splitters_##kind, count_buckets_##kind, fill_buckets_##kind, fill_pivots_##kind, \
   sort_sequences_##kind}

template <class Sorter>
void check(const Sorter &sorter, const std::vector<typename Sorter::Word> &keys, const char *what) {
  std::vector<typename Sorter::Word> expected = keys;
  std::sort(expected.begin(), expected.end());
  if (sorter.sort(keys) != expected) fail(sorter.name, std::to_string(keys.size()) + " keys (" + what + "): not sorted");
}

template <class Sorter>
void checkSizes(const Sorter &sorter, int tiles) {
  using Word = typename Sorter::Word;
  std::set<Count> sizes{0, 1, 2, 31, 32, 33};
  for (int tile = 1; tile <= tiles; tile++) {
    for (int delta : {-1, 0, 1, 33}) sizes.insert(tile * Sorter::TILE + delta);
  }
  if (tiles == 0) sizes = {Sorter::TILE + 3};
  std::mt19937_64 random(Sorter::TILE);
  for (Count n : sizes) {
    std::vector<Word> keys(n), few(n), equal(n, ~(Word)0), up(n), down(n);
    for (Count i = 0; i < n; i++) {
      keys[i] = (Word)random();
      few[i] = (Word)(random() % 3 << 29);
      up[i] = (Word)(i << 7);
      down[i] = (Word)((n - i) << 7);
    }
    check(sorter, keys, "random");
    if (tiles == 0) continue;
    check(sorter, few, "few values");
    check(sorter, equal, "all equal");
    check(sorter, up, "ascending");
    check(sorter, down, "descending");
  }
  std::printf("%-14s %zu sizes to %llu keys\n", sorter.name, sizes.size(), *sizes.rbegin());
}

int main(int argc, char **argv) {
  // With a thread for each CUDA thread there is one number of keys.
  bool races = argc > 1 && std::string(argv[1]) == "races";
  int tiles = races ? 0 : 4;
  checkSizes(Radix<unsigned, 256, 2, radix::BY_MASKS>{"radix u32_2", count_digits_u32, move_keys_u32_2}, tiles);
  checkSizes(Split<unsigned, 2>{"split u32_2", sort_tiles_u32_2, scatter_tiles_u32_2}, tiles);
  checkSizes(Merge<unsigned, 64, 2>{"merge u32_2", sort_lists_u32_2, part_lists_u32, merge_lists_u32_2}, 3 * tiles);
  checkSizes(Quick<unsigned> QUICK_OF(u32, 2), tiles);
  if (races) {
    std::puts("sorters: no race");
    return 0;
  }
  checkSizes(Radix<Word64, 256, 3, radix::BY_INSTRUCTION>{"radix u64_3", count_digits_u64, move_keys_u64_3}, tiles);
  checkSizes(Radix<Word64, 288, 2, radix::BY_MASKS>{"radix u64_2", count_digits_u64, move_keys_u64_2}, tiles);
  checkSizes(Radix<Word64, 256, 1, radix::BY_VOTES>{"radix u64_1", count_digits_u64, move_keys_u64_1}, tiles);
  checkSizes(Split<Word64, 1>{"split u64_1", sort_tiles_u64_1, scatter_tiles_u64_1}, tiles);
  checkSizes(Split<Word64, 3>{"split u64_3", sort_tiles_u64_3, scatter_tiles_u64_3}, tiles);
  checkSizes(Merge<Word64, 32, 3>{"merge u64_3", sort_lists_u64_3, part_lists_u64, merge_lists_u64_3}, 9);
  checkSizes(Merge<Word64, 64, 4>{"merge u64_4", sort_lists_u64_4, part_lists_u64, merge_lists_u64_4}, 9);
  checkSizes(Merge<Word64, 32, 5>{"merge u64_5", sort_lists_u64_5, part_lists_u64, merge_lists_u64_5}, 9);
  checkSizes(Quick<Word64> QUICK_OF(u64, 1), tiles);
  checkSizes(Quick<Word64> QUICK_OF(u64, 100), tiles);
  checkSizes(Sample<unsigned> SAMPLE_OF(u32, 5000), 1);
  checkSizes(Sample<Word64> SAMPLE_OF(u64, 70'000), 1);
  return 0;
}
