// Merge sorts of keys with values of 32 bits, by name (merge.cuh); include sorters.cu first. Equal keys keep their order.
// part_lists_<word> of sorters.cu cuts the lists, since it needs no values.
//
//   sort_pairs_<kind>(from, fromValues, to, toValues, n)                    a block of PAIRS_THREADS threads for each tile
//   merge_pairs_<kind>(from, fromValues, to, toValues, n, width, parts)     the same
//
// <kind> is u64 or u32 (by path), u64_search or u32_search. Dynamic shared memory: merge::Shared<KeyValue<Word>> for both.

#define PAIRS(kind, Word, THREADS, EACH, BLOCKS, HOW)                                                                 \
  SORTER_KERNEL(THREADS, BLOCKS) sort_pairs_##kind(const Word *from, const unsigned *fromValues, Word *to,            \
                                                   unsigned *toValues, merge::Count n) {                              \
    using Item = merge::KeyValue<Word>;                                                                               \
    using Shared = merge::Shared<Item, THREADS, EACH>;                                                                \
    SORTER_SHARED(Shared, s);                                                                                         \
    merge::sortList<Item, THREADS, EACH, HOW>(merge::Columns<Word>{from, fromValues},                           \
                                              merge::Output<Word>{to, toValues}, n, s);                              \
  }                                                                                                                   \
  SORTER_KERNEL(THREADS, BLOCKS) merge_pairs_##kind(const Word *from, const unsigned *fromValues, Word *to,           \
                                                    unsigned *toValues, merge::Count n, merge::Count width,           \
                                                    const merge::Count *parts) {                                      \
    using Item = merge::KeyValue<Word>;                                                                               \
    using Shared = merge::Shared<Item, THREADS, EACH>;                                                                \
    SORTER_SHARED(Shared, s);                                                                                         \
    merge::mergeLists<Item, THREADS, EACH, HOW>(merge::Columns<Word>{from, fromValues},                         \
                                                merge::Output<Word>{to, toValues}, n, width, parts, s);              \
  }

#ifndef SORTERS_NO_DEFAULT_KERNELS
PAIRS(u64, unsigned long long, PAIRS_THREADS, PAIRS_EACH_64, PAIRS_BLOCKS_64, merge::BY_PATH)
PAIRS(u32, unsigned, PAIRS_THREADS, PAIRS_EACH_32, PAIRS_BLOCKS_32, merge::BY_PATH)
PAIRS(u64_search, unsigned long long, PAIRS_THREADS, PAIRS_SEARCH_EACH_64, PAIRS_SEARCH_BLOCKS, merge::BY_SEARCH)
PAIRS(u32_search, unsigned, PAIRS_THREADS, PAIRS_SEARCH_EACH_32, PAIRS_SEARCH_BLOCKS, merge::BY_SEARCH)
#endif
