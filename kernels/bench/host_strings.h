// The order of strings by threads of the CPU, as the rival of the device: two ways, both by the first 8 bytes and then by
// memcmp. Compile with OpenMP.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <omp.h>
#include <parallel/algorithm>
#include <string>
#include <vector>

namespace host {

using Count = unsigned long long;

struct Text {
  std::vector<uint8_t> bytes;  // up to a multiple of 8 more
  std::vector<Count> starts;

  Count size() const { return starts.size() - 1; }
  Count bytesOf(Count i) const { return starts[i + 1] - starts[i]; }
  static Text of(const std::vector<std::string> &strings) {
    Text text;
    text.starts.push_back(0);
    for (const std::string &s : strings) {
      text.bytes.insert(text.bytes.end(), s.begin(), s.end());
      text.starts.push_back(text.bytes.size());
    }
    text.bytes.resize((text.bytes.size() + 7) / 8 * 8 + 8);
    return text;
  }
};

struct Item {
  uint64_t key;
  uint32_t value;
};

inline Item itemOf(const Text &text, Count i) {
  uint64_t key = 0;
  std::memcpy(&key, text.bytes.data() + text.starts[i], std::min<Count>(8, text.bytesOf(i)));
  return {__builtin_bswap64(key), (uint32_t)i};
}

struct IsBelow {
  const Text &text;
  bool operator()(const Item &a, const Item &b) const {
    if (a.key != b.key) return a.key < b.key;
    Count lengthA = text.bytesOf(a.value), lengthB = text.bytesOf(b.value), shorter = std::min(lengthA, lengthB);
    const uint8_t *bytes = text.bytes.data();
    int compared = shorter <= 8 ? 0
                                : std::memcmp(bytes + text.starts[a.value] + 8, bytes + text.starts[b.value] + 8, shorter - 8);
    if (compared != 0) return compared < 0;
    return lengthA != lengthB ? lengthA < lengthB : a.value < b.value;
  }
};

// The multiway merge sort of libstdc++.
inline void sortByMerges(const Text &text, std::vector<uint32_t> &order, int threads) {
  Count n = text.size();
  static std::vector<Item> items;
  items.resize(n);
#pragma omp parallel for num_threads(threads)
  for (Count i = 0; i < n; i++) items[i] = itemOf(text, i);
  __gnu_parallel::sort(items.begin(), items.end(), IsBelow{text}, __gnu_parallel::multiway_mergesort_tag(threads));
#pragma omp parallel for num_threads(threads)
  for (Count i = 0; i < n; i++) order[i] = items[i].value;
}

// Sample sort: 255 splitters, then each bucket by std::sort.
inline void sortBySample(const Text &text, std::vector<uint32_t> &order, int threads) {
  constexpr Count BUCKETS = 256, OVERSAMPLING = 32;
  Count n = text.size();
  static std::vector<Item> items, moved;
  static std::vector<uint8_t> bucketOf;
  items.resize(n);
  moved.resize(n);
  bucketOf.resize(n);
  IsBelow isBelow{text};
  std::vector<Item> sample;
  for (Count i = 0; n > 0 && i < BUCKETS * OVERSAMPLING; i++) {
    sample.push_back(itemOf(text, i * 0x9E3779B97F4A7C15ull % n));
  }
  std::sort(sample.begin(), sample.end(), isBelow);
  std::vector<Item> splitters;
  for (Count b = 1; b < BUCKETS && n > 0; b++) splitters.push_back(sample[b * OVERSAMPLING]);
  std::vector<Count> places((Count)threads * BUCKETS), firsts(BUCKETS + 1);
#pragma omp parallel num_threads(threads)
  {
    int t = omp_get_thread_num();
    Count *own = places.data() + (Count)t * BUCKETS;
    for (Count i = n * t / threads; i < n * (t + 1) / threads; i++) {
      items[i] = itemOf(text, i);
      auto above = std::upper_bound(splitters.begin(), splitters.end(), items[i], isBelow);
      own[bucketOf[i] = (uint8_t)(above - splitters.begin())]++;
    }
#pragma omp barrier
#pragma omp single
    {
      Count before = 0;
      for (Count b = 0; b < BUCKETS; b++) {
        firsts[b] = before;
        for (int u = 0; u < threads; u++) before += std::exchange(places[(Count)u * BUCKETS + b], before);
      }
      firsts[BUCKETS] = before;
    }
    for (Count i = n * t / threads; i < n * (t + 1) / threads; i++) moved[own[bucketOf[i]]++] = items[i];
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
    for (Count b = 0; b < BUCKETS; b++) {
      std::sort(moved.begin() + firsts[b], moved.begin() + firsts[b + 1], isBelow);
      for (Count i = firsts[b]; i < firsts[b + 1]; i++) order[i] = moved[i].value;
    }
  }
}

}  // namespace host
