// A CUDA driver without a device, for tests: a libcuda.so.1 that runs our kernels on the CPU, through the shim. It
// implements only the calls that the indexer makes. Streams do their work synchronously.
//
// The tests use the stub_* functions to set the number of devices, their memory, and the calls that fail. A device's
// memory is memory of the process. A write past its end or to unpinned memory aborts the process with a message.
#include "../shim/cuda_shim.h"

#define KMODEL_NO_DEFAULT_KERNELS
#include "../kmodel.cu"

#include "../inversion/inversion.cu"
#include "../sorters/sorters.cu"

#include "../sorters/bitonic_merge.cu"
#include "../sorters/devices.cu"
#include "../sorters/pairs.cu"
#include "../sorters/strings.cu"
#include "../sorters/records.cu"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <thread>

// The sizes of kernels/tuning.cuh, and small parts, with which few keys take many passes.
KMODEL_KERNELS(f64, DoubleKey, KMODEL_M_64, KMODEL_V_64, KMODEL_K_64, 1, 1)
KMODEL_KERNELS(u32, IntegerKey<unsigned>, KMODEL_M_32, KMODEL_V_32, KMODEL_K_32, 1, 1)
KMODEL_KERNELS(f64_2, DoubleKey, 2, 1, 0, 1, 1)
KMODEL_KERNELS(f64_3, DoubleKey, 3, 1, 1, 1, 1)
KMODEL_KERNELS(f64_5, DoubleKey, 5, 2, 2, 1, 1)
KMODEL_KERNELS(f64_6, DoubleKey, 6, 2, 3, 1, 1)
KMODEL_KERNELS(f64_7, DoubleKey, 7, 3, 3, 1, 1)
KMODEL_KERNELS(f64_8, DoubleKey, 8, 5, 4, 1, 1)

namespace {

enum Code {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  INVALID_CONTEXT = 201,
  ALREADY_REGISTERED = 712,
  NOT_REGISTERED = 713,
  PEER_ACCESS_UNSUPPORTED = 217,
  NOT_FOUND = 500,
  NOT_READY = 600,
  PEER_ACCESS_ALREADY_ENABLED = 704,
};

using Address = unsigned long long;
using Launch = std::function<void(unsigned blocks, unsigned threads, unsigned sharedBytes, void **params)>;

struct Function {
  Launch launch;
  int sharedBytes;
  int keyBytes;  // if its first arguments are keys and their number, else 0
};
struct Fault {
  std::string call;
  int first, last;  // counted from 1
  int code;
};

std::recursive_mutex lock;
bool initialized;
int devices = 1;
size_t totalBytes = 512 << 20;
size_t usedBytes[8];
int retained[8];
bool arePeers = true;
bool hasAccess[8][8];  // of a device to the memory of another
std::map<Address, std::pair<size_t, int>> allocations;  // size and device
std::map<Address, size_t> pinned;
std::map<std::string, int> calls;
std::vector<Fault> faults;
bool damagesResults;
int hangAfter = -1;  // launches until the device hangs
int machine = 1;     // counts the resets
int unregistering;   // calls that wait for a device that hangs
thread_local int current = -1;

[[noreturn]] void die(const char *what) {
  std::fprintf(stderr, "stub driver: %s\n", what);
  std::abort();
}

// Counts a call and returns the code with which it must fail without doing anything, or SUCCESS.
int enter(std::string call) {
  if (size_t version = call.find("_v2"); version != call.npos) call.resize(version);
  int count = ++calls[call];
  for (const Fault &fault : faults) {
    if (fault.call == call && count >= fault.first && count <= fault.last) return fault.code;
  }
  if (!initialized && call != "cuInit") return NOT_INITIALIZED;
  return SUCCESS;
}

// The number of the machine if its devices hang, otherwise 0.
int machineThatHangs() {
  std::lock_guard<std::recursive_mutex> guard(lock);
  return hangAfter == 0 ? machine : 0;
}

// The same, but 0 unless a call waits to unpin memory. A call that will wait for that is counted.
int machineThatUnregisters(const char *call) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  if (hangAfter != 0 || unregistering == 0) return 0;
  enter(call);
  return machine;
}

// Waits while this machine exists and its devices hang.
void waitForDevices(int machine) {
  while (machineThatHangs() == machine) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

#define ENTER()                                     \
  std::lock_guard<std::recursive_mutex> guard(lock); \
  if (int fault = enter(__func__)) return fault
#define ENTER_IN_CONTEXT() \
  ENTER();                 \
  if (current < 0) return INVALID_CONTEXT

bool isPinned(const void *memory, size_t bytes) {
  Address at = (Address)memory;
  auto next = pinned.upper_bound(at);
  if (next == pinned.begin()) return false;
  --next;
  return at + bytes <= next->first + next->second;
}

// Ends a device's access to others, and theirs to it.
void forgetAccess(int device) {
  for (int other = 0; other < 8; other++) hasAccess[device][other] = hasAccess[other][device] = false;
}

// The device that has this memory.
int deviceOf(Address at, size_t bytes) {
  auto next = allocations.upper_bound(at);
  if (next == allocations.begin()) die("no such device memory");
  --next;
  if (at + bytes > next->first + next->second.first) die("past the end of device memory");
  return next->second.second;
}

void checkOnDevice(Address at, size_t bytes) {
  if (deviceOf(at, bytes) != current) die("another device's memory");
}

// Streams and events hold the number of their device.
void checkOfDevice(const int *streamOrEvent) {
  if (*streamOrEvent != current) die("another device's stream or event");
}

template <class Key, int M, int V>
Function function(void (*sortBlocks)(typename Key::Word *, Address, Address)) {
  return {[=](unsigned blocks, unsigned threads, unsigned bytes, void **params) {
            if (threads != Part<Key, M, V>::THREADS) die("wrong number of threads");
            shim::launch(sortBlocks, blocks, threads, bytes, params);
          },
          Part<Key, M, V>::SHARED_BYTES, sizeof(typename Key::Word)};
}

template <class Key, int M, int V>
Function function(void (*mergeParts)(typename Key::Word *, Address, Address, int, int, int)) {
  return {[=](unsigned blocks, unsigned threads, unsigned bytes, void **params) {
            if (threads != Part<Key, M, V>::THREADS) die("wrong number of threads");
            shim::launch(mergeParts, blocks, threads, bytes, params);
          },
          Part<Key, M, V>::SHARED_BYTES, sizeof(typename Key::Word)};
}

using OfPositions = inversion::PackShared<inversion::PositionsAssembly>;
// The kernel reads keys of several devices, which must be peers.
template <class Word>
Function findingPivots(void (*kernel)(const pivots::Share<Word> *, unsigned, unsigned, pivots::Count *)) {
  return {[=](unsigned blocks, unsigned threads, unsigned bytes, void **params) {
            if (threads != pivots::THREADS) die("wrong number of threads");
            auto *shares = *(const pivots::Share<Word> **)params[0];
            unsigned end = *(unsigned *)params[2];
            checkOnDevice((Address)shares, (end + 1) * sizeof(pivots::Share<Word>));
            checkOnDevice(*(Address *)params[3], (end - 1) * sizeof(pivots::Count));
            for (unsigned i = 0; i < end; i++) {
              size_t keys = shares[i + 1].start - shares[i].start;
              int device = deviceOf((Address)shares[i].keys, keys * sizeof(Word));
              if (device != current && !hasAccess[current][device]) die("a kernel without access to its peer");
            }
            shim::launch(kernel, blocks, threads, bytes, params);
          },
          0, 0};
}

using OfDocs = inversion::PackShared<inversion::DocsAssembly>;
using OfGroups = inversion::PackShared<inversion::GroupAssembly>;

// A kernel of the sorters; Shared is its shared memory, or NoShared.
struct NoShared {};
template <class Shared, class... Args>
Function sorting(void (*kernel)(Args...), unsigned blockThreads) {
  return {[=](unsigned blocks, unsigned threads, unsigned bytes, void **params) {
            if (threads != blockThreads) die("wrong number of threads");
            shim::launch(kernel, blocks, threads, bytes, params);
          },
          std::is_same_v<Shared, NoShared> ? 0 : (int)sizeof(Shared), 0};
}

// A kernel of the inversion.
template <class Shared, class... Args>
Function inverting(void (*kernel)(Args...)) {
  return sorting<Shared>(kernel, inversion::THREADS);
}

template <class Word, int EACH>
using OfRadix = radix::MoveShared<Word, std::is_same_v<Word, unsigned> ? RADIX_THREADS_32 : RADIX_THREADS_64, EACH, RADIX_MATCH>;
template <class Word, int EACH>
using OfMerge = merge::Shared<Word, MERGE_THREADS, EACH>;
template <class Word, int EACH>
using OfPairs = merge::Shared<merge::KeyValue<Word>, PAIRS_THREADS, EACH>;
using OfStrings = merge::Shared<strings::Item, STRINGS_THREADS, STRINGS_EACH>;
template <int EACH>
using OfRanks = grs::RankShared<GRS_RANK_THREADS, EACH>;
using RadixByField = radix::MoveShared<unsigned, RECORDS_FIELD_THREADS, RECORDS_FIELD_EACH, RADIX_MATCH>;
using RadixHybrid = records::RadixHybridShared<RECORDS_HYBRID_THREADS, RECORDS_HYBRID_EACH, RADIX_MATCH>;
using GrsByField = grs::MoveShared<GRS_FIELD_THREADS * GRS_FIELD_EACH>;
using GrsHybrid = grs::MoveHybridShared<GRS_HYBRID_THREADS * GRS_HYBRID_EACH>;
using FillByField = records::FillShared<RECORDS_SAMPLE_FIELD_EACH>;
using FillHybrid = records::FillHybridShared<RECORDS_SAMPLE_HYBRID_EACH>;
template <class Word, int LANES, int ROUNDS>
using OfBitonic = bitonic::Shared<Word, BITONIC_THREADS, LANES, ROUNDS>;

#define SPLIT_FUNCTIONS(kind, Word, EACH)                                                                       \
  {"sort_tiles_" #kind, sorting<split::SortShared<Word, EACH>>(sort_tiles_##kind, split::THREADS)}, {           \
    "scatter_tiles_" #kind, sorting<NoShared>(scatter_tiles_##kind, split::THREADS)                             \
  }
#define MERGE_FUNCTIONS(kind, Word, EACH)                                                                       \
  {"sort_lists_" #kind, sorting<OfMerge<Word, EACH>>(sort_lists_##kind, MERGE_THREADS)}, {                      \
    "merge_lists_" #kind, sorting<OfMerge<Word, EACH>>(merge_lists_##kind, MERGE_THREADS)                       \
  }
#define PAIR_FUNCTIONS(kind, Word, EACH)                                                                        \
  {"sort_pairs_" #kind, sorting<OfPairs<Word, EACH>>(sort_pairs_##kind, PAIRS_THREADS)}, {                      \
    "merge_pairs_" #kind, sorting<OfPairs<Word, EACH>>(merge_pairs_##kind, PAIRS_THREADS)                       \
  }
#define RECORD_FUNCTIONS(layout, Radix, RADIX_THREADS, RANK_EACH, Move, MOVE_THREADS, Fill)                     \
  {"move_records_" #layout, sorting<Radix>(move_records_##layout, RADIX_THREADS)},                              \
  {"rank_records_" #layout, sorting<OfRanks<RANK_EACH>>(rank_records_##layout, GRS_RANK_THREADS)},              \
  {"move_ranked_" #layout, sorting<Move>(move_ranked_##layout, MOVE_THREADS)},                                  \
  {"fill_records_" #layout, sorting<Fill>(fill_records_##layout, records::SAMPLE_THREADS)},                     \
  {"sort_records_" #layout, sorting<records::OrderShared>(sort_records_##layout, records::SAMPLE_THREADS)}, {   \
    "copy_records_" #layout, sorting<NoShared>(copy_records_##layout, records::SAMPLE_THREADS)                  \
  }
#define BITONIC_FUNCTIONS(kind, Word, LANES, ROUNDS)                                                            \
  {"sort_lists_" #kind, sorting<OfBitonic<Word, LANES, ROUNDS>>(sort_lists_##kind, BITONIC_THREADS)}, {         \
    "merge_lists_" #kind, sorting<OfBitonic<Word, LANES, ROUNDS>>(merge_lists_##kind, BITONIC_THREADS)          \
  }
#define SORTER_FUNCTIONS(kind, Word, RADIX_THREADS, RADIX_EACH)                                                 \
  {"count_digits_" #kind, sorting<radix::CountShared>(count_digits_##kind, RADIX_COUNT_THREADS)},               \
  {"move_keys_" #kind, sorting<OfRadix<Word, RADIX_EACH>>(move_keys_##kind, RADIX_THREADS)},                    \
  {"part_lists_" #kind, sorting<NoShared>(part_lists_##kind, MERGE_PART_THREADS)},                              \
  {"choose_pivots_" #kind, sorting<NoShared>(choose_pivots_##kind, quick::THREADS)},                            \
  {"split_parts_" #kind, sorting<quick::SplitShared>(split_parts_##kind, quick::THREADS)},                      \
  {"fill_pivots_" #kind, sorting<NoShared>(fill_pivots_##kind, quick::THREADS)},                                \
  {"sort_sequences_" #kind, sorting<quick::SortShared<Word>>(sort_sequences_##kind, quick::THREADS)},           \
  {"choose_splitters_" #kind, sorting<sample::SplitterShared<Word>>(choose_splitters_##kind, sample::THREADS)}, \
  {"count_buckets_" #kind, sorting<sample::BucketShared<Word>>(count_buckets_##kind, sample::THREADS)}, {       \
    "fill_buckets_" #kind, sorting<sample::BucketShared<Word>>(fill_buckets_##kind, sample::THREADS)            \
  }

#define FUNCTIONS(kind, Key, M, V)                                  \
  {"sort_blocks_" #kind, function<Key, M, V>(sort_blocks_##kind)}, { \
    "merge_parts_" #kind, function<Key, M, V>(merge_parts_##kind)    \
  }

std::map<std::string, Function> functions = {
    FUNCTIONS(f64, DoubleKey, KMODEL_M_64, KMODEL_V_64),
    FUNCTIONS(u32, IntegerKey<unsigned>, KMODEL_M_32, KMODEL_V_32),
    FUNCTIONS(f64_2, DoubleKey, 2, 1),
    FUNCTIONS(f64_3, DoubleKey, 3, 1),
    FUNCTIONS(f64_5, DoubleKey, 5, 2),
    FUNCTIONS(f64_6, DoubleKey, 6, 2),
    FUNCTIONS(f64_7, DoubleKey, 7, 3),
    FUNCTIONS(f64_8, DoubleKey, 8, 5),
    {"clear_table", inverting<NoShared>(inversion::clear_table)},
    {"find_parts", inverting<NoShared>(inversion::find_parts)},
    {"mark_words", inverting<inversion::MarkShared>(inversion::mark_words)},
    {"scan_tiles", inverting<inversion::ScanShared>(inversion::scan_tiles)},
    {"measure_parts", inverting<NoShared>(inversion::measure_parts)},
    {"make_keys", inverting<inversion::KeysShared>(inversion::make_keys)},
    {"check_long", inverting<NoShared>(inversion::check_long)},
    {"collect_terms", inverting<NoShared>(inversion::collect_terms)},
    {"count_keys", inverting<inversion::CountShared>(inversion::count_keys)},
    {"scan_digits", inverting<inversion::ScanShared>(inversion::scan_digits)},
    {"scatter_keys", inverting<inversion::ScatterShared>(inversion::scatter_keys)},
    {"count_terms", inverting<inversion::CountShared>(inversion::count_terms)},
    {"scatter_terms", inverting<inversion::ScatterShared>(inversion::scatter_terms)},
    {"rank_terms", inverting<NoShared>(inversion::rank_terms)},
    {"rank_keys", inverting<NoShared>(inversion::rank_keys)},
    {"find_lists", inverting<NoShared>(inversion::find_lists)},
    {"write_terms", inverting<NoShared>(inversion::write_terms)},
    {"rank_stems", inverting<NoShared>(inversion::rank_stems)},
    {"write_stems", inverting<NoShared>(inversion::write_stems)},
    {"drop_words", inverting<inversion::SumsShared>(inversion::drop_words)},
    {"find_ties", inverting<NoShared>(inversion::find_ties)},
    {"order_ties", inverting<NoShared>(inversion::order_ties)},
    {"sum_tiles", inverting<inversion::SumsShared>(inversion::sum_tiles)},
    {"scan_sums", inverting<inversion::SumsShared>(inversion::scan_sums)},
    {"scan_numbers", inverting<inversion::SumsShared>(inversion::scan_numbers)},
    {"count_heads", inverting<inversion::ScanShared>(inversion::count_heads)},
    {"write_heads", inverting<inversion::ScanShared>(inversion::write_heads)},
    {"count_blocks", inverting<NoShared>(inversion::count_blocks)},
    {"size_positions", inverting<OfPositions>(inversion::size_positions)},
    {"size_docs", inverting<OfDocs>(inversion::size_docs)},
    {"size_groups", inverting<OfGroups>(inversion::size_groups)},
    {"size_terms", inverting<NoShared>(inversion::size_terms)},
    {"write_records", inverting<NoShared>(inversion::write_records)},
    {"pack_positions", inverting<OfPositions>(inversion::pack_positions)},
    {"pack_docs", inverting<OfDocs>(inversion::pack_docs)},
    {"pack_groups", inverting<OfGroups>(inversion::pack_groups)},
    {"pack_rest", inverting<NoShared>(inversion::pack_rest)},
    {"place_digits", sorting<radix::PlaceShared>(place_digits, radix::DIGITS)},
    {"bucket_starts", sorting<NoShared>(bucket_starts, sample::THREADS)},
    SORTER_FUNCTIONS(u64, Address, RADIX_THREADS_64, RADIX_EACH_64),
    SORTER_FUNCTIONS(u32, unsigned, RADIX_THREADS_32, RADIX_EACH_32),
    SPLIT_FUNCTIONS(u64, Address, SPLIT_EACH_64),
    SPLIT_FUNCTIONS(u32, unsigned, SPLIT_EACH_32),
    SPLIT_FUNCTIONS(u64_1, Address, 1),
    SPLIT_FUNCTIONS(u32_1, unsigned, 1),
    MERGE_FUNCTIONS(u64, Address, MERGE_EACH_64),
    MERGE_FUNCTIONS(u32, unsigned, MERGE_EACH_32),
    MERGE_FUNCTIONS(u64_search, Address, SEARCH_EACH_64),
    MERGE_FUNCTIONS(u32_search, unsigned, SEARCH_EACH_32),
    BITONIC_FUNCTIONS(u64_bitonic, Address, BITONIC_LANES_64, BITONIC_ROUNDS_64),
    BITONIC_FUNCTIONS(u32_bitonic, unsigned, BITONIC_LANES_32, BITONIC_ROUNDS_32),
    PAIR_FUNCTIONS(u64, Address, PAIRS_EACH_64),
    PAIR_FUNCTIONS(u32, unsigned, PAIRS_EACH_32),
    PAIR_FUNCTIONS(u64_search, Address, PAIRS_SEARCH_EACH_64),
    PAIR_FUNCTIONS(u32_search, unsigned, PAIRS_SEARCH_EACH_32),
    {"first_bytes", sorting<NoShared>(first_bytes, strings::THREADS)},
    {"sort_strings", sorting<OfStrings>(sort_strings, STRINGS_THREADS)},
    {"part_strings", sorting<NoShared>(part_strings, MERGE_PART_THREADS)},
    {"merge_strings", sorting<OfStrings>(merge_strings, STRINGS_THREADS)},
    {"begin_strings", sorting<NoShared>(begin_strings, strings::THREADS)},
    {"shared_bytes", sorting<NoShared>(shared_bytes, strings::THREADS)},
    {"string_keys", sorting<NoShared>(string_keys, strings::THREADS)},
    {"count_ties", sorting<strings::TiesShared>(count_ties, strings::THREADS)},
    {"split_ties", sorting<strings::TiesShared>(split_ties, strings::THREADS)},
    RECORD_FUNCTIONS(by_field, RadixByField, RECORDS_FIELD_THREADS, GRS_FIELD_RANK_EACH, GrsByField, GRS_FIELD_THREADS,
                     FillByField),
    RECORD_FUNCTIONS(hybrid, RadixHybrid, RECORDS_HYBRID_THREADS, GRS_HYBRID_RANK_EACH, GrsHybrid, GRS_HYBRID_THREADS,
                     FillHybrid),
    {"number_records", sorting<NoShared>(number_records, records::GATHER_THREADS)},
    {"gather_by_field", sorting<NoShared>(gather_by_field, records::GATHER_THREADS)},
    {"gather_hybrid", sorting<NoShared>(gather_hybrid, records::GATHER_THREADS)},
    {"find_pivots_u64", findingPivots(find_pivots_u64)},
    {"find_pivots_u32", findingPivots(find_pivots_u32)},
};

struct Event {
  int device = current;
  std::chrono::steady_clock::time_point recorded;
};

}  // namespace

extern "C" {

// ---- for the tests

// Starts another machine whose devices have `bytes` of memory each, with no faults, counts, allocations or pinned memory.
void stub_reset(int count, long long bytes) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  for (auto &allocation : allocations) std::free((void *)allocation.first);
  allocations.clear();
  pinned.clear();
  std::fill(std::begin(usedBytes), std::end(usedBytes), 0);
  std::fill(std::begin(retained), std::end(retained), 0);
  devices = count;
  totalBytes = bytes;
  arePeers = true;
  for (int device = 0; device < 8; device++) forgetAccess(device);
  faults.clear();
  calls.clear();
  damagesResults = false;
  hangAfter = -1;
  unregistering = 0;
  machine++;
}

// From now on, the first-th to last-th of these calls fail.
void stub_fail(const char *call, int first, int last, int code) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  faults.push_back({call, calls[call] + first, calls[call] + last, code});
}

// From the launches-th launch on, nothing is done and nothing ends.
void stub_hang(int launches) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  hangAfter = launches;
}

// From now on devices cannot access each other's memory.
void stub_isolate() {
  std::lock_guard<std::recursive_mutex> guard(lock);
  arePeers = false;
}

// Downloads contain one wrong key.
void stub_damage() {
  std::lock_guard<std::recursive_mutex> guard(lock);
  damagesResults = true;
}

int stub_calls(const char *call) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  return calls[call];
}

// Bytes of device memory and of pinned memory, and contexts, that have not been released.
long long stub_kept() {
  std::lock_guard<std::recursive_mutex> guard(lock);
  long long kept = 0;
  for (auto &allocation : allocations) kept += allocation.second.first;
  for (auto &range : pinned) kept += range.second;
  for (int count : retained) kept += count;
  return kept;
}

// ---- the driver

// A process without tests gets its devices and one fault from the environment.
int cuInit(unsigned) {
  ENTER();
  if (const char *count = std::getenv("STUB_DEVICES")) devices = std::atoi(count);
  if (const char *fault = std::getenv("STUB_FAIL")) {
    char call[64];
    int first, last, code;
    if (std::sscanf(fault, "%63s %d %d %d", call, &first, &last, &code) != 4) die("STUB_FAIL: CALL FIRST LAST CODE");
    stub_fail(call, first, last, code);
  }
  initialized = true;
  return SUCCESS;
}

int cuDeviceGetCount(int *count) {
  ENTER();
  *count = devices;
  return SUCCESS;
}

int cuDeviceGet(int *device, int ordinal) {
  ENTER();
  *device = ordinal;
  return SUCCESS;
}

int cuDeviceGetName(char *name, int length, int device) {
  ENTER();
  std::snprintf(name, length, "CPU in place of a GPU, number %d", device);
  return SUCCESS;
}

int cuDeviceTotalMem_v2(size_t *bytes, int) {
  ENTER();
  *bytes = totalBytes;
  return SUCCESS;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  ENTER();
  *value = attribute == 75 ? 9 : 0;  // compute capability, major and minor
  return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  ENTER();
  retained[device]++;
  *context = (void *)(Address)(device + 1);
  return SUCCESS;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  ENTER();
  if (--retained[device] < 0) die("a context was released too often");
  if (retained[device] == 0) forgetAccess(device);
  return SUCCESS;
}

int cuCtxSetCurrent(void *context) {
  ENTER();
  current = (int)(Address)context - 1;
  return SUCCESS;
}

int cuDeviceCanAccessPeer(int *can, int device, int peer) {
  ENTER();
  *can = arePeers && device != peer;
  return SUCCESS;
}

int cuCtxEnablePeerAccess(void *context, unsigned flags) {
  ENTER_IN_CONTEXT();
  int peer = (int)(Address)context - 1;
  if (flags != 0 || peer == current) return INVALID_VALUE;
  if (!arePeers) return PEER_ACCESS_UNSUPPORTED;
  if (hasAccess[current][peer]) return PEER_ACCESS_ALREADY_ENABLED;
  hasAccess[current][peer] = true;
  return SUCCESS;
}

int cuMemGetInfo_v2(size_t *free, size_t *total) {
  ENTER_IN_CONTEXT();
  *total = totalBytes;
  *free = totalBytes - usedBytes[current];
  return SUCCESS;
}

int cuMemAlloc_v2(Address *memory, size_t bytes) {
  ENTER_IN_CONTEXT();
  if (bytes == 0) return INVALID_VALUE;
  if (bytes > totalBytes - usedBytes[current]) return OUT_OF_MEMORY;
  *memory = (Address)std::malloc(bytes);
  std::memset((void *)*memory, 0x5A, bytes);
  allocations[*memory] = {bytes, current};
  usedBytes[current] += bytes;
  return SUCCESS;
}

int cuMemFree_v2(Address memory) {
  ENTER_IN_CONTEXT();
  auto allocation = allocations.find(memory);
  if (allocation == allocations.end()) return INVALID_VALUE;
  usedBytes[allocation->second.second] -= allocation->second.first;
  allocations.erase(allocation);
  std::free((void *)memory);
  return SUCCESS;
}

// As measured on an H100, driver 580: returns only after a cuMemHostUnregister that waits for a device.
int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned) {
  if (int machine = machineThatUnregisters(__func__)) {
    waitForDevices(machine);
    return INVALID_CONTEXT;  // there is another machine now
  }
  ENTER_IN_CONTEXT();
  Address at = (Address)memory;
  if (at % 4096 != 0 || bytes % 4096 != 0 || bytes == 0) return INVALID_VALUE;
  auto next = pinned.lower_bound(at);
  if (next != pinned.end() && next->first < at + bytes) return ALREADY_REGISTERED;
  if (next != pinned.begin() && (--next)->first + next->second > at) return ALREADY_REGISTERED;
  pinned[at] = bytes;
  return SUCCESS;
}

// As measured on an H100, driver 580: returns when every device has ended its work.
int cuMemHostUnregister(void *memory) {
  if (int machine = machineThatHangs()) {
    {
      std::lock_guard<std::recursive_mutex> guard(lock);
      enter(__func__);  // counted, although it does not return
      unregistering++;
    }
    waitForDevices(machine);
    return INVALID_CONTEXT;  // there is another machine now
  }
  ENTER_IN_CONTEXT();
  return pinned.erase((Address)memory) == 1 ? SUCCESS : NOT_REGISTERED;
}

int cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, void *) {
  ENTER_IN_CONTEXT();
  checkOnDevice(to, bytes);
  if (!isPinned(from, bytes)) die("a copy from memory that is not pinned in one piece");
  std::memcpy((void *)to, from, bytes);
  return SUCCESS;
}

int cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, void *) {
  ENTER_IN_CONTEXT();
  checkOnDevice(from, bytes);
  if (!isPinned(to, bytes)) die("a copy to memory that is not pinned in one piece");
  if (hangAfter == 0) return SUCCESS;
  std::memcpy(to, (void *)from, bytes);
  if (damagesResults) ++*(Address *)to;
  return SUCCESS;
}

int cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, void *) {
  ENTER_IN_CONTEXT();
  checkOnDevice(to, bytes);
  checkOnDevice(from, bytes);
  std::memcpy((void *)to, (void *)from, bytes);
  return SUCCESS;
}

// A real driver copies through the host if there is no access, which the indexer does itself.
int cuMemcpyPeerAsync(Address to, void *target, Address from, void *source, size_t bytes, void *) {
  ENTER_IN_CONTEXT();
  int peer = (int)(Address)source - 1;
  if ((int)(Address)target - 1 != current) die("a copy to another device");
  if (!hasAccess[current][peer]) die("a copy without access to the peer");
  checkOnDevice(to, bytes);
  if (deviceOf(from, bytes) != peer) die("a copy from another device than its peer");
  std::memcpy((void *)to, (void *)from, bytes);
  return SUCCESS;
}

int cuMemsetD8Async(Address memory, unsigned char value, size_t bytes, void *) {
  ENTER_IN_CONTEXT();
  checkOnDevice(memory, bytes);
  std::memset((void *)memory, value, bytes);
  return SUCCESS;
}

int cuStreamCreate(void **stream, unsigned) {
  ENTER_IN_CONTEXT();
  *stream = new int(current);
  return SUCCESS;
}

int cuStreamQuery(void *) {
  ENTER_IN_CONTEXT();
  return hangAfter == 0 ? NOT_READY : SUCCESS;
}

int cuStreamWaitEvent(void *, void *event, unsigned) {
  ENTER_IN_CONTEXT();
  // Calls do their work before they return, so everything queued before has ended.
  if (((Event *)event)->recorded.time_since_epoch().count() == 0) die("a wait for an event that was never recorded");
  return SUCCESS;
}

int cuStreamDestroy_v2(void *stream) {
  ENTER_IN_CONTEXT();
  delete (int *)stream;
  return SUCCESS;
}

int cuEventCreate(void **event, unsigned) {
  ENTER_IN_CONTEXT();
  *event = new Event();
  return SUCCESS;
}

int cuEventRecord(void *event, void *stream) {
  ENTER_IN_CONTEXT();
  checkOfDevice((int *)stream);
  checkOfDevice(&((Event *)event)->device);
  ((Event *)event)->recorded = std::chrono::steady_clock::now();
  return SUCCESS;
}

int cuEventElapsedTime(float *millis, void *start, void *end) {
  ENTER_IN_CONTEXT();
  if (((Event *)start)->device != ((Event *)end)->device) die("a time between events of two devices");
  *millis =
      std::chrono::duration<float, std::milli>(((Event *)end)->recorded - ((Event *)start)->recorded).count();
  return SUCCESS;
}

int cuEventDestroy_v2(void *event) {
  ENTER_IN_CONTEXT();
  delete (Event *)event;
  return SUCCESS;
}

int cuModuleLoadData(void **module, const void *) {
  ENTER_IN_CONTEXT();
  *module = (void *)&functions;
  return SUCCESS;
}

int cuModuleUnload(void *) {
  ENTER_IN_CONTEXT();
  return SUCCESS;
}

int cuModuleGetFunction(void **function, void *, const char *name) {
  ENTER_IN_CONTEXT();
  auto found = functions.find(name);
  if (found == functions.end()) return NOT_FOUND;
  *function = &found->second;
  return SUCCESS;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  ENTER_IN_CONTEXT();
  if (attribute != 8 || value != ((Function *)function)->sharedBytes) die("wrong amount of shared memory");
  return SUCCESS;
}

int cuLaunchKernel(void *function, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned ty,
                   unsigned tz, unsigned sharedBytes, void *stream, void **params, void **extra) {
  ENTER_IN_CONTEXT();
  checkOfDevice((int *)stream);
  if (y != 1 || z != 1 || ty != 1 || tz != 1 || extra != nullptr) die("unexpected launch");
  if (hangAfter > 0) hangAfter--;
  if (hangAfter == 0) return SUCCESS;
  Function *kernel = (Function *)function;
  if (kernel->keyBytes > 0) checkOnDevice(*(Address *)params[0], kernel->keyBytes * *(Address *)params[1]);
  if (sharedBytes != (unsigned)kernel->sharedBytes) die("wrong amount of shared memory");
  kernel->launch(blocks, threads, sharedBytes, params);
  return SUCCESS;
}

}  // extern "C"
