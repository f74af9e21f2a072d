// The kinds of keys that the network can sort. A kind has
//   Word            the type of a key in memory and in registers
//   last()          a word that no key exceeds
//   compareExchange sorts two keys, ascending or (descending != 0) descending
#pragma once
#include <cstdint>

#ifndef KMODEL_SWAP_BY_MULTIPLY
#define KMODEL_SWAP_BY_MULTIPLY 1
#endif

// A multiplier of one, which moves the other key of a swap. Selects and integer compares share one pipe of half rate;
// a predicated multiplication uses another pipe. The compiler must not know that the value is one.
#define KMODEL_ONE (gridDim.z)

// Unsigned 64-bit keys below 0x7FF0'0000'0000'0000, compared as doubles: all such patterns are finite,
// positive and ordered like their bits, denormals included (compares of doubles never flush). One compare
// instead of two.
struct DoubleKey {
  using Word = unsigned long long;

  static __device__ __forceinline__ Word last() { return 0x7FEFFFFFFFFFFFFFull; }

  static __device__ __forceinline__ void compareExchange(Word &a, Word &b, bool descending) {
#if defined(__CUDA_ARCH__) && KMODEL_SWAP_BY_MULTIPLY
    asm("{\n\t"
        ".reg .pred swap, down;\n\t"
        ".reg .b32 al, ah, bl, bh, tl, th;\n\t"
        ".reg .f64 x, y;\n\t"
        "mov.b64 {al, ah}, %0;\n\t"
        "mov.b64 {bl, bh}, %1;\n\t"
        "mov.b64 x, %0;\n\t"
        "mov.b64 y, %1;\n\t"
        "setp.ne.s32 down, %2, 0;\n\t"
        "setp.gt.xor.f64 swap, x, y, down;\n\t"
        "selp.b32 tl, bl, al, swap;\n\t"
        "selp.b32 th, bh, ah, swap;\n\t"
        "@swap mul.lo.s32 bl, al, %3;\n\t"
        "@swap mul.lo.s32 bh, ah, %3;\n\t"
        "mov.b64 %0, {tl, th};\n\t"
        "mov.b64 %1, {bl, bh};\n\t}"
        : "+l"(a), "+l"(b)
        : "r"((int)descending), "r"(KMODEL_ONE));
#elif defined(__CUDA_ARCH__)
    bool swap = (__longlong_as_double(a) > __longlong_as_double(b)) != descending;
    Word low = swap ? b : a;
    b = swap ? a : b;
    a = low;
#else
    bool swap = (a > b) != descending;
    Word low = swap ? b : a;
    b = swap ? a : b;
    a = low;
#endif
  }
};

// Keys that are unsigned integers of a machine word: u32, and all of u64.
template <class Unsigned>
struct IntegerKey {
  using Word = Unsigned;

  static __device__ __forceinline__ Word last() { return ~Word(0); }

  static __device__ __forceinline__ void compareExchange(Word &a, Word &b, bool descending) {
    bool swap = (a > b) != descending;
    Word low = swap ? b : a;
    b = swap ? a : b;
    a = low;
  }
};

// Unsigned 128-bit keys: the low half first.
struct alignas(16) Wide {
  unsigned long long low, high;
};

struct WideKey {
  using Word = Wide;

  static __device__ __forceinline__ Word last() { return Wide{~0ull, ~0ull}; }

  static __device__ __forceinline__ void compareExchange(Word &a, Word &b, bool descending) {
#if defined(__CUDA_ARCH__)
    // The borrow of b - a tells whether a > b.
    unsigned borrow;
    asm("{\n\t"
        ".reg .u64 t;\n\t"
        "sub.cc.u64 t, %1, %3;\n\t"
        "subc.cc.u64 t, %2, %4;\n\t"
        "subc.u32 %0, 0, 0;\n\t}"
        : "=r"(borrow)
        : "l"(b.low), "l"(b.high), "l"(a.low), "l"(a.high));
    bool swap = (borrow != 0) != descending;
#else
    bool swap = (a.high > b.high || (a.high == b.high && a.low > b.low)) != descending;
#endif
    Wide low{swap ? b.low : a.low, swap ? b.high : a.high};
    b = Wide{swap ? a.low : b.low, swap ? a.high : b.high};
    a = low;
  }
};
