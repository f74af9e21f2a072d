// The bitonic network of the K-model paper on one CUDA device: in place, any number of keys, no memory besides
// the keys. One block of threads handles a part of 2^M keys (sigma). Each of its 2^(M-V) threads holds 2^V keys in
// registers; shared memory is used only to exchange keys between threads.
//
// The local index e of a key has M bits. In layout w a thread's register j holds the key whose bits [w, w+V) are j;
// the other bits are the thread's number. The steps of bits [w, w+V) need no exchange between threads.
//
//   M = 4, V = 2, layout 1, thread t = (t1 t0), register j = (j1 j0):   e = (t1 j1 j0 t0)
//
// Directions: block q of a stage ascends if q is odd or the last block, otherwise it descends. So keys missing past
// the end behave like keys above all others that never move.
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

  // ---- the keys of a thread

  template <int W>
  __device__ __forceinline__ int threadIndex() const {
    return (tid & ((1 << W) - 1)) | (tid >> W) << (W + V);
  }

  // One word of padding after each 2^V words avoids bank conflicts in every layout. Thread and register bits of e are
  // disjoint, so padded(e) is the sum of a thread's and a register's part.
  static __device__ __forceinline__ constexpr int padded(int e) { return e + (e >> V); }

  // ---- exchange through shared memory

  template <int W>
  __device__ __forceinline__ void writeShared() {
    Word *to = shared + padded(threadIndex<W>());
#pragma unroll
    for (int j = 0; j < KEYS; j++) to[padded(j << W)] = key[j];
  }

  template <int W>
  __device__ __forceinline__ void readShared() {
    const Word *from = shared + padded(threadIndex<W>());
#pragma unroll
    for (int j = 0; j < KEYS; j++) key[j] = from[padded(j << W)];
  }

  // A thread writes where it last read (the same layout), so one barrier is enough.
  template <int FROM, int TO>
  __device__ __forceinline__ void changeLayout() {
    if constexpr (FROM != TO) {
      writeShared<FROM>();
      __syncthreads();
      readShared<TO>();
    }
  }

  // The same for layouts known only at run time.
  template <int W = 0>
  __device__ __forceinline__ void writeShared(int w) {
    if constexpr (W < TOP) {
      if (w != W) return writeShared<W + 1>(w);
    }
    writeShared<W>();
    keepApart<W>();
  }

  template <int W = 0>
  __device__ __forceinline__ void readShared(int w) {
    if constexpr (W < TOP) {
      if (w != W) return readShared<W + 1>(w);
    }
    readShared<W>();
    keepApart<W>();
  }

  // Keeps the compiler from merging the code for different layouts into one piece with computed addresses.
  template <int W>
  static __device__ __forceinline__ void keepApart() {
#ifdef __CUDA_ARCH__
    asm volatile("// layout %0" ::"n"(W));
#endif
  }

  // ---- steps

  // The upper half of the registers may have another direction.
  template <int BIT>
  __device__ __forceinline__ void step(bool descending, bool upperDescending) {
#pragma unroll
    for (int j = 0; j < KEYS; j++) {
      if (!(j >> BIT & 1)) {
        Key::compareExchange(key[j], key[j | 1 << BIT], j >> (V - 1) ? upperDescending : descending);
      }
    }
  }

  // Steps of register bits HIGH, HIGH - 1, ... LOW.
  template <int HIGH, int LOW>
  __device__ __forceinline__ void steps(bool descending, bool upperDescending) {
    step<HIGH>(descending, upperDescending);
    if constexpr (HIGH > LOW) steps<HIGH - 1, LOW>(descending, upperDescending);
  }

  // Steps of the lowest `count` register bits; then writes all keys to shared memory. Fewer than V steps end a stage,
  // in layout 0.
  template <int COUNT = V>
  __device__ __forceinline__ void stepsAndWrite(int count, int w, bool descending) {
    if (count == COUNT) {
      steps<COUNT - 1, 0>(descending, descending);
      if constexpr (COUNT == V) {
        writeShared(w);
      } else {
        writeShared<0>();
      }
    } else if constexpr (COUNT > 1) {
      stepsAndWrite<COUNT - 1>(count, w, descending);
    }
  }

  // The lowest bit of the round that starts with the step of bit FROM - 1, and the layout of that round.
  static __device__ constexpr int roundEnd(int from, int to) { return from - V > to ? from - V : to; }
  static __device__ constexpr int roundLayout(int from, int to) {
    return roundEnd(from, to) < TOP ? roundEnd(from, to) : TOP;
  }
  static __device__ constexpr int lastLayout(int from, int to, int layout) {
    return from > to ? lastLayout(roundEnd(from, to), to, roundLayout(from, to)) : layout;
  }

  // Steps of local bits FROM - 1 down to TO, in any layouts. Starts in LAYOUT, ends in
  // lastLayout(FROM, TO, LAYOUT).
  template <int FROM, int TO, int LAYOUT>
  __device__ __forceinline__ void rounds(bool descending, bool upperDescending) {
    if constexpr (FROM > TO) {
      constexpr int END = roundEnd(FROM, TO), W = roundLayout(FROM, TO);
      changeLayout<LAYOUT, W>();
      if constexpr (W < TOP) {
        // The top local bit is this thread's top bit, not one of its registers'.
        bool mine = tid >> (TOP - 1) & 1 ? upperDescending : descending;
        steps<FROM - 1 - W, END - W>(mine, mine);
      } else {
        steps<FROM - 1 - W, END - W>(descending, upperDescending);
      }
      rounds<END, TO, W>(descending, upperDescending);
    }
  }

  // ---- global memory

  // Visits this thread's keys in layout W: at(register, pointer). Bits below LOW of a local index are bits of the
  // index, the others start at highBase.
  template <int W, int LOW, class Pointer, class Visit>
  __device__ __forceinline__ void visit(Pointer first, int highBase, Visit at) {
    constexpr int NEAR = LOW <= W ? 0 : LOW < W + V ? LOW - W : V;  // register bits below LOW
    Pointer row = first + spread<LOW>(threadIndex<W>(), highBase);
    unsigned long long rowKeys = 1ull << (highBase + (LOW <= W ? W - LOW : 0));
#pragma unroll
    for (int far = 0; far < 1 << (V - NEAR); far++) {
      if (far > 0) row += rowKeys;
#pragma unroll
      for (int near = 0; near < 1 << NEAR; near++) at(far << NEAR | near, row + (near << W));
    }
  }

  template <int LOW>
  static __device__ __forceinline__ unsigned long long spread(unsigned e, int highBase) {
    return (e & ((1u << LOW) - 1)) | (unsigned long long)(e >> LOW) << highBase;
  }

  template <int W, int LOW>
  __device__ __forceinline__ void load(const Word *keys, unsigned long long n, unsigned long long first,
                                       int highBase) {
    if (first + spread<LOW>(SIGMA - 1, highBase) < n) {
      visit<W, LOW>(keys + first, highBase, [&](int j, const Word *from) { key[j] = *from; });
    } else {
      const Word *end = keys + n;
      visit<W, LOW>(keys + first, highBase,
                    [&](int j, const Word *from) { key[j] = from < end ? *from : Key::last(); });
    }
  }

  template <int W, int LOW>
  __device__ __forceinline__ void store(Word *keys, unsigned long long n, unsigned long long first, int highBase) {
    if (first + spread<LOW>(SIGMA - 1, highBase) < n) {
      visit<W, LOW>(keys + first, highBase, [&](int j, Word *to) { *to = key[j]; });
    } else {
      const Word *end = keys + n;
      visit<W, LOW>(keys + first, highBase, [&](int j, Word *to) {
        if (to < end) *to = key[j];
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

  // The keys are in no order yet, so the rows as loaded can be taken for layout 0.
  p.template load<P::TOP, M>(keys, n, first, M);

  // Stages inside a thread; the bit above the block gives the direction.
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

  // Stages across threads, the last one ascending. This is a loop over rounds, because unrolled code would not fit in
  // the instruction cache. Between rounds all keys are in shared memory, so that different paths through the code need
  // no registers in common.
  p.template writeShared<0>();
  for (int s = V + 1; s <= M; s++) {
    bool down = s < M && !(p.tid >> (s - V) & 1);
    for (int from = s; from > 0;) {
      int w = from > V ? from - V : 0;
      __syncthreads();
      p.readShared(w);
      p.stepsAndWrite(from - w, w, down);
      from = w;
    }
  }
  __syncthreads();
  p.template readShared<P::TOP>();

  // The last stage has sorted the keys in ascending order; a descending block is stored backwards.
  if (!isDescending(n, first, M)) {
    p.template store<P::TOP, M>(keys, n, first, M);
  } else {
    typename Key::Word *to = keys + first + (P::SIGMA - 1 - p.template threadIndex<P::TOP>());
#pragma unroll
    for (int j = 0; j < P::KEYS; j++) *(to - (j << P::TOP)) = p.key[j];
  }
}

// A later superstep on the part that starts at `first`: the last TAIL steps of `stage`, then as many steps of the
// next stage as there are bits left; with TAIL 0, steps of `stage` itself. Gamma is [0, LOW) and [highBase, ...).
template <int TAIL, int K, class Key, int M, int V>
__device__ __forceinline__ void runShape(Part<Key, M, V> &p, typename Key::Word *keys, unsigned long long n,
                                         unsigned long long first, int stage, int highBase) {
  using P = Part<Key, M, V>;
  constexpr int LOW = TAIL > K ? TAIL : K;

  // Load directly into the layout of the first steps, unless its rows are too short.
  constexpr int WANTED = TAIL > 0 ? P::roundLayout(TAIL, 0) : P::roundLayout(M, LOW);
  constexpr int LOADED = WANTED < P::SHORTEST_ROW ? P::TOP : WANTED;
  p.template load<LOADED, LOW>(keys, n, first, highBase);

  // Bit `stage` of the index distinguishes the blocks of the tail; it is the part's top bit if there is a head.
  if constexpr (TAIL > 0) {
    unsigned long long upper = LOW < M ? first | 1ull << stage : first;
    p.template rounds<TAIL, 0, LOADED>(isDescending(n, first, stage), isDescending(n, upper, stage));
  }
  constexpr int MIDDLE = P::lastLayout(TAIL, 0, LOADED);
  bool down = isDescending(n, first, TAIL > 0 ? stage + 1 : stage);
  p.template rounds<M, LOW, MIDDLE>(down, down);

  constexpr int LAST = P::lastLayout(M, LOW, MIDDLE);
  constexpr int STORED = LAST < P::SHORTEST_ROW ? P::TOP : LAST;
  p.template changeLayout<LAST, STORED>();
  p.template store<STORED, LOW>(keys, n, first, highBase);
}

template <int TAIL, int K, class Key, int M, int V>
__device__ __forceinline__ void runTail(Part<Key, M, V> &p, typename Key::Word *keys, unsigned long long n,
                                        unsigned long long first, int stage, int tail, int highBase) {
  if (tail == TAIL) {
    runShape<TAIL, K>(p, keys, n, first, stage, highBase);
  } else if constexpr (TAIL < M) {
    runTail<TAIL + 1, K>(p, keys, n, first, stage, tail, highBase);
  }
}

// A later superstep on one part. `tail` steps end `stage`, and M - max(tail, K) steps at highBase start the next stage;
// with tail 0, M - K steps of `stage` itself are done. The last superstep has tail M: steps among them that have been
// done before change nothing.
template <class Key, int M, int V, int K>
__device__ __forceinline__ void mergePart(typename Key::Word *keys, unsigned long long n, unsigned long long part,
                                          int stage, int tail, int highBase, typename Key::Word *shared) {
  int lowBits = tail > K ? tail : K;
  int middle = highBase - lowBits;
  unsigned long long first =
      (part & ((1ull << middle) - 1)) << lowBits | part >> middle << (highBase + M - lowBits);
  if (first >= n) return;
  Part<Key, M, V> p;
  p.shared = shared;
  p.tid = threadIdx.x;
  runTail<0, K>(p, keys, n, first, stage, tail, highBase);
}
