// Two sorts of strings of any length by their bytes: the order of the strings as numbers of 32 bits. Bytes are compared
// unsigned, a string comes before those that it starts, and equal strings keep their order. Strings may contain zeros.
//
// In comparisons: Davidson, Tarjan, Garland and Owens, "Efficient Parallel Merge Sort for Fixed and Variable Length
// Keys", 2012, section 4. A merge sort (merge.cuh) of keys, the first 8 bytes of each string, with values, the number of
// each string. If two keys are equal, the comparison reads on in both strings. The paper's keys have 4 bytes, and its
// strings end with a zero; here a string's end is known, so a tie that reaches it is decided by the lengths.
//
//   first_bytes      keys and values. A thread for each string
//   sort_strings, part_strings, merge_strings     as sort_lists, part_lists and merge_lists
//
// In rounds: a key is the next bytes of a string, and the sort compares only keys. Strings with equal keys and more
// bytes are a group of the next round, which sorts the strings of each group by their following bytes. A key has, from its high bits:
//
//   the number of its group | the next bytes, then zeros | how many bytes are left, at most one more than in the key
//
// So a key has 7 bytes in the first round, and 3 or more later. Strings with equal keys and no more bytes are equal.
//
//   begin_strings    all strings are in one group. A thread for each string
//   shared_bytes     how many of the next bytes all strings of a group share; not in the first round. A thread for each
//                    string
//   string_keys      the keys. A thread for each string
//   sort_pairs_u64, part_lists_u64, merge_pairs_u64     the sort (pairs.cu). If no group is longer than half a tile, it is
//                    sort_pairs_u64 twice, from the start and from half a tile on
//   count_ties       how many strings of a tile are in groups of the next round, and how many groups start in it
//   (scan.cuh)       scan_sums: the same in earlier tiles
//   split_ties       strings whose places are known, and the next groups. As count_ties: a block of THREADS threads for
//                    each TIE_TILE strings, with TiesShared
//
// A long prefix that all strings of a group share would take many rounds. shared_bytes skips it: it compares neighbors up
// to a limit, which doubles while all bytes up to the limit are shared, and else becomes what was shared. So a string's
// bytes read in vain are at most twice those skipped in the round before, or LEAST_LIMIT.
//
// The bytes of the strings begin at a multiple of 8, and the memory behind them can be read up to the next one. There are
// fewer than 2^32 - 1 strings.
//
// Memory besides the strings and their order: 20 bytes for each string if ties are resolved in comparisons, 60 in rounds,
// and 8 bytes for each tile.
#pragma once
#include "../inversion/scan.cuh"
#include "merge.cuh"

namespace strings {

using Count = unsigned long long;

constexpr int THREADS = inversion::THREADS;
constexpr int TIE_EACH = 2;  // strings of a thread
constexpr int TIE_TILE = TIE_EACH * THREADS;
constexpr int LEFT_BITS = 4;  // of a key, for the number of bytes that are left
constexpr Count LEAST_LIMIT = 64;

// String i has the bytes from starts[i] to starts[i + 1]. All fields have 8 bytes, for Java.
struct Strings {
  const uint8_t *bytes;
  const Count *starts;

  __device__ __forceinline__ Count length(unsigned i) const { return starts[i + 1] - starts[i]; }
};

// The 8 bytes from a place on, the first one highest; zeros for those that are not `left`.
__device__ __forceinline__ Count bytesAt(const uint8_t *bytes, Count at, Count left) {
  if (left == 0) return 0;
  const Count *words = reinterpret_cast<const Count *>(bytes) + at / 8;
  unsigned skipped = at % 8;
  Count eight = words[0] >> 8 * skipped;
  if (skipped != 0 && left > 8 - skipped) eight |= words[1] << (64 - 8 * skipped);
  eight = (Count)inversion::reverse4((uint32_t)eight) << 32 | inversion::reverse4((uint32_t)(eight >> 32));
  return left < 8 ? eight & ~0ull << (64 - 8 * left) : eight;
}

__device__ __forceinline__ unsigned sameBytes(Count difference) {
  uint32_t high = (uint32_t)(difference >> 32);
  return (high != 0 ? __clz((int)high) : 32 + __clz((int)(uint32_t)difference)) / 8;
}

// How many bytes two strings share from a depth on, which is in both; `most` or more are `most`.
__device__ __forceinline__ Count sharedBytes(const Strings &s, unsigned a, unsigned b, Count depth, Count most) {
  Count atA = s.starts[a] + depth, atB = s.starts[b] + depth;
  Count leftA = s.starts[a + 1] - atA, leftB = s.starts[b + 1] - atB;
  most = most < leftA ? most : leftA;
  most = most < leftB ? most : leftB;
  for (Count shared = 0; shared < most; shared += 8) {
    Count difference = bytesAt(s.bytes, atA + shared, leftA - shared) ^ bytesAt(s.bytes, atB + shared, leftB - shared);
    if (difference != 0) {
      shared += sameBytes(difference);
      return shared < most ? shared : most;
    }
  }
  return most;
}

// ---- in comparisons

using Item = merge::KeyValue<Count>;

// Whether a string is below another with the same first 8 bytes.
static __device__ __attribute__((noinline)) bool isBelowBehind(Strings s, unsigned a, unsigned b) {
  // Items past the end are above all others.
  if (a == merge::NO_VALUE || b == merge::NO_VALUE) return a < b;
  Count lengthA = s.length(a), lengthB = s.length(b), shorter = lengthA < lengthB ? lengthA : lengthB;
  if (shorter <= 8) return lengthA < lengthB;
  Count same = 8 + sharedBytes(s, a, b, 8, ~0ull);
  return same == shorter ? lengthA < lengthB : s.bytes[s.starts[a] + same] < s.bytes[s.starts[b] + same];
}

struct ByString {
  Strings strings;

  __device__ __forceinline__ bool operator()(const Item &a, const Item &b) const {
    return a.key != b.key ? a.key < b.key : isBelowBehind(strings, a.value, b.value);
  }
};

// ---- in rounds

// Strings that share their first `depth` bytes, and `shared` more; shared_bytes compares at most `limit`.
struct Group {
  Count depth, shared, limit;
};

// The strings of a round, in order of their groups. All fields have 8 bytes, for Java.
struct Round {
  Strings strings;
  Count *keys;
  uint32_t *values;     // the number of each string
  uint32_t *positions;  // the places of a group's strings in the order, ascending
  uint32_t *groupOf;    // string_keys puts it into the keys, and split_ties writes those of the next round
  Group *groups;
  uint32_t *nextValues, *nextPositions;
  Group *nextGroups;
  Count *sums;    // of tiles
  Count *result;  // [0]: TIES in groups of the next round, and its groups above; [1]: not 0 if one is long
  uint32_t *order;
};
constexpr Count TIES = 0xFFFFFFFF;

// Bytes of strings in a key, for groups whose numbers take some bits.
HOST_DEVICE int bytesOfKey(int groupBits) { return (64 - LEFT_BITS - groupBits) / 8; }

__device__ __forceinline__ void beginString(const Round &r, Count i, Count n) {
  if (i == 0) r.groups[0] = Group{0, 0, 0};
  if (i >= n) return;
  r.values[i] = r.positions[i] = (uint32_t)i;
  r.groupOf[i] = 0;
}

// Compares a string with the one before it in its group.
__device__ __forceinline__ void shareBytes(const Round &r, Count i, Count count) {
  if (i == 0 || i >= count || r.groupOf[i] != r.groupOf[i - 1]) return;
  Group &group = r.groups[r.groupOf[i]];
  Count shared = sharedBytes(r.strings, r.values[i - 1], r.values[i], group.depth, group.limit);
  if (shared < inversion::loadCount(&group.shared)) atomicMin(&group.shared, shared);
}

__device__ __forceinline__ void stringKey(const Round &r, Count i, Count count, int groupBits) {
  if (i == 0) r.result[1] = 0;
  if (i >= count) return;
  uint32_t value = r.values[i], number = r.groupOf[i];
  Count at = r.strings.starts[value] + r.groups[number].depth + r.groups[number].shared;
  Count left = r.strings.starts[value + 1] - at, most = bytesOfKey(groupBits) + 1;
  Count key = bytesAt(r.strings.bytes, at, left) >> (64 - 8 * (most - 1)) << LEFT_BITS | (left < most ? left : most);
  r.keys[i] = groupBits == 0 ? key : key | (Count)number << (64 - groupBits);
}

struct TiesShared {
  alignas(16) Count sums[inversion::WARPS];
};

// Which of a thread's strings are in groups of the next round, and which are the first of one.
struct Ties {
  Count first;
  unsigned tied = 0, heads = 0;

  __device__ __forceinline__ Ties(const Round &r, Count count, int groupBits) {
    first = (Count)blockIdx.x * TIE_TILE + TIE_EACH * threadIdx.x;
    Count hasMore = bytesOfKey(groupBits) + 1, mask = (1 << LEFT_BITS) - 1;
    for (int i = 0; i < TIE_EACH && first + i < count; i++) {
      const Count *at = r.keys + first + i;
      if ((*at & mask) != hasMore) continue;
      bool asBefore = first + i > 0 && at[-1] == *at, asNext = first + i + 1 < count && at[1] == *at;
      tied |= (unsigned)(asBefore || asNext) << i;
      heads |= (unsigned)(asNext && !asBefore) << i;
    }
  }

  __device__ __forceinline__ Count counts() const { return (Count)__popc(heads) << 32 | __popc(tied); }
};

// `longest` is the most strings of a group that is not long.
__device__ __forceinline__ void countTies(const Round &r, Count count, int groupBits, Count longest, TiesShared &s) {
  Ties ties(r, count, groupBits);
  for (int i = 0; i < TIE_EACH; i++) {
    Count at = ties.first + i;
    if ((ties.tied >> i & 1) && at + longest < count && r.keys[at] == r.keys[at + longest]) {
      inversion::storeCount(&r.result[1], 1);
    }
  }
  Count all;
  inversion::sumBefore(ties.counts(), s.sums, all);
  if (threadIdx.x == 0) r.sums[blockIdx.x] = all;
}

__device__ __forceinline__ void splitTies(const Round &r, Count count, int groupBits, TiesShared &s) {
  Ties ties(r, count, groupBits);
  Count all, before = r.sums[blockIdx.x] + inversion::sumBefore(ties.counts(), s.sums, all);
  if (blockIdx.x == 0 && threadIdx.x == 0) r.result[0] = r.sums[gridDim.x];
  for (int i = 0; i < TIE_EACH && ties.first + i < count; i++) {
    Count at = ties.first + i;
    uint32_t value = r.values[at], position = r.positions[at];
    if (!(ties.tied >> i & 1)) {
      r.order[position] = value;
      continue;
    }
    const Group &old = r.groups[groupBits == 0 ? 0 : r.keys[at] >> (64 - groupBits)];
    Count depth = old.depth + old.shared + bytesOfKey(groupBits);
    if (ties.heads >> i & 1) {
      Count limit = old.shared == old.limit ? 2 * old.limit : old.shared;
      if (limit < LEAST_LIMIT) limit = LEAST_LIMIT;
      r.nextGroups[before >> 32] = Group{depth, limit, limit};
      before += 1ull << 32;
    }
    Count next = before & TIES;
    r.nextValues[next] = value;
    r.nextPositions[next] = position;
    r.groupOf[next] = (uint32_t)(before >> 32) - 1;
    before++;
  }
}

}  // namespace strings
