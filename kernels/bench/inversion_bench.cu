// Checks and times the inversion on a device:
//   inversion_bench TEXT_MIB BLOCK_MIB... < list of text files
// The text is made of the files, cut into documents of 2 to 9.4 KB, and repeated with other letters in some words until
// it is long enough. Each block size inverts all of it, block by block; the sum of the hashes of all tokens (term,
// document, position) is compared with that of a plain loop. The first block is compared key by key, and its packed
// postings byte by byte, if it is small; and once more with stems.
#include <chrono>
#include <thread>

#include "../inversion/reference.h"

using namespace inversion;

#include "text.h"

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

static Count hashOfTerm(const uint8_t *bytes, Count length) {
  Count hash = length;
  for (Count i = 0; i < length; i++) hash = (hash ^ bytes[i]) * 0x100000001B3ull;
  return mix(hash);
}

static Count hashOfToken(Count term, Count doc, Count position) { return mix(term ^ mix(doc << 32 | position)); }

template <class Work>
static Count sumByThreads(Count items, Work work) {
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Count> sums(threads);
  std::vector<std::thread> team;
  for (unsigned t = 0; t < threads; t++)
    team.emplace_back([&, t] { sums[t] = work(t * items / threads, (t + 1) * items / threads); });
  for (auto &thread : team) thread.join();
  Count sum = 0;
  for (Count s : sums) sum += s;
  return sum;
}

static Count referenceSum(const Text &text) {
  return sumByThreads(text.documents.size() - 1, [&](Count first, Count last) {
    Count sum = 0;
    for (Count d = first; d < last; d++) {
      Count position = 0;
      forEachWord(text.bytes.data(), text.documents[d], text.documents[d + 1], [&](const std::string &word) {
        sum += hashOfToken(hashOfTerm((const uint8_t *)word.data(), word.size()), d, position++);
      });
    }
    return sum;
  });
}

static Count sumOf(const Inverted &block, const Block &layout, Count firstDocument) {
  return sumByThreads(block.terms.size(), [&](Count first, Count last) {
    Count sum = 0;
    for (Count i = first; i < last; i++) {
      std::string bytes = bytesOf(block.terms[i], block.longBytes);
      Count hash = hashOfTerm((const uint8_t *)bytes.data(), bytes.size());
      for (Count k = 0; k < block.terms[i].keys; k++) {
        Count key = block.keys[block.terms[i].firstKey + k];
        Count doc = key >> layout.positionBits & ((1ull << layout.docBits) - 1);
        sum += hashOfToken(hash, firstDocument + doc, key & ((1ull << layout.positionBits) - 1));
      }
    }
    return sum;
  });
}

static float median(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The first four letters of each word; nothing for words with t.
static std::string stemOf(const std::string &word) { return word[1] == 't' ? "" : word.substr(0, 5); }

static void run(const Text &text, Count blockBytes, Count expected) {
  int slotBits = 16;
  while (1ull << slotBits < blockBytes / 40 + 400'000) slotBits++;
  Driver driver(blockBytes, blockBytes / 16, slotBits);
  driver.keyBlocks = 132 * 5;
  Count sum = 0, tokens = 0, terms = 0, longBytes = 0, postings = 0, docsBytes = 0, positionsBytes = 0;
  const char *names[] = {"text to keys", "order terms", "order keys", "lists", "heads", "sizes of blocks",
                         "sizes of terms", "pack blocks", "pack the rest"};
  constexpr int STAGES = 9;
  std::vector<float> stages[STAGES];
  cudaEvent_t events[STAGES + 1];
  for (auto &event : events) CUDA(cudaEventCreate(&event));
  double inverting = 0;
  int blocks = 0;
  for (Count first = 0; first + 1 < text.documents.size(); blocks++) {
    Count last = first + 1;
    while (last + 1 < text.documents.size() && text.documents[last + 1] - text.documents[first] <= blockBytes) last++;
    std::vector<uint32_t> parts;
    for (Count d = first; d <= last; d++) parts.push_back((uint32_t)(text.documents[d] - text.documents[first]));
    driver.upload(text.bytes.data() + text.documents[first], parts.back(), parts, 1);
    for (int round = 0; round < (blocks < 2 ? 5 : 1); round++) {
      CUDA(cudaDeviceSynchronize());
      auto start = Clock::now();
      CUDA(cudaEventRecord(events[0]));
      driver.makeKeys();
      CUDA(cudaEventRecord(events[1]));
      driver.orderTerms();
      CUDA(cudaEventRecord(events[2]));
      driver.orderKeys();
      CUDA(cudaEventRecord(events[3]));
      driver.makeLists();
      CUDA(cudaEventRecord(events[4]));
      driver.findHeads();
      CUDA(cudaEventRecord(events[5]));
      driver.sizeBlocks();
      CUDA(cudaEventRecord(events[6]));
      driver.sizeTerms();
      if (!driver.placePostings()) {
        std::printf("packing refused: %llu times no order, %llu + %llu bytes\n", driver.counters.disorder,
                    driver.counters.docsBytes, driver.counters.positionsBytes);
        std::exit(1);
      }
      CUDA(cudaEventRecord(events[7]));
      driver.packBlocks();
      CUDA(cudaEventRecord(events[8]));
      driver.packRest();
      CUDA(cudaEventRecord(events[9]));
      CUDA(cudaDeviceSynchronize());
      if (round > 0 || blocks >= 2) {
        for (int i = 0; i < STAGES; i++) {
          float millis;
          CUDA(cudaEventElapsedTime(&millis, events[i], events[i + 1]));
          stages[i].push_back(millis / parts.back() * 1e9f);  // per GB
        }
      } else {
        inverting += secondsSince(start);
      }
    }
    docsBytes += driver.counters.docsBytes;
    positionsBytes += driver.counters.positionsBytes;
    postings += driver.counters.postings;
    Packed packed;
    bool isCompared = blocks == 0 && blockBytes <= 64 << 20;
    if (isCompared) {
      driver.getPacked(packed);
      packed.counters = driver.counters;
    }
    Inverted back = driver.invert();
    if (back.counters.full || back.counters.tooLong || back.counters.collisions || back.counters.ties) {
      std::printf("refused: %llu full, %llu too long, %llu collisions, %llu times too many ties\n", back.counters.full,
                  back.counters.tooLong, back.counters.collisions, back.counters.ties);
      std::exit(1);
    }
    sum += sumOf(back, driver.block, first);
    tokens += back.counters.tokens;
    terms += back.counters.terms;
    longBytes += back.counters.longBytes;
    if (isCompared) {
      Reference reference = invertPlainly(text.bytes.data(), parts, 1);
      std::string keys = difference(back, reference, driver.block);
      std::string files = difference(packed, packPlainly(reference, 1));
      std::printf("first block: keys %s, packed postings %s\n", keys.empty() ? "equal" : keys.c_str(),
                  files.empty() ? "equal" : files.c_str());
      std::string stems = differenceOfStems(driver, reference, 1, stemOf);
      std::printf("first block with stems: %s\n", stems.empty() ? "equal" : stems.c_str());
      if (!keys.empty() || !files.empty() || !stems.empty()) std::exit(1);
    }
    first = last;
  }
  std::printf("%llu MiB a block, %d blocks: %s; %llu tokens, %llu terms (%llu bytes of long ones), 2^%d slots, device %.2f GB\n",
              blockBytes >> 20, blocks, sum == expected ? "sums equal" : "SUMS DIFFER", tokens, terms, longBytes, slotBits,
              driver.allocatedBytes / 1e9);
  std::printf("  packed: %llu postings, %llu bytes of documents, %llu of positions\n", postings, docsBytes, positionsBytes);
  float all = 0;
  for (int i = 0; i < STAGES; i++) {
    std::printf("  %-16s %7.2f ms a GB of text\n", names[i], median(stages[i]));
    all += median(stages[i]);
  }
  std::printf("  %-16s %7.2f ms a GB: %.1f GB/s, %.2f Gtok/s\n", "all", all, 1e3 / all,
              (double)tokens / text.bytes.size() * 1e3 / all);
  if (sum != expected) std::exit(1);
}

int main(int argc, char **argv) {
  Text text = makeText(std::stoull(argv[1]) << 20);
  Count expected = referenceSum(text);
  std::printf("%.3f GB, %zu documents\n", text.bytes.size() / 1e9, text.documents.size() - 1);
  for (int i = 2; i < argc; i++) run(text, std::stoull(argv[i]) << 20, expected);
}
