// Words of the text: which bytes belong to one, where they start, and how many there are in each tile and part.
#pragma once
#include "block.cuh"

namespace inversion {

// What a byte is to words; a connector is both a letter and a digit. A set of 16 bytes of each kind is gathered in a
// field of 16 bits.
constexpr Count LETTER = 1, DIGIT = 1ull << 16, JOINS_LETTERS = 1ull << 32, JOINS_DIGITS = 1ull << 48;

HOST_DEVICE Count kindOf(uint32_t byte) {
  if (byte >= 0x80 || (byte | 32) - 'a' < 26) return LETTER;
  if (byte - '0' < 10) return DIGIT;
  switch (byte) {
    case '_': return LETTER | DIGIT;
    case ':': return JOINS_LETTERS;
    case ',': case ';': return JOINS_DIGITS;
    case '.': case '\'': return JOINS_LETTERS | JOINS_DIGITS;
    default: return 0;
  }
}

struct MarkShared {
  Count kinds[256];
  // Sets of 16 bytes each, with one before the tile and one after it.
  uint16_t letters[TILE / 16 + 4], digits[TILE / 16 + 4], joinLetters[TILE / 16 + 4], joinDigits[TILE / 16 + 4];
  uint32_t inWord[SET + 1];  // the first is before the tile
  uint32_t starts[SET], before[SET];
  alignas(16) uint32_t sums[WARPS];
};

// The set of the 32 bytes from 16 * half on.
__device__ __forceinline__ uint32_t both(const uint16_t *sets, int half) {
  return sets[half] | (uint32_t)sets[half + 1] << 16;
}

// The bytes of words among the 32 from 16 * half on. A joiner belongs to a word between two letters, or two digits.
__device__ __forceinline__ uint32_t wordBytes(const MarkShared &s, int half) {
  uint32_t letters = both(s.letters, half), digits = both(s.digits, half);
  uint32_t onlyLetters = letters & ~digits, onlyDigits = digits & ~letters;
  uint32_t letterBefore = (s.letters[half - 1] & ~s.digits[half - 1]) >> 15 & 1;
  uint32_t digitBefore = (s.digits[half - 1] & ~s.letters[half - 1]) >> 15 & 1;
  uint32_t letterAfter = s.letters[half + 2] & ~s.digits[half + 2] & 1;
  uint32_t digitAfter = s.digits[half + 2] & ~s.letters[half + 2] & 1;
  uint32_t betweenLetters = (onlyLetters << 1 | letterBefore) & (onlyLetters >> 1 | letterAfter << 31);
  uint32_t betweenDigits = (onlyDigits << 1 | digitBefore) & (onlyDigits >> 1 | digitAfter << 31);
  return letters | digits | (both(s.joinLetters, half) & betweenLetters) | (both(s.joinDigits, half) & betweenDigits);
}

// Whether the byte before a tile belongs to a word. If it is a joiner, the byte before it is needed, too.
__device__ __forceinline__ bool isWordBefore(const MarkShared &s) {
  uint32_t onlyLetters = s.letters[0] & ~s.digits[0], onlyDigits = s.digits[0] & ~s.letters[0];
  bool letters = onlyLetters >> 14 & s.letters[1] & ~s.digits[1] & 1;
  bool digits = onlyDigits >> 14 & s.digits[1] & ~s.letters[1] & 1;
  return ((s.letters[0] | s.digits[0]) >> 15 & 1) || (s.joinLetters[0] >> 15 && letters) ||
         (s.joinDigits[0] >> 15 && digits);
}

// Connectors alone are no word: the start of some is one only if a letter or digit follows.
__device__ __forceinline__ bool isWord(const uint8_t *start) {
  while (*start == '_') start++;
  return kindOf(*start) == LETTER || kindOf(*start) == DIGIT;
}

// One block of threads per tile. Each thread decides for 64 bytes.
INVERSION_KERNEL mark_words(Block block) {
  INVERSION_SHARED(MarkShared, s);
  int t = threadIdx.x;
  uint32_t tile = blockIdx.x;
  const uint8_t *text = block.text + (Count)tile * TILE;
  s.kinds[t] = kindOf(t);
  __syncthreads();
  for (int j = t; j < TILE / 16 + 2; j += THREADS) {
    uint4 sixteen = *reinterpret_cast<const uint4 *>(text + 16 * j - 16);
    uint32_t words[4] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
    uint32_t isOne = 0, joins = 0;
#pragma unroll
    for (int i = 0; i < 16; i++) {
      Count kind = s.kinds[words[i / 4] >> 8 * (i % 4) & 0xFF];
      isOne += (uint32_t)kind << i;
      joins += (uint32_t)(kind >> 32) << i;
    }
    s.letters[j] = isOne;
    s.digits[j] = isOne >> 16;
    s.joinLetters[j] = joins;
    s.joinDigits[j] = joins >> 16;
  }
  __syncthreads();
  for (int w = 2 * t; w < 2 * t + 2; w++) s.inWord[w + 1] = wordBytes(s, 2 * w + 1);
  if (t == 0) s.inWord[0] = (uint32_t)isWordBefore(s) << 31;
  __syncthreads();
  uint32_t found[2];
  for (int i = 0; i < 2; i++) {
    int w = 2 * t + i;
    uint32_t in = s.inWord[w + 1], starts = in & ~(in << 1 | s.inWord[w] >> 31);
    uint32_t connectors = starts & both(s.letters, 2 * w + 1) & both(s.digits, 2 * w + 1);
    for (; connectors != 0; connectors &= connectors - 1) {
      int bit = __ffs(connectors) - 1;
      if (!isWord(text + 32 * w + bit)) starts &= ~(1u << bit);
    }
    s.starts[w] = starts;
    found[i] = __popc(starts);
    block.starts[(Count)tile * SET + w] = starts;
    block.inWord[(Count)tile * SET + w] = in;
  }
  if (tile + 1 == block.tiles && t < HALO / 32) block.inWord[block.tiles * SET + t] = 0;
  uint32_t tokens;
  s.before[2 * t] = sumBefore(found[0] + found[1], s.sums, tokens);
  s.before[2 * t + 1] = s.before[2 * t] + found[0];
  if (t == 0) block.tileTokens[tile] = tokens;
  __syncthreads();
  uint32_t last = block.tilePart[tile + 1];
  for (uint32_t part = block.tilePart[tile] + t; part <= last; part += THREADS) {
    uint32_t at = block.parts[part] - tile * TILE;  // large for parts that start before
    if (at < TILE) block.partRank[part] = s.before[at / 32] + __popc(s.starts[at / 32] & ((1u << at % 32) - 1));
  }
}

// Notes the part that reaches into each tile, so that all parts that start in it are that or a later one: a thread for
// each tile and one more.
INVERSION_KERNEL find_parts(Block block) {
  uint32_t tile = blockIdx.x * THREADS + threadIdx.x;
  if (tile < block.tiles)
    block.tilePart[tile] = tile == 0 ? 0 : partAt(block.parts, 0, (uint32_t)block.partCount, tile * TILE - 1);
  if (tile == block.tiles) block.tilePart[tile] = (uint32_t)block.partCount;
}

struct ScanShared {
  alignas(16) uint32_t sums[WARPS];
};

// One block of threads, 8 tiles for each thread at a time.
INVERSION_KERNEL scan_tiles(Block block) {
  INVERSION_SHARED(ScanShared, s);
  constexpr int EACH = 8;
  uint32_t before = 0;
  for (uint32_t start = 0; start < block.tiles; start += EACH * THREADS) {
    uint32_t first = start + EACH * threadIdx.x, tokens[EACH], sum = 0, total;
    for (int i = 0; i < EACH; i++) {
      tokens[i] = first + i < block.tiles ? block.tileTokens[first + i] : 0;
      sum += tokens[i];
    }
    uint32_t number = before + sumBefore(sum, s.sums, total);
    for (int i = 0; i < EACH; i++) {
      if (first + i < block.tiles) block.tileFirst[first + i] = number;
      number += tokens[i];
    }
    before += total;
  }
  if (threadIdx.x == 0) {
    block.tileFirst[block.tiles] = before;
    block.counters->tokens = before;
  }
}

// The number of the first token in a part, or behind the last part.
__device__ __forceinline__ uint32_t firstToken(const Block &block, uint32_t part) {
  uint32_t start = block.parts[part];
  return start >= block.bytes ? block.tileFirst[block.tiles] : block.tileFirst[start / TILE] + block.partRank[part];
}

// A thread for each part.
INVERSION_KERNEL measure_parts(Block block) {
  uint32_t part = blockIdx.x * THREADS + threadIdx.x;
  if (part < block.partCount) block.lengths[part] = firstToken(block, part + 1) - firstToken(block, part);
}

}  // namespace inversion
