// Moves the other fields of records whose keys are sorted: Bandyopadhyay and Sahni, "Sorting Large Multifield Records on a
// GPU", 2011, sections III to VI. All fields are words of 32 bits. Two layouts:
//
//   ByField   each field is an array
//   Hybrid    the keys are an array; the other fields of a record are neighbors, a row
//
// Two ways to sort: direct, where the fields go with the key in every pass, and indirect, where pairs of key and number are
// sorted like records with one other field, and the fields are gathered by the numbers once, at the end.
//
//   number_records    the numbers of records, in their order
//   gather_by_field   the fields, in the order of the numbers
//   gather_hybrid     the same
//
// In a pass, a block puts a tile of keys in order, and then moves the tile's fields. ByField (Fig. 4): one field after the other,
// through shared memory, so that neighbors in the sorted tile are written by neighboring threads. Hybrid (Fig. 6): threads
// read and write rows in pieces of 16 bytes, or of 8 or 4 where a row is no multiple of those. What differs from the paper:
// rows go from memory to memory by the order of the sorted tile, and the caches hold those of a tile, not shared memory;
// the radix sort with one pass a digit (its SRTS) moves fields like the others, also by rows; and one gather by field
// takes one field after the other, so that a field of up to some 10 million records stays in a cache of 50 MB.
//
// Memory: as much again as the records; for an indirect sort 4 bytes for each record more. Up to 2^32 - 1 records.
#pragma once
#include "radix.cuh"

namespace records {

using Count = unsigned long long;

constexpr unsigned NONE = ~0u;
constexpr int GATHER_THREADS = 256;

// Records, and where they go: n keys, and `others` other fields of each. All fields have 8 bytes, for Java.
struct Records {
  const unsigned *keys;
  unsigned *toKeys;
  const unsigned *fields;
  unsigned *toFields;
  Count n, others;
};

// ---- by field

// Moves a tile's fields one after the other. A thread reads EACH records of the tile with STRIDE between them. `words` is
// shared memory for a word of each record.
template <int THREADS, int EACH, int STRIDE>
struct ByField {
  const Records &records;
  unsigned *words;
  unsigned first;
  unsigned slots[EACH], places[EACH];

  __device__ __forceinline__ ByField(const Records &records, unsigned *words) : records(records), words(words) {}

  // The thread's first record is at `from` in the tile.
  __device__ __forceinline__ void start(unsigned from) { first = from; }

  // The thread's record i goes to slot `to` of the sorted tile.
  __device__ __forceinline__ void slot(int i, unsigned, unsigned to) { slots[i] = to; }

  // The record at i * THREADS and the number of the thread in the sorted tile goes to `to`, or nowhere.
  __device__ __forceinline__ void place(int i, unsigned, Count to) { places[i] = to < records.n ? (unsigned)to : NONE; }

  // Moves the fields of the tile that starts at `tile`, of the records before `end`.
  __device__ __forceinline__ void run(Count tile, Count end) {
    const unsigned *from = records.fields;
    unsigned *to = records.toFields;
    Count at = tile + first;
    unsigned value[EACH];
    for (Count field = 0; field <= records.others; field++) {
      if (field > 0) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < EACH; i++) {
          if (at + i * STRIDE < end) words[slots[i]] = value[i];
        }
        __syncthreads();
      }
      // Reads the next field before it writes this one.
      if (field < records.others) {
#pragma unroll
        for (int i = 0; i < EACH; i++) {
          if (at + i * STRIDE < end) value[i] = from[at + i * STRIDE];
        }
        from += records.n;
      }
      if (field == 0) continue;
#pragma unroll
      for (int i = 0; i < EACH; i++) {
        if (places[i] != NONE) to[places[i]] = words[i * THREADS + threadIdx.x];
      }
      to += records.n;
    }
  }
};

// ---- by rows

// What a thread reads and writes of a row.
using Piece16 = uint4;
using Piece8 = unsigned long long;
using Piece4 = unsigned;

// Calls it with a piece of the largest size that fits a row.
template <class Use>
__device__ __forceinline__ void withPieces(Count words, Use use) {
  if (words % 4 == 0) {
    use(Piece16{});
  } else if (words % 2 == 0) {
    use(Piece8{});
  } else {
    use(Piece4{});
  }
}

// Moves rows of `width` pieces, from and to those that the functions say. Each group of threads as wide as a row takes one
// after the other; the threads of a block go through all pieces in order.
template <int THREADS, class Piece, class From, class To>
__device__ __forceinline__ void movePieces(const Piece *from, Piece *to, unsigned width, unsigned rows, From rowFrom,
                                           To rowTo) {
  constexpr int BATCH = 4;
  unsigned row = threadIdx.x / width, piece = threadIdx.x % width;
  const unsigned rowStep = THREADS / width, pieceStep = THREADS % width;
  while (row < rows) {
    Piece held[BATCH];
    Piece *places[BATCH];
#pragma unroll
    for (int i = 0; i < BATCH; i++) {
      places[i] = nullptr;
      if (row < rows) {
        held[i] = from[(Count)rowFrom(row) * width + piece];
        places[i] = to + (Count)rowTo(row) * width + piece;
      }
      row += rowStep;
      piece += pieceStep;
      if (piece >= width) {
        piece -= width;
        row++;
      }
    }
#pragma unroll
    for (int i = 0; i < BATCH; i++) {
      if (places[i] != nullptr) *places[i] = held[i];
    }
  }
}

template <int THREADS, class From, class To>
__device__ __forceinline__ void moveRows(const Records &records, unsigned rows, From rowFrom, To rowTo) {
  if (records.others == 0) return;
  withPieces(records.others, [&](auto piece) {
    using Piece = decltype(piece);
    unsigned width = (unsigned)(records.others * sizeof(unsigned) / sizeof(Piece));
    movePieces<THREADS>((const Piece *)records.fields, (Piece *)records.toFields, width, rows, rowFrom, rowTo);
  });
}

// Moves a tile's rows; otherwise like ByField. `places` and `sources` are shared memory for each record; a slot's place may
// be where its key is.
template <int THREADS, int EACH>
struct Hybrid {
  const Records &records;
  unsigned *places;
  unsigned short *sources;

  __device__ __forceinline__ void start(unsigned) {}
  __device__ __forceinline__ void slot(int, unsigned from, unsigned to) { sources[to] = (unsigned short)from; }
  __device__ __forceinline__ void place(int, unsigned at, Count to) { places[at] = (unsigned)to; }
  __device__ __forceinline__ void run(Count tile, Count end) {
    static_assert(THREADS * EACH <= 1 << 16, "sources are words of 16 bits");
    __syncthreads();
    unsigned rows = (unsigned)(end - tile < THREADS * EACH ? end - tile : THREADS * EACH);
    moveRows<THREADS>(
        records, rows, [&](unsigned at) { return tile + sources[at]; }, [&](unsigned at) { return places[at]; });
  }
};

// ---- indirect

// Any grid.
__device__ __forceinline__ void numberRecords(unsigned *numbers, Count n) {
  Count stride = (Count)gridDim.x * blockDim.x;
  for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) numbers[i] = (unsigned)i;
}

// GATHER_THREADS * EACH records of one field for each block: all tiles of the first field, then those of the next.
template <int EACH>
__device__ __forceinline__ void gatherByField(const Records &records, const unsigned *numbers, Count tiles) {
  Count field = blockIdx.x / tiles, first = blockIdx.x % tiles * (GATHER_THREADS * EACH) + threadIdx.x;
  const unsigned *from = records.fields + field * records.n;
  unsigned *to = records.toFields + field * records.n;
  unsigned value[EACH];
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    if (first + i * GATHER_THREADS < records.n) value[i] = from[numbers[first + i * GATHER_THREADS]];
  }
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    if (first + i * GATHER_THREADS < records.n) to[first + i * GATHER_THREADS] = value[i];
  }
}

// A block for GATHER_THREADS * EACH records.
template <int EACH>
__device__ __forceinline__ void gatherHybrid(const Records &records, const unsigned *numbers) {
  constexpr unsigned TILE = GATHER_THREADS * EACH;
  Count first = (Count)blockIdx.x * TILE;
  unsigned rows = (unsigned)(records.n - first < TILE ? records.n - first : TILE);
  moveRows<GATHER_THREADS>(
      records, rows, [&](unsigned at) { return numbers[first + at]; }, [&](unsigned at) { return first + at; });
}

// ---- radix sort with one pass a digit

template <int THREADS, int EACH, radix::Match HOW>
struct RadixHybridShared {
  radix::MoveShared<unsigned, THREADS, EACH, HOW> move;
  unsigned short sources[THREADS * EACH];
};

template <int THREADS, int EACH, radix::Match HOW>
__device__ __forceinline__ void moveByField(const Records &records, int pass, radix::State *state,
                                            radix::MoveShared<unsigned, THREADS, EACH, HOW> &s) {
  ByField<THREADS, EACH, radix::LANES> fields{records, s.keys};
  radix::moveKeys<unsigned, THREADS, EACH, HOW, ByField<THREADS, EACH, radix::LANES> &>(
      records.keys, records.toKeys, records.n, pass, state, s, fields);
}

template <int THREADS, int EACH, radix::Match HOW>
__device__ __forceinline__ void moveHybrid(const Records &records, int pass, radix::State *state,
                                           RadixHybridShared<THREADS, EACH, HOW> &s) {
  Hybrid<THREADS, EACH> fields{records, s.move.keys, s.sources};
  radix::moveKeys<unsigned, THREADS, EACH, HOW, Hybrid<THREADS, EACH> &>(records.keys, records.toKeys, records.n, pass,
                                                                         state, s.move, fields);
}

}  // namespace records
