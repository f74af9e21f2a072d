// Terms of the tokens: a hash table of distinct terms, and a key for each token.
#pragma once
#include "block.cuh"
#include "words.cuh"

namespace inversion {

// Clears the table and the counters. A thread for each slot.
INVERSION_KERNEL clear_table(Block block) {
  Count slot = (Count)blockIdx.x * THREADS + threadIdx.x;
  if (slot < 1ull << block.slotBits) block.table[slot] = Slot{0, 0};
  if (slot == 0) *block.counters = Counters{};
}

// ASCII letters of four bytes in lower case.
HOST_DEVICE uint32_t lower4(uint32_t four) {
  uint32_t low = four & 0x7F7F7F7F;
  uint32_t letters = (low + 0x3F3F3F3F) & ~(low + 0x25252525) & ~four & 0x80808080;
  return four | letters >> 2;
}

HOST_DEVICE uint32_t plain4(uint32_t four) {
  uint32_t lower = lower4(four);
  // Bytes from 0xF0 on may be escapes.
  if ((four & four << 1 & four << 2 & four << 3 & 0x80808080) != 0) {
    lower = 0;
    for (int i = 0; i < 4; i++) lower |= (uint32_t)plainByte((uint8_t)(four >> 8 * i)) << 8 * i;
  }
  return lower;
}

// A term as the table holds it.
struct Name {
  Count high, low;
};

HOST_DEVICE Count hashOf(Name name) { return mix(name.high ^ (name.low ^ name.low >> 32) * 0x9E3779B97F4A7C15ull); }

constexpr uint32_t NO_SLOT = ~0u;

// The slot of a term, with linear probing; NO_SLOT if the table is full. The thread that takes a free slot writes `high` first and then `low`; others
// that see the same `high` wait for `low`.
__device__ __forceinline__ uint32_t slotOf(const Block &block, Name name, bool &isNew) {
  uint32_t mask = (1u << block.slotBits) - 1, slot = (uint32_t)hashOf(name) & mask;
  isNew = false;
  for (int probe = 0; probe < MAX_PROBES; probe++, slot = (slot + 1) & mask) {
    Slot *at = block.table + slot;
    Slot seen = loadSlot(at);
    if (seen.high == name.high && seen.low == name.low + 1) return slot;
    if (seen.high == 0) {
      seen.high = atomicCAS(&at->high, 0ull, name.high);
      if (seen.high == 0) {
        storeCount(&at->low, name.low + 1);
        isNew = true;
        return slot;
      }
      seen.low = 0;
    }
    if (seen.high == name.high) {
      while (seen.low == 0) seen.low = loadCount(&at->low);
      if (seen.low == name.low + 1) return slot;
    }
  }
  atomicAdd(&block.counters->full, 1ull);
  return NO_SLOT;
}

struct KeysShared {
  uint32_t text[(FRONT + TILE + HALO + 16) / 4];
  uint32_t inWord[SET + HALO / 32];
  uint16_t tokens[TILE_TOKENS];  // where they start
  alignas(16) uint32_t sums[WARPS];
  uint32_t longTokens;
};

// The length of the token that starts at a byte of the tile.
__device__ __forceinline__ uint32_t tokenLength(const KeysShared &s, uint32_t start) {
  uint32_t word = start / 32, outside = ~s.inWord[word] & ~0u << start % 32;
  while (outside == 0 && ++word < SET + HALO / 32) outside = ~s.inWord[word];
  return 32 * word + (outside == 0 ? 0 : __ffs(outside) - 1) - start;
}

// The name of a token in a field. That of a long one is a hash.
__device__ __forceinline__ Name nameOf(const KeysShared &s, uint32_t start, uint32_t length, uint32_t field) {
  const uint8_t *token = reinterpret_cast<const uint8_t *>(s.text) + FRONT + start;
  uint32_t first = (FRONT + start) / 4, shift = 8 * (start % 4), words[4], word = s.text[first];
#pragma unroll
  for (int i = 0; i < 4; i++) {
    uint32_t next = s.text[first + i + 1];
    int left = (int)length - 4 * i;
    uint32_t four = __funnelshift_r(word, next, shift);
    if (left < 4) four = left <= 0 ? 0 : four & ((1u << 8 * left) - 1);
    words[i] = reverse4(plain4(four));
    word = next;
  }
  Count high = (Count)words[0] << 32 | words[1], low = (Count)words[2] << 32 | words[3];
  Name name{(Count)field << 56 | high >> 8, high << 56 | low >> 8};
  if (length < SHORT) return name;
  Count one = name.high, two = name.low ^ length;
  for (uint32_t i = SHORT - 1; i < length; i++) {
    uint8_t byte = plainByte(token[i]);
    one = (one ^ byte) * 0x9E3779B97F4A7C15ull;
    one ^= one >> 31;
    two = (two + byte) * 0xC2B2AE3D27D4EB4Full;
    two ^= two >> 29;
  }
  return Name{LONG_TERM | mix(one ^ name.low) >> 8, mix(two ^ name.high)};
}

// Keeps the bytes of a long term, or notes a token to compare with them later.
__device__ __forceinline__ void keepLong(const Block &block, KeysShared &s, uint32_t tile, uint32_t start,
                                         uint32_t length, uint32_t field, uint32_t slot, bool isNew) {
  if (!isNew) {
    uint32_t number = atomicAdd(&s.longTokens, 1u);
    block.longToken[(Count)tile * TILE_LONG + number] = LongToken{slot, tile * TILE + start};
    return;
  }
  const uint8_t *token = reinterpret_cast<const uint8_t *>(s.text) + FRONT + start;
  uint32_t to = (uint32_t)atomicAdd(&block.counters->longBytes, (Count)(length + 1));
  block.longStart[slot] = to;
  block.longLength[slot] = length + 1;
  block.longBytes[to] = (uint8_t)field;
  for (uint32_t i = 0; i < length; i++) block.longBytes[to + 1 + i] = plainByte(token[i]);
}

HOST_DEVICE uint32_t ordinalOf(const Block &block, uint32_t part) {
  return block.fields == 1 ? block.fieldOrdinals & 0xFF : block.fieldOrdinals >> 8 * (part % (uint32_t)block.fields) & 0xFF;
}

HOST_DEVICE Count documentOf(const Block &block, uint32_t part) {
  return block.fields == 1 ? part : part / (uint32_t)block.fields;
}

// Writes the keys of the tokens, in their order. Blocks of threads take one tile after the other.
INVERSION_KERNEL make_keys(Block block) {
  INVERSION_SHARED(KeysShared, s);
  int t = threadIdx.x;
  for (uint32_t tile = blockIdx.x; tile < block.tiles; tile += gridDim.x) {
    const uint8_t *text = block.text + (Count)tile * TILE - FRONT;
    for (int i = t; i < (FRONT + TILE + HALO + 16) / 16; i += THREADS)
      reinterpret_cast<uint4 *>(s.text)[i] = reinterpret_cast<const uint4 *>(text)[i];
    for (int i = t; i < SET + HALO / 32; i += THREADS) s.inWord[i] = block.inWord[(Count)tile * SET + i];
    uint32_t starts[2], count;
    for (int i = 0; i < 2; i++) starts[i] = block.starts[(Count)tile * SET + 2 * t + i];
    uint32_t next = sumBefore<uint32_t>(__popc(starts[0]) + __popc(starts[1]), s.sums, count);
    for (int i = 0; i < 2; i++) {
      for (; starts[i] != 0; starts[i] &= starts[i] - 1) s.tokens[next++] = 64 * t + 32 * i + __ffs(starts[i]) - 1;
    }
    if (t == 0) s.longTokens = 0;
    __syncthreads();
    uint32_t firstPart = block.tilePart[tile], lastPart = block.tilePart[tile + 1], first = block.tileFirst[tile];
    for (uint32_t i = t; i < count; i += THREADS) {
      uint32_t start = s.tokens[i], length = tokenLength(s, start);
      if (length > LONGEST) {
        atomicAdd(&block.counters->tooLong, 1ull);
        length = LONGEST;
      }
      uint32_t part = partAt(block.parts, firstPart, lastPart, tile * TILE + start);
      uint32_t field = ordinalOf(block, part);
      bool isNew;
      uint32_t slot = slotOf(block, nameOf(s, start, length, field), isNew);
      if (length >= SHORT && slot != NO_SLOT) keepLong(block, s, tile, start, length, field, slot, isNew);
      Count position = first + i - firstToken(block, part), mask = (1ull << block.slotBits) - 1;
      block.keys[0][first + i] =
          ((Count)(slot & mask) << block.docBits | documentOf(block, part)) << block.positionBits | position;
    }
    __syncthreads();
    if (t == 0) block.longTokens[tile] = s.longTokens;
    __syncthreads();
  }
}

// Compares long tokens with the first of their terms: a block of threads per tile.
INVERSION_KERNEL check_long(Block block) {
  uint32_t tile = blockIdx.x;
  for (uint32_t i = threadIdx.x; i < block.longTokens[tile]; i += THREADS) {
    LongToken token = block.longToken[(Count)tile * TILE_LONG + i];
    const uint8_t *term = block.longBytes + block.longStart[token.slot], *text = block.text + token.at;
    uint32_t length = block.longLength[token.slot] - 1;
    uint32_t part = partAt(block.parts, block.tilePart[tile], block.tilePart[tile + 1], token.at), same = 0;
    auto isInWord = [&](uint32_t at) { return block.inWord[at / 32] >> at % 32 & 1; };
    while (same < length && isInWord(token.at + same) && plainByte(text[same]) == term[1 + same]) same++;
    if (same < length || isInWord(token.at + length) || ordinalOf(block, part) != term[0])
      atomicAdd(&block.counters->collisions, 1ull);
  }
}

// Lists the slots in use, in no order: a thread for each slot.
INVERSION_KERNEL collect_terms(Block block) {
  Count slot = (Count)blockIdx.x * THREADS + threadIdx.x;
  bool used = slot < 1ull << block.slotBits && block.table[slot].high != 0;
  uint32_t users = __ballot_sync(~0u, used);
  int lane = threadIdx.x & 31;
  uint32_t first = 0;
  if (lane == 0 && users != 0) first = (uint32_t)atomicAdd(&block.counters->terms, (Count)__popc(users));
  first = __shfl_sync(~0u, first, 0);
  if (used) block.order[0][first + __popc(users & ((1u << lane) - 1))] = (uint32_t)slot;
}

}  // namespace inversion
