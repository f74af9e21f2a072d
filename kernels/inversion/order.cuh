// A stable radix sort, 8 bits at a time: slots by the bytes of their terms, and keys by the ranks of their terms.
//
//   count      how often each digit occurs in a tile of items
//   scan       for each digit, its items in earlier tiles
//   scatter    each tile in order in shared memory, then to its place
//
// Terms are sorted by their first SHORT bytes; those for which these are the same are put in order after that.
#pragma once
#include "terms.cuh"

namespace inversion {

constexpr int RADIX = 256;       // digits; one for each thread
constexpr int EACH = 16;         // items of a thread
constexpr int ITEMS = EACH * THREADS;
constexpr int WARP_ITEMS = EACH * 32;
constexpr Count FEW_TILES = 8;
static_assert(RADIX == THREADS, "a thread for each digit");

// Keys by 8 bits of them.
struct KeyItems {
  const Count *from;
  Count *to;
  Count count;
  int shift;

  __device__ __forceinline__ Count load(Count at) const { return from[at]; }
  __device__ __forceinline__ uint32_t digit(Count item) const { return (uint32_t)(item >> shift) & (RADIX - 1); }
  __device__ __forceinline__ void store(Count at, Count item) const { to[at] = item; }
};

// The host passes counts that it read from the device. If one was damaged on its way, items behind the last one are read;
// their slots must not lead outside of the table.
HOST_DEVICE uint32_t slotWithin(const Block &block, Count slot) { return (uint32_t)(slot & ((1ull << block.slotBits) - 1)); }

// A byte of the first SHORT bytes of a term.
__device__ __forceinline__ uint32_t termByte(const Block &block, uint32_t slot, int at) {
  Slot term = block.table[slot];
  if (term.high >= LONG_TERM) return block.longBytes[block.longStart[slot] + at];
  return (uint32_t)(at < 8 ? term.high >> 8 * (7 - at) : (term.low - 1) >> 8 * (15 - at)) & 0xFF;
}

// Slots by a byte of their terms. An item carries its digit.
struct TermItems {
  Block block;
  const uint32_t *from;
  uint32_t *to;
  Count count;
  int byte;

  __device__ __forceinline__ Count load(Count at) const {
    uint32_t slot = slotWithin(block, from[at]);
    return (Count)termByte(block, slot, byte) << 32 | slot;
  }
  __device__ __forceinline__ uint32_t digit(Count item) const { return (uint32_t)(item >> 32); }
  __device__ __forceinline__ void store(Count at, Count item) const { to[at] = (uint32_t)item; }
};

struct CountShared {
  uint32_t counts[WARPS][RADIX];
};

template <class Items>
__device__ __forceinline__ void countDigits(const Items &items, uint32_t *digits, CountShared &s) {
  int t = threadIdx.x, warp = t / 32;
  for (int w = 0; w < WARPS; w++) s.counts[w][t] = 0;
  __syncthreads();
  Count first = (Count)blockIdx.x * ITEMS;
  for (int i = 0; i < EACH; i++) {
    Count at = first + i * THREADS + t;
    if (at < items.count) atomicAdd(&s.counts[warp][items.digit(items.load(at))], 1u);
  }
  __syncthreads();
  uint32_t sum = 0;
  for (int w = 0; w < WARPS; w++) sum += s.counts[w][t];
  digits[(Count)t * gridDim.x + blockIdx.x] = sum;
}

struct ScatterShared {
  Count items[ITEMS];
  uint32_t counts[WARPS][RADIX];
  uint32_t localStart[RADIX];   // of a digit, in this tile
  uint32_t globalStart[RADIX];  // of this tile's items of the digit
  alignas(16) uint32_t sums[WARPS];
};

template <class Items>
__device__ __forceinline__ void scatter(const Items &items, const Block &block, ScatterShared &s) {
  int t = threadIdx.x, lane = t & 31, warp = t / 32;
  for (int w = 0; w < WARPS; w++) s.counts[w][t] = 0;
  __syncthreads();
  Count start = (Count)blockIdx.x * ITEMS;
  uint32_t count = (uint32_t)(items.count - start < ITEMS ? items.count - start : ITEMS);
  // An item's rank among those of the same digit in the same warp.
  Count item[EACH];
  uint32_t rank[EACH];
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    uint32_t at = warp * WARP_ITEMS + 32 * i + lane;
    bool present = at < count;
    item[i] = present ? items.load(start + at) : 0;
    uint32_t digit = present ? items.digit(item[i]) : RADIX;
    uint32_t same = __match_any_sync(~0u, digit);
    rank[i] = __popc(same & ((1u << lane) - 1));
    if (present) rank[i] += s.counts[warp][digit];
    __syncwarp();
    if (present && lane == __ffs(same) - 1) s.counts[warp][digit] += __popc(same);
    __syncwarp();
  }
  __syncthreads();
  uint32_t ofDigit = 0, total;
  for (int w = 0; w < WARPS; w++) {
    uint32_t here = s.counts[w][t];
    s.counts[w][t] = ofDigit;
    ofDigit += here;
  }
  s.localStart[t] = sumBefore(ofDigit, s.sums, total);
  s.globalStart[t] = sumBefore(block.digitTotals[t], s.sums, total) + block.digits[(Count)t * gridDim.x + blockIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    if ((uint32_t)(warp * WARP_ITEMS + 32 * i + lane) < count) {
      uint32_t digit = items.digit(item[i]);
      s.items[s.localStart[digit] + s.counts[warp][digit] + rank[i]] = item[i];
    }
  }
  __syncthreads();
  for (uint32_t at = t; at < count; at += THREADS) {
    uint32_t digit = items.digit(s.items[at]);
    items.store(s.globalStart[digit] + at - s.localStart[digit], s.items[at]);
  }
}

// Turns the counts of each digit into the sums of those in earlier tiles. A block of threads for each digit or, for
// few tiles, one block with a thread for each.
INVERSION_KERNEL scan_digits(Block block, Count tiles) {
  INVERSION_SHARED(ScanShared, s);
  if (gridDim.x == 1) {
    uint32_t *counts = block.digits + threadIdx.x * tiles, before = 0;
    for (Count tile = 0; tile < tiles; tile++) {
      uint32_t here = counts[tile];
      counts[tile] = before;
      before += here;
    }
    block.digitTotals[threadIdx.x] = before;
    return;
  }
  constexpr int EACH_COUNT = 8;
  uint32_t *row = block.digits + blockIdx.x * tiles;
  uint32_t before = 0;
  for (Count start = 0; start < tiles; start += EACH_COUNT * THREADS) {
    Count first = start + EACH_COUNT * threadIdx.x;
    uint32_t counts[EACH_COUNT], sum = 0, total;
    for (int i = 0; i < EACH_COUNT; i++) {
      counts[i] = first + i < tiles ? row[first + i] : 0;
      sum += counts[i];
    }
    uint32_t number = before + sumBefore(sum, s.sums, total);
    for (int i = 0; i < EACH_COUNT; i++) {
      if (first + i < tiles) row[first + i] = number;
      number += counts[i];
    }
    before += total;
  }
  if (threadIdx.x == 0) block.digitTotals[blockIdx.x] = before;
}

// Sorts go from keys[from] to keys[1 - from], and from order[from] to order[1 - from]. A block of threads takes ITEMS.
INVERSION_KERNEL count_keys(Block block, Count count, int from, int shift) {
  INVERSION_SHARED(CountShared, s);
  countDigits(KeyItems{block.keys[from], nullptr, count, shift}, block.digits, s);
}

INVERSION_KERNEL scatter_keys(Block block, Count count, int from, int shift) {
  INVERSION_SHARED(ScatterShared, s);
  scatter(KeyItems{block.keys[from], block.keys[1 - from], count, shift}, block, s);
}

INVERSION_KERNEL count_terms(Block block, Count count, int from, int byte) {
  INVERSION_SHARED(CountShared, s);
  countDigits(TermItems{block, block.order[from], nullptr, count, byte}, block.digits, s);
}

INVERSION_KERNEL scatter_terms(Block block, Count count, int from, int byte) {
  INVERSION_SHARED(ScatterShared, s);
  scatter(TermItems{block, block.order[from], block.order[1 - from], count, byte}, block, s);
}

// The first SHORT bytes of a term, high byte first and zeros behind.
__device__ __forceinline__ Name firstBytes(const Block &block, uint32_t slot) {
  Slot term = block.table[slot];
  if (term.high < LONG_TERM) return Name{term.high, term.low - 1};
  const uint8_t *bytes = block.longBytes + block.longStart[slot];
  Name first{0, 0};
  for (int i = 0; i < 8; i++) {
    first.high = first.high << 8 | bytes[i];
    first.low = first.low << 8 | bytes[8 + i];
  }
  return first;
}

// Bytes of a term from a place behind its first SHORT bytes on, high byte first and zeros behind.
__device__ __forceinline__ Count eightBytes(const Block &block, uint32_t slot, uint32_t at) {
  if (block.table[slot].high < LONG_TERM) return 0;
  const uint8_t *bytes = block.longBytes + block.longStart[slot];
  uint32_t length = block.longLength[slot];
  Count eight = 0;
  for (uint32_t i = at; i < at + 8; i++) eight = eight << 8 | (i < length ? bytes[i] : 0);
  return eight;
}

// Whether a term is before another one; no term contains a zero behind its field.
__device__ __forceinline__ bool isBefore(const Block &block, uint32_t slot, uint32_t other, uint32_t at) {
  for (; at <= LONGEST; at += 8) {
    Count bytes = eightBytes(block, slot, at), otherBytes = eightBytes(block, other, at);
    if (bytes != otherBytes) return bytes < otherBytes;
  }
  return false;
}

#ifndef MAX_TIES_BITS
#define MAX_TIES_BITS 16
#endif
constexpr uint32_t MAX_TIES = 1 << MAX_TIES_BITS;

// Notes of each term, in the records that write_terms overwrites later, whether it has the same first SHORT bytes as the
// one before it, and the bytes behind these: a thread for each term.
INVERSION_KERNEL find_ties(Block block, Count count, int from) {
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (at >= count) return;
  const uint32_t *slots = block.order[from];
  uint32_t slot = slotWithin(block, slots[at]);
  Name name = firstBytes(block, slot), before = at == 0 ? Name{0, 0} : firstBytes(block, slotWithin(block, slots[at - 1]));
  block.terms[at].keys = name.high == before.high && name.low == before.low;
  block.terms[at].high = eightBytes(block, slot, SHORT);
}

// Puts terms with the same first SHORT bytes in order, from order[from] to order[1 - from]: a thread for each term,
// which counts those that are before it.
INVERSION_KERNEL order_ties(Block block, Count count, int from) {
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (at >= count) return;
  const uint32_t *slots = block.order[from];
  uint32_t slot = slotWithin(block, slots[at]), before = 0, ties = 1;
  Count bytes = block.terms[at].high, first = at;
  auto countIfBefore = [&](Count other) {
    Count otherBytes = block.terms[other].high;
    before += otherBytes < bytes ||
              (otherBytes == bytes && isBefore(block, slotWithin(block, slots[other]), slot, SHORT + 8));
    ties++;
  };
  while (first > 0 && block.terms[first].keys != 0 && ties <= MAX_TIES) countIfBefore(--first);
  for (Count other = at + 1; other < count && block.terms[other].keys != 0 && ties <= MAX_TIES; other++)
    countIfBefore(other);
  if (ties > MAX_TIES) {
    atomicAdd(&block.counters->ties, 1ull);
    return;
  }
  block.order[1 - from][first + before] = slot;
}

}  // namespace inversion
