// Checks and times the sorters of records on a device (Bandyopadhyay and Sahni, Fig. 7 to 14).
//
//   records_bench check [log2]             every sorter, layout and number of fields, up to 2^log2 records (default 16)
//   records_bench once                     one small sort of each kind
//   records_bench time [records [fields ...]]
//                                          median of 5 and spread (default 10 million, and 2 to 20 fields besides the key,
//                                          as in the paper)
//   records_bench tune [records]           all compiled variants
//
// Every timed sort is checked before a time is printed. Exits with 1 on the first wrong result or CUDA error.
#include "../sorters/records_driver.h"
#include "cub.cuh"
#include "harness.cuh"

static constexpr int COUNT_BLOCKS = 132 * 4;  // as many as an H200 holds at once

using sorters::RecordBuffers;

static const auto RADIX_FIELD =
    RADIX_RECORDS_BY_FIELD(by_field, RECORDS_FIELD_THREADS, RECORDS_FIELD_EACH, RADIX_MATCH, COUNT_BLOCKS);
static const auto RADIX_ROWS =
    RADIX_RECORDS_HYBRID(hybrid, RECORDS_HYBRID_THREADS, RECORDS_HYBRID_EACH, RADIX_MATCH, COUNT_BLOCKS);
static const auto GRS_FIELD = GRS_RECORDS(by_field, MoveShared, GRS_RANK_THREADS, GRS_FIELD_RANK_EACH, GRS_FIELD_THREADS,
                                          GRS_FIELD_EACH);
static const auto GRS_ROWS = GRS_RECORDS(hybrid, MoveHybridShared, GRS_RANK_THREADS, GRS_HYBRID_RANK_EACH,
                                         GRS_HYBRID_THREADS, GRS_HYBRID_EACH);
static const auto SAMPLE_FIELD = SAMPLE_RECORDS(by_field, by_field, FillShared, RECORDS_SAMPLE_FIELD_EACH,
                                                RECORDS_SAMPLE_FIELD_PART, RECORDS_SAMPLE_TOGETHER);
static const auto SAMPLE_ROWS = SAMPLE_RECORDS(hybrid, hybrid, FillHybridShared, RECORDS_SAMPLE_HYBRID_EACH,
                                               RECORDS_SAMPLE_HYBRID_PART, RECORDS_SAMPLE_TOGETHER);

// Calls it with every sorter, and whether its layout is hybrid.
template <class Use>
static void withAll(Use use) {
  use(RADIX_FIELD, false);
  use(sorters::Indirect<sorters::RadixRecords>{RADIX_FIELD, false}, false);
  use(GRS_FIELD, false);
  use(sorters::Indirect<sorters::GrsRecords>{GRS_FIELD, false}, false);
  use(SAMPLE_FIELD, false);
  use(sorters::Indirect<sorters::SampleRecords>{SAMPLE_FIELD, false}, false);
  use(RADIX_ROWS, true);
  use(sorters::Indirect<sorters::RadixRecords>{RADIX_FIELD, true}, true);
  use(GRS_ROWS, true);
  use(sorters::Indirect<sorters::GrsRecords>{GRS_FIELD, true}, true);
  use(SAMPLE_ROWS, true);
  use(sorters::Indirect<sorters::SampleRecords>{SAMPLE_FIELD, true}, true);
}

// ---- records: the first other field has the record's number; the rest, and the key, follow from it

struct Data {
  Count n, others;
  bool isHybrid;
  int distribution;
  Key64 seed;

  __device__ Count at(Count record, Count field) const { return isHybrid ? record * others + field : field * n + record; }
  __device__ unsigned key(Count record) const { return widen<unsigned>(draw(record, n, distribution, seed)); }
  __device__ unsigned field(Count record, Count field) const {
    return field == 0 ? (unsigned)record : (unsigned)mix(record << 8 | field);
  }
};

static __global__ void fillRecords(Data data, unsigned *keys, unsigned *fields) {
  Count stride = (Count)gridDim.x * blockDim.x;
  for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < data.n; i += stride) {
    keys[i] = data.key(i);
    for (Count f = 0; f < data.others; f++) fields[data.at(i, f)] = data.field(i, f);
  }
}

struct Faults {
  Key64 order, stability, records, sum;
};

static __global__ void checkRecords(Data data, const unsigned *keys, const unsigned *fields, Faults *faults) {
  Key64 order = 0, stability = 0, records = 0, sum = 0;
  Count stride = (Count)gridDim.x * blockDim.x;
  for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < data.n; i += stride) {
    unsigned record = fields[data.at(i, 0)], key = keys[i];
    sum += mix(record) - mix(i);
    records += record >= data.n || key != data.key(record);
    for (Count f = 1; f < data.others; f++) records += fields[data.at(i, f)] != data.field(record, f);
    if (i == 0) continue;
    order += keys[i - 1] > key;
    stability += keys[i - 1] == key && fields[data.at(i - 1, 0)] >= record;
  }
  atomicAdd(&faults->order, order);
  atomicAdd(&faults->stability, stability);
  atomicAdd(&faults->records, records);
  atomicAdd(&faults->sum, sum);
}

// The memory of sorts of up to n records, with a guard behind each buffer.
template <class Sorter>
struct Memory {
  const Sorter &sorter;
  bool isHybrid;
  unsigned *keys[2], *fields[2];
  char *scratch;
  Faults *faults;

  Memory(const Sorter &sorter, bool isHybrid, Count n, Count others) : sorter(sorter), isHybrid(isHybrid) {
    for (int b = 0; b < 2; b++) {
      CUDA(cudaMalloc(&keys[b], (n + 4) * sizeof(unsigned)));
      CUDA(cudaMalloc(&fields[b], (n * others + 4) * sizeof(unsigned)));
    }
    CUDA(cudaMalloc(&scratch, sorter.scratchBytes(n)));
    CUDA(cudaMalloc(&faults, sizeof(Faults)));
    sorter.prepare();
  }
  ~Memory() {
    for (void *memory : {(void *)keys[0], (void *)keys[1], (void *)fields[0], (void *)fields[1], (void *)scratch,
                         (void *)faults}) {
      cudaFree(memory);
    }
  }

  void fill(const Data &data) const {
    for (int b = 0; b < 2; b++) {
      setGuard(keys[b] + data.n);
      setGuard(fields[b] + data.n * data.others);
    }
    fillRecords<<<1056, 512>>>(data, keys[0], fields[0]);
  }
  int sort(const Data &data) const {
    return sorter.sort({{keys[0], keys[1]}, {fields[0], fields[1]}, data.n, data.others}, scratch);
  }
  void check(const Data &data, int side) const {
    CUDA(cudaMemset(faults, 0, sizeof(Faults)));
    checkRecords<<<1056, 512>>>(data, keys[0], fields[side], faults);
    Faults found;
    CUDA(cudaMemcpy(&found, faults, sizeof found, cudaMemcpyDeviceToHost));
    if (found.order != 0 || found.records != 0 || found.sum != 0 || (Sorter::isStable && found.stability != 0)) {
      std::fprintf(stderr, "%s: %llu records of %llu other fields: %llu out of order, %llu wrong fields, %llu not stable\n",
                   sorter.name.c_str(), data.n, data.others, found.order, found.records, found.stability);
      std::exit(1);
    }
    for (int b = 0; b < 2; b++) {
      expectGuard(sorter.name.c_str(), keys[b] + data.n, data.n);
      expectGuard(sorter.name.c_str(), fields[b] + data.n * data.others, data.n);
    }
  }
};

static const std::vector<Count> OTHERS{1, 2, 3, 20};  // rows of pieces of all sizes

template <class Sorter>
static void checkSorter(const Sorter &sorter, bool isHybrid, int log2Max) {
  for (Count others : OTHERS) {
    Memory<Sorter> memory(sorter, isHybrid, 1ull << log2Max, others);
    std::string what = sorter.name + " " + std::to_string(others);
    checkSizes(what.c_str(), log2Max, [&](Count n, int distribution, Key64 seed) {
      Data data{n, others, isHybrid, distribution, seed};
      memory.fill(data);
      memory.check(data, memory.sort(data));
    });
  }
}

template <class Sorter>
static void checkOnce(const Sorter &sorter, bool isHybrid) {
  for (Count others : {1, 2, 3, 4}) {
    Data data{5 * sorter.tile() - 7, others, isHybrid, UNIFORM, 1};
    Memory<Sorter> memory(sorter, isHybrid, data.n, others);
    memory.fill(data);
    memory.check(data, memory.sort(data));
  }
  std::printf("%-24s sorted right\n", sorter.name.c_str());
}

template <class Sorter>
static void timeSorter(const Sorter &sorter, bool isHybrid, Count n, Count others, int repeats,
                       int distribution = UNIFORM) {
  Memory<Sorter> memory(sorter, isHybrid, n, others);
  Data data{n, others, isHybrid, distribution, 1};
  int side = 0;
  Times t = timeOf(
      repeats, [&] { memory.fill(data); }, [&] { side = memory.sort(data); }, [&] { memory.check(data, side); });
  std::printf("%-34s %9llu records of %2llu + 1 fields %8.3f ms (%.3f to %.3f) %8.1f million records/s %7.1f GB/s\n",
              sorter.name.c_str(), n, others, t.median, t.least, t.most, n / t.median / 1e3,
              n * (others + 1) * 4 / t.median / 1e6);
  std::fflush(stdout);
}

// CUB's sort of pairs of key and number.
static void timeCubPairs(Count n, int repeats) {
  unsigned *memory[4];
  for (auto &each : memory) CUDA(cudaMalloc(&each, n * sizeof(unsigned)));
  size_t bytes = 0;
  cub::DoubleBuffer<unsigned> keys(memory[0], memory[1]), numbers(memory[2], memory[3]);
  CUDA(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, numbers, n));
  void *scratch;
  CUDA(cudaMalloc(&scratch, bytes));
  Key64 sum = 0;
  Times t = timeOf(
      repeats,
      [&] {
        keys = cub::DoubleBuffer<unsigned>(memory[0], memory[1]);
        numbers = cub::DoubleBuffer<unsigned>(memory[2], memory[3]);
        fill<<<1056, 512>>>(memory[0], n, UNIFORM, 1);
        number_records<<<1056, records::GATHER_THREADS>>>(memory[2], n);
        sum = summaryOf(memory[0], n).sum;
      },
      [&] { CUDA(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, numbers, n)); },
      [&] { expectSorted("CUB pairs", keys.Current(), n, sum); });
  print("CUB radix sort of pairs", n, t);
  for (auto &each : memory) CUDA(cudaFree(each));
  CUDA(cudaFree(scratch));
}

#ifdef RECORDS_VARIANTS
#include RECORDS_VARIANTS
#endif

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "check";
  Count number = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if (mode == "check") {
    withAll([=](const auto &sorter, bool isHybrid) { checkSorter(sorter, isHybrid, number ? (int)number : 16); });
  } else if (mode == "once") {
    withAll([](const auto &sorter, bool isHybrid) { checkOnce(sorter, isHybrid); });
  } else if (mode == "time") {
    Count n = number ? number : 10'000'000;
    timeCubPairs(n, 5);
    std::vector<Count> others{2, 3, 5, 9, 10, 12, 16, 20};
    if (argc > 3) others.clear();
    for (int i = 3; i < argc; i++) others.push_back(std::strtoull(argv[i], nullptr, 10));
    for (Count each : others) {
      withAll([=](const auto &sorter, bool isHybrid) { timeSorter(sorter, isHybrid, n, each, 5); });
    }
#ifdef RECORDS_VARIANTS
  } else if (mode == "tune") {
    tune(number ? number : 10'000'000);
#endif
  } else {
    std::fprintf(stderr, "usage: records_bench check|once|time [log2 or number of records [fields ...]]\n");
    return 2;
  }
  return 0;
}
