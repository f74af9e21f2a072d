// Keys with the ranks of their terms instead of slots, the lists of the sorted keys, and the dictionary.
#pragma once
#include "order.cuh"

namespace inversion {

// Writes the rank of each slot to listEnd, which find_lists overwrites later: a thread for each term.
INVERSION_KERNEL rank_terms(Block block, Count count, int from) {
  Count rank = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (rank < count) block.listEnd[slotWithin(block, block.order[from][rank])] = (uint32_t)rank;
}

// Puts ranks into keys, so that lists are in order of terms: a thread for each key.
INVERSION_KERNEL rank_keys(Block block, Count count) {
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (at >= count) return;
  int shift = (int)(block.docBits + block.positionBits);
  Count key = block.keys[0][at], rank = block.listEnd[slotWithin(block, key >> shift)];
  block.keys[0][at] = rank << shift | (key & ((1ull << shift) - 1));
}

// Notes where the keys of each rank start and end: a thread for each key.
INVERSION_KERNEL find_lists(Block block, Count count, int from) {
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (at >= count) return;
  const Count *keys = block.keys[from];
  int shift = (int)(block.docBits + block.positionBits);
  Count found = keys[at] >> shift;
  uint32_t rank = slotWithin(block, found);
  if (at == 0 || keys[at - 1] >> shift != found) block.listStart[rank] = (uint32_t)at;
  if (at + 1 == count || keys[at + 1] >> shift != found) block.listEnd[rank] = (uint32_t)at + 1;
}

// Writes the dictionary: a thread for each term.
INVERSION_KERNEL write_terms(Block block, Count count, int from) {
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (at >= count) return;
  uint32_t slot = slotWithin(block, block.order[from][at]), start = block.listStart[at];
  Name name = firstBytes(block, slot);
  Term term{name.high, name.low, start, block.listEnd[at] - start, 0, 0};
  if (block.table[slot].high >= LONG_TERM) {
    term.longStart = block.longStart[slot];
    term.length = block.longLength[slot];
  } else {
    term.length = SHORT;
    while ((term.length > 8 ? term.low >> 8 * (SHORT - term.length) : term.high >> 8 * (8 - term.length)) % 256 == 0)
      term.length--;
  }
  block.terms[at] = term;
}

}  // namespace inversion
