// Sorts over one to eight made-up devices on the CPU, compared with std::sort: every number of keys around every border,
// every distribution, even and uneven shares, both ways to exchange keys, and each kind of sorter on the devices.
#include "../shim/cuda_shim.h"

#define SORTERS_NO_DEFAULT_KERNELS
#define KMODEL_NO_DEFAULT_KERNELS
#include "../sorters/devices.h"
#include "../sorters/network.h"

#include <random>
#include <set>
#include <sys/wait.h>

using Word64 = unsigned long long;
using U64Key = IntegerKey<Word64>;
using sorters::Count;

MERGE(u64_3, Word64, 32, 3, 1, merge::BY_PATH)
MERGE(u32_2, unsigned, 32, 2, 1, merge::BY_SEARCH)
RADIX_MOVE(u64_1, Word64, 256, 1, 1, radix::BY_VOTES)
KMODEL_KERNELS(u64_6, U64Key, 6, 2, 1, 1, 1)

static const auto MERGE_U64 = MERGE_SORTER(u64_3, Word64, 32, 3);
static const auto MERGE_U32 = MERGE_SORTER(u32_2, unsigned, 32, 2);
static const auto RADIX_U64 = RADIX_SORTER(u64_1, Word64, 256, 1, radix::BY_VOTES, 2);
static const auto NETWORK_U64 = NETWORK_SORTER(u64_6, U64Key, 6, 2, 1);

[[noreturn]] static void fail(const std::string &what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

// ---- the sort

// Memory of a device with a guard behind it.
class Guarded {
 public:
  explicit Guarded(Count bytes) : bytes(bytes), memory((char *)machine::reserve(bytes + sizeof(Word64))) {
    machine::put(memory + bytes, &GUARD, sizeof GUARD);
  }
  ~Guarded() { machine::release(memory); }
  Guarded(const Guarded &) = delete;

  char *get() { return memory; }
  bool isWhole() const {
    Word64 behind;
    machine::get(&behind, memory + bytes, sizeof behind);
    return behind == GUARD;
  }
  // Whether nothing was written.
  bool isUntouched() const {
    for (Count i = 0; i < bytes; i++) {
      if (memory[i] != (char)0xA5) return false;
    }
    return true;
  }

 private:
  static constexpr Word64 GUARD = 0x3C3C3C3C3C3C3C3Cull;
  Count bytes;
  char *memory;
};

template <class Sorter>
struct Case {
  using Word = typename Sorter::Word;
  const Sorter &sorter;
  const sorters::Merge<Word> &merger;
  sorters::Exchange how;
  std::vector<Count> counts;  // of each device
  bool staysInPlace = false;  // no key may be exchanged, and the sorter itself works in place

  std::string name() const {
    std::string text = sorter.name + (how == sorters::BY_PEERS ? " by peers," : " by host,");
    for (Count count : counts) text += " " + std::to_string(count);
    return text + " keys: ";
  }

  void check(const std::vector<Word> &input, const char *what) const {
    machine::start(std::vector<int>(counts.size()));
    if (how == sorters::BY_PEERS) machine::openPeers();
    sorters::DevicesSort<Sorter> devices(sorter, merger, how, 6 * sizeof(Word));
    std::vector<std::unique_ptr<Guarded>> all;
    std::vector<sorters::DeviceShare<Word>> shares;
    Count start = 0;
    for (size_t device = 0; device < counts.size(); device++) {
      machine::use((int)device);
      Count count = counts[device];
      for (Count bytes : {count * sizeof(Word), count * sizeof(Word), devices.scratchBytes(count)}) {
        all.push_back(std::make_unique<Guarded>(bytes));
      }
      auto memory = [&](int i) { return all[3 * device + i]->get(); };
      shares.push_back({(Word *)memory(0), (Word *)memory(1), memory(2), start, count});
      machine::put(memory(0), input.data() + start, count * sizeof(Word));
      start += count;
    }
    devices.sort(shares);
    std::vector<Word> sorted(input.size()), expected = input;
    for (size_t device = 0; device < counts.size(); device++) {
      machine::use((int)device);
      machine::get(sorted.data() + shares[device].start, shares[device].keys, counts[device] * sizeof(Word));
      for (int i = 0; i < 3; i++) {
        if (!all[3 * device + i]->isWhole()) fail(name() + "wrote behind its memory");
      }
      if (staysInPlace && !all[3 * device + 1]->isUntouched()) fail(name() + "moved keys that were in order");
      for (int i = 0; i < 3; i++) all[3 * device + i].reset();
    }
    std::sort(expected.begin(), expected.end());
    if (sorted != expected) fail(name() + what + ": not sorted");
  }
};

template <class Sorter>
static int checkDistributions(Case<Sorter> one, bool all, std::mt19937_64 &random) {
  using Word = typename Sorter::Word;
  Count n = 0;
  for (Count count : one.counts) n += count;
  std::vector<Word> keys(n), few(n), equal(n, ~(Word)0), up(n), down(n), turned(n);
  for (Count i = 0; i < n; i++) {
    keys[i] = (Word)random();
    few[i] = (Word)(random() % 3 << 29);
    up[i] = (Word)(i << 7);
    down[i] = (Word)((n - i) << 7);
    turned[i] = (Word)((i + n / 3) % n);
  }
  one.check(keys, "random");
  one.check(few, "few values");
  if (!all) return 2;
  one.check(down, "descending");
  one.check(turned, "turned");
  one.staysInPlace = one.sorter.scratchBytes(1) == 0;
  one.check(equal, "all equal");
  one.check(up, "ascending");
  return 6;
}

template <class Sorter>
static void checkSorter(const Sorter &sorter, const sorters::Merge<typename Sorter::Word> &merger, int mostDevices) {
  std::mt19937_64 random(7);
  int sorts = 0;
  for (int count = 1; count <= mostDevices; count++) {
    machine::start(std::vector<int>(count));
    Count tile = std::max(sorter.tile(), merger.tile()), all = (Count)count;
    std::set<Count> sizes{0, 1, all - 1, all, all + 1, 5 * all + 3};
    for (Count at : {merger.tile() * all, 2 * tile * all, 3 * tile * all / 2}) {
      for (int delta : {-1, 0, 1}) sizes.insert(at + delta);
    }
    for (sorters::Exchange how : {sorters::BY_PEERS, sorters::BY_HOST}) {
      for (Count n : sizes) {
        std::vector<Count> even, uneven;
        for (int device = 0; device < count; device++) {
          Count start = sorters::DevicesSort<Sorter>::startOf(device, n);
          even.push_back(sorters::DevicesSort<Sorter>::startOf(device + 1, n) - start);
          uneven.push_back(random() % 3 == 0 ? 0 : random() % (2 * n / all + 2));
        }
        if (*std::max_element(even.begin(), even.end()) > *std::min_element(even.begin(), even.end()) + 1) {
          fail("shares differ by more than one key");
        }
        sorts += checkDistributions(Case<Sorter>{sorter, merger, how, even}, true, random);
        sorts += checkDistributions(Case<Sorter>{sorter, merger, how, uneven}, false, random);
      }
    }
  }
  std::printf("devices: %-14s %d sorts, 1 to %d devices\n", sorter.name.c_str(), sorts, mostDevices);
}

// ---- the machine

// Expects that it ends the program with code 1.
template <class Body>
static void expectEnd(const char *what, Body body) {
  pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stderr) == nullptr) std::_Exit(2);
    body();
    std::_Exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 1) fail(std::string(what) + " was let through");
}

static void readWord(const Word64 *from, Word64 *to) { *to = *from; }
static void writeWord(Word64 *to) { *to = 1; }

static void checkMachine() {
  machine::start({0, 0});
  Word64 *words[2];
  for (int device = 0; device < 2; device++) {
    machine::use(device);
    words[device] = (Word64 *)machine::reserve(sizeof(Word64));
  }
  machine::use(0);
  machine::launch(writeWord, 1, 1, 0, words[0]);
  auto read = [&] { machine::launch(readWord, 1, 1, 0, words[1], words[0]); };
  expectEnd("a kernel that reads another device's memory", read);
  expectEnd("a kernel that writes past its memory", [&] { machine::launch(writeWord, 1, 1, 0, words[0] + 2); });
  expectEnd("a copy to another device's memory", [&] { machine::put(words[1], words[0], sizeof(Word64)); });
  expectEnd("peer access that is not open", [&] { machine::PeerAccess access; });
  machine::Stream stream;
  expectEnd("a copy from a closed peer", [&] { stream.copyFromPeer(words[0], words[1], 1, sizeof(Word64)); });
  machine::openPeers();
  {
    machine::PeerAccess access;
    read();
    expectEnd("a kernel that writes another device's memory", [&] { machine::launch(writeWord, 1, 1, 0, words[1]); });
  }
  for (int device = 0; device < 2; device++) machine::release(words[device]);
  std::puts("devices: wrong accesses end the program");
}

int main(int argc, char **argv) {
  // With a thread for each CUDA thread there are few sorts.
  if (argc > 1 && std::string(argv[1]) == "races") {
    std::mt19937_64 random(1);
    Case<decltype(MERGE_U64)> one{MERGE_U64, MERGE_U64, sorters::BY_PEERS, {100, 99, 99}};
    std::vector<Word64> keys(298);
    for (Word64 &key : keys) key = random();
    one.check(keys, "random");
    std::puts("devices: no race");
    return 0;
  }
  checkMachine();
  checkSorter(MERGE_U64, MERGE_U64, 8);
  checkSorter(MERGE_U32, MERGE_U32, 5);
  checkSorter(RADIX_U64, MERGE_U64, 3);
  checkSorter(NETWORK_U64, MERGE_U64, 4);
  return 0;
}
