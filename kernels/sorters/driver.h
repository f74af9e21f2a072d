// Runs the sorters from C++, for tests on the CPU and for measurements on a device. A sorter is its kernels and their
// sizes; each has
//
//   name, Word
//   tile()                           keys of a tile, or those that one block sorts alone
//   scratchBytes(n)                  memory besides the keys and as many others
//   prepare()                        call it once
//   sort(keys, other, n, scratch)    the sorted keys are where they were
#pragma once
#include "../machine.h"
#include "quick_plan.h"
#include "sample_plan.h"
#include "sorters.cu"

#include <string>

namespace sorters {

using machine::launch;
using Count = unsigned long long;

// Takes memory piece by piece.
class Pieces {
 public:
  explicit Pieces(char *from) : at(from) {}

  template <class Item>
  Item *take(Count count) {
    Item *taken = (Item *)at;
    at += (count * sizeof(Item) + 7) / 8 * 8;
    return taken;
  }

 private:
  char *at;
};

// Sums of numbers before each, in place (scan.cuh).
struct Scan {
  static Count tiles(Count numbers) { return numbers / inversion::SCAN_TILE + 1; }
  // Of the numbers and their sum, and of the sums of tiles.
  static Count memory(Count numbers) { return (numbers + 1 + tiles(numbers) + 1) * sizeof(Count); }

  static void run(Count *numbers, Count count, Count *tileSums) {
    constexpr int SHARED = sizeof(inversion::SumsShared);
    launch(inversion::sum_tiles, tiles(count), inversion::THREADS, SHARED, numbers, count, tileSums);
    launch(inversion::scan_sums, 1, inversion::THREADS, SHARED, tileSums, tiles(count));
    launch(inversion::scan_numbers, tiles(count), inversion::THREADS, SHARED, numbers, count, tileSums);
  }
};

// `room` is for how many there is memory; more of them are an error of the planning.
template <class Item>
void putAll(Item *to, const std::vector<Item> &some, Count room) {
  if (some.size() > room) {
    std::fprintf(stderr, "a sort plans %zu items in memory for %llu\n", some.size(), room);
    std::exit(1);
  }
  machine::put(to, some.data(), some.size() * sizeof(Item));
}

template <class Item>
void getAll(std::vector<Item> &to, const Item *from, Count count) {
  to.resize(count);
  machine::get(to.data(), from, count * sizeof(Item));
}

template <class Key>
struct Radix {
  using Word = Key;
  std::string name;
  unsigned threads, each, sharedBytes, countBlocks;
  void (*countDigits)(const Word *, Count, radix::State *);
  void (*moveKeys)(const Word *, Word *, Count, int, radix::State *);

  Count tile() const { return threads * each; }
  Count tiles(Count n) const { return (n + tile() - 1) / tile(); }
  Count scratchBytes(Count n) const { return sizeof(radix::State) + tiles(n) * radix::DIGITS * sizeof(Count); }
  void prepare() const { machine::allowShared(moveKeys, sharedBytes); }

  void sort(Word *keys, Word *other, Count n, char *scratch) const {
    if (n == 0) return;
    radix::State *state = (radix::State *)scratch;
    machine::setTo(state, 0, scratchBytes(n));
    launch(countDigits, countBlocks, RADIX_COUNT_THREADS, sizeof(radix::CountShared), keys, n, state);
    launch(place_digits, sizeof(Word), radix::DIGITS, sizeof(radix::PlaceShared), state);
    for (int pass = 0; pass < (int)sizeof(Word); pass++) {
      launch(moveKeys, tiles(n), threads, sharedBytes, keys, other, n, pass, state);
      std::swap(keys, other);
    }
  }
};

template <class Key>
struct Split {
  using Word = Key;
  std::string name;
  unsigned each, sharedBytes;
  void (*sortTiles)(const Word *, Word *, Count, int, Count *, unsigned *);
  void (*scatterTiles)(const Word *, Word *, Count, int, const Count *, const unsigned *);

  Count tile() const { return split::THREADS * each; }
  Count tiles(Count n) const { return (n + tile() - 1) / tile(); }
  Count numbers(Count n) const { return tiles(n) * split::DIGITS; }
  Count scratchBytes(Count n) const { return Scan::memory(numbers(n)) + numbers(n) * sizeof(unsigned); }
  void prepare() const {}

  void sort(Word *keys, Word *other, Count n, char *scratch) const {
    if (n == 0) return;
    Pieces pieces(scratch);
    Count *counts = pieces.take<Count>(numbers(n) + 1), *sums = pieces.take<Count>(Scan::tiles(numbers(n)) + 1);
    unsigned *starts = pieces.take<unsigned>(numbers(n));
    for (int shift = 0; shift < 8 * (int)sizeof(Word); shift += split::DIGIT_BITS) {
      launch(sortTiles, tiles(n), split::THREADS, sharedBytes, keys, other, n, shift, counts, starts);
      Scan::run(counts, numbers(n), sums);
      launch(scatterTiles, tiles(n), split::THREADS, 0, other, keys, n, shift, counts, starts);
    }
  }
};

// The launches of a merge sort whose items are in buffer 0 before and after: sortTiles(to) sorts each tile into a buffer,
// and mergeOnce(from, width) merges pairs of lists of a length into the other buffer.
template <class SortTiles, class MergeOnce>
void mergePasses(Count n, Count tile, SortTiles sortTiles, MergeOnce mergeOnce) {
  if (n == 0) return;
  int passes = 0;
  for (Count width = tile; width < n; width *= 2) passes++;
  int side = passes % 2;
  sortTiles(side);
  for (Count width = tile; width < n; width *= 2, side = 1 - side) mergeOnce(side, width);
}

inline Count partBlocks(Count n, Count tile) {
  return ((n + tile - 1) / tile + MERGE_PART_THREADS - 1) / MERGE_PART_THREADS;
}

template <class Key>
struct Merge {
  using Word = Key;
  std::string name;
  unsigned threads, each, sharedBytes;
  void (*sortLists)(const Word *, Word *, Count);
  void (*partLists)(const Word *, Count, Count, unsigned, Count *);
  void (*mergeLists)(const Word *, Word *, Count, Count, const Count *);

  Count tile() const { return threads * each; }
  Count tiles(Count n) const { return (n + tile() - 1) / tile(); }
  Count scratchBytes(Count n) const { return tiles(n) * sizeof(Count); }
  void prepare() const {
    machine::allowShared(sortLists, sharedBytes);
    machine::allowShared(mergeLists, sharedBytes);
  }

  void sort(Word *keys, Word *other, Count n, char *scratch) const {
    Word *buffers[] = {keys, other};
    mergePasses(
        n, tile(), [&](int to) { launch(sortLists, tiles(n), threads, sharedBytes, keys, buffers[to], n); },
        [&](int from, Count width) { mergeOnce(buffers[from], buffers[1 - from], n, width, scratch); });
  }

  // Merges pairs of lists. The width of a list is a multiple of the tile, or else there is one pair.
  void mergeOnce(const Word *from, Word *to, Count n, Count width, char *scratch) const {
    Count *parts = (Count *)scratch;
    launch(partLists, partBlocks(n, tile()), MERGE_PART_THREADS, 0, from, n, width, (unsigned)tile(), parts);
    launch(mergeLists, tiles(n), threads, sharedBytes, from, to, n, width, parts);
  }
};

// Sorts each sequence by a block; the last step of quicksort and of sample sort.
template <class Word>
struct SequenceKernels {
  using Sequence = quick::Sequence<Word>;
  void (*fill)(Word *, const Sequence *);
  void (*sort)(Word *, Word *, const Sequence *, int);

  void prepare() const { machine::allowShared(sort, sizeof(quick::SortShared<Word>)); }
};

// The buffers of a sort whose host takes part in it.
template <class Word>
struct Sequences {
  using Sequence = quick::Sequence<Word>;
  SequenceKernels<Word> kernels;
  Word *buffers[2];
  Count most;
  Sequence *sequences;

  void put(const std::vector<Sequence> &some) { putAll(sequences, some, most); }
  void fillEqual(unsigned count) { launch(kernels.fill, count, quick::THREADS, 0, buffers[0], sequences); }
  void sortSequences(int side, unsigned count) {
    constexpr size_t SHARED = sizeof(quick::SortShared<Word>);
    launch(kernels.sort, count, quick::THREADS, SHARED, buffers[0], buffers[1], sequences, side);
  }
};

// With the time that the host takes between the rounds.
template <class Key>
struct Quick {
  using Word = Key;
  using Sequence = quick::Sequence<Word>;
  std::string name;
  Count blocks;
  void (*choose)(const Word *, Sequence *, unsigned);
  void (*split)(const Word *, Word *, const quick::Part *, Sequence *);
  SequenceKernels<Word> kernels;

  // A round splits fewer sequences than `blocks`, and each leaves two at most; a part is cut short at the end of each.
  Count mostSequences() const { return 2 * blocks; }
  Count mostParts() const { return 4 * blocks; }

  Count tile() const { return quick::SMALL; }
  Count scratchBytes(Count) const {
    return mostSequences() * sizeof(Sequence) + mostParts() * sizeof(quick::Part) + 8;
  }
  void prepare() const { kernels.prepare(); }

  struct Device : Sequences<Word> {
    const Quick &of;
    quick::Part *parts;

    Device(const Quick &of, Word *keys, Word *other, Pieces pieces)
        : Sequences<Word>{of.kernels, {keys, other}, of.mostSequences(), pieces.take<Sequence>(of.mostSequences())},
          of(of) {
      parts = pieces.take<quick::Part>(of.mostParts());
    }

    using Sequences<Word>::put;
    void put(const std::vector<quick::Part> &some) { putAll(parts, some, of.mostParts()); }
    void get(std::vector<Sequence> &some) { getAll(some, this->sequences, some.size()); }
    void choosePivots(int side, unsigned count) {
      unsigned threadBlocks = (count + quick::THREADS - 1) / quick::THREADS;
      launch(of.choose, threadBlocks, quick::THREADS, 0, this->buffers[side], this->sequences, count);
    }
    void splitParts(int side, unsigned count) {
      launch(of.split, count, quick::THREADS, sizeof(quick::SplitShared), this->buffers[side], this->buffers[1 - side],
             parts, this->sequences);
    }
  };

  void sort(Word *keys, Word *other, Count n, char *scratch) const {
    if (n == 0) return;
    Device device(*this, keys, other, Pieces(scratch));
    quick::sort<Word>(n, quick::Plan::of(n, blocks), device);
  }
};

// With the time that the host takes between the rounds.
template <class Key>
struct Sample {
  using Word = Key;
  using Sequence = quick::Sequence<Word>;
  std::string name;
  sample::Plan plan;
  void (*choose)(const Word *, const sample::Segment *, Word *);
  void (*count)(const Word *, const sample::Part *, const sample::Segment *, const Word *, Count *);
  void (*fill)(const Word *, Word *, const sample::Part *, const sample::Segment *, const Word *, const Count *);
  SequenceKernels<Word> kernels;

  Count mostSegments(Count n) const { return n / plan.medium + 1; }
  Count mostParts(Count n) const { return n / plan.partKeys + mostSegments(n); }
  Count mostNumbers(Count n) const { return mostParts(n) * sample::BUCKETS; }
  // Of those sorted together, two neighbors in a segment have more keys than `together`, or there is a longer bucket
  // between them.
  Count mostSequences(Count n) const {
    Count most = mostSegments(n) * (sample::BUCKETS + 1);
    return (plan.together == 0 ? most : std::min(most, 4 * (n / plan.together + mostSegments(n)))) + n / plan.partKeys;
  }

  Count tile() const { return plan.medium; }
  Count scratchBytes(Count n) const {
    Count ofSegment = sizeof(sample::Segment) + sample::SPLITTERS * sizeof(Word) + sample::BUCKETS * sizeof(Count);
    return mostSegments(n) * ofSegment + mostParts(n) * sizeof(sample::Part) + mostSequences(n) * sizeof(Sequence) +
           Scan::memory(mostNumbers(n)) + 64;
  }
  void prepare() const { kernels.prepare(); }

  struct Device : Sequences<Word> {
    const Sample &of;
    Count n;
    sample::Segment *segments;
    sample::Part *parts;
    Count *counts, *sums, *starts;
    Word *splitters;

    Device(const Sample &of, Word *keys, Word *other, Count n, Pieces pieces)
        : Sequences<Word>{of.kernels, {keys, other}, of.mostSequences(n), pieces.take<Sequence>(of.mostSequences(n))},
          of(of),
          n(n) {
      segments = pieces.take<sample::Segment>(of.mostSegments(n));
      parts = pieces.take<sample::Part>(of.mostParts(n));
      counts = pieces.take<Count>(of.mostNumbers(n) + 1);
      sums = pieces.take<Count>(Scan::tiles(of.mostNumbers(n)) + 1);
      starts = pieces.take<Count>(of.mostSegments(n) * sample::BUCKETS);
      splitters = pieces.take<Word>(of.mostSegments(n) * sample::SPLITTERS);
    }

    using Sequences<Word>::put;
    void put(const std::vector<sample::Segment> &some) { putAll(segments, some, of.mostSegments(n)); }
    void put(const std::vector<sample::Part> &some) { putAll(parts, some, of.mostParts(n)); }
    void get(std::vector<Count> &ofBuckets, std::vector<Word> &between, unsigned count) {
      getAll(ofBuckets, starts, (Count)count * sample::BUCKETS);
      getAll(between, splitters, (Count)count * sample::SPLITTERS);
    }
    void chooseSplitters(int side, unsigned count) {
      constexpr size_t SHARED = sizeof(sample::SplitterShared<Word>);
      launch(of.choose, count, sample::THREADS, SHARED, this->buffers[side], segments, splitters);
    }
    void countBuckets(int side, unsigned count) {
      constexpr size_t SHARED = sizeof(sample::BucketShared<Word>);
      launch(of.count, count, sample::THREADS, SHARED, this->buffers[side], parts, segments, splitters, counts);
    }
    void scan(Count numbers) { Scan::run(counts, numbers, sums); }
    void bucketStarts(unsigned count) { launch(bucket_starts, count, sample::THREADS, 0, segments, counts, starts); }
    void fillBuckets(int side, unsigned count) {
      constexpr size_t SHARED = sizeof(sample::BucketShared<Word>);
      launch(of.fill, count, sample::THREADS, SHARED, this->buffers[side], this->buffers[1 - side], parts, segments,
             splitters, counts);
    }
  };

  void sort(Word *keys, Word *other, Count n, char *scratch) const {
    Device device(*this, keys, other, n, Pieces(scratch));
    sample::sort<Word>(n, plan, device);
  }
};

template <class Word>
void (*const COUNT_DIGITS)(const Word *, Count, radix::State *) = nullptr;
template <>
inline void (*const COUNT_DIGITS<unsigned long long>)(const unsigned long long *, Count, radix::State *) =
    count_digits_u64;
template <>
inline void (*const COUNT_DIGITS<unsigned>)(const unsigned *, Count, radix::State *) = count_digits_u32;

template <class Word>
void (*const PART_LISTS)(const Word *, Count, Count, unsigned, Count *) = nullptr;
template <>
inline void (*const PART_LISTS<unsigned long long>)(const unsigned long long *, Count, Count, unsigned, Count *) =
    part_lists_u64;
template <>
inline void (*const PART_LISTS<unsigned>)(const unsigned *, Count, Count, unsigned, Count *) = part_lists_u32;

// The sorters of kernels by name, with the sizes that these were made for (sorters.cu).
#define RADIX_SORTER(kind, Word, THREADS, EACH, HOW, countBlocks)                                                  \
  sorters::Radix<Word> {                                                                                           \
    "radix " #kind, THREADS, EACH, sizeof(radix::MoveShared<Word, THREADS, EACH, HOW>), countBlocks,               \
        sorters::COUNT_DIGITS<Word>, move_keys_##kind                                                              \
  }
#define SPLIT_SORTER(kind, Word, EACH)                                                                             \
  sorters::Split<Word> {                                                                                           \
    "split " #kind, EACH, sizeof(split::SortShared<Word, EACH>), sort_tiles_##kind, scatter_tiles_##kind           \
  }
#define MERGE_SORTER(kind, Word, THREADS, EACH)                                                                    \
  sorters::Merge<Word> {                                                                                           \
    "merge " #kind, THREADS, EACH, sizeof(merge::Shared<Word, THREADS, EACH>), sort_lists_##kind,                  \
        sorters::PART_LISTS<Word>, merge_lists_##kind                                                              \
  }
#define QUICK_SORTER(kind, Word, blocks)                                                                           \
  sorters::Quick<Word> {                                                                                           \
    "quick " #kind, blocks, choose_pivots_##kind, split_parts_##kind, { fill_pivots_##kind, sort_sequences_##kind } \
  }
#define SAMPLE_SORTER(kind, Word, partKeys)                                                                        \
  sorters::Sample<Word> {                                                                                          \
    "sample " #kind, {partKeys}, choose_splitters_##kind, count_buckets_##kind, fill_buckets_##kind,               \
    { fill_pivots_##kind, sort_sequences_##kind }                                                                  \
  }

}  // namespace sorters
