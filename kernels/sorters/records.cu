// The sorters of records by name (records.cuh, grs.cuh, records_sample.cuh), for keys and fields of 32 bits. <layout> is
// by_field or hybrid; `records` is a Records by value: six fields of 8 bytes.
//
//   number_records(numbers, n)                               any grid
//   gather_by_field(records, numbers, tiles)                 a block of GATHER_THREADS threads for each tile of each field
//   gather_hybrid(records, numbers)                          the same for each tile
//
// Radix sort with one pass a digit, after count_digits_u32 and place_digits (sorters.cu):
//   move_records_<layout>(records, pass, state)              a block of THREADS threads for each tile
//
// GRS, with the scan of scan.cuh between:
//   rank_records_<layout>(keys, n, shift, counts, ranks)     a block of GRS_RANK_THREADS threads for each tile
//   move_ranked_<layout>(records, shift, counts, ranks)      a block of GRS_FIELD_THREADS or GRS_HYBRID_THREADS threads for
//                                                            each tile
//
// Sample sort, after choose_splitters_u32, count_buckets_u32, the scan and bucket_starts (sorters.cu):
//   fill_records_<layout>(records, parts, segments, splitters, counts)    a block of SAMPLE_THREADS threads for each part
//   sort_records_<layout>(records, sequences)                             the same for each sequence
//   copy_records_<layout>(records, sequences)                             the same for each sequence
//
// Dynamic shared memory: none, none, none; radix::MoveShared and RadixHybridShared; RankShared, grs::MoveShared and
// MoveHybridShared; FillShared and FillHybridShared, OrderShared, none.
#pragma once
#include "grs.cuh"
#include "records.cuh"
#include "records_sample.cuh"
#include "sorters.cu"

#define RECORDS_RADIX_BY_FIELD(kind, THREADS, EACH, BLOCKS, HOW)                                               \
  SORTER_KERNEL(THREADS, BLOCKS) move_records_##kind(records::Records r, int pass, radix::State *state) {      \
    using Shared = radix::MoveShared<unsigned, THREADS, EACH, HOW>;                                            \
    SORTER_SHARED(Shared, s);                                                                                  \
    records::moveByField<THREADS, EACH, HOW>(r, pass, state, s);                                               \
  }
#define RECORDS_RADIX_HYBRID(kind, THREADS, EACH, BLOCKS, HOW)                                                 \
  SORTER_KERNEL(THREADS, BLOCKS) move_records_##kind(records::Records r, int pass, radix::State *state) {      \
    using Shared = records::RadixHybridShared<THREADS, EACH, HOW>;                                             \
    SORTER_SHARED(Shared, s);                                                                                  \
    records::moveHybrid<THREADS, EACH, HOW>(r, pass, state, s);                                                \
  }

#define GRS_RANK(kind, THREADS, EACH)                                                                          \
  SORTER_KERNEL(THREADS, 1) rank_records_##kind(const unsigned *keys, grs::Count n, int shift,                  \
                                               grs::Count *counts, grs::Rank *ranks) {                         \
    using Shared = grs::RankShared<THREADS, EACH>;                                                             \
    SORTER_SHARED(Shared, s);                                                                                  \
    grs::rankRecords(keys, n, shift, counts, ranks, s);                                                        \
  }
#define GRS_BY_FIELD(kind, THREADS, EACH)                                                                      \
  SORTER_KERNEL(THREADS, 1) move_ranked_##kind(records::Records r, int shift, const grs::Count *counts,        \
                                               const grs::Rank *ranks) {                                       \
    SORTER_SHARED(grs::MoveShared<THREADS * EACH>, s);                                                         \
    grs::moveByField<THREADS, EACH>(r, shift, counts, ranks, s);                                               \
  }
#define GRS_HYBRID(kind, THREADS, EACH)                                                                        \
  SORTER_KERNEL(THREADS, 1) move_ranked_##kind(records::Records r, int shift, const grs::Count *counts,        \
                                               const grs::Rank *ranks) {                                       \
    SORTER_SHARED(grs::MoveHybridShared<THREADS * EACH>, s);                                                   \
    grs::moveHybrid<THREADS, EACH>(r, shift, counts, ranks, s);                                                \
  }

#define RECORDS_FILL(kind, EACH, Shared, fill)                                                                 \
  SORTER_KERNEL(records::SAMPLE_THREADS, 1) fill_records_##kind(                                               \
      records::Records r, const sample::Part *parts, const sample::Segment *segments, const unsigned *splitters, \
      const sample::Count *counts) {                                                                           \
    SORTER_SHARED(records::Shared<EACH>, s);                                                                   \
    sample::Part part = parts[blockIdx.x];                                                                     \
    const unsigned *own = splitters + part.segment * sample::SPLITTERS;                                        \
    records::fill(r, part, segments[part.segment], own, counts, s);                                            \
  }

SORTER_KERNEL(records::GATHER_THREADS, 1) number_records(unsigned *numbers, records::Count n) {
  records::numberRecords(numbers, n);
}
SORTER_KERNEL(records::GATHER_THREADS, 1) gather_by_field(records::Records r, const unsigned *numbers,
                                                          records::Count tiles) {
  records::gatherByField<RECORDS_GATHER_FIELD_EACH>(r, numbers, tiles);
}
SORTER_KERNEL(records::GATHER_THREADS, 1) gather_hybrid(records::Records r, const unsigned *numbers) {
  records::gatherHybrid<RECORDS_GATHER_HYBRID_EACH>(r, numbers);
}

SORTER_KERNEL(records::SAMPLE_THREADS, 1) sort_records_by_field(records::Records r,
                                                                const quick::Sequence<unsigned> *sequences) {
  SORTER_SHARED(records::OrderShared, s);
  records::sortByField(r, sequences[blockIdx.x].first, sequences[blockIdx.x].last, s);
}
SORTER_KERNEL(records::SAMPLE_THREADS, 1) sort_records_hybrid(records::Records r,
                                                              const quick::Sequence<unsigned> *sequences) {
  SORTER_SHARED(records::OrderShared, s);
  records::sortHybrid(r, sequences[blockIdx.x].first, sequences[blockIdx.x].last, s);
}
SORTER_KERNEL(records::SAMPLE_THREADS, 1) copy_records_by_field(records::Records r,
                                                                const quick::Sequence<unsigned> *sequences) {
  records::copyByField(r, sequences[blockIdx.x].first, sequences[blockIdx.x].last);
}
SORTER_KERNEL(records::SAMPLE_THREADS, 1) copy_records_hybrid(records::Records r,
                                                              const quick::Sequence<unsigned> *sequences) {
  records::copyHybrid(r, sequences[blockIdx.x].first, sequences[blockIdx.x].last);
}

#ifndef SORTERS_NO_DEFAULT_KERNELS
RECORDS_RADIX_BY_FIELD(by_field, RECORDS_FIELD_THREADS, RECORDS_FIELD_EACH, RECORDS_FIELD_BLOCKS, RADIX_MATCH)
RECORDS_RADIX_HYBRID(hybrid, RECORDS_HYBRID_THREADS, RECORDS_HYBRID_EACH, RECORDS_HYBRID_BLOCKS, RADIX_MATCH)
GRS_RANK(by_field, GRS_RANK_THREADS, GRS_FIELD_RANK_EACH)
GRS_RANK(hybrid, GRS_RANK_THREADS, GRS_HYBRID_RANK_EACH)
GRS_BY_FIELD(by_field, GRS_FIELD_THREADS, GRS_FIELD_EACH)
GRS_HYBRID(hybrid, GRS_HYBRID_THREADS, GRS_HYBRID_EACH)
RECORDS_FILL(by_field, RECORDS_SAMPLE_FIELD_EACH, FillShared, fillByField)
RECORDS_FILL(hybrid, RECORDS_SAMPLE_HYBRID_EACH, FillHybridShared, fillHybrid)
#endif
