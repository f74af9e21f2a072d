// The merge sort by bitonic networks, by name (bitonic_merge.cuh). Include it after sorters.cu, whose macros it uses.
//
//   sort_lists_<kind>(from, to, n)                  a block of BITONIC_THREADS threads for each tile
//   merge_lists_<kind>(from, to, n, width, parts)   the same; part_lists_u64 or _u32 of sorters.cu comes before it
//
// <kind> is u64_bitonic or u32_bitonic. Dynamic shared memory: bitonic::Shared for both.
#include "bitonic_merge.cuh"
#include "tuning.cuh"

#define BITONIC(kind, Word, THREADS, LANES, ROUNDS, BLOCKS)                                                           \
  SORTER_KERNEL(THREADS, BLOCKS) sort_lists_##kind(const Word *from, Word *to, bitonic::Count n) {                    \
    using Shared = bitonic::Shared<Word, THREADS, LANES, ROUNDS>;                                                     \
    SORTER_SHARED(Shared, s);                                                                                         \
    bitonic::sortList<Word, THREADS, LANES, ROUNDS>(from, to, n, s);                                                  \
  }                                                                                                                   \
  SORTER_KERNEL(THREADS, BLOCKS) merge_lists_##kind(const Word *from, Word *to, bitonic::Count n,                     \
                                                    bitonic::Count width, const bitonic::Count *parts) {              \
    using Shared = bitonic::Shared<Word, THREADS, LANES, ROUNDS>;                                                     \
    SORTER_SHARED(Shared, s);                                                                                         \
    bitonic::mergeLists<Word, THREADS, LANES, ROUNDS>(from, to, n, width, parts, s);                                  \
  }

#ifndef SORTERS_NO_DEFAULT_KERNELS
BITONIC(u64_bitonic, unsigned long long, BITONIC_THREADS, BITONIC_LANES_64, BITONIC_ROUNDS_64, BITONIC_BLOCKS_64)
BITONIC(u32_bitonic, unsigned, BITONIC_THREADS, BITONIC_LANES_32, BITONIC_ROUNDS_32, BITONIC_BLOCKS_32)
#endif
