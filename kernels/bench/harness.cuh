// Keys of every distribution, checks of sorted keys, and times, for the benches of sorters.
#pragma once
#include "../keys.cuh"
#include "../machine.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using Count = unsigned long long;
using Key64 = unsigned long long;

// ---- arguments

// The logarithms of a command line from a place on, or the usual ones.
static std::vector<int> logsFrom(int at, int argc, char **argv, std::vector<int> usual) {
  if (argc <= at) return usual;
  std::vector<int> logs;
  for (int i = at; i < argc; i++) logs.push_back(std::atoi(argv[i]));
  return logs;
}

// ---- keys

enum Distribution { UNIFORM, GAUSSIAN, ZIPF, EQUAL, ASCENDING, DESCENDING, DISTRIBUTIONS };
static const char *const NAMES[] = {"uniform", "gaussian", "zipf", "equal", "ascending", "descending"};

static __device__ Key64 mix(Key64 x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

static __device__ Key64 draw(Count i, Count n, int distribution, Key64 seed) {
  Key64 r = mix(i ^ seed << 40);
  switch (distribution) {
    case UNIFORM: return r >> 2;
    case GAUSSIAN: return (r >> 4) + (mix(r) >> 4) + (mix(r + 1) >> 4) + (mix(r + 2) >> 4);
    case ZIPF: return (Key64)exp2((double)(r >> 11) * 0x1p-53 * 24) << 32 | (i & 0xFFFFFFFF);
    case EQUAL: return 42;
    case ASCENDING: return i;
    default: return n - i;
  }
}

template <class Word>
static __device__ Word widen(Key64 r) {
  if constexpr (sizeof(Word) == 16) {
    return Word{mix(r), r};
  } else if constexpr (sizeof(Word) == 8) {
    return r;
  } else {
    return (unsigned)(r >> 30) ^ (unsigned)r;
  }
}

// `count` keys of n, from key `start` on.
template <class Word>
static __global__ void fillShare(Word *keys, Count start, Count count, Count n, int distribution, Key64 seed) {
  Count stride = (Count)gridDim.x * blockDim.x;
  for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    keys[i] = widen<Word>(draw(start + i, n, distribution, seed));
  }
}

template <class Word>
static __global__ void fill(Word *keys, Count n, int distribution, Key64 seed) {
  Count stride = (Count)gridDim.x * blockDim.x;
  for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    keys[i] = widen<Word>(draw(i, n, distribution, seed));
  }
}

// Compares only the low bits of words of 64 bits, and all bits of other words.
static __device__ bool isAbove(unsigned a, unsigned b, int) { return a > b; }
static __device__ bool isAbove(Key64 a, Key64 b, int bits) { return a << (64 - bits) > b << (64 - bits); }
static __device__ bool isAbove(Wide a, Wide b, int) { return a.high > b.high || (a.high == b.high && a.low > b.low); }
static __device__ Key64 hash(unsigned a) { return mix(a); }
static __device__ Key64 hash(Key64 a) { return mix(a); }
static __device__ Key64 hash(Wide a) { return mix(a.low ^ mix(a.high)); }

struct Summary {
  Key64 sum, inversions;
};

template <class Word>
static __global__ void summarize(const Word *keys, Count n, int bits, Summary *out) {
  Key64 sum = 0, inversions = 0;
  Count stride = (Count)gridDim.x * blockDim.x;
  for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    Word key = keys[i];
    sum += hash(key);
    inversions += i > 0 && isAbove(keys[i - 1], key, bits);
  }
  atomicAdd(&out->sum, sum);
  atomicAdd(&out->inversions, inversions);
}

template <class Word>
static Summary summaryOf(const Word *keys, Count n, int bits = 8 * sizeof(Word)) {
  static std::map<int, Summary *> devices;  // by GPU
  int gpu;
  CUDA(cudaGetDevice(&gpu));
  Summary *&device = devices[gpu];
  if (device == nullptr) CUDA(cudaMalloc(&device, sizeof(Summary)));
  CUDA(cudaMemset(device, 0, sizeof(Summary)));
  summarize<<<(unsigned)std::min<Count>(1056, n / 512 + 1), 512>>>(keys, n, bits, device);
  Summary summary;
  CUDA(cudaMemcpy(&summary, device, sizeof summary, cudaMemcpyDeviceToHost));
  return summary;
}

// ---- timing

struct Times {
  double median, least, most;
};

template <class Prepare, class Run, class Check>
static Times timeOf(int repeats, Prepare prepare, Run run, Check check) {
  cudaEvent_t start, stop;
  CUDA(cudaEventCreate(&start));
  CUDA(cudaEventCreate(&stop));
  std::vector<double> all;
  for (int i = -1; i < repeats; i++) {
    prepare();
    CUDA(cudaEventRecord(start));
    run();
    CUDA(cudaEventRecord(stop));
    CUDA(cudaEventSynchronize(stop));
    float ms;
    CUDA(cudaEventElapsedTime(&ms, start, stop));
    check();
    if (i >= 0) all.push_back(ms);
  }
  CUDA(cudaEventDestroy(start));
  CUDA(cudaEventDestroy(stop));
  std::sort(all.begin(), all.end());
  return {all[all.size() / 2], all.front(), all.back()};
}

static void print(const char *what, Count n, Times t) {
  std::printf("%-28s %11llu keys  %8.3f ms  (%.3f to %.3f)  %6.2f Gk/s\n", what, n, t.median, t.least, t.most,
              (double)n / t.median / 1e6);
  std::fflush(stdout);
}

template <class Word>
static void expectSorted(const char *what, const Word *keys, Count n, Key64 sum, int bits = 8 * sizeof(Word)) {
  Summary after = summaryOf(keys, n, bits);
  if (after.inversions != 0 || after.sum != sum) {
    std::fprintf(stderr, "%s: %llu keys: %llu out of order, sum %016llx expected %016llx\n", what, n,
                 after.inversions, after.sum, sum);
    std::exit(1);
  }
}

// ---- checks

// Memory behind keys that must stay as it is.
template <class Word>
static void setGuard(Word *behind) {
  CUDA(cudaMemset(behind, 0x5A, 4 * sizeof(Word)));
}

template <class Word>
static void expectGuard(const char *what, const Word *behind, Count n) {
  unsigned char guard[4 * sizeof(Word)];
  CUDA(cudaMemcpy(guard, behind, sizeof guard, cudaMemcpyDeviceToHost));
  for (unsigned char byte : guard) {
    if (byte != 0x5A) {
      std::fprintf(stderr, "%s: %llu keys: wrote behind the keys\n", what, n);
      std::exit(1);
    }
  }
}

// Calls it with numbers of keys around the powers of two, every distribution (of many keys only two) and a seed.
template <class Use>
static void checkSizes(const char *what, int log2Max, Use use) {
  int checked = 0;
  for (int log = 0; log <= log2Max; log++) {
    for (long long delta : {-1ll, 0ll, 1ll, (1ll << log) / 2 + 3}) {
      Count n = (1ull << log) + delta;
      if (n > 1ull << log2Max) continue;
      for (int d = 0; d < DISTRIBUTIONS; d++) {
        if (log > 22 && d != log % DISTRIBUTIONS && d != UNIFORM) continue;
        use(n, d, (Key64)log + delta);
        checked++;
      }
    }
  }
  std::printf("%-16s %d sorts right, up to 2^%d keys\n", what, checked, log2Max);
  std::fflush(stdout);
}
