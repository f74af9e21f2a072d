// Compares the sorts of keys with values and of strings on the CPU with std::stable_sort: at the borders of tiles; strings
// with zeros, with high bytes, empty, equal, prefixes of each other, and with long shared prefixes.
#include "../shim/cuda_shim.h"

#define SORTERS_NO_DEFAULT_KERNELS
#include "../sorters/strings.h"
#include "borders.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

PAIRS(u64_3, unsigned long long, 32, 3, 1, merge::BY_PATH)
PAIRS(u64_4, unsigned long long, 32, 4, 1, merge::BY_PATH)
PAIRS(u64_5, unsigned long long, 32, 5, 1, merge::BY_SEARCH)
PAIRS(u32_2, unsigned, 64, 2, 1, merge::BY_SEARCH)
PAIRS(u32_3, unsigned, 64, 3, 1, merge::BY_PATH)
STRING_MERGE(_3, 32, 3, 1, merge::BY_PATH)
STRING_MERGE(_4, 32, 4, 1, merge::BY_SEARCH)

using Word64 = unsigned long long;
using sorters::Count;

// Memory of the machine with a guard behind it, which must stay.
template <class Item>
class Guarded {
 public:
  Guarded(const std::string &name, Count count) : name(name), count(count) {
    memory = (Item *)machine::reserve((count + 1) * sizeof(Item));
    machine::setTo(memory + count, GUARD, sizeof(Item));
  }
  ~Guarded() {
    unsigned char behind[sizeof(Item)];
    machine::get(behind, memory + count, sizeof(Item));
    for (unsigned char byte : behind) {
      if (byte != GUARD) fail(name, "wrote behind its memory");
    }
    machine::release(memory);
  }
  Item *memory;

 private:
  static constexpr unsigned char GUARD = 0x3C;
  std::string name;
  Count count;
};

// ---- keys with values

template <class Word>
void checkPairs(const sorters::Pairs<Word> &sorter, const std::vector<Word> &keys, const char *what) {
  Count n = keys.size();
  std::vector<unsigned> values(n);
  std::iota(values.begin(), values.end(), 7u);
  std::vector<Word> gotKeys(n);
  std::vector<unsigned> got(n), expected = values;
  std::stable_sort(expected.begin(), expected.end(), [&](unsigned a, unsigned b) { return keys[a - 7] < keys[b - 7]; });
  {
    Guarded<Word> k(sorter.name, n), otherKeys(sorter.name, n);
    Guarded<unsigned> v(sorter.name, n), otherValues(sorter.name, n);
    Guarded<char> scratch(sorter.name, sorter.scratchBytes(n));
    machine::put(k.memory, keys.data(), n * sizeof(Word));
    machine::put(v.memory, values.data(), n * sizeof(unsigned));
    sorter.prepare();
    sorter.sort(k.memory, v.memory, otherKeys.memory, otherValues.memory, n, scratch.memory);
    machine::get(gotKeys.data(), k.memory, n * sizeof(Word));
    machine::get(got.data(), v.memory, n * sizeof(unsigned));
  }
  for (Count i = 0; i < n; i++) {
    if (got[i] != expected[i] || gotKeys[i] != keys[expected[i] - 7]) {
      fail(sorter.name, std::to_string(n) + " keys (" + what + "): wrong at " + std::to_string(i));
    }
  }
}

template <class Word>
void checkSizes(const sorters::Pairs<Word> &sorter, int tiles) {
  std::set<Count> sizes = sizesAround(sorter.tile(), tiles);
  std::mt19937_64 random(sorter.tile());
  for (Count n : sizes) {
    std::vector<Word> keys(n), few(n), equal(n, ~(Word)0), down(n);
    for (Count i = 0; i < n; i++) {
      keys[i] = (Word)random();
      few[i] = (Word)(random() % 3) - 1;
      down[i] = (Word)((n - i) << 7);
    }
    checkPairs(sorter, few, "few values");
    if (tiles == 0) continue;
    checkPairs(sorter, keys, "random");
    checkPairs(sorter, equal, "all equal");
    checkPairs(sorter, down, "descending");
  }
  std::printf("%-22s %zu sizes to %llu keys\n", sorter.name.c_str(), sizes.size(), *sizes.rbegin());
}

// ---- strings

using Texts = std::vector<std::string>;

static int roundsTaken;

static void sortStrings(const sorters::StringRounds &sorter, strings::Strings all, Count n, unsigned *order, char *scratch) {
  roundsTaken = sorter.sort(all, n, order, scratch);
}
static void sortStrings(const sorters::StringMerge &sorter, strings::Strings all, Count n, unsigned *order, char *scratch) {
  roundsTaken = 0;
  sorter.sort(all, n, order, scratch);
}

template <class Sorter>
void checkStrings(const Sorter &sorter, const Texts &texts, const std::string &what) {
  Count n = texts.size();
  std::string all;
  std::vector<Count> starts{0};
  for (const std::string &text : texts) {
    all += text;
    starts.push_back(all.size());
  }
  std::vector<unsigned> got(n), expected(n);
  std::iota(expected.begin(), expected.end(), 0u);
  // std::string compares bytes unsigned.
  std::stable_sort(expected.begin(), expected.end(), [&](unsigned a, unsigned b) { return texts[a] < texts[b]; });
  {
    // Exactly as much memory as the sort may read.
    Guarded<char> bytes(sorter.name, (all.size() + 7) / 8 * 8);
    Guarded<Count> starting(sorter.name, n + 1);
    Guarded<unsigned> order(sorter.name, n);
    Guarded<char> scratch(sorter.name, sorter.scratchBytes(n));
    machine::put(bytes.memory, all.data(), all.size());
    machine::put(starting.memory, starts.data(), starts.size() * sizeof(Count));
    sorter.prepare();
    sortStrings(sorter, {(const uint8_t *)bytes.memory, starting.memory}, n, order.memory, scratch.memory);
    machine::get(got.data(), order.memory, n * sizeof(unsigned));
  }
  for (Count i = 0; i < n; i++) {
    if (got[i] != expected[i]) {
      fail(sorter.name, std::to_string(n) + " strings (" + what + "): wrong at " + std::to_string(i));
    }
  }
}

static std::mt19937_64 source(1);
static Count upTo(Count most) { return source() % (most + 1); }

// Strings of up to some bytes from an alphabet.
static Texts randomTexts(Count n, Count longest, const std::string &alphabet) {
  Texts texts(n);
  for (std::string &text : texts) {
    for (Count length = upTo(longest); text.size() < length;) text += alphabet[upTo(alphabet.size() - 1)];
  }
  return texts;
}

static Texts with(const std::string &prefix, Texts texts) {
  for (std::string &text : texts) text = prefix + text;
  return texts;
}

// Groups of any length, each with a prefix.
static Texts grouped(Count n, Count longestGroup, Count prefixBytes) {
  Texts texts;
  while (texts.size() < n) {
    std::string prefix(prefixBytes, (char)('a' + upTo(25)));
    for (char &c : prefix) c = upTo(9) == 0 ? (char)upTo(255) : c;
    for (const std::string &text : with(prefix, randomTexts(1 + upTo(longestGroup - 1), 12, "ab"))) texts.push_back(text);
  }
  std::shuffle(texts.begin(), texts.end(), source);
  texts.resize(n);
  return texts;
}

template <class Sorter>
void checkAll(const Sorter &sorter, bool small) {
  const std::string zeros("\0\0\1", 3), bytes("\0\1a\x7F\x80\xFF", 6), high(3, '\xFF');
  Count tile = sorter.tile();
  if (small) {
    checkStrings(sorter, grouped(tile + 3, 40, 11), "groups");
    return;
  }
  std::set<Count> sizes{0, 1, 2, 33, tile / 2, tile / 2 + 1, tile - 1, tile, tile + 1, 3 * tile / 2, 5 * tile + 7};
  for (Count n : sizes) {
    checkStrings(sorter, randomTexts(n, 6, zeros), "zeros");
    checkStrings(sorter, randomTexts(n, 30, zeros), "long zeros");
    checkStrings(sorter, randomTexts(n, 3, bytes), "bytes");
    checkStrings(sorter, randomTexts(n, 20, high), "of 0xFF");
    checkStrings(sorter, randomTexts(n, 20, "a"), "prefixes of each other");
    checkStrings(sorter, Texts(n), "empty");
    checkStrings(sorter, Texts(n, "the same string"), "equal");
    checkStrings(sorter, with("http://www.", randomTexts(n, 9, "abc")), "one prefix");
    for (Count group : {2ull, tile / 2, tile / 2 + 1, 2 * tile}) {
      for (Count prefix : {6ull, 7ull, 8ull, 12ull, 40ull}) {
        checkStrings(sorter, grouped(n, group, prefix), "groups of " + std::to_string(group));
      }
    }
  }
  // Prefixes that are long, of equal and of different lengths, and long strings that are equal.
  checkStrings(sorter, with(std::string(100'000, 'x'), randomTexts(40, 5, "ab")), "a long prefix");
  if (roundsTaken > 16) fail(sorter.name, std::to_string(roundsTaken) + " rounds for a long prefix");
  Texts stairs, same;
  for (int i = 0; i < 300; i++) stairs.push_back(std::string(i * 7, 'y'));
  for (int i = 0; i < 30; i++) same.push_back(std::string(50'000 + i % 2, 'z'));
  for (int i = 0; i < 60; i++) same.push_back(std::string(1000 << i % 6, 'z') + std::to_string(i % 7));
  std::shuffle(stairs.begin(), stairs.end(), source);
  checkStrings(sorter, stairs, "stairs");
  checkStrings(sorter, same, "long and equal");
  std::printf("%-22s strings in order, %zu sizes to %llu\n", sorter.name.c_str(), sizes.size(), *sizes.rbegin());
}

// The sums of tiles and the one behind them, which say how many strings are left.
static void checkSums(Count tiles) {
  std::vector<Count> sums(tiles + 1), got(tiles + 1);
  for (Count i = 0; i < tiles; i++) sums[i] = upTo(1000);
  Guarded<Count> memory("scan_sums", tiles + 1);
  machine::put(memory.memory, sums.data(), tiles * sizeof(Count));
  sorters::launch(inversion::scan_sums, 1, inversion::THREADS, sizeof(inversion::SumsShared), memory.memory, tiles);
  machine::get(got.data(), memory.memory, (tiles + 1) * sizeof(Count));
  Count sum = 0;
  for (Count i = 0; i <= tiles; sum += sums[i++]) {
    if (got[i] != sum) fail("scan_sums", std::to_string(tiles) + " tiles: wrong at " + std::to_string(i));
  }
}

int main(int argc, char **argv) {
  // With a thread for each CUDA thread there is one number of keys.
  bool races = argc > 1 && std::string(argv[1]) == "races";
  int tiles = races ? 0 : 9;
  auto pairs = PAIRS_SORTER(u64_3, Word64, 32, 3);
  sorters::StringRounds rounds{"strings in rounds", pairs};
  checkSizes(PAIRS_SORTER(u32_3, unsigned, 64, 3), tiles);
  checkSizes(PAIRS_SORTER(u32_2, unsigned, 64, 2), tiles);
  checkAll(STRING_MERGE_SORTER(_3, 32, 3), races);
  checkAll(rounds, races);
  if (races) {
    std::puts("strings: no race");
    return 0;
  }
  for (Count tiles : sizesAround(inversion::SCAN_TILE, 2)) checkSums(tiles);
  checkSizes(pairs, tiles);
  checkSizes(PAIRS_SORTER(u64_4, Word64, 32, 4), tiles);
  checkSizes(PAIRS_SORTER(u64_5, Word64, 32, 5), tiles);
  checkAll(STRING_MERGE_SORTER(_4, 32, 4), false);
  for (int bits : {5, 13, 21, 31}) {
    rounds.leastGroupBits = bits;
    checkStrings(rounds, grouped(1000, 100, 40), "keys of fewer bytes");
    checkStrings(rounds, randomTexts(500, 30, std::string("\0\0\1", 3)), "zeros and keys of fewer bytes");
  }
  return 0;
}
