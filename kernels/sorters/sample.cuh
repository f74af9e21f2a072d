// Sample sort of words of 32 or 64 bits: Leischner, Osipov and Sanders, "GPU sample sort", 2010, as Bandyopadhyay and
// Sahni describe it in "Sorting Large Multifield Records on a GPU", section IV.
//
//   choose_splitters   sorts a sample of each segment; every OVERSAMPLING-th key of it is a splitter
//   count_buckets      how many keys of a part are in each bucket
//   (scan.cuh)         where the part's keys of each bucket belong
//   bucket_starts      where the buckets of a segment begin, for the host
//   fill_buckets       writes a part's keys to their buckets
//
// Keys equal to a splitter have a bucket of their own, which needs no sorting. Large buckets are segments of another
// round; the others are sorted by a block each (quick.cuh). Not stable.
//
// Memory besides the keys: as many again, 4 KiB for each part, and 4 KiB for each segment.
#pragma once
#include "quick.cuh"

namespace sample {

using quick::Count;

constexpr int THREADS = quick::THREADS;
constexpr int SPLITTERS = 255;
constexpr int BUCKETS = 2 * SPLITTERS + 1;  // between the splitters, and equal to each of them
constexpr int OVERSAMPLING = quick::SMALL / (SPLITTERS + 1);
constexpr Count MEDIUM = 1 << 16;  // keys that one block sorts

struct Segment {
  Count first, last;
  Count counts;    // where its counts start: by bucket, then by part
  unsigned parts;
};

// The part of a segment that a block takes.
struct Part {
  Count first, last;
  unsigned segment, number;
};

template <class Word>
struct SplitterShared {
  Word keys[quick::SMALL];
};

// A block of threads for each segment, which has more than MEDIUM keys.
template <class Word>
__device__ __forceinline__ void chooseSplitters(const Word *from, const Segment &segment, Word *splitters,
                                                SplitterShared<Word> &s) {
  Count size = segment.last - segment.first;
  for (unsigned i = threadIdx.x; i < quick::SMALL; i += THREADS) {
    s.keys[i] = from[segment.first + inversion::mix(segment.first + i) % size];
  }
  quick::sortShared(s.keys, quick::SMALL);
  for (unsigned i = threadIdx.x; i < SPLITTERS; i += THREADS) splitters[i] = s.keys[(i + 1) * OVERSAMPLING];
}

template <class Word>
struct BucketShared {
  Word splitters[SPLITTERS];
  Count starts[BUCKETS];
};

// The bucket of a key: twice the number of splitters below it, and one more if the next one equals it.
template <class Word>
__device__ __forceinline__ unsigned bucketOf(Word key, const Word *splitters) {
  unsigned low = 0;
#pragma unroll
  for (unsigned step = (SPLITTERS + 1) / 2; step > 0; step /= 2) {
    if (splitters[low + step - 1] < key) low += step;
  }
  return 2 * low + (low < SPLITTERS && splitters[low] == key);
}

// A block of threads for each part.
template <class Word>
__device__ __forceinline__ void countBuckets(const Word *from, const Part &part, const Segment &segment,
                                             const Word *splitters, Count *counts, BucketShared<Word> &s) {
  for (unsigned i = threadIdx.x; i < SPLITTERS; i += THREADS) s.splitters[i] = splitters[i];
  for (unsigned i = threadIdx.x; i < BUCKETS; i += THREADS) s.starts[i] = 0;
  __syncthreads();
  for (Count i = part.first + threadIdx.x; i < part.last; i += THREADS) {
    atomicAdd(&s.starts[bucketOf(from[i], s.splitters)], (Count)1);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < BUCKETS; i += THREADS) {
    counts[segment.counts + (Count)i * segment.parts + part.number] = s.starts[i];
  }
}

// A block of threads for each segment. `counts` are the sums of those before by now.
__device__ __forceinline__ void bucketStarts(const Segment &segment, const Count *counts, Count *starts) {
  for (unsigned i = threadIdx.x; i < BUCKETS; i += THREADS) {
    starts[i] = segment.first + counts[segment.counts + (Count)i * segment.parts] - counts[segment.counts];
  }
}

// A block of threads for each part.
template <class Word>
__device__ __forceinline__ void fillBuckets(const Word *from, Word *to, const Part &part, const Segment &segment,
                                            const Word *splitters, const Count *counts, BucketShared<Word> &s) {
  for (unsigned i = threadIdx.x; i < SPLITTERS; i += THREADS) s.splitters[i] = splitters[i];
  for (unsigned i = threadIdx.x; i < BUCKETS; i += THREADS) {
    s.starts[i] = segment.first + counts[segment.counts + (Count)i * segment.parts + part.number] - counts[segment.counts];
  }
  __syncthreads();
  for (Count i = part.first + threadIdx.x; i < part.last; i += THREADS) {
    Word key = from[i];
    to[atomicAdd(&s.starts[bucketOf(key, s.splitters)], (Count)1)] = key;
  }
}

}  // namespace sample
