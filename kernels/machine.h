// The machine that kernels run on, for tests on the CPU (include shim/cuda_shim.h first) and for measurements on a device.
// Memory of the CPU is filled with noise when it is reserved. The program's own way to a device is the Java package gpu.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>

namespace machine {

using Bytes = unsigned long long;

#ifdef __CUDACC__
inline void check(const char *call, cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}
#define CUDA(call) machine::check(#call, call)

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
inline void *reserve(Bytes bytes) {
  void *memory = std::aligned_alloc(16, (bytes + 15) / 16 * 16);
  std::memset(memory, 0xA5, bytes);
  return memory;
}
inline void release(void *memory) { std::free(memory); }
inline void put(void *to, const void *from, Bytes bytes) { std::memcpy(to, from, bytes); }
inline void get(void *to, const void *from, Bytes bytes) { std::memcpy(to, from, bytes); }
inline void setTo(void *to, int value, Bytes bytes) { std::memset(to, value, bytes); }

template <class Kernel>
void allowShared(Kernel, size_t) {}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), Bytes blocks, unsigned threads, size_t sharedBytes, Arguments... arguments) {
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
