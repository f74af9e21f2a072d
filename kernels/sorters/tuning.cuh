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

// Quicksort: parts of the first phase, and sequences that end it: 528 to 65536 were tried
#define QUICK_BLOCKS 65536

// Sample sort: keys of a part: 4096 to 131072 were tried
#define SAMPLE_PART_KEYS 32768

// Records (records.cuh), for each layout:
//   THREADS  of a block, which takes a tile of THREADS * EACH records
//   EACH     records of a thread
//   BLOCKS   that must fit on a multiprocessor
#define RECORDS_FIELD_THREADS 384
#define RECORDS_FIELD_EACH 16
#define RECORDS_FIELD_BLOCKS 2
#define RECORDS_HYBRID_THREADS 384
#define RECORDS_HYBRID_EACH 16
#define RECORDS_HYBRID_BLOCKS 2
#define RECORDS_GATHER_FIELD_EACH 8
#define RECORDS_GATHER_HYBRID_EACH 4

// GRS (grs.cuh): threads that rank and that move a tile, and the records of each
#define GRS_RANK_THREADS 64
#define GRS_RANK_EACH 16
#define GRS_MOVE_THREADS 128
#define GRS_MOVE_EACH 8

// Sample sort of records: records of a thread, of a part, and of buckets that are sorted together
#define RECORDS_SAMPLE_EACH 16
#define RECORDS_SAMPLE_PART 16384
#define RECORDS_SAMPLE_TOGETHER 512
