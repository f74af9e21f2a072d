// The kernel of the sort over several devices, by name (pivots.cuh). Include it after sorters.cu, whose macros it uses.
//
//   find_pivots_<kind>(shares, middle, end, pivots)   a thread for each border, of blocks of pivots::THREADS
//
// <kind> is u64 or u32. No shared memory. The merges after an exchange are part_lists and merge_lists (sorters.cu).
#include "pivots.cuh"

#define PIVOTS(kind, Word)                                                                                            \
  SORTER_KERNEL(pivots::THREADS, 1) find_pivots_##kind(const pivots::Share<Word> *shares, unsigned middle,            \
                                                       unsigned end, pivots::Count *pivots) {                         \
    pivots::findPivots(shares, middle, end, pivots);                                                                  \
  }

PIVOTS(u64, unsigned long long)
PIVOTS(u32, unsigned)
