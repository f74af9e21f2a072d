// Sample sort of records by keys of 32 bits: Bandyopadhyay and Sahni, "Sorting Large Multifield Records on a GPU", 2011,
// section IV. Splitters and counts are those of sample.cuh; the kernels here move the other fields along.
//
//   fill_record_buckets   writes a part's records to their buckets, tile by tile
//   sort_record_buckets   sorts a sequence of short neighboring buckets by one block
//   copy_records          a part of a bucket of equal keys, to where the sorted records belong
//
// What differs from the paper: a tile's records are put in order of their buckets first, so that neighbors are written
// together; and buckets go through another round until shared memory holds the keys of one, so that a record moves once for
// each round and once at the end, where the paper's quicksort moves it at each level. Not stable.
//
// Memory besides the records: as much again, 4 KiB for each part and 5 KiB for each segment.
#pragma once
#include "records.cuh"
#include "sample.cuh"

namespace records {

constexpr int SAMPLE_THREADS = sample::THREADS;

// ---- buckets

template <int EACH>
struct FillShared {
  unsigned words[SAMPLE_THREADS * EACH];
  Count starts[sample::BUCKETS];
  unsigned splitters[sample::SPLITTERS];
  unsigned counts[2 * SAMPLE_THREADS], localStarts[2 * SAMPLE_THREADS];  // of buckets, and no others
  alignas(16) unsigned sums[inversion::WARPS];
  unsigned short buckets[SAMPLE_THREADS * EACH];
};

template <int EACH>
struct FillHybridShared {
  FillShared<EACH> fill;
  unsigned short sources[SAMPLE_THREADS * EACH];
};

// A block of threads for each part. `counts` are the sums of those before by now.
template <int EACH, class Fields>
__device__ __forceinline__ void fillBuckets(const Records &records, const sample::Part &part,
                                            const sample::Segment &segment, const unsigned *splitters,
                                            const Count *counts, FillShared<EACH> &s, Fields &fields) {
  static_assert(sample::BUCKETS <= 2 * SAMPLE_THREADS, "two buckets for each thread");
  constexpr int TILE = SAMPLE_THREADS * EACH;
  unsigned t = threadIdx.x;
  for (unsigned b = t; b < sample::SPLITTERS; b += SAMPLE_THREADS) s.splitters[b] = splitters[b];
  for (unsigned b = t; b < sample::BUCKETS; b += SAMPLE_THREADS) {
    s.starts[b] = segment.first + counts[segment.counts + (Count)b * segment.parts + part.number] - counts[segment.counts];
  }
  fields.start(t);
  for (Count tile = part.first; tile < part.last; tile += TILE) {
    unsigned here = (unsigned)(part.last - tile < TILE ? part.last - tile : TILE);
    s.counts[2 * t] = s.counts[2 * t + 1] = 0;
    __syncthreads();
    unsigned key[EACH], bucket[EACH], rank[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      unsigned at = i * SAMPLE_THREADS + t;
      if (at < here) key[i] = records.keys[tile + at];
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      if (i * SAMPLE_THREADS + t >= here) break;
      bucket[i] = sample::bucketOf(key[i], s.splitters);
      rank[i] = atomicAdd(&s.counts[bucket[i]], 1u);
    }
    __syncthreads();
    unsigned even = s.counts[2 * t], odd = s.counts[2 * t + 1], all;
    unsigned before = inversion::sumBefore(even + odd, s.sums, all);
    s.localStarts[2 * t] = before;
    s.localStarts[2 * t + 1] = before + even;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      unsigned at = i * SAMPLE_THREADS + t;
      if (at >= here) break;
      unsigned slot = s.localStarts[bucket[i]] + rank[i];
      s.words[slot] = key[i];
      s.buckets[slot] = (unsigned short)bucket[i];
      fields.slot(i, at, slot);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      unsigned at = i * SAMPLE_THREADS + t;
      Count place = ~0ull;
      if (at < here) {
        unsigned of = s.buckets[at];
        place = s.starts[of] + at - s.localStarts[of];
        records.toKeys[place] = s.words[at];
      }
      fields.place(i, at, place);
    }
    fields.run(tile, part.last);
    __syncthreads();
    if (2 * t < sample::BUCKETS) s.starts[2 * t] += even;
    if (2 * t + 1 < sample::BUCKETS) s.starts[2 * t + 1] += odd;
  }
}

template <int EACH>
__device__ __forceinline__ void fillByField(const Records &records, const sample::Part &part,
                                            const sample::Segment &segment, const unsigned *splitters,
                                            const Count *counts, FillShared<EACH> &s) {
  ByField<SAMPLE_THREADS, EACH, SAMPLE_THREADS> fields(records, s.words);
  fillBuckets(records, part, segment, splitters, counts, s, fields);
}

template <int EACH>
__device__ __forceinline__ void fillHybrid(const Records &records, const sample::Part &part,
                                           const sample::Segment &segment, const unsigned *splitters,
                                           const Count *counts, FillHybridShared<EACH> &s) {
  Hybrid<SAMPLE_THREADS, EACH> fields{records, s.fill.words, s.sources};
  fillBuckets(records, part, segment, splitters, counts, s.fill, fields);
}

// ---- short buckets

// Keys with the numbers of their records in the sequence.
struct OrderShared {
  Count words[quick::SMALL];
};

// Puts pieces in order: the one of record i is at i * stride. They may stay where they are.
template <class Piece>
__device__ __forceinline__ void orderColumn(const Piece *from, Piece *to, Count stride, unsigned count,
                                            const OrderShared &s) {
  constexpr int EACH = quick::SMALL / SAMPLE_THREADS;
  Piece held[EACH];
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned at = i * SAMPLE_THREADS + threadIdx.x;
    if (at < count) held[i] = from[(unsigned)s.words[at] * stride];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned at = i * SAMPLE_THREADS + threadIdx.x;
    if (at < count) to[at * stride] = held[i];
  }
}

// A block of threads for each sequence, of up to quick::SMALL records; they may stay in the same buffers. Sorts the keys.
__device__ __forceinline__ unsigned orderKeys(const Records &records, Count first, Count last, OrderShared &s) {
  unsigned count = (unsigned)(last - first), size = 1;
  while (size < count) size *= 2;
  for (unsigned i = threadIdx.x; i < size; i += SAMPLE_THREADS) {
    s.words[i] = i < count ? (Count)records.keys[first + i] << 32 | i : ~0ull;
  }
  quick::sortShared(s.words, size);
  for (unsigned i = threadIdx.x; i < count; i += SAMPLE_THREADS) records.toKeys[first + i] = (unsigned)(s.words[i] >> 32);
  return count;
}

__device__ __forceinline__ void sortByField(const Records &records, Count first, Count last, OrderShared &s) {
  unsigned count = orderKeys(records, first, last, s);
  for (Count field = 0; field < records.others; field++) {
    Count at = field * records.n + first;
    orderColumn(records.fields + at, records.toFields + at, 1, count, s);
  }
}

__device__ __forceinline__ void sortHybrid(const Records &records, Count first, Count last, OrderShared &s) {
  unsigned count = orderKeys(records, first, last, s);
  withPieces(records.others, [&](auto piece) {
    using Piece = decltype(piece);
    Count width = records.others * sizeof(unsigned) / sizeof(Piece);
    for (Count column = 0; column < width; column++) {
      Count at = first * width + column;
      orderColumn((const Piece *)records.fields + at, (Piece *)records.toFields + at, width, count, s);
    }
  });
}

// ---- equal keys

__device__ __forceinline__ void copyWords(const unsigned *from, unsigned *to, Count first, Count last) {
  for (Count i = first + threadIdx.x; i < last; i += SAMPLE_THREADS) to[i] = from[i];
}

// A block of threads for each part of a bucket.
__device__ __forceinline__ void copyByField(const Records &records, Count first, Count last) {
  copyWords(records.keys, records.toKeys, first, last);
  for (Count field = 0; field < records.others; field++) {
    copyWords(records.fields + field * records.n, records.toFields + field * records.n, first, last);
  }
}

__device__ __forceinline__ void copyHybrid(const Records &records, Count first, Count last) {
  copyWords(records.keys, records.toKeys, first, last);
  copyWords(records.fields, records.toFields, first * records.others, last * records.others);
}

}  // namespace records
