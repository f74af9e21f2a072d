// Sizes of the sorters; NOTES.md has the measurements behind them.
#pragma once

// Radix sort with one pass a digit:
//   THREADS  of a block, which takes a tile of THREADS * EACH keys: 256 to 512 were tried
//   EACH     keys of a thread: 8 to 40 were tried
//   BLOCKS   that must fit on a multiprocessor
//   MATCH    how the lanes of a warp find those with the same digit: all three were tried
#define RADIX_COUNT_THREADS 512
#define RADIX_THREADS_64 384
#define RADIX_EACH_64 20
#define RADIX_BLOCKS_64 2
#define RADIX_THREADS_32 384
#define RADIX_EACH_32 32
#define RADIX_BLOCKS_32 2
#define RADIX_MATCH radix::BY_MASKS

// By splits:
//   EACH     keys of a thread: 1 to 11 were tried
#define SPLIT_EACH_64 6
#define SPLIT_EACH_32 9

// Merge sort, by path and by search:
//   THREADS  of a block, which makes a tile of THREADS * EACH keys: 128 to 512 were tried
//   EACH     keys of a thread: 7 to 32 were tried
//   BLOCKS   that must fit on a multiprocessor
#define MERGE_PART_THREADS 128
#define MERGE_THREADS 256
#define MERGE_EACH_64 16
#define MERGE_BLOCKS_64 3
#define MERGE_EACH_32 17
#define MERGE_BLOCKS_32 4
#define SEARCH_EACH_64 9
#define SEARCH_EACH_32 16
#define SEARCH_BLOCKS 4

// Merge sort by bitonic networks:
//   THREADS  of a block: 64 to 512 were tried
//   LANES    keys of a half of the network, a thread for each: 8 to 32 were tried
//   ROUNDS   of a network in a pass; a tile has THREADS * ROUNDS keys: 8 to 32 were tried
//   BLOCKS   that must fit on a multiprocessor
#define BITONIC_THREADS 256
#define BITONIC_LANES_64 16
#define BITONIC_ROUNDS_64 16
#define BITONIC_BLOCKS_64 4
#define BITONIC_LANES_32 16
#define BITONIC_ROUNDS_32 32
#define BITONIC_BLOCKS_32 4

// Sort over several devices: bytes of a buffer of an exchange through the host: 256 KiB to 64 MiB were tried
#define EXCHANGE_BUFFER_BYTES (16 << 20)

// Merge sort of keys with values:
//   EACH     keys of a thread: 5 to 20 were tried
//   BLOCKS   that must fit on a multiprocessor
#define PAIRS_THREADS 256
#define PAIRS_EACH_64 16
#define PAIRS_BLOCKS_64 3
#define PAIRS_EACH_32 17
#define PAIRS_BLOCKS_32 4
#define PAIRS_SEARCH_EACH_64 7
#define PAIRS_SEARCH_EACH_32 7
#define PAIRS_SEARCH_BLOCKS 4

// Merge sort of strings in comparisons:
//   EACH     strings of a thread: 3 to 15 were tried
//   BLOCKS   that must fit on a multiprocessor
#define STRINGS_THREADS 256
#define STRINGS_EACH 5
#define STRINGS_BLOCKS 4

// Quicksort: parts of the first phase, and sequences that end it: 528 to 65536 were tried
#define QUICK_BLOCKS 65536

// Sample sort: keys of a part: 4096 to 131072 were tried
#define SAMPLE_PART_KEYS 32768

// Records, for each layout (records.cuh):
//   THREADS  of a block, which takes a tile of THREADS * EACH records: 256 to 1024 were tried
//   EACH     records of a thread: 8 to 44 by field, 4 to 24 hybrid
//   BLOCKS   that must fit on a multiprocessor: 1 to 4
#define RECORDS_FIELD_THREADS 512
#define RECORDS_FIELD_EACH 28
#define RECORDS_FIELD_BLOCKS 1
#define RECORDS_HYBRID_THREADS 512
#define RECORDS_HYBRID_EACH 8
#define RECORDS_HYBRID_BLOCKS 2
// Records of a thread that gathers: 4, 8 and 16 by field, 2, 4 and 8 hybrid were tried
#define RECORDS_GATHER_FIELD_EACH 4
#define RECORDS_GATHER_HYBRID_EACH 2

// GRS (grs.cuh): threads of a block that ranks a tile and of one that moves it, and records of each; their products are
// equal. Tiles of 512 to 8192 were tried, with 64 to 512 threads
#define GRS_RANK_THREADS 64
#define GRS_FIELD_RANK_EACH 32
#define GRS_FIELD_THREADS 128
#define GRS_FIELD_EACH 16
#define GRS_HYBRID_RANK_EACH 16
#define GRS_HYBRID_THREADS 512
#define GRS_HYBRID_EACH 2

// Sample sort of records (records_sample.cuh):
//   EACH      records of a thread: 8 to 48 were tried
//   PART      records of a part: 8192 to 32768
//   TOGETHER  records of buckets that are sorted together: 256 to 2048
#define RECORDS_SAMPLE_FIELD_EACH 40
#define RECORDS_SAMPLE_FIELD_PART 10240
#define RECORDS_SAMPLE_HYBRID_EACH 16
#define RECORDS_SAMPLE_HYBRID_PART 8192
#define RECORDS_SAMPLE_TOGETHER 2048
