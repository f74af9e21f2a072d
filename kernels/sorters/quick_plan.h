// The host's side of quicksort (quick.cuh). A Device has sequences and parts, and runs the kernels; `side` is the buffer
// that the sequences are in, 0 for the one where the sorted keys belong:
//
//   put(sequences), put(parts)    copies them to the device
//   get(sequences)                copies them back
//   choosePivots(side, count), splitParts(side, count), fillEqual(count), sortSequences(side, count)
#pragma once
#include "quick.cuh"

#include <algorithm>
#include <vector>

namespace quick {

// How the first phase works on n keys.
struct Plan {
  Count enough;    // sequences for the second phase
  Count partKeys;  // keys of a part

  static Plan of(Count n, Count blocks) { return {blocks, std::max<Count>(SMALL, n / blocks)}; }

  // A sequence this short goes to the second phase.
  Count shortest(Count n) const { return std::max<Count>(SMALL, n / enough); }
};

template <class Word, class Device>
void sort(Count n, const Plan &plan, Device &device) {
  constexpr int MOST_ROUNDS = 64;
  std::vector<Sequence<Word>> open{{0, n, 0, 0, 0}};
  int side = 0;
  for (int round = 0; !open.empty(); round++, side = 1 - side) {
    // Those that are short, or enough, are sorted by a block each.
    bool isLast = open.size() >= plan.enough || round == MOST_ROUNDS;
    std::vector<Sequence<Word>> split, last;
    for (const Sequence<Word> &sequence : open) {
      (isLast || sequence.last - sequence.first <= plan.shortest(n) ? last : split).push_back(sequence);
    }
    if (!last.empty()) {
      device.put(last);
      device.sortSequences(side, (unsigned)last.size());
    }
    open.clear();
    if (split.empty()) return;
    std::vector<Part> parts;
    for (unsigned i = 0; i < split.size(); i++) {
      for (Count at = split[i].first; at < split[i].last; at += plan.partKeys) {
        parts.push_back({at, std::min(at + plan.partKeys, split[i].last), i});
      }
    }
    device.put(split);
    device.put(parts);
    device.choosePivots(side, (unsigned)split.size());
    device.splitParts(side, (unsigned)parts.size());
    device.fillEqual((unsigned)split.size());
    device.get(split);
    for (const Sequence<Word> &done : split) {
      Count low = done.first + done.below, high = done.last - done.above;
      if (done.below > 0) open.push_back({done.first, low, 0, 0, 0});
      if (done.above > 0) open.push_back({high, done.last, 0, 0, 0});
    }
  }
}

}  // namespace quick
