// Compares the sorters of records on the CPU with std::stable_sort: at the borders of tiles, for records of 1 to 20 other
// fields, in both layouts, direct and indirect. Sample sort is not stable: its keys must be in order, and its records whole
// and all there.
#include "../shim/cuda_shim.h"

#define SORTERS_NO_DEFAULT_KERNELS
#include "../sorters/records_driver.h"
#include "borders.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

RECORDS_RADIX_BY_FIELD(by_field, 256, 2, 1, radix::BY_MASKS)
RECORDS_RADIX_HYBRID(hybrid, 288, 1, 1, radix::BY_INSTRUCTION)
GRS_RANK(by_field, 64, 2)
GRS_RANK(hybrid, 128, 3)
GRS_BY_FIELD(by_field, 32, 4)
GRS_HYBRID(hybrid, 128, 3)
RECORDS_FILL(by_field, 2, FillShared, fillByField)
RECORDS_FILL(hybrid, 3, FillHybridShared, fillHybrid)

using sorters::Count;
using Words = std::vector<unsigned>;

static constexpr int COUNT_BLOCKS = 3;
static constexpr unsigned GUARD = 0x3C3C3C3C;

// Memory of the machine with a guard behind it.
struct Guarded {
  Words words;
  unsigned *memory;

  Guarded(const Words &from) : words(from) {
    words.push_back(GUARD);
    memory = (unsigned *)machine::reserve(words.size() * sizeof(unsigned));
    machine::put(memory, words.data(), words.size() * sizeof(unsigned));
  }
  Guarded(const Guarded &) = delete;
  ~Guarded() { machine::release(memory); }

  Words get(const std::string &name) {
    machine::get(words.data(), memory, words.size() * sizeof(unsigned));
    if (words.back() != GUARD) fail(name, "wrote behind a buffer");
    return {words.begin(), words.end() - 1};
  }
};

struct Layout {
  bool isHybrid;
  Count n, others;
  Count at(Count record, Count field) const { return isHybrid ? record * others + field : field * n + record; }
};

// Field 0 says which record it is of.
static unsigned fieldOf(unsigned record, Count field) { return field == 0 ? record : record * 0x9E3779B1u + (unsigned)field; }

// Checks that the sorted keys have the records in `order` behind them.
static void expect(const std::string &name, const Words &keys, const Layout &layout, const Words &sortedKeys,
                   const Words &fields, const Words &order) {
  std::string what = std::to_string(layout.n) + " records with " + std::to_string(layout.others) + " other fields: ";
  for (Count i = 0; i < layout.n; i++) {
    unsigned record = order[i];
    if (record >= layout.n || sortedKeys[i] != keys[record]) fail(name, what + "wrong key at " + std::to_string(i));
    for (Count f = 0; f < layout.others; f++) {
      if (fields[layout.at(i, f)] != fieldOf(record, f)) fail(name, what + "wrong field at " + std::to_string(i));
    }
  }
}

template <class Sorter>
static void check(const Sorter &sorter, bool isHybrid, const Words &keys, Count others) {
  Layout layout{isHybrid, keys.size(), others};
  Words fields(keys.size() * others);
  for (Count i = 0; i < layout.n; i++) {
    for (Count f = 0; f < others; f++) fields[layout.at(i, f)] = fieldOf((unsigned)i, f);
  }
  Guarded key(keys), otherKey(keys), field(fields), otherField(fields);
  char *scratch = (char *)machine::reserve(sorter.scratchBytes(layout.n));
  sorter.prepare();
  int side = sorter.sort({{key.memory, otherKey.memory}, {field.memory, otherField.memory}, layout.n, others}, scratch);
  machine::release(scratch);
  otherKey.get(sorter.name);
  Words sortedKeys = key.get(sorter.name), buffers[2] = {field.get(sorter.name), otherField.get(sorter.name)};

  Words expected(layout.n);
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
  Words order(layout.n);
  for (Count i = 0; i < layout.n; i++) order[i] = buffers[side][layout.at(i, 0)];
  if (Sorter::isStable && order != expected) fail(sorter.name, std::to_string(layout.n) + " records: not sorted");
  expect(sorter.name, keys, layout, sortedKeys, buffers[side], order);
  for (Count i = 0; i < layout.n; i++) {
    if (sortedKeys[i] != keys[expected[i]]) fail(sorter.name, std::to_string(layout.n) + " records: keys not sorted");
  }
  std::sort(order.begin(), order.end());
  for (Count i = 0; i < layout.n; i++) {
    if (order[i] != i) fail(sorter.name, "a record is there twice");
  }
}

static const std::vector<Count> OTHERS{1, 2, 3, 4, 5, 9, 10, 19, 20};

// At the borders of tiles. The largest size has records of every number of fields, the others take turns with them.
template <class Sorter>
static void checkSizes(const Sorter &sorter, bool isHybrid, int tiles) {
  std::set<Count> sizes = sizesAround(sorter.tile(), tiles);
  std::mt19937 random((unsigned)sorter.tile());
  Count sorts = 0;
  for (Count n : sizes) {
    Words keys(n), few(n), equal(n, ~0u), down(n);
    for (Count i = 0; i < n; i++) {
      keys[i] = random();
      few[i] = random() % 3 << 29;
      down[i] = (unsigned)(n - i) << 7;
    }
    for (const Words &some : {keys, few, equal, down}) check(sorter, isHybrid, some, OTHERS[sorts++ % OTHERS.size()]);
    if (n < *sizes.rbegin()) continue;
    for (Count others : OTHERS) check(sorter, isHybrid, keys, others);
  }
  std::printf("%-32s %zu sizes to %llu records\n", sorter.name.c_str(), sizes.size(), *sizes.rbegin());
}

// Larger numbers of records, for the rounds of sample sort: one, two, and three, with keys of all and of few values.
template <class Sorter>
static void checkRounds(const Sorter &sorter, bool isHybrid) {
  std::mt19937 random(7);
  for (Count n : {2049ull, 30'000ull, 300'001ull}) {
    Words keys(n), skewed(n), equal(n, 5);
    for (Count i = 0; i < n; i++) {
      keys[i] = random();
      skewed[i] = random() % 4 == 0 ? random() : random() % 8;
    }
    check(sorter, isHybrid, keys, 2);
    check(sorter, isHybrid, skewed, 3);
    check(sorter, isHybrid, equal, 4);
  }
  std::printf("%-32s rounds\n", sorter.name.c_str());
}

int main(int argc, char **argv) {
  bool races = argc > 1 && std::string(argv[1]) == "races";
  auto radix = RADIX_RECORDS_BY_FIELD(by_field, 256, 2, radix::BY_MASKS, COUNT_BLOCKS);
  auto radixHybrid = RADIX_RECORDS_HYBRID(hybrid, 288, 1, radix::BY_INSTRUCTION, COUNT_BLOCKS);
  auto grs = GRS_RECORDS(by_field, MoveShared, 64, 2, 32, 4);
  auto grsHybrid = GRS_RECORDS(hybrid, MoveHybridShared, 128, 3, 128, 3);
  auto sample = SAMPLE_RECORDS(by_field, by_field, FillShared, 2, 5000, 512);
  auto sampleHybrid = SAMPLE_RECORDS(hybrid, hybrid, FillHybridShared, 3, 700, 0);
  if (races) {
    // With a thread for each CUDA thread: one tile of each, since blocks run one after the other; by samples one round.
    std::mt19937 random(1);
    Words keys(2052);
    for (unsigned &key : keys) key = random();
    Words tile(keys.begin(), keys.begin() + 101);
    check(radix, false, tile, 2);
    check(radixHybrid, true, tile, 3);
    check(sorters::Indirect<sorters::GrsRecords>{grs, true}, true, tile, 2);
    check(grsHybrid, true, tile, 1);
    check(SAMPLE_RECORDS(by_field, by_field, FillShared, 2, 2000, 2048), false, keys, 2);
    std::puts("records: no race");
    return 0;
  }
  checkSizes(radix, false, 3);
  checkSizes(radixHybrid, true, 3);
  checkSizes(grs, false, 4);
  checkSizes(grsHybrid, true, 4);
  checkSizes(sample, false, 1);
  checkSizes(sampleHybrid, true, 1);
  checkRounds(sample, false);
  checkRounds(sampleHybrid, true);
  for (bool isHybrid : {false, true}) {
    checkSizes(sorters::Indirect<sorters::RadixRecords>{radix, isHybrid}, isHybrid, 1);
    checkSizes(sorters::Indirect<sorters::GrsRecords>{grs, isHybrid}, isHybrid, 1);
    checkSizes(sorters::Indirect<sorters::SampleRecords>{sample, isHybrid}, isHybrid, 1);
  }
  return 0;
}
