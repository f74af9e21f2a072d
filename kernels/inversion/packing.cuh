// Bytes of postings in the encodings of Lucene104PostingsFormat, as the Java classes EncodedBytes, BlockPacking and
// BlockImpacts write them. A warp packs a block of BLOCK numbers; a thread puts single numbers into a sink.
#pragma once
#include "block.cuh"

namespace inversion {

constexpr int BLOCK = 256;            // documents or positions of a full block
constexpr int OF_LANE = BLOCK / 32;   // a lane has the numbers lane, lane + 32, ... of its warp's block
constexpr int MAX_OUTLIERS = 7;
constexpr int OUTLIER_BITS = 8;
constexpr int NORMS = 256;
constexpr int MAX_IMPACT_BYTES = 7;   // the lowest bit and a frequency, then a difference of norms
constexpr int MAX_PACKED_BYTES = 1 + BLOCK / 8 * 31 + 2 * MAX_OUTLIERS;

// ---- single numbers

// Takes bytes, or only counts them.
struct Sink {
  uint8_t *to;  // null to count
  uint32_t size;

  __device__ __forceinline__ void put(uint32_t byte) {
    if (to != nullptr) to[size] = (uint8_t)byte;
    size++;
  }
};

// 7 bits in a byte, the lowest first; all but the last have the sign bit.
__device__ __forceinline__ void putVariable(Sink &out, Count value) {
  for (; value >= 0x80; value >>= 7) out.put((uint32_t)value | 0x80);
  out.put((uint32_t)value);
}

__device__ __forceinline__ void putShort(Sink &out, uint32_t value) {
  out.put(value);
  out.put(value >> 8);
}

// 15 bits in two bytes, the rest behind.
__device__ __forceinline__ void putVariable15(Sink &out, Count value) {
  putShort(out, (uint32_t)(value & 0x7FFF) | (value >= 0x8000) << 15);
  if (value >= 0x8000) putVariable(out, value >> 15);
}

__device__ __forceinline__ uint32_t bitsOf(uint32_t value) { return 32 - __clz((int)(value | 1)); }

// Four numbers: a byte with the lengths, then their bytes.
__device__ __forceinline__ void putFour(Sink &out, const uint32_t (&values)[4]) {
  uint32_t lengths = 0;
  for (uint32_t value : values) lengths = lengths << 2 | (bitsOf(value) - 1) / 8;
  out.put(lengths);
  for (uint32_t value : values) {
    for (uint32_t at = 0; at < bitsOf(value); at += 8) out.put(value >> at);
  }
}

// Lucene's SmallFloat.intToByte4: the norm of a length.
HOST_DEVICE uint32_t normOf(uint32_t length) {
  constexpr uint32_t EXACT = 24;
  if (length < EXACT + 8) return length;
  uint32_t rest = length - EXACT, shift = 0;
  while (rest >> shift >= 16) shift++;
  return EXACT + ((shift + 1) << 3 | (rest >> shift & 7));
}

// ---- within a warp

__device__ __forceinline__ int laneOf() { return threadIdx.x & 31; }

__device__ __forceinline__ uint32_t lanesBefore() { return (1u << laneOf()) - 1; }

__device__ __forceinline__ uint32_t unionOfWarp(uint32_t value) {
  for (int step = 16; step > 0; step /= 2) value |= __shfl_xor_sync(~0u, value, step);
  return value;
}

__device__ __forceinline__ uint32_t sumOfWarp(uint32_t value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
  return value;
}

// The sum of the values of the lanes before this one.
__device__ __forceinline__ uint32_t sumOfLanesBefore(uint32_t value) {
  uint32_t sum = value;
  for (int step = 1; step < 32; step *= 2) {
    uint32_t other = __shfl_up_sync(~0u, sum, step);
    if (laneOf() >= step) sum += other;
  }
  return sum - value;
}

// The highest value of the lanes before this one, or zero.
__device__ __forceinline__ uint32_t highestOfLanesBefore(uint32_t value) {
  for (int step = 1; step < 32; step *= 2) {
    uint32_t other = __shfl_up_sync(~0u, value, step);
    if (laneOf() >= step && other > value) value = other;
  }
  uint32_t before = __shfl_up_sync(~0u, value, 1);
  return laneOf() == 0 ? 0 : before;
}

// ---- blocks of numbers

// What a warp needs to assemble a block: its numbers, or its highest frequencies by norm; and its bytes. There is room
// before the bytes for a head that depends on their number.
template <int MAX_BYTES>
struct Assembly {
  uint32_t numbers[BLOCK];
  uint8_t bytes[(MAX_BYTES + 15) / 16 * 16];
};

// Bytes that a warp has assembled.
struct Assembled {
  const uint8_t *from;
  uint32_t size;
};

// What puts single numbers into a warp's bytes: the first lane writes, the others count.
__device__ __forceinline__ Sink sinkOfWarp(uint8_t *bytes, uint32_t size) {
  return Sink{laneOf() == 0 ? bytes : nullptr, size};
}

__device__ __forceinline__ void copyOut(Assembled block, uint8_t *to) {
  __syncwarp();
  for (uint32_t i = laneOf(); i < block.size; i += 32) to[i] = block.from[i];
}

// Four, two or one of the numbers, side by side, that are a quarter or half of the block apart.
__device__ __forceinline__ uint32_t sideBySide(const uint32_t *numbers, int width, uint32_t at) {
  if (width == 8) return numbers[at] << 24 | numbers[at + 64] << 16 | numbers[at + 128] << 8 | numbers[at + 192];
  if (width == 16) return numbers[at] << 16 | numbers[at + 128];
  return numbers[at];
}

// A word of the packed block. Words of numbers side by side are laid over each other in layers as long as the packed
// block; the numbers behind the last whole layer fill the lowest bits of each lane, bit by bit.
__device__ __forceinline__ uint32_t packedWord(const uint32_t *numbers, int bits, uint32_t at) {
  int width = bits <= 8 ? 8 : bits <= 16 ? 16 : 32, free = width;
  uint32_t ones = width == 8 ? 0x01010101 : width == 16 ? 0x00010001 : 1, length = 8 * bits, layer = at, word = 0;
  for (; free >= bits; free -= bits, layer += length) word |= sideBySide(numbers, width, layer) << (free - bits);
  if (free == 0) return word;
  uint32_t next = layer - at + at * free / bits;
  int left = bits - (int)(at * free % bits);  // bits of the next number that are not packed yet
  uint32_t rest = sideBySide(numbers, width, next);
  if (left >= free) return word | (rest >> (left - free) & ones * ((1u << free) - 1));
  int missing = free - left;
  word |= (rest & ones * ((1u << left) - 1)) << missing;
  return word | (sideBySide(numbers, width, next + 1) >> (bits - missing) & ones * ((1u << missing) - 1));
}

// Packs the block's numbers; all lanes see them after the barrier.
__device__ __forceinline__ void putPacked(const uint32_t *numbers, int bits, uint8_t *bytes, Sink &out) {
  __syncwarp();
  for (int at = laneOf(); at < 8 * bits; at += 32) {
    uint32_t word = packedWord(numbers, bits, at);
    for (int i = 0; i < 4; i++) bytes[out.size + 4 * at + i] = (uint8_t)(word >> 8 * i);
  }
  out.size += 32 * bits;
}

// Packs numbers at a width that at most MAX_OUTLIERS exceed, then the indexes and higher bits of these.
__device__ __forceinline__ void putPatched(const uint32_t (&values)[OF_LANE], uint32_t *numbers, uint8_t *bytes,
                                           Sink &out) {
  uint32_t all = 0;
  for (uint32_t value : values) all |= value;
  int most = (int)bitsOf(unionOfWarp(all)), bits = most, outliers = 0;
  int least = most > OUTLIER_BITS ? most - OUTLIER_BITS : 1;
  while (bits > least) {
    int more = 0;
    for (uint32_t value : values) more += __popc(__ballot_sync(~0u, value >> (bits - 1) != 0));
    if (more > MAX_OUTLIERS) break;
    outliers = more;
    bits--;
  }
  uint32_t mask = (1u << bits) - 1, first = __shfl_sync(~0u, values[0] & mask, 0);
  bool isEqual = most <= OUTLIER_BITS;
  for (uint32_t value : values) isEqual &= (value & mask) == first;
  bool areEqual = __ballot_sync(~0u, isEqual) == ~0u;
  out.put(outliers << 5 | (areEqual ? 0 : bits));
  if (areEqual) {
    putVariable(out, first);
  } else {
    __syncwarp();
    for (int i = 0; i < OF_LANE; i++) numbers[32 * i + laneOf()] = values[i] & mask;
    putPacked(numbers, bits, bytes, out);
  }
  for (int i = 0; i < OF_LANE; i++) {
    bool isOutlier = values[i] > mask;
    uint32_t all = __ballot_sync(~0u, isOutlier), at = out.size + 2 * __popc(all & lanesBefore());
    if (isOutlier) {
      bytes[at] = (uint8_t)(32 * i + laneOf());
      bytes[at + 1] = (uint8_t)(values[i] >> bits << (areEqual ? bits : 0));
    }
    out.size += 2 * __popc(all);
  }
}

// ---- impacts

// The impacts of a lane, which has NORMS / 32 consecutive norms.
struct LaneImpacts {
  uint32_t frequency;  // the highest before those of the lane
  int norm;            // the norm of the last impact before
  uint32_t at;         // bytes before
  uint32_t count, bytes;  // of the whole warp
};

// Puts the impacts of a lane: frequencies that are higher than those of all smaller norms. Returns their number.
__device__ __forceinline__ uint32_t putLaneImpacts(const uint32_t *highest, const LaneImpacts &lane, Sink &out) {
  uint32_t frequency = lane.frequency, count = 0;
  int norm = lane.norm;
  for (int i = NORMS / 32 * laneOf(); i < NORMS / 32 * (laneOf() + 1); i++) {
    if (highest[i] <= frequency) continue;
    int gap = (int8_t)i - norm - 1;
    putVariable(out, (uint32_t)((highest[i] - frequency - 1) << 1 | (gap != 0)));
    if (gap != 0) putVariable(out, (uint32_t)(gap >> 31 ^ gap << 1));
    frequency = highest[i];
    norm = (int8_t)i;
    count++;
  }
  return count;
}

// Measures the impacts of a warp, and those before each lane, given the highest frequency of each norm.
__device__ __forceinline__ LaneImpacts measureImpacts(const uint32_t *highest) {
  int first = NORMS / 32 * laneOf();
  uint32_t mine = 0, behindLast = 0;
  for (int i = first; i < first + NORMS / 32; i++) mine = highest[i] > mine ? highest[i] : mine;
  LaneImpacts lane{highestOfLanesBefore(mine), 0, 0, 0, 0};
  for (int i = first; i < first + NORMS / 32 && behindLast == 0; i++) {
    if (highest[i] == mine && mine > lane.frequency) behindLast = i + 1;
  }
  uint32_t before = highestOfLanesBefore(behindLast);
  lane.norm = before == 0 ? 0 : (int8_t)(before - 1);
  Sink counted{nullptr, 0};
  lane.count = sumOfWarp(putLaneImpacts(highest, lane, counted));
  lane.at = sumOfLanesBefore(counted.size);
  lane.bytes = sumOfWarp(counted.size);
  return lane;
}

__device__ __forceinline__ void putImpacts(const uint32_t *highest, const LaneImpacts &lane, uint8_t *bytes,
                                           Sink &out) {
  Sink mine{bytes + out.size, lane.at};
  putLaneImpacts(highest, lane, mine);
  out.size += lane.bytes;
}

}  // namespace inversion
