// A stable radix sort of words of 32 or 64 bits, from the least significant digit, 8 bits at a time, with one pass over
// the keys for each digit: Adinets and Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022.
//
//   count_digits   how often each digit occurs, for all digits at once
//   place_digits   where the keys with each digit begin
//   move_keys      one pass: a tile puts its keys in order in shared memory, learns from the tiles before it where its
//                  keys of each digit belong, and writes them there
//
// A tile publishes its numbers of keys with each digit, then looks back at those of the tiles before it until one says
// how many keys there are up to its end. Blocks take their tiles by tickets, so the tiles before one are in work.
//
// Memory besides the keys: as many again, and 2 KiB for each tile.
#pragma once
#include <cstdint>

namespace radix {

using Count = unsigned long long;

constexpr int DIGIT_BITS = 8;
constexpr int DIGITS = 1 << DIGIT_BITS;
constexpr int LANES = 32;
constexpr unsigned ALL = ~0u;

// How the lanes of a warp find those with the same digit.
enum Match { BY_VOTES, BY_INSTRUCTION, BY_MASKS };

// The state of a sort. It is zero before the first pass.
//
//   counts   by digit and value, then turned into where the keys with that digit begin
//   ticket   tiles handed out, of all passes
//   tiles    by tile and value: a tag above what it counts; a tag of an earlier pass means that nothing is known yet
struct State {
  Count counts[64 / DIGIT_BITS][DIGITS];
  Count ticket;
  Count tiles[1];
};

constexpr int TAG_SHIFT = 56;
constexpr Count NUMBER = (1ull << TAG_SHIFT) - 1;

// The tag of a tile's own keys; that of all keys up to its end is one more.
__device__ __forceinline__ Count tagOf(int pass) { return 2 * (Count)pass + 1; }

template <class Word>
__device__ __forceinline__ unsigned digitOf(Word key, int pass) {
  return (unsigned)(key >> DIGIT_BITS * pass) & (DIGITS - 1);
}

// Sums of warps and blocks.
__device__ __forceinline__ unsigned sumOfLanesBefore(unsigned value) {
  unsigned lane = threadIdx.x % LANES, sum = value;
#pragma unroll
  for (int step = 1; step < LANES; step *= 2) {
    unsigned other = __shfl_up_sync(ALL, sum, step);
    if (lane >= (unsigned)step) sum += other;
  }
  return sum - value;
}

// The sum of the values of all threads before this one, of those that have a digit; the others pass 0. Call it with all
// threads of the block.
__device__ __forceinline__ unsigned sumOfDigitsBefore(unsigned value, unsigned *warpSums) {
  unsigned t = threadIdx.x, before = sumOfLanesBefore(value);
  if (t < DIGITS && t % LANES == LANES - 1) warpSums[t / LANES] = before + value;
  __syncthreads();
  if (t < DIGITS) {
    for (unsigned w = 0; w < t / LANES; w++) before += warpSums[w];
  }
  return before;
}

// ---- counts

struct CountShared {
  unsigned counts[64 / DIGIT_BITS][DIGITS];
};

template <class Word>
__device__ __forceinline__ void countDigits(const Word *keys, Count n, State *state, CountShared &s) {
  constexpr int PASSES = sizeof(Word);
  for (int p = 0; p < PASSES; p++) {
    for (unsigned d = threadIdx.x; d < DIGITS; d += blockDim.x) s.counts[p][d] = 0;
  }
  __syncthreads();
  Count stride = (Count)gridDim.x * blockDim.x;
  for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    Word key = keys[i];
#pragma unroll
    for (int p = 0; p < PASSES; p++) atomicAdd(&s.counts[p][digitOf(key, p)], 1u);
  }
  __syncthreads();
  for (int p = 0; p < PASSES; p++) {
    for (unsigned d = threadIdx.x; d < DIGITS; d += blockDim.x) {
      if (s.counts[p][d] != 0) atomicAdd(&state->counts[p][d], (Count)s.counts[p][d]);
    }
  }
}

struct PlaceShared {
  Count sums[DIGITS];
};

// A block of DIGITS threads for each digit.
__device__ __forceinline__ void placeDigits(State *state, PlaceShared &s) {
  unsigned d = threadIdx.x;
  Count own = state->counts[blockIdx.x][d], sum = own;
  for (unsigned step = 1; step < DIGITS; step *= 2) {
    s.sums[d] = sum;
    __syncthreads();
    if (d >= step) sum += s.sums[d - step];
    __syncthreads();
  }
  state->counts[blockIdx.x][d] = sum - own;
}

// ---- a pass

template <class Word, int THREADS, int EACH, Match HOW>
struct MoveShared {
  Word keys[THREADS * EACH];
  unsigned counts[THREADS / LANES][DIGITS];
  unsigned masks[HOW == BY_MASKS ? THREADS / LANES : 1][HOW == BY_MASKS ? DIGITS : 1];
  Count starts[DIGITS];
  unsigned localStarts[DIGITS];
  unsigned warpSums[DIGITS / LANES];
  Count tile;
};

template <Match HOW>
__device__ __forceinline__ unsigned lanesWith(unsigned digit, unsigned *masks) {
  if constexpr (HOW == BY_INSTRUCTION) {
    return __match_any_sync(ALL, digit);
  } else if constexpr (HOW == BY_MASKS) {
    unsigned lane = threadIdx.x % LANES;
    atomicOr(&masks[digit], 1u << lane);
    __syncwarp();
    unsigned same = masks[digit];
    __syncwarp();
    if ((same & ((1u << lane) - 1)) == 0) masks[digit] = 0;
    __syncwarp();
    return same;
  } else {
    unsigned same = ALL;
#pragma unroll
    for (int bit = 0; bit < DIGIT_BITS; bit++) {
      bool one = digit >> bit & 1;
      unsigned ones = __ballot_sync(ALL, one);
      same &= one ? ones : ~ones;
    }
    return same;
  }
}

// How many keys with a digit the tiles before this one have.
__device__ __forceinline__ Count lookBack(const State *state, Count tile, unsigned digit, int pass) {
  Count sum = 0;
  while (tile-- > 0) {
    const volatile Count *at = &state->tiles[tile * DIGITS + digit];
    Count seen;
    do {
      seen = *at;
    } while (seen >> TAG_SHIFT < tagOf(pass));
    sum += seen & NUMBER;
    if (seen >> TAG_SHIFT > tagOf(pass)) break;
  }
  return sum;
}

__device__ __forceinline__ void publish(State *state, Count tile, unsigned digit, Count tag, Count number) {
  *(volatile Count *)&state->tiles[tile * DIGITS + digit] = tag << TAG_SHIFT | number;
}

// Moves nothing but keys. What moves the other fields of records (records.cuh) learns where a thread's first key is in the
// tile, where each of its keys is and to which slot of the sorted tile it goes, and where the key of each slot belongs; then
// it moves the fields of all.
struct KeysOnly {
  __device__ __forceinline__ void start(unsigned) {}
  __device__ __forceinline__ void slot(int, unsigned, unsigned) {}
  __device__ __forceinline__ void place(int, unsigned, Count) {}
  __device__ __forceinline__ void run(Count, Count) {}
};

template <class Word, int THREADS, int EACH, Match HOW, class Fields = KeysOnly>
__device__ __forceinline__ void moveKeys(const Word *from, Word *to, Count n, int pass, State *state,
                                         MoveShared<Word, THREADS, EACH, HOW> &s, Fields fields = {}) {
  static_assert(THREADS >= DIGITS, "a thread for each digit");
  constexpr int WARPS = THREADS / LANES;
  unsigned t = threadIdx.x, lane = t % LANES, warp = t / LANES;
  if (t == 0) s.tile = atomicAdd(&state->ticket, (Count)1) - (Count)pass * gridDim.x;
  for (unsigned i = lane; i < DIGITS; i += LANES) {
    s.counts[warp][i] = 0;
    if constexpr (HOW == BY_MASKS) s.masks[warp][i] = 0;
  }
  __syncthreads();
  Count tile = s.tile, first = tile * (THREADS * EACH) + warp * (LANES * EACH) + lane;

  // A key's rank among those of the same digit in the same warp. Keys past the end are above all others, and come last.
  Word key[EACH];
  unsigned rank[EACH];
#pragma unroll
  for (int i = 0; i < EACH; i++) key[i] = first + i * LANES < n ? from[first + i * LANES] : ~(Word)0;
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned digit = digitOf(key[i], pass), same = lanesWith<HOW>(digit, s.masks[HOW == BY_MASKS ? warp : 0]);
    unsigned before = s.counts[warp][digit], below = same & ((1u << lane) - 1);
    __syncwarp();
    rank[i] = before + __popc(below);
    if (below == 0) s.counts[warp][digit] = before + __popc(same);
    __syncwarp();
  }
  __syncthreads();

  // Where the keys of each digit, and those of each warp among them, stand in the tile.
  unsigned own = 0;
  if (t < DIGITS) {
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
      unsigned ofWarp = s.counts[w][t];
      s.counts[w][t] = own;
      own += ofWarp;
    }
    publish(state, tile, t, tile == 0 ? tagOf(pass) + 1 : tagOf(pass), own);
  }
  unsigned local = sumOfDigitsBefore(own, s.warpSums);
  if (t < DIGITS) s.localStarts[t] = local;
  __syncthreads();
  fields.start(warp * (LANES * EACH) + lane);
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned digit = digitOf(key[i], pass), slot = s.localStarts[digit] + s.counts[warp][digit] + rank[i];
    s.keys[slot] = key[i];
    fields.slot(i, warp * (LANES * EACH) + i * LANES + lane, slot);
  }
  if (t < DIGITS) {
    Count before = lookBack(state, tile, t, pass);
    if (tile > 0) publish(state, tile, t, tagOf(pass) + 1, before + own);
    s.starts[t] = state->counts[pass][t] + before - local;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    unsigned at = i * THREADS + t;
    Word moved = s.keys[at];
    Count place = s.starts[digitOf(moved, pass)] + at;
    if (place < n) to[place] = moved;
    fields.place(i, at, place);
  }
  fields.run(tile * (THREADS * EACH), n);
}

}  // namespace radix
