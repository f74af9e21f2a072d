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

// Whether a term is before another one with the same first SHORT bytes. At most one of them is not longer.
__device__ __forceinline__ bool isBefore(const Block &block, uint32_t slot, uint32_t other) {
  if (block.table[other].high < LONG_TERM) return false;
  if (block.table[slot].high < LONG_TERM) return true;
  const uint8_t *bytes = block.longBytes + block.longStart[slot];
  const uint8_t *otherBytes = block.longBytes + block.longStart[other];
  uint32_t length = block.longLength[slot], otherLength = block.longLength[other], at = SHORT;
  while (at < length && at < otherLength && bytes[at] == otherBytes[at]) at++;
  return at < otherLength && (at == length || bytes[at] < otherBytes[at]);
}

// Moves the slot at a place of a heap, of which the last is on top, down to where it belongs.
__device__ __forceinline__ void siftDown(const Block &block, uint32_t *slots, uint32_t count, uint32_t at) {
  uint32_t slot = slots[at];
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && isBefore(block, slots[child], slots[child + 1])) child++;
    if (!isBefore(block, slot, slots[child])) break;
    slots[at] = slots[child];
  }
  slots[at] = slot;
}

constexpr Count MAX_TIES = 1 << 14;

// Puts terms with the same first SHORT bytes in order, from order[from] to order[1 - from]: a thread for each term. The
// thread of the first sorts all of them by a heap.
INVERSION_KERNEL order_ties(Block block, Count count, int from) {
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (at >= count) return;
  const uint32_t *unordered = block.order[from] + at;
  uint32_t *slots = block.order[1 - from] + at, ties = 1;
  Name name = firstBytes(block, slotWithin(block, unordered[0]));
  auto isSame = [&](uint32_t slot) {
    Name other = firstBytes(block, slotWithin(block, slot));
    return other.high == name.high && other.low == name.low;
  };
  if (at > 0 && isSame(*(unordered - 1))) return;
  while (ties <= MAX_TIES && at + ties < count && isSame(unordered[ties])) ties++;
  if (ties > MAX_TIES) {
    atomicAdd(&block.counters->ties, 1ull);
    return;
  }
  for (uint32_t i = 0; i < ties; i++) slots[i] = slotWithin(block, unordered[i]);
  for (uint32_t i = ties / 2; i-- > 0;) siftDown(block, slots, ties, i);
  for (uint32_t last = ties - 1; last > 0; last--) {
    uint32_t top = slots[0];
    slots[0] = slots[last];
    slots[last] = top;
    siftDown(block, slots, last, 0);
  }
}

}  // namespace inversion
