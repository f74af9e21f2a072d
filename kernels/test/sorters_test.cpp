// Compares the sorters on the CPU with std::stable_sort: at the borders of tiles and warps, for words of 64 and 32 bits,
// every way to match lanes, and every distribution.
#include "../shim/cuda_shim.h"

#define SORTERS_NO_DEFAULT_KERNELS
#include "../sorters/bitonic_merge.h"
#include "../sorters/driver.h"
#include "borders.h"

#include <algorithm>
#include <random>
#include <set>

RADIX_MOVE(u64_1, unsigned long long, 256, 1, 1, radix::BY_VOTES)
RADIX_MOVE(u64_3, unsigned long long, 256, 3, 1, radix::BY_INSTRUCTION)
RADIX_MOVE(u64_2, unsigned long long, 288, 2, 1, radix::BY_MASKS)
RADIX_MOVE(u32_2, unsigned, 256, 2, 1, radix::BY_MASKS)
SPLIT(u64_1, unsigned long long, 1)
SPLIT(u64_3, unsigned long long, 3)
SPLIT(u32_2, unsigned, 2)
MERGE(u64_3, unsigned long long, 32, 3, 1, merge::BY_PATH)
MERGE(u64_4, unsigned long long, 64, 4, 1, merge::BY_PATH)
MERGE(u64_5, unsigned long long, 32, 5, 1, merge::BY_SEARCH)
MERGE(u32_2, unsigned, 64, 2, 1, merge::BY_SEARCH)
BITONIC(u64_16, unsigned long long, 64, 16, 4, 1)
BITONIC(u64_32, unsigned long long, 64, 32, 1, 1)
BITONIC(u32_8, unsigned, 32, 8, 2, 1)

using Word64 = unsigned long long;
using sorters::Count;

// Sorts on the machine; a guard behind each buffer must stay.
template <class Sorter, class Word = typename Sorter::Word>
std::vector<Word> sorted(const Sorter &sorter, std::vector<Word> keys) {
  const Word guard = (Word)0x3C3C3C3C3C3C3C3Cull;
  Count n = keys.size(), bytes = (n + 1) * sizeof(Word);
  keys.push_back(guard);
  Word *from = (Word *)machine::reserve(bytes), *other = (Word *)machine::reserve(bytes);
  char *scratch = (char *)machine::reserve(sorter.scratchBytes(n));
  machine::put(from, keys.data(), bytes);
  machine::put(other + n, &guard, sizeof guard);
  sorter.prepare();
  sorter.sort(from, other, n, scratch);
  machine::get(keys.data(), from, bytes);
  Word behind;
  machine::get(&behind, other + n, sizeof behind);
  if (keys.back() != guard || behind != guard) fail(sorter.name, "wrote behind the keys");
  for (void *memory : {(void *)from, (void *)other, (void *)scratch}) machine::release(memory);
  keys.pop_back();
  return keys;
}

template <class Sorter>
void check(const Sorter &sorter, const std::vector<typename Sorter::Word> &keys, const char *what) {
  std::vector<typename Sorter::Word> expected = keys;
  std::sort(expected.begin(), expected.end());
  if (sorted(sorter, keys) != expected) {
    fail(sorter.name, std::to_string(keys.size()) + " keys (" + what + "): not sorted");
  }
}

template <class Sorter>
void checkSizes(const Sorter &sorter, int tiles) {
  using Word = typename Sorter::Word;
  std::set<Count> sizes = sizesAround(sorter.tile(), tiles);
  std::mt19937_64 random(sorter.tile());
  for (Count n : sizes) {
    std::vector<Word> keys(n), few(n), equal(n, ~(Word)0), up(n), down(n);
    for (Count i = 0; i < n; i++) {
      keys[i] = (Word)random();
      few[i] = (Word)(random() % 3 << 29);
      up[i] = (Word)(i << 7);
      down[i] = (Word)((n - i) << 7);
    }
    check(sorter, keys, "random");
    if (tiles == 0) continue;
    check(sorter, few, "few values");
    check(sorter, equal, "all equal");
    check(sorter, up, "ascending");
    check(sorter, down, "descending");
  }
  std::printf("%-14s %zu sizes to %llu keys\n", sorter.name.c_str(), sizes.size(), *sizes.rbegin());
}

int main(int argc, char **argv) {
  // With a thread for each CUDA thread there is one number of keys.
  bool races = argc > 1 && std::string(argv[1]) == "races";
  int tiles = races ? 0 : 4;
  constexpr int COUNT_BLOCKS = 3;
  checkSizes(RADIX_SORTER(u32_2, unsigned, 256, 2, radix::BY_MASKS, COUNT_BLOCKS), tiles);
  checkSizes(SPLIT_SORTER(u32_2, unsigned, 2), tiles);
  checkSizes(MERGE_SORTER(u32_2, unsigned, 64, 2), 3 * tiles);
  checkSizes(BITONIC_SORTER(u32_8, unsigned, 32, 8, 2), 3 * tiles);
  checkSizes(QUICK_SORTER(u32, unsigned, 2), tiles);
  if (races) {
    std::puts("sorters: no race");
    return 0;
  }
  checkSizes(RADIX_SORTER(u64_3, Word64, 256, 3, radix::BY_INSTRUCTION, COUNT_BLOCKS), tiles);
  checkSizes(RADIX_SORTER(u64_2, Word64, 288, 2, radix::BY_MASKS, COUNT_BLOCKS), tiles);
  checkSizes(RADIX_SORTER(u64_1, Word64, 256, 1, radix::BY_VOTES, COUNT_BLOCKS), tiles);
  checkSizes(SPLIT_SORTER(u64_1, Word64, 1), tiles);
  checkSizes(SPLIT_SORTER(u64_3, Word64, 3), tiles);
  checkSizes(MERGE_SORTER(u64_3, Word64, 32, 3), 9);
  checkSizes(MERGE_SORTER(u64_4, Word64, 64, 4), 9);
  checkSizes(MERGE_SORTER(u64_5, Word64, 32, 5), 9);
  checkSizes(BITONIC_SORTER(u64_16, Word64, 64, 16, 4), 9);
  checkSizes(BITONIC_SORTER(u64_32, Word64, 64, 32, 1), 9);
  checkSizes(QUICK_SORTER(u64, Word64, 1), tiles);
  checkSizes(QUICK_SORTER(u64, Word64, 100), tiles);
  checkSizes(SAMPLE_SORTER(u32, unsigned, 5000), 1);
  checkSizes(SAMPLE_SORTER(u64, Word64, 70'000), 1);
  return 0;
}
