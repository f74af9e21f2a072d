// The sorters that papers compare with the network, by name. Unlike it, they need as much memory again as the keys.
//
//   count_digits_<kind>(keys, n, state)             any grid of COUNT_THREADS threads
//   place_digits(state)                             a block of DIGITS threads for each digit of a key
//   move_keys_<kind>(from, to, n, pass, state)      a block of RADIX_THREADS threads for each tile
//
//   sort_tiles_<kind>(from, to, n, shift, counts, starts)      a block of split::THREADS threads for each tile
//   scatter_tiles_<kind>(from, to, n, shift, counts, starts)   the same
//
//   sort_lists_<kind>(from, to, n)                          a block of MERGE_THREADS threads for each tile
//   part_lists_<kind>(from, n, width, tile, parts)          a thread for each tile
//   merge_lists_<kind>(from, to, n, width, parts)           as sort_lists
//
//   choose_pivots_<kind>(from, sequences, count)             a thread for each sequence
//   split_parts_<kind>(from, to, parts, sequences)           a block of quick::THREADS threads for each part
//   fill_pivots_<kind>(keys, sequences)                      the same for each sequence
//   sort_sequences_<kind>(keys, other, sequences, side)      the same
//
//   choose_splitters_<kind>(from, segments, splitters)                     a block of sample::THREADS threads for each
//                                                                          segment
//   count_buckets_<kind>(from, parts, segments, splitters, counts)         the same for each part
//   bucket_starts(segments, counts, starts)                                the same for each segment
//   fill_buckets_<kind>(from, to, parts, segments, splitters, counts)      the same for each part
//
// <kind> is u64 or u32, with _1 for splits with one key a thread and _search for merges by search. Dynamic shared memory: CountShared, PlaceShared,
// MoveShared, SortShared, none; merge::Shared, none, merge::Shared; none,
// SplitShared, none, quick::SortShared; SplitterShared, BucketShared, none, BucketShared.
#pragma once
#include "merge.cuh"
#include "quick.cuh"
#include "radix.cuh"
#include "sample.cuh"
#include "split.cuh"
#include "tuning.cuh"

#ifdef __CUDACC__
#define SORTER_KERNEL(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)
#define SORTER_SHARED(Type, name)                     \
  extern __shared__ __align__(16) char sharedBytes[]; \
  Type &name = *reinterpret_cast<Type *>(sharedBytes)
#else
#define SORTER_KERNEL(threads, blocks) extern "C" void
#define SORTER_SHARED(Type, name) Type &name = *reinterpret_cast<Type *>(shimShared())
#endif

#define RADIX_COUNT(kind, Word)                                                                                       \
  SORTER_KERNEL(RADIX_COUNT_THREADS, 1) count_digits_##kind(const Word *keys, radix::Count n, radix::State *state) {  \
    SORTER_SHARED(radix::CountShared, s);                                                                             \
    radix::countDigits(keys, n, state, s);                                                                            \
  }

#define RADIX_MOVE(kind, Word, THREADS, EACH, BLOCKS, HOW)                                                 \
  SORTER_KERNEL(THREADS, BLOCKS) move_keys_##kind(const Word *from, Word *to, radix::Count n, int pass,    \
                                                  radix::State *state) {                                   \
    using Shared = radix::MoveShared<Word, THREADS, EACH, HOW>;                                            \
    SORTER_SHARED(Shared, s);                                                                              \
    radix::moveKeys<Word, THREADS, EACH, HOW>(from, to, n, pass, state, s);                                \
  }

#define SPLIT(kind, Word, EACH)                                                                                       \
  SORTER_KERNEL(split::THREADS, 1) sort_tiles_##kind(const Word *from, Word *to, split::Count n, int shift,           \
                                                     split::Count *counts, unsigned *starts) {                        \
    using Shared = split::SortShared<Word, EACH>;                                                                     \
    SORTER_SHARED(Shared, s);                                                                                         \
    split::sortTile(from, to, n, shift, counts, starts, s);                                                           \
  }                                                                                                                   \
  SORTER_KERNEL(split::THREADS, 1) scatter_tiles_##kind(const Word *from, Word *to, split::Count n, int shift,        \
                                                        const split::Count *counts, const unsigned *starts) {         \
    split::scatterTile<Word, EACH>(from, to, n, shift, counts, starts);                                               \
  }

#define MERGE(kind, Word, THREADS, EACH, BLOCKS, HOW)                                                                 \
  SORTER_KERNEL(THREADS, BLOCKS) sort_lists_##kind(const Word *from, Word *to, merge::Count n) {                      \
    using Shared = merge::Shared<Word, THREADS, EACH>;                                                                \
    SORTER_SHARED(Shared, s);                                                                                         \
    merge::sortList<Word, THREADS, EACH, HOW>(from, to, n, s);                                                        \
  }                                                                                                                   \
  SORTER_KERNEL(THREADS, BLOCKS) merge_lists_##kind(const Word *from, Word *to, merge::Count n, merge::Count width,   \
                                                    const merge::Count *parts) {                                      \
    using Shared = merge::Shared<Word, THREADS, EACH>;                                                                \
    SORTER_SHARED(Shared, s);                                                                                         \
    merge::mergeLists<Word, THREADS, EACH, HOW>(from, to, n, width, parts, s);                                        \
  }
#define MERGE_PARTS(kind, Word)                                                                                       \
  SORTER_KERNEL(MERGE_PART_THREADS, 1) part_lists_##kind(const Word *from, merge::Count n, merge::Count width,        \
                                                         unsigned tile, merge::Count *parts) {                        \
    merge::partLists(from, n, width, tile, parts);                                                                    \
  }

#define QUICK(kind, Word)                                                                                             \
  SORTER_KERNEL(quick::THREADS, 1) choose_pivots_##kind(const Word *from, quick::Sequence<Word> *sequences,           \
                                                        unsigned count) {                                             \
    unsigned at = blockIdx.x * quick::THREADS + threadIdx.x;                                                          \
    if (at < count) quick::choosePivot(from, sequences[at]);                                                          \
  }                                                                                                                   \
  SORTER_KERNEL(quick::THREADS, 1) split_parts_##kind(const Word *from, Word *to, const quick::Part *parts,           \
                                                      quick::Sequence<Word> *sequences) {                             \
    SORTER_SHARED(quick::SplitShared, s);                                                                             \
    quick::splitParts(from, to, parts, sequences, s);                                                                 \
  }                                                                                                                   \
  SORTER_KERNEL(quick::THREADS, 1) fill_pivots_##kind(Word *keys, const quick::Sequence<Word> *sequences) {           \
    quick::fillPivots(keys, sequences[blockIdx.x]);                                                                   \
  }                                                                                                                   \
  SORTER_KERNEL(quick::THREADS, 1) sort_sequences_##kind(Word *keys, Word *other,                                     \
                                                         const quick::Sequence<Word> *sequences, int side) {          \
    SORTER_SHARED(quick::SortShared<Word>, s);                                                                        \
    quick::sortSequence(keys, other, sequences[blockIdx.x], side, s);                                                 \
  }

#define SAMPLE(kind, Word)                                                                                            \
  SORTER_KERNEL(sample::THREADS, 1) choose_splitters_##kind(const Word *from, const sample::Segment *segments,        \
                                                            Word *splitters) {                                        \
    SORTER_SHARED(sample::SplitterShared<Word>, s);                                                                   \
    unsigned at = blockIdx.x;                                                                                         \
    sample::chooseSplitters(from, segments[at], splitters + at * sample::SPLITTERS, s);                               \
  }                                                                                                                   \
  SORTER_KERNEL(sample::THREADS, 1) count_buckets_##kind(const Word *from, const sample::Part *parts,                 \
                                                         const sample::Segment *segments, const Word *splitters,      \
                                                         sample::Count *counts) {                                     \
    SORTER_SHARED(sample::BucketShared<Word>, s);                                                                     \
    sample::Part part = parts[blockIdx.x];                                                                            \
    const Word *own = splitters + part.segment * sample::SPLITTERS;                                                   \
    sample::countBuckets(from, part, segments[part.segment], own, counts, s);                                         \
  }                                                                                                                   \
  SORTER_KERNEL(sample::THREADS, 1) fill_buckets_##kind(const Word *from, Word *to, const sample::Part *parts,        \
                                                        const sample::Segment *segments, const Word *splitters,       \
                                                        const sample::Count *counts) {                                \
    SORTER_SHARED(sample::BucketShared<Word>, s);                                                                     \
    sample::Part part = parts[blockIdx.x];                                                                            \
    const Word *own = splitters + part.segment * sample::SPLITTERS;                                                   \
    sample::fillBuckets(from, to, part, segments[part.segment], own, counts, s);                                      \
  }

SORTER_KERNEL(sample::THREADS, 1) bucket_starts(const sample::Segment *segments, const sample::Count *counts,
                                                sample::Count *starts) {
  sample::bucketStarts(segments[blockIdx.x], counts, starts + blockIdx.x * sample::BUCKETS);
}

SORTER_KERNEL(radix::DIGITS, 1) place_digits(radix::State *state) {
  SORTER_SHARED(radix::PlaceShared, s);
  radix::placeDigits(state, s);
}

RADIX_COUNT(u64, unsigned long long)
RADIX_COUNT(u32, unsigned)
MERGE_PARTS(u64, unsigned long long)
MERGE_PARTS(u32, unsigned)
QUICK(u64, unsigned long long)
QUICK(u32, unsigned)
SAMPLE(u64, unsigned long long)
SAMPLE(u32, unsigned)

#ifndef SORTERS_NO_DEFAULT_KERNELS
RADIX_MOVE(u64, unsigned long long, RADIX_THREADS_64, RADIX_EACH_64, RADIX_BLOCKS_64, RADIX_MATCH)
RADIX_MOVE(u32, unsigned, RADIX_THREADS_32, RADIX_EACH_32, RADIX_BLOCKS_32, RADIX_MATCH)
SPLIT(u64, unsigned long long, SPLIT_EACH_64)
SPLIT(u32, unsigned, SPLIT_EACH_32)
SPLIT(u64_1, unsigned long long, 1)
SPLIT(u32_1, unsigned, 1)
MERGE(u64, unsigned long long, MERGE_THREADS, MERGE_EACH_64, MERGE_BLOCKS_64, merge::BY_PATH)
MERGE(u32, unsigned, MERGE_THREADS, MERGE_EACH_32, MERGE_BLOCKS_32, merge::BY_PATH)
MERGE(u64_search, unsigned long long, MERGE_THREADS, SEARCH_EACH_64, SEARCH_BLOCKS, merge::BY_SEARCH)
MERGE(u32_search, unsigned, MERGE_THREADS, SEARCH_EACH_32, SEARCH_BLOCKS, merge::BY_SEARCH)
#endif
