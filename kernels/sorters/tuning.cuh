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
