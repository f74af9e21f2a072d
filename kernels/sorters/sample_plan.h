// The host's side of sample sort (sample.cuh). A Device has segments, parts and sequences, and runs the kernels; `side` is
// the buffer that the keys are in, 0 for the one where the sorted keys belong:
//
//   put(segments), put(parts), put(sequences)   copies them to the device
//   get(starts, splitters, segments)            copies the starts of buckets and the splitters of so many segments back
//   chooseSplitters(side, segments), countBuckets(side, parts), scan(numbers), bucketStarts(segments),
//   fillBuckets(side, parts), fillEqual(sequences), sortSequences(side, sequences)
#pragma once
#include "sample.cuh"

#include <algorithm>
#include <vector>

namespace sample {

struct Plan {
  Count partKeys;           // keys of a part
  Count medium = MEDIUM;    // more keys than these are a segment of another round
  Count together = 0;       // neighboring buckets of up to so many keys are sorted as one
};

template <class Word, class Device>
void sort(Count n, const Plan &plan, Device &device) {
  std::vector<Segment> open;
  std::vector<quick::Sequence<Word>> few, equal;
  auto add = [&](Count first, Count last) {
    if (last - first > plan.medium) {
      open.push_back({first, last, 0, 0});
    } else if (!few.empty() && few.back().last == first && last - few.back().first <= plan.together) {
      few.back().last = last;
    } else if (first < last) {
      few.push_back({first, last, 0, 0, 0});
    }
  };
  add(0, n);
  for (int side = 0; !open.empty() || !few.empty(); side = 1 - side) {
    if (!few.empty()) {
      device.put(few);
      device.sortSequences(side, (unsigned)few.size());
      few.clear();
    }
    if (open.empty()) return;
    std::vector<Segment> segments;
    std::swap(segments, open);
    std::vector<Part> parts;
    Count counts = 0;
    for (unsigned i = 0; i < segments.size(); i++) {
      unsigned number = 0;
      for (Count at = segments[i].first; at < segments[i].last; at += plan.partKeys) {
        parts.push_back({at, std::min(at + plan.partKeys, segments[i].last), i, number++});
      }
      segments[i].counts = counts;
      segments[i].parts = number;
      counts += (Count)number * BUCKETS;
    }
    unsigned count = (unsigned)segments.size();
    device.put(segments);
    device.put(parts);
    device.chooseSplitters(side, count);
    device.countBuckets(side, (unsigned)parts.size());
    device.scan(counts);
    device.bucketStarts(count);
    device.fillBuckets(side, (unsigned)parts.size());
    std::vector<Count> starts;
    std::vector<Word> splitters;
    device.get(starts, splitters, count);
    equal.clear();
    for (unsigned i = 0; i < count; i++) {
      for (unsigned b = 0; b < BUCKETS; b++) {
        Count first = starts[i * BUCKETS + b];
        Count last = b + 1 < BUCKETS ? starts[i * BUCKETS + b + 1] : segments[i].last;
        if (b % 2 == 0 || last - first <= plan.together) {
          add(first, last);
          continue;
        }
        for (Count at = first; at < last; at += plan.partKeys) {
          equal.push_back({at, std::min(at + plan.partKeys, last), splitters[i * SPLITTERS + b / 2], 0, 0});
        }
      }
    }
    if (!equal.empty()) {
      device.put(equal);
      device.fillEqual((unsigned)equal.size());
    }
  }
}

}  // namespace sample
