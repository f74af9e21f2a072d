// Words whose terms are their stems: several terms become one, and stop words none. The host makes the stems of the
// distinct words (the Java class Stems), while keys wait; it writes the stems in order to `terms`, and for each word in
// order the rank of its stem to `listStart`. The ranks of stop words are behind those of all stems, one for each field.
//
//   rank_stems   each slot gets the rank of its word's stem, as rank_terms gives it that of its term
//   drop_words   the keys of stop words, which are now the last ones, are counted and taken from the lengths of parts
//   write_stems  the stems get their keys, as write_terms gives them to terms; from here on, the counters count stems
#pragma once
#include "lists.cuh"
#include "scan.cuh"

namespace inversion {

// Writes the rank of each slot to listEnd, which find_lists overwrites later: a thread for each word.
INVERSION_KERNEL rank_stems(Block block, Count count, int from) {
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (at < count) block.listEnd[slotWithin(block, block.order[from][at])] = block.listStart[at];
}

// Counts the keys from rank `stems` on, of `count` sorted ones: a thread for each key. A part loses as many tokens as
// there are keys of its document with the rank of its field, which are together.
INVERSION_KERNEL drop_words(Block block, Count count, int from, Count stems) {
  INVERSION_SHARED(SumsShared, s);
  const Count *keys = block.keys[from];
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x, word = 0, position = 0;
  Count key = at < count ? keys[at] >> block.positionBits : 0, rank = key >> block.docBits;
  if (at < count && rank >= stems) {
    word = 1;
    position = keys[at] & ((1ull << block.positionBits) - 1);
    Count part = (key & ((1ull << block.docBits) - 1)) * block.fields + (rank - stems);
    bool isFirst = at == 0 || keys[at - 1] >> block.positionBits != key;
    bool isLast = at + 1 == count || keys[at + 1] >> block.positionBits != key;
    if (part < block.partCount) {
      if (isFirst) atomicAdd(&block.lengths[part], (uint32_t)at);
      if (isLast) atomicAdd(&block.lengths[part], ~(uint32_t)at);  // minus what is at its end
    }
  }
  Count words, positions;
  sumBefore(word, s.sums, words);
  sumBefore(position, s.sums, positions);
  if (threadIdx.x == 0 && words > 0) {
    atomicAdd(&block.counters->dropped, words);
    atomicAdd(&block.counters->droppedPositions, positions);
  }
}

// Notes the keys of each stem, and corrects the counters: a thread for each, and one if there is no stem.
INVERSION_KERNEL write_stems(Block block, Count stems, Count longBytes) {
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (at == 0) {
    block.counters->tokens -= block.counters->dropped;
    block.counters->terms = stems;
    block.counters->longBytes = longBytes;
  }
  if (at >= stems) return;
  block.terms[at].firstKey = block.listStart[at];
  block.terms[at].keys = block.listEnd[at] - block.listStart[at];
}

}  // namespace inversion
