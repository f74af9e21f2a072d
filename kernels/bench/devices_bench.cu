// Checks and times sorts over several devices.
//
//   devices_bench check [log2]       2 to 5 devices, both exchanges, every distribution, up to 2^log2 keys (default 20)
//   devices_bench once               one small sort by each sorter, over 3 devices
//   devices_bench time [log2 ...]    1, 2 and 4 devices: median of 5 of each phase (default 2^24 and 2^28 keys in all)
//   devices_bench tune [log2]        sizes of the buffers of an exchange through the host (default 28)
//
// Device i is GPU i, modulo the number of GPUs: on a machine with one GPU, all devices are the same GPU. Then the time of
// a sort says nothing about several GPUs, but those of its phases say what pivots, exchanges and merges cost.
//
// Every timed sort is checked. Exits with 1 on the first wrong result or CUDA error.
#include "../sorters/devices.h"
#include "../sorters/network.h"
#include "harness.cuh"

#include <chrono>

static constexpr int COUNT_BLOCKS = 132 * 4;  // as many as an H200 holds at once
static constexpr machine::Bytes BUFFER_BYTES = EXCHANGE_BUFFER_BYTES;

using U64Key = IntegerKey<Key64>;

static const auto RADIX_U64 = RADIX_SORTER(u64, Key64, RADIX_THREADS_64, RADIX_EACH_64, RADIX_MATCH, COUNT_BLOCKS);
static const auto RADIX_U32 = RADIX_SORTER(u32, unsigned, RADIX_THREADS_32, RADIX_EACH_32, RADIX_MATCH, COUNT_BLOCKS);
static const auto MERGE_U64 = MERGE_SORTER(u64, Key64, MERGE_THREADS, MERGE_EACH_64);
static const auto MERGE_U32 = MERGE_SORTER(u32, unsigned, MERGE_THREADS, MERGE_EACH_32);
static const auto NETWORK_U64 = NETWORK_SORTER(u64, U64Key, KMODEL_M_64, KMODEL_V_64, KMODEL_K_64);

static const sorters::Merge<Key64> &mergerOf(Key64) { return MERGE_U64; }
static const sorters::Merge<unsigned> &mergerOf(unsigned) { return MERGE_U32; }

static const char *nameOf(sorters::Exchange how) { return how == sorters::BY_PEERS ? "peers" : "host"; }

// Returns whether an exchange is possible.
static bool startDevices(int count, sorters::Exchange how) {
  int present;
  CUDA(cudaGetDeviceCount(&present));
  std::vector<int> gpus;
  for (int device = 0; device < count; device++) gpus.push_back(device % present);
  machine::start(gpus);
  return how == sorters::BY_HOST || machine::openPeers();
}

// The devices' memory for sorts of up to n keys in all, with a guard behind each share.
template <class Sorter>
class Spread {
 public:
  using Word = typename Sorter::Word;
  sorters::DevicesSort<Sorter> devices;

  Spread(const Sorter &sorter, sorters::Exchange how, Count most, machine::Bytes bufferBytes = BUFFER_BYTES)
      : devices(sorter, mergerOf(Word{}), how, bufferBytes), name(sorter.name + " by " + nameOf(how)) {
    Count room = startOf(1, most);
    for (int device = 0; device < machine::devices(); device++) {
      machine::use(device);
      Word *keys = (Word *)machine::reserve((room + 4) * sizeof(Word));
      Word *other = (Word *)machine::reserve((room + 4) * sizeof(Word));
      shares.push_back({keys, other, (char *)machine::reserve(devices.scratchBytes(room)), 0, 0});
    }
  }
  ~Spread() {
    for (int device = 0; device < machine::devices(); device++) {
      machine::use(device);
      for (void *memory : {(void *)shares[device].keys, (void *)shares[device].other, (void *)shares[device].scratch}) {
        machine::release(memory);
      }
    }
    machine::use(0);
  }

  void fillKeys(Count n, int distribution, Key64 seed) {
    sum = 0;
    for (int device = 0; device < machine::devices(); device++) {
      machine::use(device);
      auto &share = shares[device];
      share.start = startOf(device, n);
      share.count = startOf(device + 1, n) - share.start;
      for (Word *end : {share.keys + share.count, share.other + share.count}) setGuard(end);
      fillShare<<<1056, 512>>>(share.keys, share.start, share.count, n, distribution, seed);
      sum += summaryOf(share.keys, share.count).sum;
    }
    machine::finish();
  }

  void sort() { devices.sort(shares); }

  void expectAllSorted(Count n) {
    Key64 after = 0, outOfOrder = 0;
    Word last = 0;
    for (int device = 0; device < machine::devices(); device++) {
      machine::use(device);
      auto &share = shares[device];
      Summary summary = summaryOf(share.keys, share.count);
      after += summary.sum;
      outOfOrder += summary.inversions;
      if (share.count == 0) continue;
      Word ends[2];
      machine::get(&ends[0], share.keys, sizeof(Word));
      machine::get(&ends[1], share.keys + share.count - 1, sizeof(Word));
      outOfOrder += ends[0] < last;
      last = ends[1];
      for (Word *end : {share.keys + share.count, share.other + share.count}) expectGuard(name.c_str(), end, n);
    }
    if (outOfOrder != 0 || after != sum) {
      std::fprintf(stderr, "%s, %d devices: %llu keys: %llu out of order, sum %016llx expected %016llx\n", name.c_str(),
                   machine::devices(), n, outOfOrder, after, sum);
      std::exit(1);
    }
    machine::use(0);
  }

 private:
  std::string name;
  typename sorters::DevicesSort<Sorter>::Shares shares;
  Key64 sum = 0;

  static Count startOf(int device, Count n) { return sorters::DevicesSort<Sorter>::startOf(device, n); }
};

template <class Sorter>
static void checkSorter(const Sorter &sorter, int log2Max) {
  for (sorters::Exchange how : {sorters::BY_PEERS, sorters::BY_HOST}) {
    for (int count = 2; count <= 5; count++) {
      if (!startDevices(count, how)) continue;
      Spread<Sorter> spread(sorter, how, 1ull << log2Max, 1 << 16);
      std::string what = sorter.name + " " + std::to_string(count) + " " + nameOf(how);
      checkSizes(what.c_str(), log2Max, [&](Count n, int distribution, Key64 seed) {
        spread.fillKeys(n, distribution, seed);
        spread.sort();
        spread.expectAllSorted(n);
      });
    }
  }
}

template <class Sorter>
static void checkOnce(const Sorter &sorter) {
  for (sorters::Exchange how : {sorters::BY_PEERS, sorters::BY_HOST}) {
    if (!startDevices(3, how)) continue;
    Count n = 5 * sorter.tile() - 7;
    Spread<Sorter> spread(sorter, how, n, 1 << 12);
    spread.fillKeys(n, UNIFORM, 1);
    spread.sort();
    spread.expectAllSorted(n);
    std::printf("%-16s %llu keys sorted right\n", sorter.name.c_str(), n);
  }
}

// ---- times

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

template <class Sorter>
static void timeSorter(const Sorter &sorter, int count, sorters::Exchange how, Count n, int distribution = UNIFORM,
                       machine::Bytes bufferBytes = BUFFER_BYTES) {
  constexpr int REPEATS = 5;
  if (!startDevices(count, how)) return;
  Spread<Sorter> spread(sorter, how, n, bufferBytes);
  std::map<std::string, std::vector<double>> phases;
  Clock::time_point last;
  std::map<std::string, double> now;
  spread.devices.finished = [&](const char *phase) {
    now[phase] += since(last);
    last = Clock::now();
  };
  for (int i = -1; i < REPEATS; i++) {
    spread.fillKeys(n, distribution, 1);
    now.clear();
    Clock::time_point start = last = Clock::now();
    spread.sort();
    now["all"] = since(start);
    spread.expectAllSorted(n);
    if (i < 0) continue;
    for (auto &[phase, ms] : now) phases[phase].push_back(ms);
  }
  std::printf("%-12s %11llu keys, %d devices, by %-5s %8llu KiB %-10s", sorter.name.c_str(), n, count, nameOf(how),
              bufferBytes >> 10, NAMES[distribution]);
  for (const char *phase : {"all", "sort", "pivots", "exchange", "merge"}) {
    std::vector<double> &all = phases[phase];
    if (all.empty()) continue;
    std::sort(all.begin(), all.end());
    std::printf("  %s %.3f (%.3f to %.3f)", phase, all[all.size() / 2], all.front(), all.back());
  }
  std::puts(" ms");
  std::fflush(stdout);
}

static void timeAll(int log) {
  Count n = 1ull << log;
  for (int count : {1, 2, 4}) {
    for (sorters::Exchange how : {sorters::BY_PEERS, sorters::BY_HOST}) {
      if (count == 1 && how == sorters::BY_HOST) continue;
      timeSorter(RADIX_U64, count, how, n);
      timeSorter(MERGE_U64, count, how, n);
      timeSorter(NETWORK_U64, count, how, n);
      timeSorter(RADIX_U32, count, how, n);
    }
  }
  for (int distribution : {ZIPF, EQUAL, ASCENDING, DESCENDING}) {
    timeSorter(RADIX_U64, 2, sorters::BY_PEERS, n, distribution);
  }
}

static void tune(int log) {
  for (machine::Bytes bytes = 1 << 18; bytes <= 1 << 26; bytes *= 4) {
    for (int count : {2, 4}) timeSorter(RADIX_U64, count, sorters::BY_HOST, 1ull << log, UNIFORM, bytes);
  }
}

// Calls it with every sorter.
template <class Use>
static void withAll(Use use) {
  use(RADIX_U64);
  use(MERGE_U64);
  use(NETWORK_U64);
  use(RADIX_U32);
}

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "check";
  int log = argc > 2 ? std::atoi(argv[2]) : 0;
  if (mode == "check") {
    withAll([=](const auto &sorter) { checkSorter(sorter, log ? log : 20); });
  } else if (mode == "once") {
    withAll([](const auto &sorter) { checkOnce(sorter); });
  } else if (mode == "time") {
    for (int l : logsFrom(2, argc, argv, {24, 28})) timeAll(l);
  } else if (mode == "tune") {
    tune(log ? log : 28);
  } else {
    std::fprintf(stderr, "usage: devices_bench check|once|time|tune [log2 of the number of keys]\n");
    return 2;
  }
  return 0;
}
