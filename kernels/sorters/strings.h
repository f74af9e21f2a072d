// Runs the sorts of keys with values and of strings from C++ (see driver.h). Each has
//
//   name
//   tile()                        items that one block sorts
//   scratchBytes(n)               memory besides the items or strings and their order
//   prepare()                     call it once
#pragma once
#include "driver.h"
#include "pairs.cu"
#include "strings.cu"

namespace sorters {

// Sorts keys with values: sort(keys, values, otherKeys, otherValues, n, scratch). The sorted ones are where they were.
template <class Key>
struct Pairs {
  using Word = Key;
  std::string name;
  unsigned threads, each, sharedBytes;
  void (*sortPairs)(const Word *, const unsigned *, Word *, unsigned *, Count);
  void (*mergePairs)(const Word *, const unsigned *, Word *, unsigned *, Count, Count, const Count *);

  Count tile() const { return threads * each; }
  Count tiles(Count n) const { return (n + tile() - 1) / tile(); }
  Count scratchBytes(Count n) const { return tiles(n) * sizeof(Count); }
  void prepare() const {
    machine::allowShared(sortPairs, sharedBytes);
    machine::allowShared(mergePairs, sharedBytes);
  }

  void sort(Word *keys, unsigned *values, Word *otherKeys, unsigned *otherValues, Count n, char *scratch) const {
    Count *parts = (Count *)scratch;
    Word *k[] = {keys, otherKeys};
    unsigned *v[] = {values, otherValues};
    mergePasses(
        n, tile(), [&](int to) { launch(sortPairs, tiles(n), threads, sharedBytes, keys, values, k[to], v[to], n); },
        [&](int from, Count width) {
          int to = 1 - from;
          launch(PART_LISTS<Word>, partBlocks(n, tile()), MERGE_PART_THREADS, 0, k[from], n, width, (unsigned)tile(),
                 parts);
          launch(mergePairs, tiles(n), threads, sharedBytes, k[from], v[from], k[to], v[to], n, width, parts);
        });
  }

  // The same for keys whose high bits are in order already, and equal for at most half a tile of them.
  void sortNear(Word *keys, unsigned *values, Count n) const {
    for (Count first = 0; first < n && first <= tile() / 2; first += tile() / 2) {
      Word *k = keys + first;
      unsigned *v = values + first;
      launch(sortPairs, tiles(n - first), threads, sharedBytes, k, v, k, v, n - first);
    }
  }
};

// Sorts of strings: sort(strings, n, order, scratch).

// Ties are resolved in comparisons.
struct StringMerge {
  std::string name;
  unsigned threads, each, sharedBytes;
  void (*sortStrings)(const Count *, const unsigned *, Count *, unsigned *, Count, strings::Strings);
  void (*mergeStrings)(const Count *, const unsigned *, Count *, unsigned *, Count, Count, const Count *,
                       strings::Strings);

  Count tile() const { return threads * each; }
  Count tiles(Count n) const { return (n + tile() - 1) / tile(); }
  Count scratchBytes(Count n) const { return 20 * (n + 2) + tiles(n) * sizeof(Count); }
  void prepare() const {
    machine::allowShared(sortStrings, sharedBytes);
    machine::allowShared(mergeStrings, sharedBytes);
  }

  void sort(strings::Strings all, Count n, unsigned *order, char *scratch) const {
    Pieces pieces(scratch);
    Count *parts = pieces.take<Count>(tiles(n)), *k[] = {pieces.take<Count>(n), pieces.take<Count>(n)};
    unsigned *v[] = {order, pieces.take<unsigned>(n)};
    launch(first_bytes, (n + strings::THREADS - 1) / strings::THREADS, strings::THREADS, 0, all, n, k[0], v[0]);
    mergePasses(
        n, tile(), [&](int to) { launch(sortStrings, tiles(n), threads, sharedBytes, k[0], v[0], k[to], v[to], n, all); },
        [&](int from, Count width) {
          int to = 1 - from;
          launch(part_strings, partBlocks(n, tile()), MERGE_PART_THREADS, 0, k[from], v[from], n, width,
                 (unsigned)tile(), parts, all);
          launch(mergeStrings, tiles(n), threads, sharedBytes, k[from], v[from], k[to], v[to], n, width, parts, all);
        });
  }
};

// In rounds. With the time that the host takes between them.
struct StringRounds {
  std::string name;
  Pairs<Count> pairs;
  int leastGroupBits = 0;  // more than the numbers of groups need, for tests

  Count tile() const { return pairs.tile(); }
  Count longest() const { return pairs.tile() / 2; }
  static Count tieTiles(Count n) { return (n + strings::TIE_TILE - 1) / strings::TIE_TILE; }
  static Count mostGroups(Count n) { return n / 2 + 1; }
  Count scratchBytes(Count n) const {
    return 36 * (n + 2) + 2 * mostGroups(n) * sizeof(strings::Group) + (tieTiles(n) + 1 + 2) * sizeof(Count) +
           pairs.scratchBytes(n);
  }
  void prepare() const { pairs.prepare(); }

  // Returns the number of rounds.
  int sort(strings::Strings all, Count n, unsigned *order, char *scratch) const {
    if (n == 0) return 0;
    Pieces pieces(scratch);
    auto numbers = [&] { return pieces.take<uint32_t>(n); };
    auto groups = [&] { return pieces.take<strings::Group>(mostGroups(n)); };
    Count *otherKeys = pieces.take<Count>(n);
    char *parts = (char *)pieces.take<Count>(pairs.tiles(n));
    strings::Round round{};
    round.strings = all;
    round.keys = pieces.take<Count>(n);
    round.values = numbers();
    round.positions = numbers();
    round.groupOf = numbers();
    round.groups = groups();
    round.nextValues = numbers();
    round.nextPositions = numbers();
    round.nextGroups = groups();
    round.sums = pieces.take<Count>(tieTiles(n) + 1);
    round.result = pieces.take<Count>(2);
    round.order = order;

    auto blocks = [](Count count) { return (count + strings::THREADS - 1) / strings::THREADS; };
    launch(begin_strings, blocks(n), strings::THREADS, 0, round, n);
    int rounds = 0, groupBits = 0;
    bool isLong = n > longest();
    for (Count count = n; count > 0; rounds++) {
      Count tiles = tieTiles(count);
      constexpr size_t SHARED = sizeof(strings::TiesShared);
      if (rounds > 0) launch(shared_bytes, blocks(count), strings::THREADS, 0, round, count);
      launch(string_keys, blocks(count), strings::THREADS, 0, round, count, groupBits);
      if (isLong) {
        pairs.sort(round.keys, round.values, otherKeys, round.nextValues, count, parts);
      } else {
        pairs.sortNear(round.keys, round.values, count);
      }
      launch(count_ties, tiles, strings::THREADS, SHARED, round, count, groupBits, longest());
      launch(inversion::scan_sums, 1, inversion::THREADS, sizeof(inversion::SumsShared), round.sums, tiles);
      launch(split_ties, tiles, strings::THREADS, SHARED, round, count, groupBits);
      Count result[2];
      machine::get(result, round.result, sizeof result);
      count = result[0] & strings::TIES;
      isLong = result[1] != 0;
      groupBits = leastGroupBits;
      for (Count most = result[0] >> 32; most > 1ull << groupBits;) groupBits++;
      std::swap(round.values, round.nextValues);
      std::swap(round.positions, round.nextPositions);
      std::swap(round.groups, round.nextGroups);
    }
    return rounds;
  }
};

// By the names of their kernels, with the sizes that these were made for.
#define PAIRS_SORTER(kind, Word, THREADS, EACH)                                                                       \
  sorters::Pairs<Word> {                                                                                              \
    "pairs " #kind, THREADS, EACH, sizeof(merge::Shared<merge::KeyValue<Word>, THREADS, EACH>), sort_pairs_##kind,    \
        merge_pairs_##kind                                                                                            \
  }
#define STRING_MERGE_SORTER(kind, THREADS, EACH)                                                                      \
  sorters::StringMerge {                                                                                              \
    "strings by merges" #kind, THREADS, EACH, sizeof(merge::Shared<strings::Item, THREADS, EACH>), sort_strings##kind, \
        merge_strings##kind                                                                                           \
  }

}  // namespace sorters
