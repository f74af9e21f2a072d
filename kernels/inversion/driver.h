// Runs an inversion from C++, for tests on the CPU and for measurements on a device. The program's own driver is the
// Java class InversionLane, which calls the same kernels in the same order.
#pragma once
#include "../machine.h"
#include "inversion.cu"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace inversion {

// A host's copy of what came back.
struct Inverted {
  Counters counters;
  std::vector<Count> keys;
  std::vector<Term> terms;
  std::vector<uint8_t> longBytes;
  std::vector<uint32_t> lengths;
};

// The same with packed postings.
struct Packed {
  Counters counters;
  std::vector<uint8_t> docs, positions;
  std::vector<PackedTerm> terms;
  std::vector<uint8_t> longBytes;
  std::vector<uint32_t> lengths;
  bool hasRoom;
};

// Buffers for texts of up to maxBytes in up to maxParts parts.
class Driver {
 public:
  static constexpr int PASSES = 8;
  static constexpr Count PACK_ALIGNMENT = 256;  // of packed positions, behind documents
  Block block{};

  Driver(Count maxBytes, Count maxParts, int slotBits) {
    Count tiles = (maxBytes + TILE - 1) / TILE, slots = 1ull << slotBits, tokens = maxBytes / 2 + 1;
    Count sortTiles = (std::max(tokens, slots) + ITEMS - 1) / ITEMS;
    Count fullBlocks = tokens / BLOCK, most = std::max({tokens / ITEMS + 1, slots, fullBlocks});
    keyBytes = 8 * tokens + PACK_ALIGNMENT;
    text = allocate<uint8_t>(FRONT + tiles * TILE + HALO + 16);
    parts = allocate<uint32_t>(maxParts + 1);
    block.text = text + FRONT;
    block.parts = parts;
    block.slotBits = slotBits;
    block.table = allocate<Slot>(slots);
    block.counters = allocate<Counters>(1);
    block.inWord = allocate<uint32_t>(tiles * SET + HALO / 32);
    block.starts = allocate<uint32_t>(tiles * SET);
    block.tileTokens = allocate<uint32_t>(tiles);
    block.tileFirst = allocate<uint32_t>(tiles + 1);
    block.tilePart = allocate<uint32_t>(tiles + 1);
    block.partRank = allocate<uint32_t>(maxParts + 1);
    block.lengths = allocate<uint32_t>(maxParts);
    block.longTokens = allocate<uint32_t>(tiles);
    block.longToken = allocate<LongToken>(tiles * TILE_LONG);
    block.longBytes = allocate<uint8_t>(maxBytes + maxBytes / SHORT + SHORT);
    block.longStart = allocate<uint32_t>(slots);
    block.longLength = allocate<uint32_t>(slots);
    for (int i = 0; i < 2; i++) {
      block.keys[i] = allocate<Count>(keyBytes / 8);
      block.order[i] = allocate<uint32_t>(slots);
    }
    block.digits = allocate<uint32_t>(RADIX * sortTiles);
    block.digitTotals = allocate<uint32_t>(RADIX);
    block.listStart = allocate<uint32_t>(slots);
    block.listEnd = allocate<uint32_t>(slots);
    block.terms = allocate<Term>(slots);
    block.tileSums = allocate<Count>(scanTiles(most) + 1);
    block.tileHeads = allocate<Count>(tokens / ITEMS + 2);
    block.postingKey = allocate<uint32_t>(tokens + 1);
    block.termPosting = allocate<uint32_t>(slots + 1);
    block.docBlockFirst = allocate<Count>(slots + 1);
    block.positionBlockFirst = allocate<Count>(slots + 1);
    block.docBlockBytes = allocate<uint32_t>(fullBlocks);
    block.docBlockStart = allocate<Count>(fullBlocks + 1);
    block.positionBlockStart = allocate<Count>(fullBlocks + 1);
    block.docsStart = allocate<Count>(slots + 1);
    block.positionsStart = allocate<Count>(slots + 1);
    block.packedTerms = allocate<PackedTerm>(slots);
  }

  Driver(const Driver &) = delete;
  ~Driver() {
    for (void *memory : allocated) machine::release(memory);
  }

  // Uploads a text, to which blanks are added, and where its parts start and the last one ends.
  void upload(const uint8_t *from, Count bytes, const std::vector<uint32_t> &partStarts, Count fields) {
    Count tiles = (bytes + TILE - 1) / TILE, behind = tiles * TILE + HALO + 16 - bytes;
    machine::setTo(text, ' ', FRONT);
    machine::put(text + FRONT, from, bytes);
    machine::setTo(text + FRONT + bytes, ' ', behind);
    machine::put(parts, partStarts.data(), 4 * partStarts.size());
    block.bytes = bytes;
    block.tiles = tiles;
    block.partCount = partStarts.size() - 1;
    block.fields = fields;
    uint32_t longest = 0;
    for (size_t i = 0; i + 1 < partStarts.size(); i++) longest = std::max(longest, partStarts[i + 1] - partStarts[i]);
    block.docBits = bitsOf(block.partCount / fields);
    block.positionBits = bitsOf(longest / 2 + 1);
    block.fieldOrdinals = 0x0706050403020100ull;
  }

  // From the text to unordered keys. Call `order` next if nothing is full, too long or a collision.
  void makeKeys() {
    launch(clear_table, perThread(1ull << block.slotBits), 0, block);
    launch(find_parts, perThread(block.tiles + 1), 0, block);
    launch(mark_words, block.tiles, sizeof(MarkShared), block);
    launch(scan_tiles, 1, sizeof(ScanShared), block);
    launch(measure_parts, perThread(block.partCount), 0, block);
    launch(make_keys, std::min<Count>(block.tiles, keyBlocks), sizeof(KeysShared), block);
    launch(check_long, block.tiles, 0, block);
    launch(collect_terms, perThread(1ull << block.slotBits), 0, block);
    machine::get(&counters, block.counters, sizeof counters);
  }

  // After orderTerms.
  void orderKeys() {
    launch(rank_terms, perThread(counters.terms), 0, block, counters.terms, termsIn);
    orderRankedKeys(counters.terms);
  }

  // Of keys with ranks below a limit.
  void orderRankedKeys(Count ranks) {
    launch(rank_keys, perThread(counters.tokens), 0, block, counters.tokens);
    Count tiles = (counters.tokens + ITEMS - 1) / ITEMS;
    keysIn = 0;
    int shift = (int)(block.docBits + block.positionBits), end = shift + (int)bitsOf(ranks);
    // Digits of equal width: each pass reads and writes all keys, however many bits it takes.
    for (; shift < end; shift += PASSES) {
      launch(count_keys, tiles, sizeof(CountShared), block, counters.tokens, keysIn, shift);
      launch(scan_digits, tiles <= FEW_TILES ? 1 : RADIX, sizeof(ScanShared), block, tiles);
      launch(scatter_keys, tiles, sizeof(ScatterShared), block, counters.tokens, keysIn, shift);
      keysIn = 1 - keysIn;
    }
  }

  void orderTerms() {
    Count tiles = (counters.terms + ITEMS - 1) / ITEMS;
    termsIn = 0;
    for (int byte = SHORT - 1; byte >= 0; byte--) {
      launch(count_terms, tiles, sizeof(CountShared), block, counters.terms, termsIn, byte);
      launch(scan_digits, tiles <= FEW_TILES ? 1 : RADIX, sizeof(ScanShared), block, tiles);
      launch(scatter_terms, tiles, sizeof(ScatterShared), block, counters.terms, termsIn, byte);
      termsIn = 1 - termsIn;
    }
    launch(find_ties, perThread(counters.terms), 0, block, counters.terms, termsIn);
    launch(order_ties, perThread(counters.terms), 0, block, counters.terms, termsIn);
    termsIn = 1 - termsIn;
  }

  void makeLists() {
    launch(find_lists, perThread(counters.tokens), 0, block, counters.tokens, keysIn);
    launch(write_terms, perThread(counters.terms), 0, block, counters.terms, termsIn);
  }

  // Puts keys in order of stems and makes their lists; call it instead of orderKeys and makeLists. `ranks` has the rank of
  // each word's stem, in order of the words; that of a stop word is the number of stems plus its field.
  void makeStems(const std::vector<Term> &stems, const std::vector<uint8_t> &longBytes,
                 const std::vector<uint32_t> &ranks) {
    machine::put(block.listStart, ranks.data(), 4 * ranks.size());
    launch(rank_stems, perThread(counters.terms), 0, block, counters.terms, termsIn);
    orderRankedKeys(stems.size() + block.fields);
    machine::put(block.terms, stems.data(), sizeof(Term) * stems.size());
    machine::put(block.longBytes, longBytes.data(), longBytes.size());
    launch(find_lists, perThread(counters.tokens), 0, block, counters.tokens, keysIn);
    launch(drop_words, perThread(counters.tokens), sizeof(SumsShared), block, counters.tokens, keysIn, (Count)stems.size());
    launch(write_stems, perThread(stems.size() + 1), 0, block, (Count)stems.size(), (Count)longBytes.size());
    machine::get(&counters, block.counters, sizeof counters);
  }

  // The distinct words in order, after orderTerms, and the bytes of long ones.
  std::vector<Term> getWords(std::vector<uint8_t> &longBytes) {
    launch(write_terms, perThread(counters.terms), 0, block, counters.terms, termsIn);
    longBytes = copyOf(block.longBytes, counters.longBytes);
    return copyOf(block.terms, counters.terms);
  }

  // Packing, after makeLists: where postings start, and how many full blocks each term has.
  void findHeads() {
    Count keyTiles = counters.tokens / ITEMS + 1, terms = counters.terms;
    launch(count_heads, keyTiles, sizeof(ScanShared), block, counters.tokens, terms, keysIn);
    scan(block.tileHeads, keyTiles);
    launch(write_heads, keyTiles, sizeof(ScanShared), block, counters.tokens, terms, keysIn);
    launch(count_blocks, perThread(terms), 0, block, terms);
    scan(block.docBlockFirst, terms);
    scan(block.positionBlockFirst, terms);
  }

  void sizeBlocks() {
    Count blocks = counters.tokens / BLOCK, terms = counters.terms;
    launch(size_positions, perWarp(blocks), sizeof(PackShared<PositionsAssembly>), block, blocks, terms, keysIn);
    scan(block.positionBlockStart, blocks);
    launch(size_docs, perWarp(blocks), sizeof(PackShared<DocsAssembly>), block, blocks, terms, keysIn);
    launch(size_groups, perWarp(blocks), sizeof(PackShared<GroupAssembly>), block, blocks, terms, keysIn);
    scan(block.docBlockStart, blocks);
  }

  // Also reads the totals.
  void sizeTerms() {
    launch(size_terms, perThread(counters.terms), 0, block, counters.terms, keysIn);
    scan(block.docsStart, counters.terms);
    scan(block.positionsStart, counters.terms);
    launch(write_records, perThread(counters.terms), 0, block, counters.terms, keysIn);
    machine::get(&counters, block.counters, sizeof counters);
  }

  // Places the bytes in the memory of the keys that are not sorted, first those of documents. Returns whether the keys
  // were in order and there is room.
  bool placePostings() {
    Count positionsFrom = (counters.docsBytes + PACK_ALIGNMENT - 1) / PACK_ALIGNMENT * PACK_ALIGNMENT;
    block.docs = (uint8_t *)block.keys[1 - keysIn];
    block.positions = block.docs + positionsFrom;
    return counters.disorder == 0 && positionsFrom + counters.positionsBytes <= keyBytes;
  }

  void packBlocks() {
    Count blocks = counters.tokens / BLOCK, terms = counters.terms;
    launch(pack_positions, perWarp(blocks), sizeof(PackShared<PositionsAssembly>), block, terms, keysIn);
    launch(pack_docs, perWarp(blocks), sizeof(PackShared<DocsAssembly>), block, terms, keysIn);
    launch(pack_groups, perWarp(blocks), sizeof(PackShared<GroupAssembly>), block, terms, keysIn);
  }

  void packRest() { launch(pack_rest, perThread(counters.terms), 0, block, counters.terms, keysIn); }

  // All of the packing.
  bool packPostings() {
    findHeads();
    sizeBlocks();
    sizeTerms();
    if (!placePostings()) return false;
    packBlocks();
    packRest();
    return true;
  }

  // All of it with sorted keys, back on the host.
  Inverted invert() {
    Inverted result;
    makeKeys();
    if (isComplete()) {
      orderTerms();
      orderKeys();
      makeLists();
      machine::get(&counters, block.counters, sizeof counters);
      getLists(result);
    }
    result.counters = counters;
    return result;
  }

  void getLists(Inverted &result) {
    result.keys = copyOf(block.keys[keysIn], counters.tokens);
    result.terms = copyOf(block.terms, counters.terms);
    result.longBytes = copyOf(block.longBytes, counters.longBytes);
    result.lengths = copyOf(block.lengths, block.partCount);
  }

  // All of it with packed postings, back on the host.
  Packed pack() {
    Packed result;
    makeKeys();
    result.hasRoom = isComplete();
    if (result.hasRoom) {
      orderTerms();
      orderKeys();
      makeLists();
      result.hasRoom = packPostings();
    }
    if (result.hasRoom) getPacked(result);
    result.counters = counters;
    return result;
  }

  void getPacked(Packed &result) {
    result.docs = copyOf(block.docs, counters.docsBytes);
    result.positions = copyOf(block.positions, counters.positionsBytes);
    result.terms = copyOf(block.packedTerms, counters.terms);
    result.longBytes = copyOf(block.longBytes, counters.longBytes);
    result.lengths = copyOf(block.lengths, block.partCount);
  }

  static Count bitsOf(Count count) {
    Count bits = 1;
    while (count > 1ull << bits) bits++;
    return bits;
  }

  Counters counters{};
  int keysIn = 0, termsIn = 0;
  unsigned keyBlocks = 3;
  Count allocatedBytes = 0;

 private:
  static unsigned perThread(Count threads) { return (unsigned)((threads + THREADS - 1) / THREADS); }
  static unsigned perWarp(Count warps) { return (unsigned)((warps + WARPS - 1) / WARPS); }
  static Count scanTiles(Count numbers) { return numbers / SCAN_TILE + 1; }

  bool isComplete() const { return counters.full == 0 && counters.tooLong == 0 && counters.collisions == 0; }

  void scan(Count *numbers, Count count) {
    Count tiles = scanTiles(count);
    launch(sum_tiles, tiles, sizeof(SumsShared), (const Count *)numbers, count, block.tileSums);
    launch(scan_sums, 1, sizeof(SumsShared), block.tileSums, tiles);
    launch(scan_numbers, tiles, sizeof(SumsShared), numbers, count, (const Count *)block.tileSums);
  }

  template <class Type>
  std::vector<Type> copyOf(const Type *from, Count count) {
    std::vector<Type> copy(count);
    machine::get(copy.data(), from, sizeof(Type) * count);
    return copy;
  }

  template <class Kernel, class... Args>
  static void launch(Kernel kernel, Count blocks, size_t sharedBytes, Args... args) {
    machine::launch(kernel, blocks, THREADS, sharedBytes, args...);
  }

  template <class Type>
  Type *allocate(Count count) {
    Count bytes = std::max<Count>(count, 1) * sizeof(Type);
    void *memory = machine::reserve(bytes);
    allocated.push_back(memory);
    allocatedBytes += bytes;
    return static_cast<Type *>(memory);
  }

  std::vector<void *> allocated;
  uint8_t *text;
  uint32_t *parts;
  Count keyBytes;
};

}  // namespace inversion
