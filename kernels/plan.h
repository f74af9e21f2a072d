// The passes of a sort, as planned by the Java class KModelSchedule in mode CROSS_STAGE.
#pragma once
#include <algorithm>
#include <vector>

// The arguments of a superstep's kernel: `tail` steps end `stage`, then M - max(tail, K) steps at highBase start the
// next stage. Tail 0: M - K steps of `stage` itself; tail M: no head.
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
