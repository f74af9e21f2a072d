// Runs CUDA kernels on the CPU, for tests: include it before a .cu file and compile with g++.
//
// By default each CUDA thread is a fiber, and blocks run one after the other. A barrier switches to the next fiber. If
// some threads of a block wait at a barrier while others have ended, the program aborts with a message. Shared memory
// is poisoned before every block. With SHIM_THREADS each CUDA thread is a std::thread and the barrier a std::barrier,
// so that ThreadSanitizer detects a missing barrier (the fixed order of fibers hides it).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>
#ifdef SHIM_THREADS
#include <barrier>
#include <thread>
#else
#include <csetjmp>
#include <ucontext.h>
#endif

#define __global__
#define __device__
#define __forceinline__ inline

struct ShimDim {
  unsigned x = 1, y = 1, z = 1;
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

#ifdef SHIM_THREADS
inline std::barrier<> *barrier;

template <class Body>
void runBlock(unsigned index, unsigned blocks, unsigned threads, Body body) {
  std::barrier<> b(threads);
  barrier = &b;
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
#else
enum class State { RUNNING, WAITING, ENDED };
struct Fiber {
  ucontext_t start;
  jmp_buf resume;
  bool started = false;
  State state = State::RUNNING;
  std::vector<char> stack;
};
inline std::vector<Fiber> fibers;
inline unsigned current;
inline jmp_buf scheduler;
inline void (*entry)(void *);
inline void *argument;

inline void trampoline() {
  entry(argument);
  fibers[current].state = State::ENDED;
  _longjmp(scheduler, 1);
}

inline void switchTo(unsigned t) {
  current = t;
  threadIdx = {t, 0, 0};
  if (_setjmp(scheduler)) return;
  Fiber &fiber = fibers[t];
  if (fiber.started) _longjmp(fiber.resume, 1);
  fiber.started = true;
  getcontext(&fiber.start);
  fiber.start.uc_stack.ss_sp = fiber.stack.data();
  fiber.start.uc_stack.ss_size = fiber.stack.size();
  fiber.start.uc_link = nullptr;
  makecontext(&fiber.start, trampoline, 0);
  setcontext(&fiber.start);
}

inline void sync() {
  Fiber &fiber = fibers[current];
  fiber.state = State::WAITING;
  if (!_setjmp(fiber.resume)) _longjmp(scheduler, 1);
}

template <class Body>
void runBlock(unsigned index, unsigned blocks, unsigned threads, Body body) {
  blockIdx = {index, 0, 0};
  blockDim = {threads, 1, 1};
  gridDim = {blocks, 1, 1};
  if (fibers.size() < threads) fibers.resize(threads);
  for (unsigned t = 0; t < threads; t++) {
    fibers[t].started = false;
    fibers[t].stack.resize(1 << 16);
  }
  entry = [](void *b) { (*static_cast<Body *>(b))(); };
  argument = &body;
  for (unsigned ended = 0; ended < threads;) {
    ended = 0;
    for (unsigned t = 0; t < threads; t++) {
      fibers[t].state = State::RUNNING;
      switchTo(t);
      ended += fibers[t].state == State::ENDED;
    }
    if (ended != 0 && ended != threads) fail("some threads of a block wait at a barrier, others have ended");
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
inline void *shimShared() { return shim::block.shared.data(); }
