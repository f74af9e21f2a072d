// Compares the inversion's kernels on the CPU with a plain loop: at the borders of tiles, parts, words and the table.
#include "../shim/cuda_shim.h"

#include "../inversion/reference.h"

#include "texts.h"

using namespace inversion;

static void check(const char *what, const std::string &text, const std::vector<uint32_t> &parts, unsigned fields,
                  int slotBits = 14) {
  const uint8_t *bytes = (const uint8_t *)text.data();
  Driver driver(text.size(), parts.size() - 1, slotBits);
  driver.upload(bytes, text.size(), parts, fields);
  Inverted actual = driver.invert();
  require(actual.counters.full == 0, what, "the table is full");
  require(actual.counters.tooLong == 0 && actual.counters.collisions == 0, what, "a long token was refused");
  std::string found = difference(actual, invertPlainly(bytes, parts, fields), driver.block);
  require(found.empty(), what, "differs in " + found);
}

static void sizes() {
  for (unsigned bytes : {0, 1, 2, 15, 16, 17, 31, 32, 33, TILE - 1, TILE, TILE + 1, 2 * TILE - 1, 2 * TILE, 3 * TILE + 5}) {
    for (unsigned fields : {1, 3}) {
      std::string text = words(bytes, MIXED, 40);
      check("sizes", text, cut(text, fields, 1 + bytes / 7), fields);
    }
  }
}

// A token that starts at each of some places before the end of a tile and has each of some lengths.
static void acrossTiles(int step) {
  for (int before = 0; before <= 40; before += step) {
    for (int length : {1, 2, 14, 15, 16, 17, 31, 32, 33, 64, 255, 256, 765, LONGEST - 1, LONGEST}) {
      std::string text(TILE - before, ' ');
      text.append(length, 'Q');
      text.append(" q1.q2 q:q 1,2 __x _ \n");
      check("a token across tiles", text, {0, (uint32_t)text.size()}, 1, 8);
    }
  }
}

// Four characters of all kinds across the borders of many tiles, and across those of sets of 16 bytes before these.
static void kindsAtBorders(int step) {
  const std::string kinds = "a1_:,.' \x80\xF7";
  constexpr int COMBINATIONS = 10'000, TILES = 50;
  for (int before : {1, 2, 3, 17, 18, 19, 33}) {
    for (int first = (int)below(step); first < COMBINATIONS; first += step * TILES) {
      std::string text(TILES * TILE + 8, ' ');
      for (int tile = 1; tile <= TILES; tile++) {
        int rest = first + step * (tile - 1);
        for (int i = 0; i < 4; i++, rest /= (int)kinds.size()) text[tile * TILE - before + i] = kinds[rest % kinds.size()];
      }
      check("kinds at a border", text, {0, (uint32_t)text.size()}, 1, 10);
    }
  }
}

static void longTerms() {
  std::string text;
  for (int length = 12; length <= 20; length++) {
    for (char last : std::string("abAB\xF5\xFD_")) text += std::string(length - 1, 'p') + last + ' ';
    text += std::string(length, 'p') + "q " + std::string(length, 'P') + "q ";
  }
  for (int i = 0; i < 2000; i++) text += "internationalization" + std::to_string(below(300)) + ' ';
  // Terms with the same first bytes, of which some are the start of others, and one is short.
  for (int i = 0; i < 1000; i++) text += std::string(SHORT - 1, 'r') + words(below(8), "st", 9) + ' ';
  text += '\n';
  check("long terms", text, {0, (uint32_t)text.size()}, 1);
  check("long terms of two fields", text + text, {0, (uint32_t)text.size(), 2 * (uint32_t)text.size()}, 2);
}

static void manyTerms(unsigned bytes) {
  std::string text = words(bytes, "abcdefgh \x8F\xF8", 12);
  check("many terms", text, cut(text, 2, 700), 2, 17);
  std::string one(bytes, ' ');
  for (unsigned i = 0; i + 1 < bytes; i += 2) one[i] = 'x';
  check("one term", one, cut(one, 1, 1000), 1, 4);
  std::string none = words(bytes, " .,:;'_-", 30);
  check("no term", none, cut(none, 1, 1000), 1, 4);
}

// The first characters of a word, or nothing for one of the letters up to `stops`.
static std::string stemOf(const std::string &word, size_t length, char stops) {
  if (word[1] >= 'a' && word[1] <= stops) return {};
  return word.substr(0, 1 + length);
}

static void checkStems(const std::string &text, const std::vector<uint32_t> &parts, unsigned fields, size_t length,
                       char stops) {
  const uint8_t *bytes = (const uint8_t *)text.data();
  Driver driver(text.size(), parts.size() - 1, 14);
  driver.upload(bytes, text.size(), parts, fields);
  std::string found = differenceOfStems(driver, invertPlainly(bytes, parts, fields), fields,
                                        [&](const std::string &word) { return stemOf(word, length, stops); });
  require(found.empty(), "stems", "differ in " + found);
}

static void stems(unsigned bytes) {
  for (unsigned fields : {1, 3}) {
    std::string text = words(bytes, "abcdefgh ", 30);
    std::vector<uint32_t> parts = cut(text, fields, 1500);
    for (size_t length : {1, 3, 15, 16, 30})
      for (char stops : {' ', 'a', 'd', 'z'}) checkStems(text, parts, fields, length, stops);
  }
  std::string one = words(3000, "a ", 2) + '\n';
  checkStems(one, {0, (uint32_t)one.size()}, 1, 5, 'a');
}

// The driver must see that the table is full, a token too long, and that a hash stands for two terms.
static void refusals() {
  std::string text = words(3000, "abcdefgh ", 9) + '\n';
  Driver small(text.size(), 1, 6);
  small.upload((const uint8_t *)text.data(), text.size(), {0, (uint32_t)text.size()}, 1);
  require(small.invert().counters.full > 0, "a table of 64 slots", "was not full");
  for (int i = 0; i < 2000; i++) text += "internationalization" + std::to_string(i) + ' ';
  Driver longer(text.size() + 1, 1, 6);
  text += '\n';
  longer.upload((const uint8_t *)text.data(), text.size(), {0, (uint32_t)text.size()}, 1);
  require(longer.invert().counters.full > 0, "a table of 64 slots for long terms, too", "was not full");

  std::string longest = std::string(LONGEST + 1, 'a') + " b\n";
  Driver driver(longest.size(), 1, 6);
  driver.upload((const uint8_t *)longest.data(), longest.size(), {0, (uint32_t)longest.size()}, 1);
  require(driver.invert().counters.tooLong == 1, "a token of LONGEST + 1 bytes", "was taken");

  std::string twice = "abcdefghijklmnopqrst abcdefghijklmnopqrst abcdefghijklmnopqrst\n";
  for (unsigned byte : {0u, 1u, 20u}) {
    Driver third(twice.size(), 1, 6);
    third.upload((const uint8_t *)twice.data(), twice.size(), {0, (uint32_t)twice.size()}, 1);
    third.makeKeys();
    require(third.counters.collisions == 0 && third.counters.longBytes == 21, "a long term", "differs from itself");
    third.block.longBytes[byte] ^= 1;
    void *params[] = {&third.block};
    shim::launch(check_long, 1, THREADS, 0, params);
    require(third.block.counters->collisions == 2, "another long term", "was taken for the same");
  }
}

// One block of each kind, for a run with a thread per CUDA thread.
static void races() {
  std::string text = words(TILE + 3000, MIXED, 40);
  check("races", text, cut(text, 2, 900), 2, 12);
  // With so many tokens, a separate block of threads sums each digit.
  std::string letters = words(75'000, "abcdefgh", 1);
  check("races", letters, cut(letters, 1, 900), 1, 6);
  checkStems(text, cut(text, 2, 900), 2, 3, 'a');
}

int main(int argc, char **argv) {
  if (argc > 1 && std::strcmp(argv[1], "races") == 0) {
    races();
    std::printf("inversion: no race\n");
    return 0;
  }
  bool quick = argc > 1 && std::strcmp(argv[1], "quick") == 0;
  sizes();
  acrossTiles(quick ? 20 : 1);
  kindsAtBorders(quick ? 1999 : 3);
  longTerms();
  manyTerms(quick ? 70'000 : 400'000);
  stems(quick ? 10'000 : 60'000);
  refusals();
  std::printf("inversion: texts at the borders of tiles, parts, words and the table\n");
}
