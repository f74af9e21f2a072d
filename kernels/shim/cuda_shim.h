// Runs CUDA kernels on the CPU, for tests: include it before a .cu file and compile with g++.
//
// By default each CUDA thread is a fiber, and blocks run one after the other. A barrier, or an exchange within a warp,
// switches to the next fiber. If some threads of a block (or warp) wait at one while the others wait elsewhere or have
// ended, the program aborts with a message. Shared memory is poisoned before every block. With SHIM_THREADS each CUDA
// thread is a std::thread and the barrier a std::barrier, so that ThreadSanitizer detects a missing barrier (the fixed
// order of fibers hides it). Exchanges within a warp need all of its 32 threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>
#ifdef SHIM_THREADS
#include <barrier>
#include <thread>
#else
#include <csetjmp>
#include <deque>
#include <ucontext.h>
#endif

#define __global__
#define __device__
#define __forceinline__ inline

struct ShimDim {
  unsigned x = 1, y = 1, z = 1;
};

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

inline thread_local ShimDim threadIdx, blockIdx, blockDim, gridDim;

namespace shim {

[[noreturn]] inline void fail(const char *what) {
  std::fprintf(stderr, "shim: %s\n", what);
  std::abort();
}

struct Block {
  std::vector<std::max_align_t> shared;
  void poison(size_t bytes) {
    shared.resize((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
    std::memset(shared.data(), 0xA5, shared.size() * sizeof(std::max_align_t));
  }
};
inline Block block;

constexpr unsigned WARP = 32;

// What the threads of the block's warps exchange, for exchanges in turn: a thread may start the next one while others
// still read.
inline unsigned long long exchanged[1024 / WARP][2][WARP];
inline thread_local unsigned exchanges;

#ifdef SHIM_THREADS
inline std::barrier<> *barrier;
inline std::vector<std::unique_ptr<std::barrier<>>> warpBarriers;

template <class Body>
void runBlock(unsigned index, unsigned blocks, unsigned threads, Body body) {
  std::barrier<> b(threads);
  barrier = &b;
  warpBarriers.clear();
  for (unsigned t = 0; t < threads; t += WARP) warpBarriers.push_back(std::make_unique<std::barrier<>>(WARP));
  std::vector<std::thread> team;
  for (unsigned t = 0; t < threads; t++) {
    team.emplace_back([=] {
      threadIdx = {t, 0, 0};
      blockIdx = {index, 0, 0};
      blockDim = {threads, 1, 1};
      gridDim = {blocks, 1, 1};
      body();
      barrier->arrive_and_drop();
    });
  }
  for (auto &thread : team) thread.join();
}
inline void sync() { barrier->arrive_and_wait(); }
inline void syncWarp() { warpBarriers[threadIdx.x / WARP]->arrive_and_wait(); }
inline unsigned turn() { return exchanges++ % 2; }
#else
enum class State { READY, AT_BARRIER, AT_WARP_BARRIER, ENDED };
struct Fiber {
  ucontext_t start;
  jmp_buf resume;
  State state = State::READY;
  unsigned exchanges;
  std::vector<char> stack;
};
inline std::deque<Fiber> fibers;
inline unsigned current;
inline jmp_buf scheduler;
inline void (*entry)(void *);
inline void *argument;

// A fiber runs one body after the other.
inline void trampoline() {
  while (true) {
    entry(argument);
    fibers[current].state = State::ENDED;
    if (!_setjmp(fibers[current].resume)) _longjmp(scheduler, 1);
  }
}

inline void switchTo(unsigned t) {
  current = t;
  threadIdx = {t, 0, 0};
  if (_setjmp(scheduler)) return;
  Fiber &fiber = fibers[t];
  if (!fiber.stack.empty()) _longjmp(fiber.resume, 1);
  fiber.stack.resize(1 << 16);
  getcontext(&fiber.start);
  fiber.start.uc_stack.ss_sp = fiber.stack.data();
  fiber.start.uc_stack.ss_size = fiber.stack.size();
  fiber.start.uc_link = nullptr;
  makecontext(&fiber.start, trampoline, 0);
  setcontext(&fiber.start);
}

inline void wait(State at) {
  Fiber &fiber = fibers[current];
  fiber.state = at;
  if (!_setjmp(fiber.resume)) _longjmp(scheduler, 1);
}
inline void sync() { wait(State::AT_BARRIER); }
inline void syncWarp() { wait(State::AT_WARP_BARRIER); }
inline unsigned turn() { return fibers[current].exchanges++ % 2; }

// Lets the fibers from first to last go on if all wait at the same kind of barrier; returns whether it did.
inline bool release(unsigned first, unsigned last, State at) {
  for (unsigned t = first; t < last; t++) {
    if (fibers[t].state != at) return false;
  }
  for (unsigned t = first; t < last; t++) fibers[t].state = State::READY;
  return true;
}

template <class Body>
void runBlock(unsigned index, unsigned blocks, unsigned threads, Body body) {
  blockIdx = {index, 0, 0};
  blockDim = {threads, 1, 1};
  gridDim = {blocks, 1, 1};
  if (fibers.size() < threads) fibers.resize(threads);
  for (unsigned t = 0; t < threads; t++) {
    fibers[t].state = State::READY;
    fibers[t].exchanges = 0;
  }
  entry = [](void *b) { (*static_cast<Body *>(b))(); };
  argument = &body;
  for (unsigned ended = 0; ended < threads;) {
    ended = 0;
    bool moved = false;
    for (unsigned t = 0; t < threads; t++) {
      if (fibers[t].state == State::READY) {
        switchTo(t);
        moved = true;
      }
      ended += fibers[t].state == State::ENDED;
    }
    for (unsigned first = 0; first + WARP <= threads; first += WARP) {
      moved |= release(first, first + WARP, State::AT_WARP_BARRIER);
    }
    if (!moved && ended < threads && !release(0, threads, State::AT_BARRIER)) {
      fail("some threads of a block wait at a barrier, others wait elsewhere or have ended");
    }
  }
  argument = nullptr;
}
#endif

template <class... Args, size_t... I>
void call(void (*kernel)(Args...), void **params, std::index_sequence<I...>) {
  kernel(*static_cast<std::decay_t<Args> *>(params[I])...);
}

// Like cuLaunchKernel: params[i] points to the i-th argument.
template <class... Args>
void launch(void (*kernel)(Args...), unsigned blocks, unsigned threads, size_t sharedBytes, void **params) {
  for (unsigned b = 0; b < blocks; b++) {
    block.poison(sharedBytes);
    runBlock(b, blocks, threads, [=] { call(kernel, params, std::index_sequence_for<Args...>{}); });
  }
}

}  // namespace shim

inline void __syncthreads() { shim::sync(); }
inline void __syncwarp() { shim::syncWarp(); }

// ---- exchanges within a warp

namespace shim {

// Shows a value to the other threads of the warp; returns all values, by lane.
inline const unsigned long long *exchange(unsigned long long value) {
  auto &values = exchanged[threadIdx.x / WARP][turn()];
  values[threadIdx.x % WARP] = value;
  syncWarp();
  return values;
}

}  // namespace shim

inline unsigned __shfl_sync(unsigned, unsigned value, int lane) { return (unsigned)shim::exchange(value)[lane]; }
template <class Number>
Number __shfl_up_sync(unsigned, Number value, int delta) {
  int lane = threadIdx.x % shim::WARP;
  return (Number)shim::exchange(value)[lane < delta ? lane : lane - delta];
}
template <class Number>
Number __shfl_xor_sync(unsigned, Number value, int bits) {
  return (Number)shim::exchange(value)[threadIdx.x % shim::WARP ^ bits];
}
inline unsigned __match_any_sync(unsigned, unsigned value) {
  const unsigned long long *values = shim::exchange(value);
  unsigned same = 0;
  for (unsigned lane = 0; lane < shim::WARP; lane++) same |= (unsigned)(values[lane] == value) << lane;
  return same;
}
inline unsigned __ballot_sync(unsigned, bool vote) {
  const unsigned long long *votes = shim::exchange(vote);
  unsigned all = 0;
  for (unsigned lane = 0; lane < shim::WARP; lane++) all |= (unsigned)votes[lane] << lane;
  return all;
}

// ---- arithmetic and atomics

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __ffs(unsigned x) { return __builtin_ffs((int)x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
template <class Number>
Number atomicAdd(Number *to, Number value) {
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}
inline unsigned atomicOr(unsigned *to, unsigned value) { return __atomic_fetch_or(to, value, __ATOMIC_RELAXED); }
template <class Number>
Number atomicMax(Number *to, Number value) {
  Number seen = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (seen < value && !__atomic_compare_exchange_n(to, &seen, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return seen;
}
template <class Number>
Number atomicMin(Number *to, Number value) {
  Number seen = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (seen > value && !__atomic_compare_exchange_n(to, &seen, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return seen;
}
inline unsigned long long atomicCAS(unsigned long long *to, unsigned long long expected, unsigned long long value) {
  __atomic_compare_exchange_n(to, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
inline void *shimShared() { return shim::block.shared.data(); }
