// Compares packed postings on the CPU with those that a plain encoder writes: of texts, and of lists with all kinds of
// blocks at the borders of blocks and groups.
#include "../shim/cuda_shim.h"

// So that few terms are too many.
#define MAX_TIES_BITS 13

#include "../inversion/reference.h"

#include "lists.h"

using namespace inversion;

// Packs lists from sorted keys. Terms are numbers; a field's ordinal may be another one than its index.
static void checkLists(const char *what, const std::vector<List> &lists, uint32_t fields, int docBits, int positionBits) {
  Count tokens = 0, postings = 0;
  for (const List &list : lists) {
    for (const Posting &posting : list.postings) tokens += posting.positions.size();
    postings += list.postings.size();
  }
  int slotBits = 1;
  while (1ull << slotBits < lists.size()) slotBits++;
  Driver driver(4 * tokens + 1000, 1, slotBits);
  Block &block = driver.block;
  block.docBits = docBits;
  block.positionBits = positionBits;
  block.fields = fields;
  block.partCount = 0;
  block.fieldOrdinals = 0;
  for (uint32_t field = 0; field < fields; field++) block.fieldOrdinals |= (Count)(2 * field + 1) << 8 * field;
  std::unique_ptr<uint32_t, void (*)(void *)> lengths((uint32_t *)std::calloc(fields << docBits, 4), std::free);
  block.lengths = lengths.get();
  *block.counters = Counters{};
  block.counters->tokens = tokens;
  block.counters->terms = lists.size();
  driver.counters = *block.counters;
  plain::Encoder encoder;
  Count at = 0;
  for (uint32_t rank = 0; rank < lists.size(); rank++) {
    const List &list = lists[rank];
    block.order[0][rank] = rank;
    block.table[rank] = Slot{(Count)(2 * list.field + 1) << 56 | (0x61000000ull + rank) << 24, 1};
    encoder.begin();
    for (const Posting &posting : list.postings) {
      uint32_t length = lengthOf(posting.doc, list.field);
      lengths.get()[(Count)posting.doc * fields + list.field] = length;
      for (uint32_t position : posting.positions)
        block.keys[0][at++] = ((Count)rank << docBits | posting.doc) << positionBits | position;
      encoder.add(posting.doc, posting.positions, plain::norm(length));
    }
    encoder.end();
  }
  Packed packed;
  driver.makeLists();
  require(driver.packPostings(), what, "no room, or no order");
  driver.getPacked(packed);
  packed.counters = driver.counters;
  require(packed.counters.postings == postings, what, "differs in the number of postings");
  std::string found = difference(packed, encoder);
  require(found.empty(), what, "differs in " + found);
}

static void check(Driver &driver, const char *what, const std::string &text, const std::vector<uint32_t> &parts,
                  unsigned fields) {
  const uint8_t *bytes = (const uint8_t *)text.data();
  driver.upload(bytes, text.size(), parts, fields);
  Packed actual = driver.pack();
  require(actual.hasRoom, what, "no room, or not inverted");
  Reference reference = invertPlainly(bytes, parts, fields);
  size_t rank = 0;
  require(actual.terms.size() == reference.postings.size(), what, "differs in the number of terms");
  for (const auto &entry : reference.postings)
    require(bytesOf(actual.terms[rank++], actual.longBytes) == entry.first, what, "differs in a term");
  require(actual.lengths == reference.lengths, what, "differs in lengths");
  std::string found = difference(actual, packPlainly(reference, fields));
  require(found.empty(), what, "differs in " + found);
}

static void check(const char *what, const std::string &text, const std::vector<uint32_t> &parts, unsigned fields,
                  int slotBits = 14) {
  Driver driver(text.size(), parts.size() - 1, slotBits);
  check(driver, what, text, parts, fields);
}

// Documents of few words, so that terms have numbers of documents at the borders of blocks and groups.
static void smallDocuments(const std::vector<uint32_t> &counts) {
  for (uint32_t count : counts) {
    std::string text;
    std::vector<uint32_t> parts{0};
    for (uint32_t d = 0; d < count; d++) {
      text += below(3) == 0 ? "a b a\n" : "a\n";
      parts.push_back((uint32_t)text.size());
    }
    check("small documents", text, parts, 1);
  }
}

static void texts(unsigned bytes) {
  for (unsigned size : {0, 1, 2, 15, 16, 17, TILE - 1, TILE, TILE + 1}) {
    std::string text = words(size, MIXED, 40);
    check("sizes", text, cut(text, 3, 1 + size / 7), 3);
  }
  std::string text = words(bytes, "abcdefgh \x8F\xF8", 12);
  check("many terms", text, cut(text, 2, 700), 2, 17);
  std::string letters = words(bytes, "abcdefgh", 1);
  check("few terms", letters, cut(letters, 4, 100), 4, 6);
  std::string one(bytes, ' ');
  for (unsigned i = 0; i + 1 < bytes; i += 2) one[i] = 'x';
  check("one term", one, cut(one, 1, 1000), 1, 4);
  check("one term in one document", one, {0, bytes}, 1, 4);
  std::string none = words(bytes, " .,:;'_-", 30);
  check("no term", none, cut(none, 1, 1000), 1, 4);
  std::string ties;
  for (unsigned i = 0; i < bytes / 30; i++) ties += "internationalization" + std::to_string(below(bytes / 60)) + ' ';
  check("ties", ties += '\n', {0, (uint32_t)ties.size()}, 1);
}

// One text after the other in the same memory.
static void again() {
  Driver driver(30'000, 30'000, 10);
  for (unsigned bytes : {30'000, 0, 300, 20'000, 5}) {
    std::string text = words(bytes, "abc ", 3);
    check(driver, "again", text, cut(text, 2, 90), 2);
  }
}

static void listsAtBorders(int rounds) {
  for (int round = 0; round < rounds; round++) {
    Shape shape;
    shape.gapBits = (int)below(14);
    shape.positionBits = (int)below(14);
    checkLists("lists at borders", listsOf(BORDERS, 1 + below(4), shape), 4, 20, 20);
  }
}

static void widths(int rounds) {
  for (int round = 0; round < rounds; round++) {
    for (int bits = 1; bits <= 28; bits++) checkLists("a width", listsOfWidth(bits), 1, 28, 28);
  }
}

static void groups(const std::vector<uint32_t> &docFreqs, uint32_t fields) {
  Shape shape;
  shape.gapBits = 5;
  shape.positionBits = 4;
  checkLists("groups", listsOf(docFreqs, fields, shape), fields, 20, 20);
}

// Gaps of documents and positions of up to 27 bits.
static void wideGaps(int rounds) {
  for (int round = 0; round < rounds; round++) {
    Shape shape{0};
    shape.gapBits = 19 + (int)below(2);
    shape.positionBits = 20 + (int)below(8);
    shape.maxDocs = shape.maxPositions = 1u << 28;
    std::vector<List> lists = listsOf({1, 2, 255, 256, 257, 513, 900}, 1, shape);
    shape.gapBits = 27;
    for (uint32_t docFreq : {1, 3, 4, 5}) {
      shape.docFreq = docFreq;
      shape.gaps = Gaps::SPARSE;
      lists.push_back(makeList(0, shape, below(1u << 26)));
    }
    // One wide gap among others, in a full block.
    List list = makeList(0, Shape{300, Gaps::ONE, Frequencies::ONE}, 0);
    for (size_t i = 128; i < list.postings.size(); i++) list.postings[i].doc += (1u << 27) - 1;
    lists.push_back(list);
    checkLists("wide gaps", lists, 1, 28, 28);
  }
}

// The kernels must see that keys are not in order, or not as many as counted, and the driver that there is no room.
static void refusals() {
  std::string text = "a b c a b c a b a\n";
  std::vector<uint32_t> parts{0, (uint32_t)text.size()};
  for (int fault = 0; fault < 8; fault++) {
    Driver driver(text.size(), 1, 8);
    driver.upload((const uint8_t *)text.data(), text.size(), parts, 1);
    driver.makeKeys();
    driver.orderTerms();
    driver.orderKeys();
    driver.makeLists();
    Count *keys = driver.block.keys[driver.keysIn];
    if (fault == 1) std::swap(keys[1], keys[2]);
    if (fault == 2) keys[1] = keys[2];
    if (fault == 3) driver.counters.tokens--;
    if (fault == 4) driver.counters.terms++;
    // A rank too high, none of the first term, and none of the second.
    int shift = (int)(driver.block.docBits + driver.block.positionBits);
    if (fault == 5) keys[8] += 1ull << shift;
    for (Count i = 0; fault == 6 && i < 9; i++) keys[i] = (i < 5 ? 1ull : 2ull) << shift | i;
    for (Count i = 0; fault == 7 && i < 9; i++) keys[i] = (i < 5 ? 0ull : 2ull) << shift | i;
    require(driver.packPostings() == (fault == 0), "keys that are not in order", "were packed, or the others not");
    driver.counters.docsBytes += 1000;
    require(!driver.placePostings(), "more bytes than the memory has", "were taken");
  }
  std::string many;
  for (Count i = 0; i <= MAX_TIES; i++) many += "internationalization" + std::to_string(i) + ' ';
  many += '\n';
  Driver driver(many.size(), 1, 16);
  driver.upload((const uint8_t *)many.data(), many.size(), {0, (uint32_t)many.size()}, 1);
  require(driver.invert().counters.ties == MAX_TIES + 1, "too many terms with the same first bytes", "were not counted");
}

// Some blocks of each kind, for a run with a thread per CUDA thread.
static void races() {
  std::string text = words(6000, "ab ", 2);
  check("races", text, cut(text, 2, 60), 2, 6);
  checkLists("races", {makeList(0, Shape{600, Gaps::SPARSE, Frequencies::OUTLIERS, 4, 3}, 0),
                       makeList(0, Shape{8200, Gaps::ONE, Frequencies::ONE, 1, 1}, 0)}, 1, 20, 20);
}

int main(int argc, char **argv) {
  if (argc > 1 && std::strcmp(argv[1], "races") == 0) {
    races();
    std::printf("postings: no race\n");
    return 0;
  }
  bool quick = argc > 1 && std::strcmp(argv[1], "quick") == 0;
  smallDocuments(quick ? std::vector<uint32_t>{1, 256, 257} : std::vector<uint32_t>{1, 2, 255, 256, 257, 8191, 8192, 8193});
  texts(quick ? 20'000 : 150'000);
  again();
  checkLists("long documents", longDocuments(12), 1, 20, 25);
  checkLists("long documents", longDocuments(0), 1, 20, 25);
  listsAtBorders(quick ? 1 : 20);
  groups(quick ? std::vector<uint32_t>{8192, 8193} : GROUP_BORDERS, quick ? 1 : 3);
  widths(quick ? 1 : 20);
  wideGaps(quick ? 1 : 10);
  refusals();
  std::printf("postings: texts, and lists at the borders of blocks and groups\n");
}
