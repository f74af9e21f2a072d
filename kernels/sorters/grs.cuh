// GRS, a stable radix sort of records by keys of 32 bits, from the least significant digit, 4 bits at a time: Bandyopadhyay
// and Sahni, "Sorting Large Multifield Records on a GPU", 2011, section VI.
//
//   rank_records   how often each tile has each digit, and each record's rank: how many records before it in its tile have
//                  the same digit
//   (scan.cuh)     where each tile's records with each digit belong
//   move_records   puts a tile's records in order by rank and digit, and writes them where they belong (records.cuh)
//
// A pass reads the keys twice and the other fields once, and writes all fields once. What differs from the paper: how a
// tile's fields move (records.cuh).
//
// Memory besides the records: as much again, 2 bytes for each record, and 128 bytes for each tile.
#pragma once
#include "../inversion/scan.cuh"
#include "records.cuh"

namespace grs {

using records::Count;
using records::Records;

constexpr int DIGIT_BITS = 4;
constexpr int DIGITS = 1 << DIGIT_BITS;
constexpr int LANES = 32;
using Rank = unsigned short;

__device__ __forceinline__ unsigned digitOf(unsigned key, int shift) { return key >> shift & (DIGITS - 1); }

// ---- ranks

// A row of counters for each digit, with a column for each thread. One word more lets threads that read parts of different
// rows meet in different banks.
template <int THREADS, int EACH>
struct RankShared {
  unsigned keys[THREADS * (EACH + 1)];
  unsigned counts[DIGITS][THREADS + 1];
};

// A block of threads for each tile. A thread has EACH neighbors, and a counter for each digit. Their keys are read in order
// of the lanes, and give way to the ranks. `counts` is by digit, then by tile.
template <int THREADS, int EACH>
__device__ __forceinline__ void rankRecords(const unsigned *keys, Count n, int shift, Count *counts, Rank *ranks,
                                            RankShared<THREADS, EACH> &s) {
  constexpr int TILE = THREADS * EACH;
  constexpr int PARTS = THREADS / DIGITS;  // of a row of counters; the threads of one are lanes of the same warp
  constexpr int COLUMNS = DIGITS;          // of a part
  static_assert(PARTS >= 1 && PARTS <= LANES && (PARTS & (PARTS - 1)) == 0, "a warp sums up whole rows");
  unsigned t = threadIdx.x;
  Count first = (Count)blockIdx.x * TILE;
  unsigned here = (unsigned)(n - first < TILE ? n - first : TILE);
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned at = i * THREADS + t;
    if (at < here) s.keys[at + at / EACH] = keys[first + at];
  }
#pragma unroll
  for (int d = 0; d < DIGITS; d++) s.counts[d][t] = 0;
  __syncthreads();
  unsigned digits[EACH] = {};
  unsigned *own = s.keys + t * (EACH + 1);
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    if (t * EACH + i >= here) break;
    digits[i] = digitOf(own[i], shift);
    own[i] = s.counts[digits[i]][t]++;
  }
  __syncthreads();
  // Turns the counters of a row into the sums of those before.
  unsigned digit = t / PARTS, part = t % PARTS, sum = 0;
  unsigned *columns = s.counts[digit] + part * COLUMNS;
  for (int c = 0; c < COLUMNS; c++) sum += columns[c];
  unsigned upTo = sum;
#pragma unroll
  for (int step = 1; step < PARTS; step *= 2) {
    unsigned other = __shfl_up_sync(~0u, upTo, step);
    if (part >= (unsigned)step) upTo += other;
  }
  if (part == PARTS - 1) counts[(Count)digit * gridDim.x + blockIdx.x] = upTo;
  unsigned before = upTo - sum;
  for (int c = 0; c < COLUMNS; c++) {
    unsigned count = columns[c];
    columns[c] = before;
    before += count;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    if (t * EACH + i >= here) break;
    own[i] += s.counts[digits[i]][t];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned at = i * THREADS + t;
    if (at < here) ranks[first + at] = (Rank)s.keys[at + at / EACH];
  }
}

// ---- moves

template <int TILE>
struct MoveShared {
  unsigned words[TILE];
  Count starts[DIGITS];          // where the tile's records with each digit belong, less where they start in the tile
  unsigned localStarts[DIGITS];
};

template <int TILE>
struct MoveHybridShared {
  MoveShared<TILE> move;
  unsigned short sources[TILE];
};

// A block of threads for each tile; `counts` are the sums of those before by now.
template <int THREADS, int EACH, class Fields>
__device__ __forceinline__ void moveRecords(const Records &records, int shift, const Count *counts, const Rank *ranks,
                                            MoveShared<THREADS * EACH> &s, Fields &fields) {
  constexpr int TILE = THREADS * EACH;
  unsigned t = threadIdx.x;
  Count first = (Count)blockIdx.x * TILE;
  unsigned here = (unsigned)(records.n - first < TILE ? records.n - first : TILE);
  unsigned key[EACH], rank[EACH];
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned at = i * THREADS + t;
    if (at < here) {
      key[i] = records.keys[first + at];
      rank[i] = ranks[first + at];
    }
  }
  if (t < LANES) {
    unsigned d = t < DIGITS ? t : DIGITS - 1;
    const Count *at = counts + (Count)d * gridDim.x + blockIdx.x;
    Count start = at[0];
    unsigned own = t < DIGITS ? (unsigned)(at[1] - start) : 0, local = radix::sumOfLanesBefore(own);
    if (t < DIGITS) {
      s.localStarts[t] = local;
      s.starts[t] = start - local;
    }
  }
  __syncthreads();
  fields.start(t);
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned at = i * THREADS + t;
    if (at >= here) break;
    unsigned slot = s.localStarts[digitOf(key[i], shift)] + rank[i];
    s.words[slot] = key[i];
    fields.slot(i, at, slot);
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned at = i * THREADS + t;
    Count place = ~0ull;
    if (at < here) {
      unsigned moved = s.words[at];
      place = s.starts[digitOf(moved, shift)] + at;
      records.toKeys[place] = moved;
    }
    fields.place(i, at, place);
  }
  fields.run(first, records.n);
}

template <int THREADS, int EACH>
__device__ __forceinline__ void moveByField(const Records &records, int shift, const Count *counts, const Rank *ranks,
                                            MoveShared<THREADS * EACH> &s) {
  records::ByField<THREADS, EACH, THREADS> fields{records, s.words};
  moveRecords<THREADS, EACH>(records, shift, counts, ranks, s, fields);
}

template <int THREADS, int EACH>
__device__ __forceinline__ void moveHybrid(const Records &records, int shift, const Count *counts, const Rank *ranks,
                                           MoveHybridShared<THREADS * EACH> &s) {
  records::Hybrid<THREADS, EACH> fields{records, s.move.words, s.sources};
  moveRecords<THREADS, EACH>(records, shift, counts, ranks, s.move, fields);
}

}  // namespace grs
