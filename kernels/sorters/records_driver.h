// Runs the sorters of records from C++, for tests on the CPU and for measurements on a device. A direct sorter has
//
//   name, isStable
//   tile()                   records of a tile, or those that one block sorts alone
//   scratchBytes(n)          memory besides the records and as many others
//   prepare()                call it once
//   sort(buffers, scratch)   the sorted keys are where they were; returns the buffer of the other fields
//
// and so has Indirect, which sorts pairs of key and number by a direct one.
#pragma once
#include "driver.h"
#include "records.cu"

namespace sorters {

using records::Records;

// Records in buffer 0, and room for as many in buffer 1.
struct RecordBuffers {
  unsigned *keys[2], *fields[2];
  Count n, others;

  Records move(int from, int to) const { return {keys[from], keys[to], fields[from], fields[to], n, others}; }
};

struct RadixRecords {
  std::string name;
  unsigned threads, each, sharedBytes, countBlocks;
  void (*moveRecords)(Records, int, radix::State *);
  static constexpr bool isStable = true;

  Count tile() const { return threads * each; }
  Count tiles(Count n) const { return (n + tile() - 1) / tile(); }
  Count scratchBytes(Count n) const { return sizeof(radix::State) + tiles(n) * radix::DIGITS * sizeof(Count); }
  void prepare() const { machine::allowShared(moveRecords, sharedBytes); }

  int sort(const RecordBuffers &buffers, char *scratch) const {
    Count n = buffers.n;
    if (n == 0) return 0;
    constexpr int PASSES = sizeof(unsigned);
    radix::State *state = (radix::State *)scratch;
    machine::setTo(state, 0, scratchBytes(n));
    launch(count_digits_u32, countBlocks, RADIX_COUNT_THREADS, sizeof(radix::CountShared), buffers.keys[0], n, state);
    launch(place_digits, PASSES, radix::DIGITS, sizeof(radix::PlaceShared), state);
    for (int pass = 0; pass < PASSES; pass++) {
      Records records = buffers.move(pass % 2, 1 - pass % 2);
      launch(moveRecords, tiles(n), threads, sharedBytes, records, pass, state);
    }
    return 0;
  }
};

struct GrsRecords {
  std::string name;
  unsigned rankThreads, moveThreads, recordsOfTile, rankShared, moveShared;
  void (*rankRecords)(const unsigned *, Count, int, Count *, grs::Rank *);
  void (*moveRecords)(Records, int, const Count *, const grs::Rank *);
  static constexpr bool isStable = true;

  Count tile() const { return recordsOfTile; }
  Count tiles(Count n) const { return (n + tile() - 1) / tile(); }
  Count numbers(Count n) const { return tiles(n) * grs::DIGITS; }
  Count scratchBytes(Count n) const { return Scan::memory(numbers(n)) + n * sizeof(grs::Rank); }
  void prepare() const {
    machine::allowShared(rankRecords, rankShared);
    machine::allowShared(moveRecords, moveShared);
  }

  int sort(const RecordBuffers &buffers, char *scratch) const {
    Count n = buffers.n;
    if (n == 0) return 0;
    Pieces pieces(scratch);
    Count *counts = pieces.take<Count>(numbers(n) + 1), *sums = pieces.take<Count>(Scan::tiles(numbers(n)) + 1);
    grs::Rank *ranks = pieces.take<grs::Rank>(n);
    int side = 0;
    for (int shift = 0; shift < 32; shift += grs::DIGIT_BITS, side = 1 - side) {
      launch(rankRecords, tiles(n), rankThreads, rankShared, buffers.keys[side], n, shift, counts, ranks);
      Scan::run(counts, numbers(n), sums);
      launch(moveRecords, tiles(n), moveThreads, moveShared, buffers.move(side, 1 - side), shift, counts, ranks);
    }
    return 0;
  }
};

// With the time that the host takes between the rounds.
struct SampleRecords {
  using Sequence = quick::Sequence<unsigned>;
  std::string name;
  Sample<unsigned> ofKeys;
  unsigned fillShared;
  void (*fill)(Records, const sample::Part *, const sample::Segment *, const unsigned *, const Count *);
  void (*sortSequences)(Records, const Sequence *);
  void (*copy)(Records, const Sequence *);
  static constexpr bool isStable = false;

  Count tile() const { return ofKeys.tile(); }
  Count scratchBytes(Count n) const { return ofKeys.scratchBytes(n); }
  void prepare() const { machine::allowShared(fill, fillShared); }

  struct Device : Sample<unsigned>::Device {
    const SampleRecords &of;
    const RecordBuffers &records;
    int filled = 0;  // the buffer

    Device(const SampleRecords &of, const RecordBuffers &records, char *scratch)
        : Sample<unsigned>::Device(of.ofKeys, records.keys[0], records.keys[1], records.n, Pieces(scratch)),
          of(of),
          records(records) {}

    void fillBuckets(int side, unsigned count) {
      filled = 1 - side;
      launch(of.fill, count, sample::THREADS, of.fillShared, records.move(side, filled), parts, segments, splitters,
             counts);
    }
    void fillEqual(unsigned count) {
      if (filled != 0) launch(of.copy, count, sample::THREADS, 0, records.move(filled, 0), sequences);
    }
    void sortSequences(int side, unsigned count) {
      launch(of.sortSequences, count, sample::THREADS, sizeof(records::OrderShared), records.move(side, 0), sequences);
    }
  };

  int sort(const RecordBuffers &buffers, char *scratch) const {
    Device device(*this, buffers, scratch);
    sample::sort<unsigned>(buffers.n, ofKeys.plan, device);
    return 0;
  }
};

// Sorts pairs by a direct sorter by field; there are other fields.
template <class Direct>
struct Indirect {
  Direct direct;
  bool isHybrid;
  std::string name = direct.name + (isHybrid ? " indirect hybrid" : " indirect");
  static constexpr bool isStable = Direct::isStable;

  Count tile() const { return direct.tile(); }
  static Count numberBytes(Count n) { return (n * sizeof(unsigned) + 7) / 8 * 8; }
  Count scratchBytes(Count n) const { return numberBytes(n) + direct.scratchBytes(n); }
  void prepare() const { direct.prepare(); }

  int sort(const RecordBuffers &buffers, char *scratch) const {
    Count n = buffers.n;
    if (n == 0) return 1;
    constexpr unsigned THREADS = records::GATHER_THREADS;
    unsigned *numbers = (unsigned *)scratch;
    launch(number_records, (n + THREADS - 1) / THREADS, THREADS, 0, numbers, n);
    // The room for other fields has place for the numbers until these are gathered.
    RecordBuffers pairs{{buffers.keys[0], buffers.keys[1]}, {numbers, buffers.fields[1]}, n, 1};
    direct.sort(pairs, scratch + numberBytes(n));
    Records records = buffers.move(0, 1);
    if (isHybrid) {
      Count tile = THREADS * RECORDS_GATHER_HYBRID_EACH;
      launch(gather_hybrid, (n + tile - 1) / tile, THREADS, 0, records, numbers);
    } else {
      Count tile = THREADS * RECORDS_GATHER_FIELD_EACH, tiles = (n + tile - 1) / tile;
      launch(gather_by_field, tiles * buffers.others, THREADS, 0, records, numbers, tiles);
    }
    return 1;
  }
};

// The sorters of kernels by name, with the sizes that these were made for (records.cu).
#define RADIX_RECORDS_BY_FIELD(kind, THREADS, EACH, HOW, countBlocks)                                            \
  sorters::RadixRecords {                                                                                        \
    "radix " #kind, THREADS, EACH, sizeof(radix::MoveShared<unsigned, THREADS, EACH, HOW>), countBlocks,         \
        move_records_##kind                                                                                      \
  }
#define RADIX_RECORDS_HYBRID(kind, THREADS, EACH, HOW, countBlocks)                                              \
  sorters::RadixRecords {                                                                                        \
    "radix " #kind, THREADS, EACH, sizeof(records::RadixHybridShared<THREADS, EACH, HOW>), countBlocks,          \
        move_records_##kind                                                                                      \
  }
#define GRS_RECORDS(kind, Shared, RANK_THREADS, RANK_EACH, THREADS, EACH)                                        \
  sorters::GrsRecords {                                                                                          \
    "grs " #kind, RANK_THREADS, THREADS, (RANK_THREADS) * (RANK_EACH),                                           \
        sizeof(grs::RankShared<RANK_THREADS, RANK_EACH>), sizeof(grs::Shared<(THREADS) * (EACH)>),               \
        rank_records_##kind, move_ranked_##kind                                                                  \
  }
#define SAMPLE_RECORDS(kind, layout, Shared, EACH, partRecords, together)                                        \
  sorters::SampleRecords {                                                                                       \
    "sample " #kind, {"", {partRecords, quick::SMALL, together}, choose_splitters_u32, count_buckets_u32,        \
                      nullptr, {nullptr, nullptr}},                                                              \
        sizeof(records::Shared<EACH>), fill_records_##kind, sort_records_##layout, copy_records_##layout         \
  }

}  // namespace sorters
