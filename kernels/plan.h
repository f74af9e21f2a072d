// The passes of a sort, as the Java class KModelSchedule plans them in its mode CROSS_STAGE.
#pragma once
#include <algorithm>
#include <vector>

struct Pass {
  int stage, tailSteps, headSteps, highBase;
  // Number of parts that hold one of n keys.
  unsigned long long parts(unsigned long long n, int log2Sigma) const {
    int lowBits = log2Sigma - headSteps, top = highBase + headSteps;
    unsigned long long below = 1ull << (highBase - lowBits);
    unsigned long long rest = n & ((1ull << top) - 1);
    return (n >> top) * below + std::min((rest + (1ull << lowBits) - 1) >> lowBits, below);
  }
};

inline int ceilLog2(unsigned long long n) {
  int log = 0;
  while (log < 63 && 1ull << log < n) log++;
  return log;
}

// All passes after the first, which sorts blocks of sigma keys.
inline std::vector<Pass> planPasses(unsigned long long n, int log2Sigma, int log2K) {
  std::vector<Pass> plan;
  int stages = ceilLog2(n), stage = log2Sigma + 1, remaining = stage;
  while (stage <= stages) {
    if (remaining > log2Sigma) {
      int head = log2Sigma - log2K;
      plan.push_back({stage, 0, head, remaining - head});
      remaining -= head;
    } else {
      int head = stage == stages ? 0 : log2Sigma - std::max(remaining, log2K);
      plan.push_back({stage, remaining, head, head == 0 ? log2Sigma : stage + 1 - head});
      stage++;
      remaining = stage - head;
    }
  }
  return plan;
}
