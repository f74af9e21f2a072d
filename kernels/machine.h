// The machine that kernels run on, for tests on the CPU (include shim/cuda_shim.h first) and for measurements on a device.
// Memory of the CPU is filled with noise when it is reserved. The program's own way to a device is the Java package gpu.
//
// A machine may have several devices, of which one is current: memory is reserved there, and kernels run there. On the
// CPU they are made up. Then each reservation has pages to itself, and while a kernel runs, the memory of all other
// devices is closed, so that the first wrong access ends the program. Several devices may be one GPU.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>
#include <vector>
#ifndef __CUDACC__
#include <csignal>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace machine {

using Bytes = unsigned long long;

inline std::vector<int> gpus{0};  // of each device
inline int current = 0;
inline int devices() { return (int)gpus.size(); }

#ifdef __CUDACC__
inline void check(const char *call, cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}
#define CUDA(call) machine::check(#call, call)

inline void use(int device) {
  current = device;
  CUDA(cudaSetDevice(gpus[device]));
}

// Device i is GPU ofDevices[i] from now on.
inline void start(const std::vector<int> &ofDevices) {
  gpus = ofDevices;
  use(0);
}

// Lets each device access the memory of all others; returns whether all of them can.
inline bool openPeers() {
  for (int from : gpus) {
    for (int to : gpus) {
      int can = from == to;
      if (from != to) CUDA(cudaDeviceCanAccessPeer(&can, from, to));
      if (!can) return false;
    }
  }
  for (int device = 0; device < devices(); device++) {
    use(device);
    for (int to : gpus) {
      if (to == gpus[device]) continue;
      cudaError_t error = cudaDeviceEnablePeerAccess(to, 0);
      if (error == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError();
      } else {
        CUDA(error);
      }
    }
  }
  use(0);
  return true;
}

// Kernels may read the memory of other devices during its lifetime, after openPeers().
struct PeerAccess {
  PeerAccess() {}
};

// Waits for all that runs on a device.
inline void synchronize() {
  for (int gpu : gpus) {
    CUDA(cudaSetDevice(gpu));
    CUDA(cudaDeviceSynchronize());
  }
  use(current);
}

inline void *reserve(Bytes bytes) {
  void *memory;
  CUDA(cudaMalloc(&memory, bytes));
  return memory;
}
inline void release(void *memory) { CUDA(cudaFree(memory)); }
inline void put(void *to, const void *from, Bytes bytes) { CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice)); }
inline void get(void *to, const void *from, Bytes bytes) { CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost)); }
inline void setTo(void *to, int value, Bytes bytes) { CUDA(cudaMemset(to, value, bytes)); }

// Allows a kernel more dynamic shared memory than usual.
template <class Kernel>
void allowShared(Kernel kernel, size_t bytes) {
  CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), Bytes blocks, unsigned threads, size_t sharedBytes, Arguments... arguments) {
  if (blocks == 0) return;
  kernel<<<(unsigned)blocks, threads, sharedBytes>>>(arguments...);
  CUDA(cudaGetLastError());
}
#else
// Reserved memory by its address, while there are several devices.
struct Reservation {
  int device;
  Bytes bytes;  // in whole pages, before a page that is always closed
};
inline std::map<char *, Reservation> reservations;
inline bool peersOpen = false;
inline int peerAccesses = 0;

[[noreturn]] inline void fail(const char *what) {
  std::fprintf(stderr, "machine: %s\n", what);
  std::_Exit(1);
}

inline void use(int device) { current = device; }
inline bool openPeers() { return peersOpen = true; }

inline void start(const std::vector<int> &ofDevices) {
  if (!reservations.empty()) fail("the devices before have not released their memory");
  gpus = ofDevices;
  peersOpen = false;
  use(0);
  std::signal(SIGSEGV, [](int) {
    static const char WHAT[] = "machine: a kernel accessed memory that its device does not have\n";
    if (write(2, WHAT, sizeof WHAT - 1) < 0) _exit(2);
    _exit(1);
  });
}

struct PeerAccess {
  PeerAccess() {
    if (!peersOpen) fail("peer access without openPeers()");
    peerAccesses++;
  }
  ~PeerAccess() { peerAccesses--; }
  PeerAccess(const PeerAccess &) = delete;
};

inline Bytes pagesOf(Bytes bytes) {
  Bytes page = (Bytes)sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

// What a device reserves ends where its closed page begins.
inline void *reserve(Bytes bytes) {
  bytes = (bytes + 15) / 16 * 16;
  if (devices() == 1) {
    void *memory = std::aligned_alloc(16, bytes);
    std::memset(memory, 0xA5, bytes);
    return memory;
  }
  Bytes pages = pagesOf(bytes);
  char *first = (char *)mmap(nullptr, pages + pagesOf(1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (first == MAP_FAILED) fail("no memory");
  mprotect(first + pages, pagesOf(1), PROT_NONE);
  std::memset(first, 0xA5, pages);
  reservations[first] = {current, pages};
  return first + pages - bytes;
}

// The reservation that an address is in.
inline std::map<char *, Reservation>::iterator reservationOf(const void *address) {
  auto after = reservations.upper_bound((char *)address);
  if (after == reservations.begin()) fail("an address that no device has");
  auto it = std::prev(after);
  if ((char *)address > it->first + it->second.bytes) fail("an address that no device has");
  return it;
}

inline void release(void *memory) {
  if (devices() == 1) return std::free(memory);
  auto it = reservationOf(memory);
  munmap(it->first, it->second.bytes + pagesOf(1));
  reservations.erase(it);
}

inline void expectOn(int device, const void *address) {
  if (devices() > 1 && reservationOf(address)->second.device != device) fail("a copy with another device's address");
}

inline void put(void *to, const void *from, Bytes bytes) {
  expectOn(current, to);
  std::memcpy(to, from, bytes);
}
inline void get(void *to, const void *from, Bytes bytes) {
  expectOn(current, from);
  std::memcpy(to, from, bytes);
}
inline void setTo(void *to, int value, Bytes bytes) {
  expectOn(current, to);
  std::memset(to, value, bytes);
}

// Closes the memory of all devices but the current one; with peer access others may be read.
class OnlyCurrent {
 public:
  OnlyCurrent() { protectOthers(peerAccesses > 0 ? PROT_READ : PROT_NONE); }
  ~OnlyCurrent() { protectOthers(PROT_READ | PROT_WRITE); }

 private:
  static void protectOthers(int how) {
    for (auto &[first, reservation] : reservations) {
      if (reservation.device != current) mprotect(first, reservation.bytes, how);
    }
  }
};

template <class Kernel>
void allowShared(Kernel, size_t) {}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), Bytes blocks, unsigned threads, size_t sharedBytes, Arguments... arguments) {
  OnlyCurrent only;
  std::tuple<Parameters...> values(arguments...);
  std::apply(
      [&](auto &...each) {
        void *parameters[] = {(void *)&each...};
        shim::launch(kernel, (unsigned)blocks, threads, sharedBytes, parameters);
      },
      values);
}
#endif

}  // namespace machine
