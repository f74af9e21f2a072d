// Runs the merge sort by bitonic networks from C++: the host's side is that of the other merge sorts (driver.h).
#pragma once
#include "driver.h"

#include "bitonic_merge.cu"

#define BITONIC_SORTER(kind, Word, THREADS, LANES, ROUNDS)                                                          \
  sorters::Merge<Word> {                                                                                            \
    "merge " #kind, THREADS, ROUNDS, sizeof(bitonic::Shared<Word, THREADS, LANES, ROUNDS>), sort_lists_##kind,      \
        sorters::PART_LISTS<Word>, merge_lists_##kind                                                               \
  }
