// The passes of a sort, as the Java class KModelSchedule plans them in its mode CROSS_STAGE.
#pragma once
#include <algorithm>
#include <vector>

// A superstep as the kernels take it: `tail` steps end `stage`, then M - max(tail, K) steps begin the next stage at
// highBase; tail 0: M - K steps of `stage` itself; tail M: no head.
struct Pass {
  int stage, tail, highBase;
};

struct Plan {
  int log2Sigma, log2K;
  std::vector<Pass> passes;  // all but the first, which sorts blocks of sigma keys

  int lowBits(const Pass &pass) const { return std::max(pass.tail, log2K); }

  // Number of parts that hold one of n keys.
  unsigned long long parts(const Pass &pass, unsigned long long n) const {
    int low = lowBits(pass), top = pass.highBase + log2Sigma - low;
    unsigned long long below = 1ull << (pass.highBase - low), rest = n & ((1ull << top) - 1);
    return (n >> top) * below + std::min((rest + (1ull << low) - 1) >> low, below);
  }
};

inline int ceilLog2(unsigned long long n) {
  int log = 0;
  while (log < 63 && 1ull << log < n) log++;
  return log;
}

inline Plan planPasses(unsigned long long n, int log2Sigma, int log2K) {
  Plan plan{log2Sigma, log2K, {}};
  int stages = ceilLog2(n), stage = log2Sigma + 1, remaining = stage;
  while (stage <= stages) {
    if (remaining > log2Sigma) {
      remaining -= log2Sigma - log2K;
      plan.passes.push_back({stage, 0, remaining});
    } else if (stage == stages) {
      plan.passes.push_back({stage, log2Sigma, log2Sigma});
      stage++;
    } else {
      int head = log2Sigma - std::max(remaining, log2K);
      plan.passes.push_back({stage, remaining, stage + 1 - head});
      stage++;
      remaining = stage - head;
    }
  }
  return plan;
}

// Consecutive supersteps that run as one launch, chunk by chunk of 2^log2Chunk keys: bits is the union of their
// Gamma-sequences, filled up with the lowest other bits. A group of one superstep is launched by itself.
struct PassGroup {
  std::vector<Pass> passes;
  unsigned long long bits;
};

inline unsigned long long gammaOf(const Plan &plan, const Pass &pass) {
  int low = plan.lowBits(pass);
  return ((1ull << low) - 1) | ((1ull << (plan.log2Sigma - low)) - 1) << pass.highBase;
}

inline int bitCount(unsigned long long bits) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) count++;
  return count;
}

inline std::vector<PassGroup> groupPasses(const Plan &plan, int log2Chunk, size_t most = 16) {
  std::vector<PassGroup> groups;
  for (const Pass &pass : plan.passes) {
    unsigned long long gamma = gammaOf(plan, pass);
    if (groups.empty() || groups.back().passes.size() == most || bitCount(groups.back().bits | gamma) > log2Chunk) {
      groups.push_back({{}, 0});
    }
    groups.back().passes.push_back(pass);
    groups.back().bits |= gamma;
  }
  for (PassGroup &group : groups) {
    for (int bit = 0; bitCount(group.bits) < log2Chunk; bit++) group.bits |= 1ull << bit;
  }
  return groups;
}

// Number of tickets of a group's launch.
inline unsigned long long ticketsOf(const PassGroup &group, unsigned long long n, int log2Sigma, int team, int lag) {
  // The last chunk that begins below n: its number's bits are those of n - 1 outside of the group's, and all ones
  // below the first bit of the group's in which it can stay under n - 1.
  unsigned long long chunks = 0;
  bool below = false;
  for (int bit = 62; bit >= 0; bit--) {
    bool one = (n - 1) >> bit & 1;
    if (group.bits >> bit & 1) {
      below |= one;
    } else {
      chunks = chunks << 1 | (below || one);
    }
  }
  chunks++;
  unsigned long long rounds = lag == 0 ? (chunks + team - 1) / team * team : chunks + lag * (group.passes.size() - 1);
  return rounds * group.passes.size() << (bitCount(group.bits) - log2Sigma);
}
