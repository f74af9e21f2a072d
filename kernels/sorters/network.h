// Runs the network (kmodel.cu) from C++ as one of the sorters of driver.h. It works in place: `other` and `scratch` are
// not used.
#pragma once
#include "../kmodel.cu"
#include "../machine.h"
#include "../plan.h"

#include <string>

namespace sorters {

template <class Key>
struct Network {
  using Word = Key;
  using Count = unsigned long long;
  std::string name;
  int log2Sigma, log2K;
  unsigned threads, sharedBytes;
  void (*sortBlocks)(Word *, Count, Count);
  void (*mergeParts)(Word *, Count, Count, int, int, int);

  Count tile() const { return 1ull << log2Sigma; }
  Count scratchBytes(Count) const { return 0; }
  void prepare() const {
    machine::allowShared(sortBlocks, sharedBytes);
    machine::allowShared(mergeParts, sharedBytes);
  }

  void sort(Word *keys, Word *, Count n, char *) const {
    if (n == 0) return;
    machine::launch(sortBlocks, (n + tile() - 1) / tile(), threads, sharedBytes, keys, n, 0);
    Plan plan = planPasses(n, log2Sigma, log2K);
    for (Pass pass : plan.passes) {
      machine::launch(mergeParts, plan.parts(pass, n), threads, sharedBytes, keys, n, 0, pass.stage, pass.tail,
                      pass.highBase);
    }
  }
};

#define NETWORK_SORTER(kind, Key, M, V, K)                                                                   \
  sorters::Network<Key::Word> {                                                                              \
    "network " #kind, M, K, Part<Key, M, V>::THREADS, Part<Key, M, V>::SHARED_BYTES, sort_blocks_##kind,     \
        merge_parts_##kind                                                                                   \
  }

}  // namespace sorters
