// The kernels by name. All parameters are plain values; dynamic shared memory is Part<...>::SHARED_BYTES.
//
//   sort_blocks_<kind>(keys, n, firstPart)
//   merge_parts_<kind>(keys, n, firstPart, stage, tail, highBase)
//
// KMODEL_ONLY_PACKED compiles only f64, for the indexer's packed keys.
//
// Grid: one block of 2^(M-V) threads per part. <kind> is f64 (keys below 0x7FF0...), u64, u32 or u128.
#include "network.cuh"
#include "tuning.cuh"

#ifdef __CUDACC__
#define KMODEL_KERNEL(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)
#define KMODEL_SHARED(Word)                          \
  extern __shared__ __align__(16) char sharedBytes[]; \
  Word *shared = reinterpret_cast<Word *>(sharedBytes)
#else
#define KMODEL_KERNEL(threads, blocks) extern "C" void
#define KMODEL_SHARED(Word) Word *shared = reinterpret_cast<Word *>(shimShared())
#endif

#define KMODEL_KERNELS(kind, Key, M, V, K, S, B)                                                               \
  KMODEL_KERNEL(1 << (M - V), S) sort_blocks_##kind(Key::Word *keys, unsigned long long n,                  \
                                                    unsigned long long firstPart) {                         \
    KMODEL_SHARED(Key::Word);                                                                               \
    sortBlock<Key, M, V>(keys, n, firstPart + blockIdx.x, shared);                                          \
  }                                                                                                         \
  KMODEL_KERNEL(1 << (M - V), B) merge_parts_##kind(Key::Word *keys, unsigned long long n,                  \
                                                    unsigned long long firstPart, int stage, int tail,      \
                                                    int highBase) {                                         \
    KMODEL_SHARED(Key::Word);                                                                               \
    mergePart<Key, M, V, K>(keys, n, firstPart + blockIdx.x, stage, tail, highBase, shared);                \
  }

#ifndef KMODEL_NO_DEFAULT_KERNELS
KMODEL_KERNELS(f64, DoubleKey, KMODEL_M_64, KMODEL_V_64, KMODEL_K_64, KMODEL_S_64, KMODEL_B_64)
#ifndef KMODEL_ONLY_PACKED
KMODEL_KERNELS(u64, IntegerKey<unsigned long long>, KMODEL_M_64, KMODEL_V_64, KMODEL_K_64, KMODEL_S_64, KMODEL_B_64)
KMODEL_KERNELS(u32, IntegerKey<unsigned>, KMODEL_M_32, KMODEL_V_32, KMODEL_K_32, KMODEL_S_32, KMODEL_B_32)
KMODEL_KERNELS(u128, WideKey, KMODEL_M_128, KMODEL_V_128, KMODEL_K_128, KMODEL_S_128, KMODEL_B_128)
#endif
#endif
