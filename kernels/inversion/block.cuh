// Inversion of a block of text on a device: text in, sorted keys and a sorted dictionary out. This file says what the
// kernels share.
//
// The text is in plain form (the Java class PlainText writes it): every byte of 0x80 and more belongs to a word and is
// in lower case already, ASCII follows the rules of Unicode's annex 29, and nothing is longer than LONGEST between two
// characters that end a word. Parts are the texts of fields: field f of document d is part d * fields + f, and every
// part that is not empty ends with a character that ends a word.
//
//   mark     which bytes belong to words, and where words start
//   scan     the number of each tile's first token
//   keys     each token's term in a hash table, and its key: slot of the term | document | position
//   order    terms by their bytes, then keys by the rank of their term (a stable radix sort; keys are made in order of
//            document and position)
//   stems    if terms are stems: their ranks, and no keys of stop words (stems.cuh)
//   lists    where the keys of each term start
//   pack     the postings of each term as Lucene's files hold them (postings.cuh)
#pragma once
#include <cstdint>

#ifdef __CUDACC__
#define INVERSION_KERNEL extern "C" __global__ void __launch_bounds__(THREADS)
#define INVERSION_SHARED(Type, name)                  \
  extern __shared__ __align__(16) char sharedBytes[]; \
  Type &name = *reinterpret_cast<Type *>(sharedBytes)
#define HOST_DEVICE __host__ __device__ __forceinline__
#else
#define INVERSION_KERNEL extern "C" void
#define INVERSION_SHARED(Type, name) Type &name = *reinterpret_cast<Type *>(shimShared())
#define HOST_DEVICE inline
#endif

namespace inversion {

using Count = unsigned long long;

constexpr int THREADS = 256;        // of every block of threads
constexpr int WARPS = THREADS / 32;
constexpr int TILE = 1 << 14;       // bytes of text that a block of threads takes
constexpr int SET = TILE / 32;      // words of a set of a tile's bytes, a bit for each
constexpr int LONGEST = 1023;       // bytes of a token: 255 UTF-16 units take at most 765
constexpr int HALO = LONGEST + 1;   // bytes behind a tile into which its last token may reach
constexpr int FRONT = 16;           // bytes before a tile
constexpr int SHORT = 16;           // bytes of the longest term that the table holds itself, with its field
constexpr int TILE_TOKENS = TILE / 2;
constexpr int TILE_LONG = TILE / SHORT;  // more than there are long terms in a tile
constexpr int MAX_PROBES = 1024;

// What the kernels count. Set to zero before a block.
struct Counters {
  Count tokens, terms;
  Count longBytes;   // of distinct long terms
  Count full;        // tokens for which the table had no room
  Count tooLong;     // tokens of more than LONGEST bytes
  Count collisions;  // long tokens whose bytes differ from those of the term with the same hash
  Count ties;        // terms with the same first SHORT bytes as more than MAX_TIES others, which are not in order
  // Of the packing. Where keys are not in the order of terms, documents and positions, nothing is packed.
  Count disorder;
  Count postings;
  Count docsBytes, positionsBytes;
  // The most impacts that a list has for a block of documents, and their most bytes; the same for a group of blocks.
  Count blockImpacts, blockImpactBytes, groupImpacts, groupImpactBytes;
  // Of stop words.
  Count dropped, droppedPositions;
};

// A distinct term, in order: its first bytes, high byte first and zeros behind; where its keys start, and their number.
// The bytes of a long term begin at longStart of the long terms' bytes.
struct Term {
  Count high, low;
  uint32_t firstKey, keys;
  uint32_t longStart, length;
};

// A term whose postings are packed: its first bytes, and where its postings begin in the files; and what Lucene keeps.
struct PackedTerm {
  Count high, low;
  Count docsStart, positionsStart;
  uint32_t docFreq, totalTermFreq;
  uint32_t longStart, length;
  uint32_t lastPositionsBlock;  // bytes of its full blocks of positions if there are positions behind one, or NONE
  uint32_t firstDoc;            // the document of a term that has only one, or NONE
};
constexpr uint32_t NONE = ~0u;

// A long token that is not the first of its term: its slot, and where it starts in the text.
struct LongToken {
  uint32_t slot, at;
};

// A slot of the hash table, empty if it is zero: the first 8 bytes of a term (field, then text), and the next 8 as a
// number plus one, so that a slot with `high` but without `low` is one that is still being written. For a long term,
// LONG_TERM and 120 bits of hashes.
struct alignas(16) Slot {
  Count high, low;
};
constexpr Count LONG_TERM = 0xFFull << 56;

// All fields have 8 bytes, for Java.
struct Block {
  const uint8_t *text;        // FRONT bytes before it and HALO after its last tile are blanks
  Count bytes, tiles;
  const uint32_t *parts;      // where each part starts, and the end of the last
  Count partCount, fields;
  Count fieldOrdinals;        // a byte for each field, the first in the lowest
  Count docBits, positionBits;
  Slot *table;
  Count slotBits;
  Counters *counters;
  uint32_t *inWord, *starts;  // sets of bytes; HALO / 32 more words of inWord
  uint32_t *tileTokens;       // tokens that start in a tile
  uint32_t *tileFirst;        // number of its first token; one more
  uint32_t *tilePart;         // the part of the byte before it; one more
  uint32_t *partRank;         // tokens of the tile before a part; one more
  uint32_t *lengths;          // tokens of a part, in the end without stop words
  uint32_t *longTokens;       // per tile
  LongToken *longToken;       // TILE_LONG per tile
  uint8_t *longBytes;         // distinct long terms
  uint32_t *longStart;        // of a slot
  uint32_t *longLength;
  Count *keys[2];             // of tokens
  uint32_t *order[2];         // slots of terms
  uint32_t *digits;           // RADIX rows of counts, one for each tile of a sort
  uint32_t *digitTotals;      // RADIX
  uint32_t *listStart;        // of a rank; before that, the rank of a word's stem
  uint32_t *listEnd;          // of a rank; before that, the rank of a slot
  Term *terms;
  // Of the packing. Sizes in brackets: T is the most tokens, S the number of slots.
  Count *tileSums;            // of the tiles of a scan [max(T / ITEMS + 1, S, T / 256) / SCAN_TILE + 2]
  Count *tileHeads;           // postings that start before a tile of keys [T / ITEMS + 2]
  uint32_t *postingKey;       // the first key of a posting, and the end [T + 1]
  uint32_t *termPosting;      // the first posting of a rank, and the end [S + 1]
  Count *docBlockFirst;       // full blocks of documents before a rank [S + 1]
  Count *positionBlockFirst;  // full blocks of positions before a rank [S + 1]
  uint32_t *docBlockBytes;    // of a full block [T / 256]
  Count *docBlockStart;       // bytes of full blocks before one, with heads of groups [T / 256 + 1]
  Count *positionBlockStart;  // bytes of full blocks before one [T / 256 + 1]
  Count *docsStart;           // bytes of documents before a rank [S + 1]
  Count *positionsStart;      // bytes of positions before a rank [S + 1]
  PackedTerm *packedTerms;    // [S]
  uint8_t *docs, *positions;  // the files' bytes [docsBytes and positionsBytes of the counters]
};

// Characters that plain form writes as bytes that do not occur in UTF-8, where they belong to a word.
constexpr int FIRST_ESCAPE = 0xF5;
HOST_DEVICE uint8_t escaped(int byte) {
  constexpr uint64_t FIRST = 0x23'5F'3B'2C'27'2E'3A'22ull;  // the first is the lowest: " : . ' , ; _ #
  return byte - FIRST_ESCAPE < 8 ? (uint8_t)(FIRST >> 8 * (byte - FIRST_ESCAPE)) : (uint8_t)'*';
}

HOST_DEVICE uint8_t plainByte(uint8_t byte) {
  if (byte >= FIRST_ESCAPE) return escaped(byte);
  return (uint8_t)(byte - 'A') < 26 ? byte | 32 : byte;
}

HOST_DEVICE Count mix(Count x) {
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  x ^= x >> 29;
  x *= 0x9FB21C651E98DF25ull;
  return x ^ x >> 32;
}

// The part that contains a byte of the text, one of first to last: the last that starts at or before it.
HOST_DEVICE uint32_t partAt(const uint32_t *parts, uint32_t first, uint32_t last, uint32_t at) {
  while (first < last) {
    uint32_t middle = (first + last + 1) / 2;
    if (parts[middle] <= at) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  return first;
}

// Loads and stores that see what other threads wrote, and whole slots, which are seen whole or in part.
#ifdef __CUDACC__
__device__ __forceinline__ Count loadCount(const Count *from) { return *const_cast<const volatile Count *>(from); }
__device__ __forceinline__ void storeCount(Count *to, Count value) { *const_cast<volatile Count *>(to) = value; }
__device__ __forceinline__ Slot loadSlot(const Slot *from) {
  ulonglong2 both = *reinterpret_cast<const ulonglong2 *>(from);
  return Slot{both.x, both.y};
}
__device__ __forceinline__ uint32_t reverse4(uint32_t four) { return __byte_perm(four, 0, 0x0123); }
#else
inline Count loadCount(const Count *from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
inline void storeCount(Count *to, Count value) { __atomic_store_n(to, value, __ATOMIC_RELAXED); }
inline Slot loadSlot(const Slot *from) { return Slot{loadCount(&from->high), loadCount(&from->low)}; }
inline uint32_t reverse4(uint32_t four) { return __builtin_bswap32(four); }
#endif

// The sum of the values of the threads before this one, and of all; `sums` has a number for each warp.
template <class Number>
__device__ __forceinline__ Number sumBefore(Number value, Number *sums, Number &total) {
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  Number sum = value;
  for (int step = 1; step < 32; step *= 2) {
    Number other = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += other;
  }
  __syncthreads();
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  Number before = 0;
  total = 0;
  for (int w = 0; w < WARPS; w++) {
    if (w < warp) before += sums[w];
    total += sums[w];
  }
  return before + sum - value;
}

}  // namespace inversion
