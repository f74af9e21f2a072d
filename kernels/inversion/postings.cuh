// The postings of each term, as Lucene104PostingsFormat has them in its files for documents and for positions. The Java
// classes PostingsEncoder and PositionsEncoder write the same bytes and explain them.
//
//   heads      where postings start: at the first key of each document of a term
//   blocks     how many full blocks of documents and positions each term has
//   sizes      of full blocks, and of each term
//   records    what Lucene keeps for each term; the totals
//   pack       the bytes
//
// Sizes are those of bytes that are assembled, or counted by the same code that writes them later. Between these
// passes, scans (scan.cuh) turn sizes into places. A warp takes a full block, a thread the rest of a term.
#pragma once
#include "lists.cuh"
#include "packing.cuh"
#include "scan.cuh"

namespace inversion {

constexpr int GROUP = 32;           // full blocks of documents of a group, which has a head
static_assert(GROUP == 32, "a lane for each block");
constexpr int FRONT_ROOM = 16;      // for what stands before a block of documents, or the head of a group
constexpr int MAX_PLACE_BYTES = 6;  // bytes of positions since the block before, and positions behind the last block
constexpr int MAX_HEAD_BYTES = FRONT_ROOM + 2 + MAX_IMPACT_BYTES * NORMS + MAX_PLACE_BYTES;
constexpr int MAX_GAPS_BYTES = 1 + 4 * BLOCK;

using PositionsAssembly = Assembly<MAX_PACKED_BYTES>;
using DocsAssembly = Assembly<MAX_HEAD_BYTES + MAX_GAPS_BYTES + MAX_PACKED_BYTES>;
using GroupAssembly = Assembly<MAX_HEAD_BYTES>;

template <class OfWarp>
struct PackShared {
  OfWarp warps[WARPS];
};

// ---- heads

__device__ __forceinline__ uint32_t rankOf(const Block &block, Count key) {
  return slotWithin(block, key >> (block.docBits + block.positionBits));
}

__device__ __forceinline__ uint32_t documentOfKey(const Block &block, Count key) {
  return (uint32_t)(key >> block.positionBits & ((1ull << block.docBits) - 1));
}

// Whether a posting starts at a key; one that is empty starts behind the last key.
__device__ __forceinline__ bool startsPosting(const Block &block, const Count *keys, Count count, Count at) {
  if (at == 0 || at >= count) return at <= count;
  return keys[at] >> block.positionBits != keys[at - 1] >> block.positionBits;
}

// Whether a key, or the end, follows the one before: the ranks of all terms occur, and no key is there twice.
__device__ __forceinline__ bool follows(const Block &block, const Count *keys, Count count, Count terms, Count at) {
  Count rank = at == count ? terms : rankOf(block, keys[at]);
  if (at == 0) return rank == 0;
  Count before = rankOf(block, keys[at - 1]);
  return rank == before + 1 || (at < count && rank == before && keys[at] > keys[at - 1]);
}

// Counts the postings that start in each tile of ITEMS keys, and checks the order of keys: a block of threads for each
// tile. There is always one for the place behind the last key.
INVERSION_KERNEL count_heads(Block block, Count count, Count terms, int from) {
  INVERSION_SHARED(ScanShared, s);
  const Count *keys = block.keys[from];
  uint32_t heads = 0, total;
  bool isOrdered = count == block.counters->tokens && terms == block.counters->terms;
  for (int i = 0; i < EACH; i++) {
    Count at = (Count)blockIdx.x * ITEMS + i * THREADS + threadIdx.x;
    heads += startsPosting(block, keys, count, at);
    isOrdered &= at > count || follows(block, keys, count, terms, at);
  }
  if (!isOrdered) atomicAdd(&block.counters->disorder, 1ull);
  sumBefore(heads, s.sums, total);
  if (threadIdx.x == 0) block.tileHeads[blockIdx.x] = total;
}

// Notes the first key of each posting and the first posting of each term: a block of threads for each tile.
INVERSION_KERNEL write_heads(Block block, Count count, Count terms, int from) {
  INVERSION_SHARED(ScanShared, s);
  const Count *keys = block.keys[from];
  Count first = (Count)blockIdx.x * ITEMS + threadIdx.x / 32 * WARP_ITEMS + laneOf();
  uint32_t heads[EACH], found = 0, total;
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    heads[i] = __ballot_sync(~0u, startsPosting(block, keys, count, first + 32 * i));
    found += __popc(heads[i]);
  }
  uint32_t posting = (uint32_t)block.tileHeads[blockIdx.x] + sumBefore(laneOf() == 31 ? found : 0, s.sums, total);
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    Count at = first + 32 * i;
    uint32_t here = posting + __popc(heads[i] & lanesBefore());
    posting += __popc(heads[i]);
    if ((heads[i] >> laneOf() & 1) == 0) continue;
    block.postingKey[here] = (uint32_t)at;
    if (at == count) {
      block.termPosting[terms] = here;
      block.counters->postings = here;
    } else if (at == 0 || rankOf(block, keys[at]) != rankOf(block, keys[at - 1])) {
      block.termPosting[rankOf(block, keys[at])] = here;
    }
  }
}

// ---- postings and blocks

__device__ __forceinline__ uint32_t documentAt(const Block &block, const Count *keys, Count posting) {
  return documentOfKey(block, keys[block.postingKey[posting]]);
}

// The document of a posting of a term less the one before it, or plus one if it is the first.
__device__ __forceinline__ uint32_t documentGap(const Block &block, const Count *keys, uint32_t rank, Count posting) {
  uint32_t document = documentAt(block, keys, posting);
  return posting == block.termPosting[rank] ? document + 1 : document - documentAt(block, keys, posting - 1);
}

__device__ __forceinline__ uint32_t frequencyOf(const Block &block, Count posting) {
  return block.postingKey[posting + 1] - block.postingKey[posting];
}

// The position of a key, less the one before it in the same document.
__device__ __forceinline__ uint32_t positionGap(const Block &block, const Count *keys, Count at) {
  Count key = keys[at];
  if (at > 0 && keys[at - 1] >> block.positionBits == key >> block.positionBits) return (uint32_t)(key - keys[at - 1]);
  return (uint32_t)(key & ((1ull << block.positionBits) - 1));
}

// Counts the full blocks of each term: a thread for each term.
INVERSION_KERNEL count_blocks(Block block, Count terms) {
  Count rank = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (rank >= terms) return;
  bool isOrdered = block.counters->disorder == 0;
  block.docBlockFirst[rank] = isOrdered ? (block.termPosting[rank + 1] - block.termPosting[rank]) / BLOCK : 0;
  block.positionBlockFirst[rank] = isOrdered ? block.terms[rank].keys / BLOCK : 0;
}

// A full block: the rank of its term, and its number among the term's.
struct FullBlock {
  uint32_t rank;
  Count number;
};

// Finds the last term whose first full block is this one or before it: by all lanes, each with every 32nd part.
__device__ __forceinline__ FullBlock findBlock(const Count *firstBlock, Count terms, Count found) {
  Count first = 0;
  for (Count count = terms; count > 1;) {
    Count step = (count + 31) / 32, at = step * laneOf();
    Count part = __popc(__ballot_sync(~0u, at < count && firstBlock[first + at] <= found)) - 1;
    first += part * step;
    count = part * step + step <= count ? step : count - part * step;
  }
  return FullBlock{(uint32_t)first, found - firstBlock[first]};
}

__device__ __forceinline__ Count blockOfWarp() { return (Count)blockIdx.x * WARPS + threadIdx.x / 32; }

// Assembles a full block of positions.
__device__ __forceinline__ Assembled assemblePositions(const Block &block, const Count *keys, FullBlock of,
                                                       PositionsAssembly &to) {
  Count first = block.terms[of.rank].firstKey + of.number * BLOCK;
  uint32_t gaps[OF_LANE];
  for (int i = 0; i < OF_LANE; i++) gaps[i] = positionGap(block, keys, first + 32 * i + laneOf());
  Sink out = sinkOfWarp(to.bytes, 0);
  putPatched(gaps, to.numbers, to.bytes, out);
  return Assembled{to.bytes, out.size};
}

// Where the positions behind some postings of a term start, relative to those behind earlier ones: the bytes of full
// blocks, and the number of positions behind these.
__device__ __forceinline__ void putPlace(const Block &block, uint32_t rank, Count earlier, Count posting, Sink &out) {
  const Count *starts = block.positionBlockStart + block.positionBlockFirst[rank];
  uint32_t firstKey = block.terms[rank].firstKey, positions = block.postingKey[posting] - firstKey;
  putVariable(out, starts[positions / BLOCK] - starts[(block.postingKey[earlier] - firstKey) / BLOCK]);
  out.put(positions % BLOCK);
}

// The field of a term.
__device__ __forceinline__ uint32_t fieldOf(const Block &block, uint32_t rank) {
  uint32_t ordinal = (uint32_t)(block.terms[rank].high >> 56), field = 0;
  while (field + 1 < block.fields && (block.fieldOrdinals >> 8 * field & 0xFF) != ordinal) field++;
  return field;
}

// Collects the highest frequency for each norm of some documents of a term.
__device__ __forceinline__ void collectImpacts(const Block &block, const Count *keys, uint32_t rank, Count posting,
                                               uint32_t count, uint32_t *highest) {
  uint32_t field = fieldOf(block, rank);
  for (int i = laneOf(); i < NORMS; i += 32) highest[i] = 0;
  __syncwarp();
#pragma unroll 8
  for (uint32_t i = laneOf(); i < count; i += 32) {
    uint32_t length = block.lengths[documentAt(block, keys, posting + i) * block.fields + field];
    atomicMax(&highest[normOf(length)], frequencyOf(block, posting + i));
  }
  __syncwarp();
}

// Puts the gaps of documents: nothing if all are one, packed, or as a set if that takes little more.
__device__ __forceinline__ void putGaps(const uint32_t (&gaps)[OF_LANE], uint32_t range, uint32_t *numbers,
                                        uint8_t *bytes, Sink &out) {
  uint32_t all = 0;
  for (uint32_t gap : gaps) all |= gap;
  int bits = (int)bitsOf(unionOfWarp(all));
  if (range == BLOCK) {
    out.put(0);
    return;
  }
  __syncwarp();
  if ((uint32_t)BLOCK * (bits < 32 ? bits + 1 : 32) <= range) {
    for (int i = 0; i < OF_LANE; i++) numbers[32 * i + laneOf()] = gaps[i];
    out.put(bits);
    putPacked(numbers, bits, bytes, out);
    return;
  }
  int words = (int)(range + 63) / 64;
  for (int i = laneOf(); i < BLOCK; i += 32) numbers[i] = 0;
  __syncwarp();
  uint32_t before = 0;  // the sum of the gaps so far
  for (int i = 0; i < OF_LANE; i++) {
    uint32_t at = before + sumOfLanesBefore(gaps[i]) + gaps[i] - 1;
    atomicOr(&numbers[at / 32], 1u << at % 32);
    before += sumOfWarp(gaps[i]);
  }
  __syncwarp();
  out.put(-words);
  for (int i = laneOf(); i < 8 * words; i += 32) bytes[out.size + i] = (uint8_t)(numbers[i / 4] >> 8 * (i % 4));
  out.size += 8 * words;
}

// Puts what stands before the bytes from FRONT_ROOM on, and returns all of it.
template <class PutFront>
__device__ __forceinline__ Assembled withFront(uint8_t *bytes, uint32_t end, PutFront putFront) {
  Sink counted{nullptr, 0};
  putFront(counted);
  uint8_t *start = bytes + FRONT_ROOM - counted.size;
  Sink front = sinkOfWarp(start, 0);
  putFront(front);
  return Assembled{start, end - FRONT_ROOM + front.size};
}

// Assembles a full block of documents.
__device__ __forceinline__ Assembled assembleDocs(const Block &block, const Count *keys, FullBlock of, DocsAssembly &to,
                                                  LaneImpacts &impacts) {
  Count first = block.termPosting[of.rank] + of.number * BLOCK;
  collectImpacts(block, keys, of.rank, first, BLOCK, to.numbers);
  impacts = measureImpacts(to.numbers);
  Sink out = sinkOfWarp(to.bytes, FRONT_ROOM);
  putVariable(out, impacts.bytes);
  putImpacts(to.numbers, impacts, to.bytes, out);
  putPlace(block, of.rank, first, first + BLOCK, out);
  uint32_t head = out.size - FRONT_ROOM, numbers[OF_LANE], range = 0;
  for (int i = 0; i < OF_LANE; i++) {
    numbers[i] = documentGap(block, keys, of.rank, first + 32 * i + laneOf());
    range += numbers[i];
  }
  range = sumOfWarp(range);
  putGaps(numbers, range, to.numbers, to.bytes, out);
  for (int i = 0; i < OF_LANE; i++) numbers[i] = frequencyOf(block, first + 32 * i + laneOf());
  putPatched(numbers, to.numbers, to.bytes, out);
  uint32_t size = out.size - FRONT_ROOM;
  Sink sizes{nullptr, 0};
  putVariable15(sizes, range);
  putVariable15(sizes, size);
  return withFront(to.bytes, out.size, [&](Sink &front) {
    putVariable(front, sizes.size + head);
    putVariable15(front, range);
    putVariable15(front, size);
  });
}

// Whether a full block of documents is the first of a complete group.
__device__ __forceinline__ bool startsGroup(const Block &block, FullBlock of) {
  Count blocks = block.docBlockFirst[of.rank + 1] - block.docBlockFirst[of.rank];
  return of.number % GROUP == 0 && of.number + GROUP <= blocks;
}

// Assembles the head of a group.
__device__ __forceinline__ Assembled assembleGroup(const Block &block, const Count *keys, FullBlock of,
                                                   GroupAssembly &to, LaneImpacts &impacts) {
  Count first = block.termPosting[of.rank] + of.number * BLOCK, end = first + GROUP * BLOCK;
  collectImpacts(block, keys, of.rank, first, GROUP * BLOCK, to.numbers);
  impacts = measureImpacts(to.numbers);
  Sink out = sinkOfWarp(to.bytes, FRONT_ROOM);
  putImpacts(to.numbers, impacts, to.bytes, out);
  putPlace(block, of.rank, first, end, out);
  uint32_t before = of.number == 0 ? ~0u : documentAt(block, keys, first - 1);
  uint32_t range = documentAt(block, keys, end - 1) - before, size = out.size - FRONT_ROOM;
  uint32_t blocks = sumOfWarp(block.docBlockBytes[block.docBlockFirst[of.rank] + of.number + laneOf()]);
  return withFront(to.bytes, out.size, [&](Sink &front) {
    putVariable(front, range);
    putVariable(front, 4 + size + blocks);
    putShort(front, 2 + size);
    putShort(front, impacts.bytes);
  });
}

// ---- the rest of a term

// Puts the positions behind the full blocks of a term.
__device__ __forceinline__ void putRestOfPositions(const Block &block, const Count *keys, uint32_t rank, Sink &out) {
  Count start = block.terms[rank].firstKey, count = block.terms[rank].keys;
  for (Count i = count / BLOCK * BLOCK; i < count; i++) putVariable(out, positionGap(block, keys, start + i));
}

// Puts the documents behind the full blocks of a term, if it has more than one: gaps, whose lowest bit says whether the
// frequency is one, then the other frequencies.
__device__ __forceinline__ void putRestOfDocs(const Block &block, const Count *keys, uint32_t rank, Sink &out) {
  Count first = block.termPosting[rank], end = block.termPosting[rank + 1], count = end - first;
  if (count == 1) return;
  Count rest = first + count / BLOCK * BLOCK, posting = rest;
  auto gapAndBit = [&](Count of) {
    return documentGap(block, keys, rank, of) << 1 | (frequencyOf(block, of) == 1);
  };
  for (; end - posting >= 4; posting += 4) {
    uint32_t four[4];
    for (int i = 0; i < 4; i++) four[i] = gapAndBit(posting + i);
    putFour(out, four);
  }
  for (; posting < end; posting++) putVariable(out, gapAndBit(posting));
  for (posting = rest; posting < end; posting++) {
    uint32_t frequency = frequencyOf(block, posting);
    if (frequency != 1) putVariable(out, frequency);
  }
}

// Bytes of the full blocks of a term.
__device__ __forceinline__ Count bytesOfBlocks(const Count *firstBlock, const Count *starts, uint32_t rank) {
  return starts[firstBlock[rank + 1]] - starts[firstBlock[rank]];
}

// ---- sizes

// Sizes of full blocks of positions: a warp for each block that there may be.
INVERSION_KERNEL size_positions(Block block, Count blocks, Count terms, int from) {
  INVERSION_SHARED(PackShared<PositionsAssembly>, s);
  Count at = blockOfWarp();
  if (at >= blocks) return;
  uint32_t size = 0;
  if (at < block.positionBlockFirst[terms]) {
    FullBlock of = findBlock(block.positionBlockFirst, terms, at);
    size = assemblePositions(block, block.keys[from], of, s.warps[threadIdx.x / 32]).size;
  }
  if (laneOf() == 0) block.positionBlockStart[at] = size;
}

// Raises the greatest numbers and bytes of impacts.
__device__ __forceinline__ void raise(const LaneImpacts &impacts, Count *count, Count *bytes) {
  if (laneOf() != 0) return;
  atomicMax(count, (Count)impacts.count);
  atomicMax(bytes, (Count)impacts.bytes);
}

// Sizes of full blocks of documents: a warp for each block that there may be.
INVERSION_KERNEL size_docs(Block block, Count blocks, Count terms, int from) {
  INVERSION_SHARED(PackShared<DocsAssembly>, s);
  Count at = blockOfWarp();
  if (at >= blocks) return;
  uint32_t size = 0;
  if (at < block.docBlockFirst[terms]) {
    FullBlock of = findBlock(block.docBlockFirst, terms, at);
    LaneImpacts impacts;
    size = assembleDocs(block, block.keys[from], of, s.warps[threadIdx.x / 32], impacts).size;
    raise(impacts, &block.counters->blockImpacts, &block.counters->blockImpactBytes);
  }
  if (laneOf() == 0) block.docBlockBytes[at] = size;
}

// The same with the heads of groups before their first blocks.
INVERSION_KERNEL size_groups(Block block, Count blocks, Count terms, int from) {
  INVERSION_SHARED(PackShared<GroupAssembly>, s);
  Count at = blockOfWarp();
  if (at >= blocks) return;
  uint32_t size = 0;
  if (at < block.docBlockFirst[terms]) {
    FullBlock of = findBlock(block.docBlockFirst, terms, at);
    if (startsGroup(block, of)) {
      LaneImpacts impacts;
      size = assembleGroup(block, block.keys[from], of, s.warps[threadIdx.x / 32], impacts).size;
      raise(impacts, &block.counters->groupImpacts, &block.counters->groupImpactBytes);
    }
  }
  if (laneOf() == 0) block.docBlockStart[at] = size + block.docBlockBytes[at];
}

// Sizes of terms: a thread for each term.
INVERSION_KERNEL size_terms(Block block, Count terms, int from) {
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (at >= terms) return;
  uint32_t rank = (uint32_t)at;
  Sink docs{nullptr, 0}, positions{nullptr, 0};
  if (block.counters->disorder == 0) {
    putRestOfDocs(block, block.keys[from], rank, docs);
    putRestOfPositions(block, block.keys[from], rank, positions);
  }
  block.docsStart[rank] = bytesOfBlocks(block.docBlockFirst, block.docBlockStart, rank) + docs.size;
  block.positionsStart[rank] =
      bytesOfBlocks(block.positionBlockFirst, block.positionBlockStart, rank) + positions.size;
}

// ---- records

// Writes what Lucene keeps of each term, and the totals: a thread for each term.
INVERSION_KERNEL write_records(Block block, Count terms, int from) {
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (at >= terms) return;
  uint32_t rank = (uint32_t)at;
  if (rank == 0) {
    block.counters->docsBytes = block.docsStart[terms];
    block.counters->positionsBytes = block.positionsStart[terms];
  }
  if (block.counters->disorder != 0) return;
  Term term = block.terms[rank];
  PackedTerm packed{term.high, term.low, block.docsStart[rank], block.positionsStart[rank],
                    block.termPosting[rank + 1] - block.termPosting[rank], term.keys,
                    term.longStart, term.length, NONE, NONE};
  if (term.keys > BLOCK)
    packed.lastPositionsBlock = (uint32_t)bytesOfBlocks(block.positionBlockFirst, block.positionBlockStart, rank);
  if (packed.docFreq == 1) packed.firstDoc = documentAt(block, block.keys[from], block.termPosting[rank]);
  block.packedTerms[rank] = packed;
}

// ---- pack

// The full blocks of positions: a warp for each block that there may be.
INVERSION_KERNEL pack_positions(Block block, Count terms, int from) {
  INVERSION_SHARED(PackShared<PositionsAssembly>, s);
  Count at = blockOfWarp();
  if (at >= block.positionBlockFirst[terms]) return;
  FullBlock of = findBlock(block.positionBlockFirst, terms, at);
  Count before = block.positionBlockStart[at] - block.positionBlockStart[at - of.number];
  copyOut(assemblePositions(block, block.keys[from], of, s.warps[threadIdx.x / 32]),
          block.positions + block.positionsStart[of.rank] + before);
}

// The full blocks of documents: a warp for each block that there may be. They end where the next one, with the head of
// its group, starts.
INVERSION_KERNEL pack_docs(Block block, Count terms, int from) {
  INVERSION_SHARED(PackShared<DocsAssembly>, s);
  Count at = blockOfWarp();
  if (at >= block.docBlockFirst[terms]) return;
  FullBlock of = findBlock(block.docBlockFirst, terms, at);
  Count end = block.docBlockStart[at + 1] - block.docBlockStart[at - of.number];
  LaneImpacts impacts;
  Assembled packed = assembleDocs(block, block.keys[from], of, s.warps[threadIdx.x / 32], impacts);
  copyOut(packed, block.docs + block.docsStart[of.rank] + end - packed.size);
}

// The heads of groups: a warp for each full block of documents that there may be.
INVERSION_KERNEL pack_groups(Block block, Count terms, int from) {
  INVERSION_SHARED(PackShared<GroupAssembly>, s);
  Count at = blockOfWarp();
  if (at >= block.docBlockFirst[terms]) return;
  FullBlock of = findBlock(block.docBlockFirst, terms, at);
  if (!startsGroup(block, of)) return;
  Count before = block.docBlockStart[at] - block.docBlockStart[at - of.number];
  LaneImpacts impacts;
  copyOut(assembleGroup(block, block.keys[from], of, s.warps[threadIdx.x / 32], impacts),
          block.docs + block.docsStart[of.rank] + before);
}

// The rest of each term: a thread for each term.
INVERSION_KERNEL pack_rest(Block block, Count terms, int from) {
  Count at = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (at >= terms || block.counters->disorder != 0) return;
  uint32_t rank = (uint32_t)at;
  Count docsBefore = bytesOfBlocks(block.docBlockFirst, block.docBlockStart, rank);
  Count positionsBefore = bytesOfBlocks(block.positionBlockFirst, block.positionBlockStart, rank);
  Sink docs{block.docs + block.docsStart[rank] + docsBefore, 0};
  putRestOfDocs(block, block.keys[from], rank, docs);
  Sink positions{block.positions + block.positionsStart[rank] + positionsBefore, 0};
  putRestOfPositions(block, block.keys[from], rank, positions);
}

}  // namespace inversion
