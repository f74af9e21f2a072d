// Random lists of postings, with all kinds of blocks, for tests.
#pragma once
#include "texts.h"

struct Posting {
  uint32_t doc;
  std::vector<uint32_t> positions;
};

struct List {
  uint32_t field;
  std::vector<Posting> postings;
};

// What the blocks of a list look like. With MIXED, each has another kind.
enum class Gaps { ONE, DENSE, SPARSE, MIXED };
enum class Frequencies { ONE, EQUAL, FEW, OUTLIERS, WIDE, MIXED };

struct Shape {
  uint32_t docFreq;
  Gaps gaps = Gaps::MIXED;
  Frequencies frequencies = Frequencies::MIXED;
  int gapBits = 10, positionBits = 10;  // the most of a gap
  uint32_t maxDocs = 1u << 20, maxPositions = 1u << 20;  // what has no room is left out
};

// The length of a document's part: of all magnitudes.
static uint32_t lengthOf(uint32_t doc, uint32_t field) {
  uint64_t hash = (doc * 8ull + field + 1) * 0x9E3779B97F4A7C15ull;
  hash ^= hash >> 29;
  hash *= 0xC2B2AE3D27D4EB4Full;
  hash ^= hash >> 32;
  return (uint32_t)(hash % (1ull << hash / 7 % 28));
}

static uint32_t upTo(int bits) { return below(1u << below((unsigned)bits + 1)); }

static uint32_t gapOf(Gaps kind, int bits, int inBlock) {
  switch (kind) {
    case Gaps::ONE: return 1;
    case Gaps::DENSE: return 1 + below(4);
    case Gaps::SPARSE: return 1 + below(1u << bits);
    default: return inBlock == 100 ? 1 + below(1u << bits) : 1;
  }
}

static uint32_t frequencyOf(Frequencies kind, uint32_t equal, int inBlock, int outliers) {
  switch (kind) {
    case Frequencies::ONE: return 1;
    case Frequencies::EQUAL: return equal;
    case Frequencies::FEW: return 1 + below(3);
    case Frequencies::OUTLIERS: return inBlock % 29 == 0 && inBlock / 29 < outliers ? 2 + below(300) : equal;
    default: return 1 + upTo(6);
  }
}

static List makeList(uint32_t field, const Shape &shape, uint32_t firstDoc) {
  List list{field, {}};
  uint64_t doc = firstDoc;
  Gaps gaps = shape.gaps;
  Frequencies frequencies = shape.frequencies;
  uint32_t equal = 1;
  int outliers = 0, gapBits = 1, positionBits = 1;
  for (uint32_t i = 0; i < shape.docFreq; i++) {
    if (i % 256 == 0) {
      gaps = shape.gaps == Gaps::MIXED ? (Gaps)below(4) : shape.gaps;
      frequencies = shape.frequencies == Frequencies::MIXED ? (Frequencies)below(6) : shape.frequencies;
      equal = 1 + (below(2) == 0 ? 0 : below(5));
      outliers = (int)below(9);
      gapBits = (int)below((unsigned)shape.gapBits + 1);
      positionBits = (int)below((unsigned)shape.positionBits + 1);
    }
    if (i > 0) doc += gapOf(gaps, gapBits, (int)i % 256);
    if (doc >= shape.maxDocs) break;
    Posting posting{(uint32_t)doc, {}};
    uint32_t frequency = frequencyOf(frequencies, equal, (int)i % 256, outliers);
    uint64_t position = below(4) == 0 ? 0 : below(1u << positionBits);
    for (uint32_t k = 0; k < frequency && position < shape.maxPositions; k++) {
      posting.positions.push_back((uint32_t)position);
      position += 1 + (below(300) == 0 ? below(1u << shape.positionBits) : below(1u << positionBits));
    }
    list.postings.push_back(posting);
  }
  return list;
}

static const std::vector<uint32_t> BORDERS = {1, 2, 3, 4, 5, 6, 7, 8, 9, 255, 256, 257, 258, 259, 260, 261, 511, 512, 513};
static const std::vector<uint32_t> GROUP_BORDERS = {8191, 8192, 8193, 8448, 16383, 16384, 16385, 16640};

// Lists of each of some numbers of documents, for each field, with blocks of the same or different kinds.
static std::vector<List> listsOf(const std::vector<uint32_t> &docFreqs, uint32_t fields, Shape shape) {
  std::vector<List> lists;
  for (uint32_t field = 0; field < fields; field++) {
    for (uint32_t docFreq : docFreqs) {
      shape.docFreq = docFreq;
      shape.gaps = (Gaps)below(4);
      shape.frequencies = (Frequencies)below(6);
      lists.push_back(makeList(field, shape, below(2) == 0 ? 0 : below(1000)));
    }
  }
  return lists;
}

// Lists of one document, or of three, with many positions at the borders of blocks.
static std::vector<List> longDocuments(int positionBits) {
  std::vector<List> lists;
  for (uint32_t documents : {1, 3}) {
    for (uint32_t count : {1, 2, 127, 128, 255, 256, 257, 511, 512, 513, 767, 768, 769, 5000}) {
      List list{0, {}};
      uint32_t equal = below(3), bits = below((unsigned)positionBits + 1);
      for (uint32_t d = 0; d < documents; d++) {
        Posting posting{7 + d * 100, {}};
        uint32_t position = 0;
        for (uint32_t i = 0; i < count; i++) {
          posting.positions.push_back(position);
          position += 1 + (equal == 0 ? 0 : equal == 1 ? (i % 60 == 3) * below(1u << bits) : below(1u << bits));
        }
        list.postings.push_back(posting);
      }
      lists.push_back(list);
    }
  }
  return lists;
}

// Lists with a position in each document, of which all, or up to 8 in a block, have a number of bits; and with one wide
// gap of documents in a block, or equal gaps.
static std::vector<List> listsOfWidth(int bits) {
  std::vector<List> lists;
  uint32_t high = 1u << (bits - 1), low = below(8);
  for (int kind = 0; kind < 4; kind++) {
    List list{0, {}};
    uint32_t doc = below(3), wideAt = below(256), few = below(9);
    uint32_t smaller = 1u << std::max(0, bits - 1 - (int)below(9));
    for (uint32_t i = 0; i < 256 + below(2) * 3; i++) {
      bool isOutlier = i * 8 / 256 < few && i % 32 == 5;
      uint32_t wide = high | below(high);
      uint32_t position = kind == 0 ? wide : kind == 1 ? (isOutlier ? wide : below(smaller)) : kind == 2 ? high : low;
      if (kind == 3 && isOutlier) position |= below(32) << 3;
      list.postings.push_back(Posting{doc, {position}});
      doc += kind == 3 ? (uint32_t)bits : bits < 28 && i == wideAt ? wide : 1;
    }
    lists.push_back(list);
  }
  return lists;
}
