// The two sorts of strings, by name (strings.cuh); include sorters.cu and pairs.cu first.
//
//   first_bytes(strings, n, keys, values)                                a block of strings::THREADS threads for as many
//                                                                        strings
//   sort_strings(from, fromValues, to, toValues, n, strings)             a block of STRINGS_THREADS threads for each tile
//   part_strings(from, fromValues, n, width, tile, parts, strings)       a thread for each tile
//   merge_strings(from, fromValues, to, toValues, n, width, parts, strings)      as sort_strings
//
//   begin_strings(round, n)                          as first_bytes, and one block if there are no strings
//   shared_bytes(round, count)                       as first_bytes
//   string_keys(round, count, groupBits)             as first_bytes
//   count_ties(round, count, groupBits, longest)     a block of strings::THREADS threads for each strings::TIE_TILE strings
//   split_ties(round, count, groupBits)              the same
//
// `strings` is strings::Strings, `round` is strings::Round. Dynamic shared memory: merge::Shared<strings::Item> for
// sort_strings and merge_strings, strings::TiesShared for count_ties and split_ties, none for the others.
#include "strings.cuh"

#define STRING_MERGE(kind, THREADS, EACH, BLOCKS, HOW)                                                                \
  SORTER_KERNEL(THREADS, BLOCKS) sort_strings##kind(const strings::Count *from, const unsigned *fromValues,           \
                                                    strings::Count *to, unsigned *toValues, strings::Count n,         \
                                                    strings::Strings all) {                                           \
    using Shared = merge::Shared<strings::Item, THREADS, EACH>;                                                       \
    SORTER_SHARED(Shared, s);                                                                                         \
    merge::sortList<strings::Item, THREADS, EACH, HOW>(merge::Columns<strings::Count>{from, fromValues},              \
                                                       merge::Output<strings::Count>{to, toValues}, n, s,             \
                                                       strings::ByString{all});                                       \
  }                                                                                                                   \
  SORTER_KERNEL(THREADS, BLOCKS) merge_strings##kind(const strings::Count *from, const unsigned *fromValues,          \
                                                     strings::Count *to, unsigned *toValues, strings::Count n,        \
                                                     strings::Count width, const strings::Count *parts,               \
                                                     strings::Strings all) {                                          \
    using Shared = merge::Shared<strings::Item, THREADS, EACH>;                                                       \
    SORTER_SHARED(Shared, s);                                                                                         \
    merge::mergeLists<strings::Item, THREADS, EACH, HOW>(merge::Columns<strings::Count>{from, fromValues},            \
                                                         merge::Output<strings::Count>{to, toValues}, n, width,       \
                                                         parts, s, strings::ByString{all});                           \
  }

SORTER_KERNEL(MERGE_PART_THREADS, 1) part_strings(const strings::Count *from, const unsigned *fromValues,
                                                  strings::Count n, strings::Count width, unsigned tile,
                                                  strings::Count *parts, strings::Strings all) {
  merge::partLists(merge::Columns<strings::Count>{from, fromValues}, n, width, tile, parts, strings::ByString{all});
}

SORTER_KERNEL(strings::THREADS, 1) first_bytes(strings::Strings all, strings::Count n, strings::Count *keys,
                                               unsigned *values) {
  strings::Count i = (strings::Count)blockIdx.x * strings::THREADS + threadIdx.x;
  if (i >= n) return;
  keys[i] = strings::bytesAt(all.bytes, all.starts[i], all.length((unsigned)i));
  values[i] = (unsigned)i;
}

SORTER_KERNEL(strings::THREADS, 1) begin_strings(strings::Round round, strings::Count n) {
  strings::beginString(round, (strings::Count)blockIdx.x * strings::THREADS + threadIdx.x, n);
}

SORTER_KERNEL(strings::THREADS, 1) shared_bytes(strings::Round round, strings::Count count) {
  strings::shareBytes(round, (strings::Count)blockIdx.x * strings::THREADS + threadIdx.x, count);
}

SORTER_KERNEL(strings::THREADS, 1) string_keys(strings::Round round, strings::Count count, int groupBits) {
  strings::stringKey(round, (strings::Count)blockIdx.x * strings::THREADS + threadIdx.x, count, groupBits);
}

SORTER_KERNEL(strings::THREADS, 1) count_ties(strings::Round round, strings::Count count, int groupBits,
                                              strings::Count longest) {
  SORTER_SHARED(strings::TiesShared, s);
  strings::countTies(round, count, groupBits, longest, s);
}

SORTER_KERNEL(strings::THREADS, 1) split_ties(strings::Round round, strings::Count count, int groupBits) {
  SORTER_SHARED(strings::TiesShared, s);
  strings::splitTies(round, count, groupBits, s);
}

#ifndef SORTERS_NO_DEFAULT_KERNELS
STRING_MERGE(, STRINGS_THREADS, STRINGS_EACH, STRINGS_BLOCKS, merge::BY_PATH)
#endif
