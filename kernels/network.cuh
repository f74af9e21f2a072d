// The bitonic network of the K-model paper on one CUDA device: in place, any number of keys, no memory beside
// the keys. A part of 2^M keys (sigma) is one block's; each of its 2^(M-V) threads holds 2^V keys in registers,
// and shared memory is only where threads exchange them.
//
// Local index e of a key: M bits. In layout w a thread's register j holds the key whose bits [w, w+V) are j; the
// other bits are the thread's number. The steps of bits [w, w+V) need no other thread.
//
//   M = 4, V = 2, layout 1, thread t = (t1 t0), register j = (j1 j0):   e = (t1 j1 j0 t0)
//
// Directions: block q of a stage ascends if q is odd or q is the last block, else it descends. Then keys that
// are missing past the end behave like keys above all others that never move.
#pragma once
#include "keys.cuh"

template <class Key, int M, int V>
struct Part {
  using Word = typename Key::Word;
  static constexpr int SIGMA = 1 << M;
  static constexpr int THREADS = 1 << (M - V);
  static constexpr int KEYS = 1 << V;
  static constexpr int TOP = M - V;  // the highest layout; its rows are the longest
  // Rows shorter than this many keys (as a logarithm) are not worth moving from or to global memory.
  static constexpr int SHORTEST_ROW = TOP < 3 ? TOP : 3;
  static constexpr int SHARED_BYTES = (SIGMA + (SIGMA >> V)) * (int)sizeof(Word);

  Word *shared;
  Word key[KEYS];
  int tid;
  int layout;

  // ---- which keys a thread has

  __device__ __forceinline__ int threadIndex(int w) const {
    return (tid & ((1 << w) - 1)) | (tid >> w) << (w + V);
  }

  // One word of padding after each 2^V: no layout has bank conflicts, and as e is a disjoint union of thread
  // and register bits, padded(e) is the sum of a thread's and a register's part.
  static __device__ __forceinline__ constexpr int padded(int e) { return e + (e >> V); }

  // ---- exchange through shared memory

  template <int W>
  __device__ __forceinline__ void writeShared() {
    Word *to = shared + padded(threadIndex(W));
#pragma unroll
    for (int j = 0; j < KEYS; j++) to[padded(j << W)] = key[j];
  }

  template <int W>
  __device__ __forceinline__ void readShared() {
    const Word *from = shared + padded(threadIndex(W));
#pragma unroll
    for (int j = 0; j < KEYS; j++) key[j] = from[padded(j << W)];
  }

  template <int W = 0>
  __device__ __forceinline__ void writeAt(int w) {
    if constexpr (W < TOP) {
      if (w != W) return writeAt<W + 1>(w);
    }
    writeShared<W>();
  }

  template <int W = 0>
  __device__ __forceinline__ void readAt(int w) {
    if constexpr (W < TOP) {
      if (w != W) return readAt<W + 1>(w);
    }
    readShared<W>();
  }

  // A thread writes where it read last (the same layout), so one barrier is enough.
  __device__ __forceinline__ void changeLayout(int w) {
    if (w == layout) return;
    writeAt(layout);
    __syncthreads();
    readAt(w);
    layout = w;
  }

  // ---- steps

  template <int BIT>
  __device__ __forceinline__ void step(bool descending, bool upperDescending) {
#pragma unroll
    for (int j = 0; j < KEYS; j++) {
      if (!(j >> BIT & 1)) {
        Key::compareExchange(key[j], key[j | 1 << BIT], j >> (V - 1) ? upperDescending : descending);
      }
    }
  }

  // Steps of register bits BIT, BIT - 1, ... 0 as one piece of code without branches: the compiler does more with
  // values that are made and used in the same piece.
  template <int BIT>
  __device__ __forceinline__ void stepsDown(bool descending, bool upperDescending) {
    step<BIT>(descending, upperDescending);
    if constexpr (BIT > 0) stepsDown<BIT - 1>(descending, upperDescending);
  }

  // Steps of register bits high, high - 1, ... low. The upper half of the registers may have another direction.
  template <int BIT = V - 1>
  __device__ __forceinline__ void steps(int high, int low, bool descending, bool upperDescending) {
    if (low == 0) {
      if (high == BIT) return stepsDown<BIT>(descending, upperDescending);
    } else if (BIT <= high && BIT >= low) {
      step<BIT>(descending, upperDescending);
    }
    if constexpr (BIT > 0) steps<BIT - 1>(high, low, descending, upperDescending);
  }

  // Steps of local bits from - 1 down to `to`, as many as one layout has; returns the bit that is next.
  __device__ __forceinline__ int round(int from, int to, bool descending, bool upperDescending) {
    int low = from - V > to ? from - V : to;
    int w = low < TOP ? low : TOP;
    changeLayout(w);
    // The top local bit is a register bit in the top layout, else the thread's top bit.
    bool upper = tid >> (TOP - 1) & 1;
    bool mine = w < TOP && upper ? upperDescending : descending;
    bool other = w < TOP ? mine : upperDescending;
    steps(from - 1 - w, low - w, mine, other);
    return low;
  }

  // ---- global memory

  // Visits this thread's keys in layout w in Gray code order, so that one addition leads from key to key.
  template <class Visit>
  __device__ __forceinline__ void visit(unsigned long long first, int w, int lowBits, int highBase, Visit at) {
    unsigned long long stride[V];
#pragma unroll
    for (int i = 0; i < V; i++) {
      int bit = w + i;
      stride[i] = 1ull << (bit < lowBits ? bit : bit - lowBits + highBase);
    }
    unsigned long long index = first + spread(threadIndex(w), lowBits, highBase);
#pragma unroll
    for (int g = 0; g < KEYS; g++) {
      if (g > 0) {
        int bit = lowestBit(g);
        index = (g ^ g >> 1) >> bit & 1 ? index + stride[bit] : index - stride[bit];
      }
      at(g ^ g >> 1, index);
    }
  }

  static __device__ __forceinline__ constexpr int lowestBit(int g) { return g & 1 ? 0 : 1 + lowestBit(g >> 1); }

  static __device__ __forceinline__ unsigned long long spread(unsigned e, int lowBits, int highBase) {
    return (e & ((1u << lowBits) - 1)) | (unsigned long long)(e >> lowBits) << highBase;
  }

  __device__ __forceinline__ void load(const Word *keys, unsigned long long n, unsigned long long first, int w,
                                       int lowBits, int highBase) {
    layout = w;
    if (first + spread(SIGMA - 1, lowBits, highBase) < n) {
      visit(first, w, lowBits, highBase, [&](int j, unsigned long long index) { key[j] = keys[index]; });
    } else {
      visit(first, w, lowBits, highBase, [&](int j, unsigned long long index) {
        key[j] = index < n ? keys[index] : Key::last();
      });
    }
  }

  __device__ __forceinline__ void store(Word *keys, unsigned long long n, unsigned long long first, int lowBits,
                                        int highBase) {
    if (first + spread(SIGMA - 1, lowBits, highBase) < n) {
      visit(first, layout, lowBits, highBase, [&](int j, unsigned long long index) { keys[index] = key[j]; });
    } else {
      visit(first, layout, lowBits, highBase, [&](int j, unsigned long long index) {
        if (index < n) keys[index] = key[j];
      });
    }
  }
};

static __device__ __forceinline__ bool isDescending(unsigned long long n, unsigned long long index, int stage) {
  unsigned long long block = index >> stage;
  return (block & 1) == 0 && block != (n - 1) >> stage;
}

// The first superstep, Gamma-0: sorts blocks of 2^M keys, alternately down and up.
template <class Key, int M, int V>
__device__ __forceinline__ void sortBlock(typename Key::Word *keys, unsigned long long n, unsigned long long part,
                                          typename Key::Word *shared) {
  using P = Part<Key, M, V>;
  unsigned long long first = part << M;
  if (first >= n) return;
  P p;
  p.shared = shared;
  p.tid = threadIdx.x;

  // The keys are in no order yet, so the rows as loaded may pass for layout 0.
  p.load(keys, n, first, P::TOP, M, M);
  p.layout = 0;

  // Stages inside a thread; the bit above the block says the direction.
#pragma unroll
  for (int s = 1; s <= V; s++) {
#pragma unroll
    for (int i = s - 1; i >= 0; i--) {
#pragma unroll
      for (int j = 0; j < P::KEYS; j++) {
        if (!(j >> i & 1)) {
          bool up = s < V ? j >> s & 1 : p.tid & 1;
          Key::compareExchange(p.key[j], p.key[j | 1 << i], !up);
        }
      }
    }
  }

  // Stages across threads. The last one ascends always; a descending block is stored backwards.
  for (int s = V + 1; s <= M; s++) {
    bool down = s < M && !(p.tid >> (s - V) & 1);
    for (int from = s; from > 0;) from = p.round(from, 0, down, down);
  }
  p.changeLayout(P::TOP);

  if (!isDescending(n, first, M)) {
    p.store(keys, n, first, M, M);
  } else {
    typename Key::Word *to = keys + first + (P::SIGMA - 1 - p.threadIndex(P::TOP));
#pragma unroll
    for (int j = 0; j < P::KEYS; j++) *(to - (j << P::TOP)) = p.key[j];
  }
}

// A later superstep on one part. Its Gamma-sequence is [0, M - headSteps) and [highBase, highBase + headSteps).
// It ends `stage` with that stage's last tailSteps steps, then begins the next one with headSteps steps; with no
// tail, it goes on with `stage` itself by headSteps steps.
template <class Key, int M, int V>
__device__ __forceinline__ void mergePart(typename Key::Word *keys, unsigned long long n, unsigned long long part,
                                          int stage, int tailSteps, int headSteps, int highBase,
                                          typename Key::Word *shared) {
  using P = Part<Key, M, V>;
  int lowBits = M - headSteps;
  int middle = highBase - lowBits;
  unsigned long long first =
      (part & ((1ull << middle) - 1)) << lowBits | part >> middle << (highBase + headSteps);
  if (first >= n) return;
  P p;
  p.shared = shared;
  p.tid = threadIdx.x;

  // Straight into the layout of the first steps, unless its rows are too short.
  int from = tailSteps > 0 ? tailSteps : M;
  int to = tailSteps > 0 ? 0 : lowBits;
  int w = from - V > to ? from - V : to;
  p.load(keys, n, first, w < P::SHORTEST_ROW || w > P::TOP ? P::TOP : w, lowBits, highBase);

  // Bit `stage` of the index tells the blocks of the tail apart; it is the part's top bit if there is a head.
  bool down, upperDown;
  if (tailSteps > 0) {
    unsigned long long upper = headSteps > 0 ? first | 1ull << stage : first;
    down = isDescending(n, first, stage);
    upperDown = isDescending(n, upper, stage);
    stage++;
  } else {
    down = upperDown = isDescending(n, first, stage);
  }
  while (true) {
    from = p.round(from, to, down, upperDown);
    if (from > to) continue;
    if (to == lowBits || headSteps == 0) break;
    from = M;
    to = lowBits;
    down = upperDown = isDescending(n, first, stage);
  }

  if (p.layout < P::SHORTEST_ROW) p.changeLayout(P::TOP);
  p.store(keys, n, first, lowBits, highBase);
}
