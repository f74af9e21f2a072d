// The files of Lucene104PostingsFormat for documents and positions, written by one thread and posting by posting like
// the Java classes PostingsEncoder, PositionsEncoder, BlockPacking, BlockImpacts and EncodedBytes: what packed postings
// are compared with. Shares no code with the kernels.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace plain {

constexpr int BLOCK = 256;
constexpr int GROUP = 32 * BLOCK;

class Bytes {
 public:
  std::vector<uint8_t> bytes;

  size_t size() const { return bytes.size(); }

  void put(int value) { bytes.push_back((uint8_t)value); }

  void putShort(int value) {
    put(value);
    put(value >> 8);
  }

  void putInt(uint32_t value) {
    for (int i = 0; i < 4; i++) put((int)(value >> 8 * i & 0xFF));
  }

  void putVariable(uint64_t value) {
    while ((value & ~0x7Full) != 0) {
      put((int)(value & 0x7F) | 0x80);
      value >>= 7;
    }
    put((int)value);
  }

  void putZigzag(int64_t value) { putVariable((uint64_t)(value < 0 ? -2 * value - 1 : 2 * value)); }

  void putVariable15(uint64_t value) {
    uint64_t rest = value >> 15;
    if (rest == 0) {
      putShort((int)value);
    } else {
      putShort((int)(value & 0x7FFF) | 1 << 15);
      putVariable(rest);
    }
  }

  void putGroups(const std::vector<uint32_t> &values) {
    size_t from = 0;
    for (; from + 4 <= values.size(); from += 4) {
      size_t lengths = size();
      int noted = 0;
      put(0);
      for (size_t i = from; i < from + 4; i++) {
        int length = 1;
        while (length < 4 && values[i] >> 8 * length != 0) length++;
        noted = noted << 2 | (length - 1);
        for (int k = 0; k < length; k++) put((int)(values[i] >> 8 * k & 0xFF));
      }
      bytes[lengths] = (uint8_t)noted;
    }
    for (; from < values.size(); from++) putVariable(values[from]);
  }

  void moveTo(Bytes &other) {
    other.bytes.insert(other.bytes.end(), bytes.begin(), bytes.end());
    bytes.clear();
  }
};

class Packing {
 public:
  static int bits(const std::vector<uint32_t> &values) {
    uint32_t all = 1;
    for (uint32_t value : values) all |= value;
    int bits = 0;
    while (bits < 32 && all >> bits != 0) bits++;
    return bits;
  }

  void pack(const std::vector<uint32_t> &values, int bits, Bytes &out) {
    std::vector<uint32_t> lanes;
    if (bits <= 8) {
      for (int i = 0; i < 64; i++)
        lanes.push_back(values[i] << 24 | values[64 + i] << 16 | values[128 + i] << 8 | values[192 + i]);
      pack(lanes, bits, 8, 0x01010101);
    } else if (bits <= 16) {
      for (int i = 0; i < 128; i++) lanes.push_back(values[i] << 16 | values[128 + i]);
      pack(lanes, bits, 16, 0x00010001);
    } else {
      pack(values, bits, 32, 1);
    }
    for (uint32_t word : packed) out.putInt(word);
  }

  void packPatched(std::vector<uint32_t> values, Bytes &out) {
    int all = bits(values), bits = all, count = 0;
    while (bits > std::max(1, all - 8)) {
      int more = 0;
      for (uint32_t value : values) more += value > (1u << (bits - 1)) - 1;
      if (more > 7) break;
      count = more;
      bits--;
    }
    std::vector<int> outliers;
    for (int i = 0; count > 0 && i < BLOCK; i++) {
      if (values[i] > (1u << bits) - 1) {
        outliers.push_back(i);
        outliers.push_back((int)(values[i] >> bits));
        values[i] &= (1u << bits) - 1;
      }
    }
    if (all <= 8 && std::count(values.begin(), values.end(), values[0]) == BLOCK) {
      for (size_t i = 1; i < outliers.size(); i += 2) outliers[i] <<= bits;
      out.put(count << 5);
      out.putVariable(values[0]);
    } else {
      out.put(count << 5 | bits);
      pack(values, bits, out);
    }
    for (int byte : outliers) out.put(byte);
  }

 private:
  std::vector<uint32_t> packed;

  void pack(const std::vector<uint32_t> &words, int bits, int width, uint32_t ones) {
    int length = 8 * bits, laid = 0, shift = width - bits;
    packed.assign(length, 0);
    for (; shift >= 0; shift -= bits) {
      for (int i = 0; i < length; i++) packed[i] |= words[laid + i] << shift;
      laid += length;
    }
    if (laid < (int)words.size()) fill(words, laid, bits, shift + bits, ones);
  }

  // As the Java class does it, from word to word.
  void fill(const std::vector<uint32_t> &words, int from, int bits, int free, uint32_t ones) {
    int at = from, left = bits;
    for (uint32_t &word : packed) {
      if (left > free) {
        left -= free;
        word |= words[at] >> left & ones * ((1u << free) - 1);
      } else {
        int missing = free - left;
        word |= (words[at++] & ones * ((1u << left) - 1)) << missing;
        left = bits - missing;
        if (missing > 0) word |= words[at] >> left & ones * ((1u << missing) - 1);
      }
    }
  }
};

class Impacts {
 public:
  uint32_t highest[256]{};

  void clear() { std::fill(highest, highest + 256, 0u); }

  void add(int norm, uint32_t frequency) { highest[norm] = std::max(highest[norm], frequency); }

  void addAll(const Impacts &others) {
    for (int norm = 0; norm < 256; norm++) add(norm, others.highest[norm]);
  }

  int writeTo(Bytes &out) const {
    int count = 0, norm = 0;
    uint32_t frequency = 0;
    for (int i = 0; i < 256; i++) {
      if (highest[i] <= frequency) continue;
      int asByte = i < 128 ? i : i - 256, gap = asByte - norm - 1;
      uint32_t more = highest[i] - frequency - 1;
      if (gap == 0) {
        out.putVariable((uint32_t)(more << 1));
      } else {
        out.putVariable((uint32_t)(more << 1 | 1));
        out.putZigzag(gap);
      }
      frequency = highest[i];
      norm = asByte;
      count++;
    }
    return count;
  }
};

// Lucene's SmallFloat.intToByte4.
inline int norm(uint32_t length) {
  if (length < 24) return (int)length;
  uint32_t rest = length - 24;
  int bits = 0;
  while (bits < 32 && rest >> bits != 0) bits++;
  if (bits < 4) return (int)(24 + rest);
  int shift = bits - 4;
  return 24 + ((int)(rest >> shift & 7) | (shift + 1) << 3);
}

// What Lucene keeps of a term, and where its postings start.
struct State {
  uint64_t docsStart = 0, positionsStart = 0;
  uint32_t docFreq = 0, totalTermFreq = 0;
  int64_t lastPositionsBlock = -1, firstDoc = -1;
};

class Encoder {
 public:
  Bytes docsOut, positionsOut;
  std::vector<State> states;
  uint64_t maxima[4]{};

  void begin() {
    state = State{docsOut.size(), positionsOut.size()};
    blockEnd = groupEnd = -1;
    blockPositions = groupPositions = positionsOut.size();
  }

  // Adds a posting of the current term, with positions in ascending order.
  void add(uint32_t doc, const std::vector<uint32_t> &positions, int norm) {
    docs.push_back(doc);
    frequencies.push_back((uint32_t)positions.size());
    norms.push_back(norm);
    uint32_t previous = 0;
    for (uint32_t position : positions) {
      waiting.push_back(position - previous);
      previous = position;
      if (waiting.size() == BLOCK) {
        packing.packPatched(waiting, positionsOut);
        waiting.clear();
      }
    }
    state.docFreq++;
    state.totalTermFreq += (uint32_t)positions.size();
    if (docs.size() == BLOCK) finishBlock(state.docFreq % GROUP == 0);
  }

  void end() {
    if (state.docFreq == 1) {
      state.firstDoc = docs[0];
    } else {
      blocks.moveTo(docsOut);
      putDocs();
    }
    forgetDocs();
    groupImpacts.clear();
    if (state.totalTermFreq > BLOCK) state.lastPositionsBlock = (int64_t)(positionsOut.size() - state.positionsStart);
    for (uint32_t gap : waiting) positionsOut.putVariable(gap);
    waiting.clear();
    states.push_back(state);
  }

 private:
  Packing packing;
  Bytes blocks, block, head;
  std::vector<uint32_t> docs, frequencies, gaps, waiting;
  std::vector<int> norms;
  int64_t blockEnd = -1, groupEnd = -1;
  uint64_t blockPositions = 0, groupPositions = 0;
  Impacts blockImpacts, groupImpacts;
  State state;

  void forgetDocs() {
    docs.clear();
    frequencies.clear();
    norms.clear();
  }

  void raise(int at, uint64_t impacts, uint64_t bytes) {
    maxima[at] = std::max(maxima[at], impacts);
    maxima[at + 1] = std::max(maxima[at + 1], bytes);
  }

  void putPlaces(Bytes &out, uint64_t &before) {
    out.putVariable(positionsOut.size() - before);
    out.put((int)waiting.size());
    before = positionsOut.size();
  }

  void finishBlock(bool endsGroup) {
    int64_t last = docs[BLOCK - 1];
    for (int i = 0; i < BLOCK; i++) blockImpacts.add(norms[i], frequencies[i]);
    int impacts = blockImpacts.writeTo(head);
    raise(0, impacts, head.size());
    block.putVariable(head.size());
    head.moveTo(block);
    putPlaces(block, blockPositions);
    groupImpacts.addAll(blockImpacts);
    blockImpacts.clear();
    size_t beforeDocs = block.size();
    packDocs(last - blockEnd);
    packing.packPatched(frequencies, block);
    head.putVariable15(last - blockEnd);
    head.putVariable15(block.size());
    blocks.putVariable(head.size() + beforeDocs);
    head.moveTo(blocks);
    block.moveTo(blocks);
    blockEnd = last;
    forgetDocs();
    if (endsGroup) finishGroup(last);
  }

  void countGaps() {
    gaps.clear();
    int64_t before = blockEnd;
    for (uint32_t doc : docs) {
      gaps.push_back((uint32_t)(doc - before));
      before = doc;
    }
  }

  void packDocs(int64_t range) {
    countGaps();
    if (range == BLOCK) {
      block.put(0);
      return;
    }
    int bits = Packing::bits(gaps);
    if (BLOCK * std::min(32, bits + 1) <= range) {
      block.put(bits);
      packing.pack(gaps, bits, block);
      return;
    }
    int words = (int)((range + 63) / 64);
    std::vector<uint64_t> bitmap(words, 0);
    for (uint32_t doc : docs) bitmap[(doc - blockEnd - 1) / 64] |= 1ull << (doc - blockEnd - 1) % 64;
    block.put(-words);
    for (uint64_t word : bitmap) {
      block.putInt((uint32_t)word);
      block.putInt((uint32_t)(word >> 32));
    }
  }

  void finishGroup(int64_t last) {
    docsOut.putVariable(last - groupEnd);
    int impacts = groupImpacts.writeTo(head);
    size_t impactBytes = head.size();
    raise(2, impacts, impactBytes);
    putPlaces(head, groupPositions);
    docsOut.putVariable(4 + head.size() + blocks.size());
    docsOut.putShort((int)(2 + head.size()));
    docsOut.putShort((int)impactBytes);
    head.moveTo(docsOut);
    groupImpacts.clear();
    blocks.moveTo(docsOut);
    groupEnd = last;
  }

  void putDocs() {
    countGaps();
    std::vector<uint32_t> more;
    for (size_t i = 0; i < docs.size(); i++) {
      bool isOne = frequencies[i] == 1;
      gaps[i] = gaps[i] << 1 | isOne;
      if (!isOne) more.push_back(frequencies[i]);
    }
    docsOut.putGroups(gaps);
    for (uint32_t frequency : more) docsOut.putVariable(frequency);
  }
};

}  // namespace plain
