// Checks and times the sorts of keys with values and of strings on a device. Compile with OpenMP.
//
//   strings_bench check [log2]        every kind and distribution, up to 2^log2 keys (default 22), and strings of many kinds
//   strings_bench once                one small sort of each kind
//   strings_bench time [log2 ...]     keys with values, beside CUB (default 2^20 2^22 ... 2^28)
//   strings_bench terms [threads] [n] [words]     n terms (default 1,300,000) beside threads of the CPU (default 16): the
//                                     distinct lines of the file of words, or made-up words, and combinations of them
//   strings_bench tune [log2] [words] all compiled variants (default 26)
//
// Every timed sort is checked before a time is printed. Exits with 1 on the first wrong result or CUDA error.
#include "../sorters/strings.h"
#include "cub.cuh"
#include "harness.cuh"
#include "host_strings.h"

#include <chrono>
#include <fstream>
#include <numeric>
#include <random>
#include <unordered_set>

#ifndef SORTERS_NO_DEFAULT_KERNELS
static const auto PAIRS_U64 = PAIRS_SORTER(u64, Key64, PAIRS_THREADS, PAIRS_EACH_64);
static const auto PAIRS_U32 = PAIRS_SORTER(u32, unsigned, PAIRS_THREADS, PAIRS_EACH_32);
static const auto SEARCH_U64 = PAIRS_SORTER(u64_search, Key64, PAIRS_THREADS, PAIRS_SEARCH_EACH_64);
static const auto SEARCH_U32 = PAIRS_SORTER(u32_search, unsigned, PAIRS_THREADS, PAIRS_SEARCH_EACH_32);
static const auto STRING_MERGE = STRING_MERGE_SORTER(, STRINGS_THREADS, STRINGS_EACH);
static const sorters::StringRounds STRING_ROUNDS{"strings in rounds", PAIRS_U64};
#endif

// Calls it with every sort of keys with values.
template <class Use>
static void withPairs(Use use) {
  use(PAIRS_U64);
  use(PAIRS_U32);
  use(SEARCH_U64);
  use(SEARCH_U32);
}

// ---- keys with values

static __global__ void number(unsigned *values, Count n) {
  Count stride = (Count)gridDim.x * blockDim.x;
  for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) values[i] = (unsigned)i;
}

// Counts keys out of order, equal keys whose values are, and values that did not move with their key.
template <class Word>
static __global__ void countWrong(const Word *keys, const unsigned *values, const Word *before, Count n, Count *wrong) {
  Count stride = (Count)gridDim.x * blockDim.x;
  for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    bool inOrder = i == 0 || keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && values[i - 1] < values[i]);
    if (!inOrder || values[i] >= n || before[values[i]] != keys[i]) atomicAdd(wrong, 1ull);
  }
}

// The memory of sorts of up to n keys with values, with a guard behind each buffer.
template <class Word>
struct PairMemory {
  Word *before, *keys, *otherKeys;
  unsigned *values, *otherValues;
  Count *wrong;

  explicit PairMemory(Count n) {
    for (Word **each : {&before, &keys, &otherKeys}) CUDA(cudaMalloc(each, (n + 4) * sizeof(Word)));
    for (unsigned **each : {&values, &otherValues}) CUDA(cudaMalloc(each, (n + 4) * sizeof(unsigned)));
    CUDA(cudaMalloc(&wrong, sizeof(Count)));
  }
  ~PairMemory() {
    for (void *each : {(void *)before, (void *)keys, (void *)otherKeys, (void *)values, (void *)otherValues, (void *)wrong}) {
      cudaFree(each);
    }
  }

  void prepare(Count n, int distribution, Key64 seed) {
    for (Word *end : {keys + n, otherKeys + n}) setGuard(end);
    for (unsigned *end : {values + n, otherValues + n}) setGuard(end);
    fill<<<1056, 512>>>(before, n, distribution, seed);
    CUDA(cudaMemcpy(keys, before, n * sizeof(Word), cudaMemcpyDeviceToDevice));
    number<<<1056, 512>>>(values, n);
  }
  // Values 0 to n - 1 whose keys are where they were, in strict order, are a permutation.
  void check(const char *what, const Word *sorted, const unsigned *moved, Count n) {
    CUDA(cudaMemset(wrong, 0, sizeof(Count)));
    countWrong<<<1056, 512>>>(sorted, moved, before, n, wrong);
    Count found;
    CUDA(cudaMemcpy(&found, wrong, sizeof found, cudaMemcpyDeviceToHost));
    if (found != 0) {
      std::fprintf(stderr, "%s: %llu of %llu keys with values are wrong\n", what, found, n);
      std::exit(1);
    }
    for (Word *end : {keys + n, otherKeys + n}) expectGuard(what, end, n);
    for (unsigned *end : {values + n, otherValues + n}) expectGuard(what, end, n);
  }
};

template <class Word>
static void checkSorter(const sorters::Pairs<Word> &sorter, int log2Max) {
  Count most = 1ull << log2Max;
  PairMemory<Word> memory(most);
  char *scratch = (char *)machine::reserve(sorter.scratchBytes(most));
  sorter.prepare();
  checkSizes(sorter.name.c_str(), log2Max, [&](Count n, int distribution, Key64 seed) {
    memory.prepare(n, distribution, seed);
    sorter.sort(memory.keys, memory.values, memory.otherKeys, memory.otherValues, n, scratch);
    memory.check(sorter.name.c_str(), memory.keys, memory.values, n);
  });
  machine::release(scratch);
}

template <class Word>
static Times timeSorter(const sorters::Pairs<Word> &sorter, Count n, int repeats) {
  PairMemory<Word> memory(n);
  char *scratch = (char *)machine::reserve(sorter.scratchBytes(n));
  sorter.prepare();
  Times times = timeOf(
      repeats, [&] { memory.prepare(n, UNIFORM, 1); },
      [&] { sorter.sort(memory.keys, memory.values, memory.otherKeys, memory.otherValues, n, scratch); },
      [&] { memory.check(sorter.name.c_str(), memory.keys, memory.values, n); });
  machine::release(scratch);
  return times;
}

template <class Word>
static Times timeCubRadixPairs(Count n, int repeats) {
  PairMemory<Word> memory(n);
  size_t bytes = 0;
  cub::DoubleBuffer<Word> keys(memory.keys, memory.otherKeys);
  cub::DoubleBuffer<unsigned> values(memory.values, memory.otherValues);
  CUDA(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, n));
  void *scratch = machine::reserve(bytes);
  Times times = timeOf(
      repeats,
      [&] {
        memory.prepare(n, UNIFORM, 1);
        keys = cub::DoubleBuffer<Word>(memory.keys, memory.otherKeys);
        values = cub::DoubleBuffer<unsigned>(memory.values, memory.otherValues);
      },
      [&] { CUDA(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, values, n)); },
      [&] { memory.check("CUB radix sort", keys.Current(), values.Current(), n); });
  machine::release(scratch);
  return times;
}

template <class Word>
static Times timeCubMergePairs(Count n, int repeats) {
  PairMemory<Word> memory(n);
  size_t bytes = 0;
  CUDA(cub::DeviceMergeSort::StableSortPairs(nullptr, bytes, memory.keys, memory.values, n, Less{}));
  void *scratch = machine::reserve(bytes);
  Times times = timeOf(
      repeats, [&] { memory.prepare(n, UNIFORM, 1); },
      [&] { CUDA(cub::DeviceMergeSort::StableSortPairs(scratch, bytes, memory.keys, memory.values, n, Less{})); },
      [&] { memory.check("CUB merge sort", memory.keys, memory.values, n); });
  machine::release(scratch);
  return times;
}

static void timePairs(int log) {
  Count n = 1ull << log;
  withPairs([=](const auto &sorter) { print(sorter.name.c_str(), n, timeSorter(sorter, n, 7)); });
  print("CUB radix pairs u64", n, timeCubRadixPairs<Key64>(n, 7));
  print("CUB radix pairs u32", n, timeCubRadixPairs<unsigned>(n, 7));
  print("CUB merge sort pairs u64", n, timeCubMergePairs<Key64>(n, 7));
  print("CUB merge sort pairs u32", n, timeCubMergePairs<unsigned>(n, 7));
}

// ---- strings

static std::vector<uint32_t> expectedOrder(const host::Text &text) {
  std::vector<uint32_t> order(text.size());
  host::sortByMerges(text, order, omp_get_max_threads());
  return order;
}

// Strings on the device, and memory for their order.
struct StringMemory {
  const host::Text &text;
  uint8_t *bytes;
  Count *starts;
  unsigned *order;
  char *scratch;

  template <class Sorter>
  StringMemory(const host::Text &text, const Sorter &sorter) : text(text) {
    bytes = (uint8_t *)machine::reserve(text.bytes.size());
    starts = (Count *)machine::reserve(text.starts.size() * sizeof(Count));
    order = (unsigned *)machine::reserve((text.size() + 4) * sizeof(unsigned));
    scratch = (char *)machine::reserve(sorter.scratchBytes(text.size()));
    sorter.prepare();
    put();
  }
  ~StringMemory() {
    for (void *each : {(void *)bytes, (void *)starts, (void *)order, (void *)scratch}) machine::release(each);
  }

  void put() {
    machine::put(bytes, text.bytes.data(), text.bytes.size());
    machine::put(starts, text.starts.data(), text.starts.size() * sizeof(Count));
  }
  void clear() {
    CUDA(cudaMemset(order, 0xFF, text.size() * sizeof(unsigned)));
    setGuard(order + text.size());
  }
  template <class Sorter>
  void sort(const Sorter &sorter) {
    sorter.sort({bytes, starts}, text.size(), order, scratch);
  }
  void check(const std::string &what, const std::vector<uint32_t> &expected) {
    std::vector<uint32_t> got(text.size());
    machine::get(got.data(), order, got.size() * sizeof(uint32_t));
    expectGuard(what.c_str(), order + text.size(), text.size());
    for (Count i = 0; i < got.size(); i++) {
      if (got[i] == expected[i]) continue;
      std::fprintf(stderr, "%s: %llu strings: wrong at %llu\n", what.c_str(), text.size(), i);
      std::exit(1);
    }
  }
};

template <class Sorter>
static void sortAndCheck(const Sorter &sorter, const host::Text &text, const std::vector<uint32_t> &expected) {
  StringMemory memory(text, sorter);
  memory.clear();
  memory.sort(sorter);
  memory.check(sorter.name, expected);
}

static std::mt19937_64 source(1);

// Strings of up to some bytes from an alphabet, behind prefixes of some bytes that groups of them share.
static host::Text madeText(Count n, Count longest, const std::string &alphabet, Count prefixBytes, Count group) {
  std::vector<std::string> strings;
  std::string prefix;
  for (Count i = 0; i < n; i++) {
    if (i % group == 0) {
      prefix.clear();
      while (prefix.size() < prefixBytes) prefix += alphabet[source() % alphabet.size()];
    }
    std::string s = prefix;
    for (Count length = prefixBytes + source() % (longest + 1); s.size() < length;) s += alphabet[source() % alphabet.size()];
    strings.push_back(s);
  }
  std::shuffle(strings.begin(), strings.end(), source);
  return host::Text::of(strings);
}

template <class Use>
static void withTexts(Count n, Use use) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyz", zeros("\0\0\1", 3), bytes("\0\1a\x7F\x80\xFF", 6);
  use(madeText(n, 12, letters, 0, 1), "letters");
  use(madeText(n, 20, zeros, 0, 1), "zeros");
  use(madeText(n, 9, bytes, 11, 2), "pairs");
  use(madeText(n, 9, bytes, 23, 5000), "groups");
  use(madeText(n, 4, letters, 10, n), "one prefix");
  use(madeText(n, 0, letters, 30, 3), "equal strings");
}

static void checkStrings(int log2Max) {
  int checked = 0;
  for (int log = 0; log <= log2Max; log += 3) {
    for (long long delta : {-1ll, 0ll, (1ll << log) / 2 + 3}) {
      withTexts((1ull << log) + delta, [&](const host::Text &text, const char *) {
        std::vector<uint32_t> expected = expectedOrder(text);
        sortAndCheck(STRING_MERGE, text, expected);
        sortAndCheck(STRING_ROUNDS, text, expected);
        checked++;
      });
    }
  }
  std::vector<std::string> strings;
  for (int i = 0; i < 2000; i++) strings.push_back(std::string(50'000, 'x') + std::to_string(i * 7919 % 1009));
  for (int i = 0; i < 3000; i++) strings.push_back(std::string(i, 'y'));
  host::Text text = host::Text::of(strings);
  std::vector<uint32_t> expected = expectedOrder(text);
  sortAndCheck(STRING_MERGE, text, expected);
  sortAndCheck(STRING_ROUNDS, text, expected);
  std::printf("%-24s %d sorts right, up to 1.5 * 2^%d strings\n", "strings, both ways", checked + 1, log2Max);
}

static std::vector<std::string> readWords(const char *path) {
  std::vector<std::string> words;
  if (path != nullptr) {
    std::ifstream in(path, std::ios::binary);
    for (std::string line; std::getline(in, line);) words.push_back(line);
  } else {
    const char *const SYLLABLES[] = {"an", "be", "con", "de", "er", "for", "ing", "ka", "li", "men", "no",
                                     "or", "pre", "ra", "sti", "tion", "un", "ver", "wi", "y"};
    for (int i = 0; i < 100'000; i++) {
      std::string word;
      for (int k = 1 + source() % 4; k >= 0; k--) word += SYLLABLES[source() % 20];
      words.push_back(word);
    }
  }
  return words;
}

// Distinct terms: all words, then two words joined, or a word and a number.
static host::Text termsOf(Count n, const std::vector<std::string> &words) {
  std::unordered_set<std::string> known;
  std::vector<std::string> terms;
  auto add = [&](const std::string &term) {
    if (terms.size() < n && known.insert(term).second) terms.push_back(term);
  };
  std::vector<std::string> shuffled = words;
  std::shuffle(shuffled.begin(), shuffled.end(), source);
  for (const std::string &word : shuffled) add(word);
  while (terms.size() < n) {
    std::string word = words[source() % words.size()];
    add(word + (source() % 2 ? words[source() % words.size()] : std::to_string(source() % 1000)));
  }
  std::shuffle(terms.begin(), terms.end(), source);
  return host::Text::of(terms);
}

static void printStrings(const std::string &what, const host::Text &text, Times t) {
  std::printf("%-34s %8.3f ms  (%.3f to %.3f)  %7.1f million strings/s\n", what.c_str(), t.median, t.least, t.most,
              (double)text.size() / t.median / 1e3);
  std::fflush(stdout);
}

template <class Sorter>
static Times timeStrings(const Sorter &sorter, const host::Text &text, const std::vector<uint32_t> &expected, int repeats,
                         bool copies) {
  StringMemory memory(text, sorter);
  std::vector<uint32_t> order(text.size());
  for (const std::vector<uint8_t> *each : {&text.bytes}) {
    CUDA(cudaHostRegister((void *)each->data(), each->size(), cudaHostRegisterDefault));
  }
  CUDA(cudaHostRegister((void *)text.starts.data(), text.starts.size() * sizeof(Count), cudaHostRegisterDefault));
  CUDA(cudaHostRegister(order.data(), order.size() * sizeof(uint32_t), cudaHostRegisterDefault));
  Times times = timeOf(
      repeats, [&] { memory.clear(); },
      [&] {
        if (copies) memory.put();
        memory.sort(sorter);
        if (copies) machine::get(order.data(), memory.order, order.size() * sizeof(uint32_t));
      },
      [&] { memory.check(sorter.name, expected); });
  for (const void *each : {(const void *)text.bytes.data(), (const void *)text.starts.data(), (const void *)order.data()}) {
    CUDA(cudaHostUnregister((void *)each));
  }
  return times;
}

template <class Sort>
static Times timeHost(Sort sort, const host::Text &text, const std::vector<uint32_t> &expected, int threads, int repeats) {
  std::vector<double> all;
  for (int i = -1; i < repeats; i++) {
    std::vector<uint32_t> order(text.size());
    auto start = std::chrono::steady_clock::now();
    sort(text, order, threads);
    double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (order != expected) {
      std::fprintf(stderr, "the CPU's orders differ\n");
      std::exit(1);
    }
    if (i >= 0) all.push_back(ms);
  }
  std::sort(all.begin(), all.end());
  return {all[all.size() / 2], all.front(), all.back()};
}

static void timeTerms(int threads, Count n, const char *path) {
  host::Text text = termsOf(n, readWords(path));
  std::vector<uint32_t> expected = expectedOrder(text);
  Count ties = 0;
  for (Count i = 1; i < n; i++) ties += host::itemOf(text, expected[i - 1]).key == host::itemOf(text, expected[i]).key;
  std::printf("%llu distinct terms of %.1f bytes; %llu have the same first 8 bytes as the one before\n", n,
              (double)text.starts[n] / n, ties);
  for (bool copies : {false, true}) {
    std::string suffix = copies ? ", with copies" : "";
    printStrings(STRING_MERGE.name + suffix, text, timeStrings(STRING_MERGE, text, expected, 9, copies));
    printStrings(STRING_ROUNDS.name + suffix, text, timeStrings(STRING_ROUNDS, text, expected, 9, copies));
  }
  std::string suffix = ", " + std::to_string(threads) + " threads";
  printStrings("CPU, merges" + suffix, text, timeHost(host::sortByMerges, text, expected, threads, 9));
  printStrings("CPU, sample sort" + suffix, text, timeHost(host::sortBySample, text, expected, threads, 9));
  printStrings("CPU, sample sort, one thread", text, timeHost(host::sortBySample, text, expected, 1, 3));
}

#ifdef SORTERS_VARIANTS
#include SORTERS_VARIANTS
#endif

static void tune(int log, const char *path) {
  Count n = 1ull << log;
  withPairs([=](const auto &sorter) { print(sorter.name.c_str(), n, timeSorter(sorter, n, 5)); });
#ifdef SORTERS_VARIANTS
  withPairVariants([=](const auto &sorter) { print(sorter.name.c_str(), n, timeSorter(sorter, n, 5)); });
  host::Text text = termsOf(1'300'000, readWords(path));
  std::vector<uint32_t> expected = expectedOrder(text);
  withStringVariants([&](const auto &sorter) { printStrings(sorter.name, text, timeStrings(sorter, text, expected, 7, false)); });
#else
  (void)path;
#endif
}

static void once() {
  withPairs([](const auto &sorter) {
    Count n = 5 * sorter.tile() - 7;
    PairMemory<typename std::decay_t<decltype(sorter)>::Word> memory(n);
    char *scratch = (char *)machine::reserve(sorter.scratchBytes(n));
    sorter.prepare();
    memory.prepare(n, UNIFORM, 1);
    sorter.sort(memory.keys, memory.values, memory.otherKeys, memory.otherValues, n, scratch);
    memory.check(sorter.name.c_str(), memory.keys, memory.values, n);
    machine::release(scratch);
    std::printf("%-16s %llu keys sorted right\n", sorter.name.c_str(), n);
  });
  withTexts(3 * PAIRS_U64.tile() + 5, [](const host::Text &text, const char *what) {
    std::vector<uint32_t> expected = expectedOrder(text);
    sortAndCheck(STRING_MERGE, text, expected);
    sortAndCheck(STRING_ROUNDS, text, expected);
    std::printf("%llu strings (%s) sorted right\n", text.size(), what);
  });
}

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "check";
  auto number = [&](int at, Count otherwise) { return argc > at ? std::stoull(argv[at]) : otherwise; };
  if (mode == "check") {
    int log = (int)number(2, 22);
    withPairs([=](const auto &sorter) { checkSorter(sorter, log); });
    checkStrings(log < 18 ? log : 18);
  } else if (mode == "once") {
    once();
  } else if (mode == "time") {
    for (int l : logsFrom(2, argc, argv, {20, 22, 24, 26, 28})) timePairs(l);
  } else if (mode == "terms") {
    timeTerms((int)number(2, 16), number(3, 1'300'000), argc > 4 ? argv[4] : nullptr);
  } else if (mode == "tune") {
    tune((int)number(2, 26), argc > 3 ? argv[3] : nullptr);
  } else {
    std::fprintf(stderr, "usage: strings_bench check|once|time|terms|tune [...]\n");
    return 2;
  }
  return 0;
}
