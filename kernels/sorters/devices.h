// Sorts keys that are spread over several devices: Tanasic et al., "Comparison Based Sorting for Systems with Multiple
// GPUs", sections 3 and 4.
//
//   1. Each device sorts its keys with any sorter.
//   2. Lists of 1, 2, 4 ... devices are merged in pairs. The pivots say which keys of both lists belong to each device.
//      Devices exchange keys, then each merges the two pieces that it has.
//
// A device keeps its number of keys: it receives as many as it sends. With two devices this is the paper's algorithm.
// For lists over more devices, the paper swaps the keys on the wrong side of the middle, merges, and repeats this in
// both halves: with 2^k devices, k (k + 1) / 2 rounds of swaps and merges. Here there is a pivot for each border
// between devices, so each key goes straight to its device: ceil(log2 G) rounds for any number G of devices, and shares
// of any sizes.
//
// As in the paper, keys are exchanged into the memory that the merge needs anyway; a device copies the keys that it
// keeps there, too, and merges back. Then the longer piece comes first, so that one width of list describes both
// pieces to part_lists and merge_lists, whatever their lengths.
//
// Memory on a device: its keys, as many others, and scratch; on the host by BY_HOST: two buffers for each device.
#pragma once
#include "../streams.h"
#include "driver.h"

#include "devices.cu"

#include <array>

namespace sorters {

using machine::Bytes;

// By peer access, or through the host's memory in pieces. Then no peer access is needed: the host reads the keys that the
// search for pivots compares, two copies of a key for each step.
enum Exchange { BY_PEERS, BY_HOST };

template <class Word>
void (*const FIND_PIVOTS)(const pivots::Share<Word> *, unsigned, unsigned, Count *) = nullptr;
template <>
inline void (*const FIND_PIVOTS<unsigned long long>)(const pivots::Share<unsigned long long> *, unsigned, unsigned,
                                                     Count *) = find_pivots_u64;
template <>
inline void (*const FIND_PIVOTS<unsigned>)(const pivots::Share<unsigned> *, unsigned, unsigned, Count *) =
    find_pivots_u32;

// A device's part of the keys: `count` from place `start` of all.
template <class Word>
struct DeviceShare {
  Word *keys, *other;
  char *scratch;
  Count start, count;
};

// The part of a list that a device needs: from first to last of all keys.
struct Piece {
  Count first, last;

  Count size() const { return last - first; }
};

template <class Sorter>
class DevicesSort {
 public:
  using Word = typename Sorter::Word;
  using Shares = std::vector<DeviceShare<Word>>;

  // Called with the name of each phase when all devices have finished it.
  std::function<void(const char *)> finished = [](const char *) {};

  DevicesSort(const Sorter &sorter, const Merge<Word> &merger, Exchange how, Bytes bufferBytes)
      : sorter(sorter), merger(merger), how(how), bufferBytes(bufferBytes) {
    for (int device = 0; device < machine::devices(); device++) {
      machine::use(device);
      sorter.prepare();
      merger.prepare();
      lanes.push_back(std::make_unique<Lanes>());
      if (how == BY_HOST) lanes.back()->reserve(bufferBytes);
    }
  }

  // Where the keys of a device begin if n are spread evenly.
  static Count startOf(int device, Count n) {
    Count all = (Count)machine::devices(), number = (Count)device;
    return number * (n / all) + std::min(number, n % all);
  }

  // For a device with n keys.
  Count scratchBytes(Count n) const {
    Count table = (Count)machine::devices() + 1;
    return std::max({sorter.scratchBytes(n), merger.scratchBytes(n), table * (sizeof(Share) + sizeof(Count))});
  }

  // A share for each device, in their order. Each gets the keys that belong at its places.
  void sort(const Shares &shares) {
    for (size_t device = 0; device < shares.size(); device++) {
      const DeviceShare<Word> &share = shares[device];
      machine::use((int)device);
      sorter.sort(share.keys, share.other, share.count, share.scratch);
    }
    finish("sort");
    for (size_t width = 1; width < shares.size(); width *= 2) mergeRound(shares, width);
    machine::use(0);
  }

 private:
  using Share = pivots::Share<Word>;

  // What a device copies with. `in` is for what it receives, `out` for what it sends through the host.
  struct Lanes {
    machine::Stream in, out;
    char *buffers[2] = {};
    Count used = 0;  // buffers that were filled
    machine::Event emptied[2];

    void reserve(Bytes bytes) {
      for (char *&buffer : buffers) buffer = (char *)machine::reserveHost(bytes);
    }
    ~Lanes() {
      for (char *buffer : buffers) {
        if (buffer != nullptr) machine::releaseHost(buffer);
      }
    }
  };

  // The devices of two lists: first to middle, and middle to end.
  struct Pair {
    size_t first, middle, end;
  };

  // What a device has after an exchange: a piece of each list.
  struct Pieces {
    Piece a, b;
  };

  const Sorter sorter;
  const Merge<Word> merger;
  const Exchange how;
  const Bytes bufferBytes;
  std::vector<std::unique_ptr<Lanes>> lanes;
  std::map<std::pair<size_t, size_t>, std::array<machine::Event, 2>> filled;  // by source and target

  void finish(const char *phase) {
    machine::finish();
    finished(phase);
  }

  void mergeRound(const Shares &shares, size_t width) {
    std::vector<Pair> pairs;
    for (size_t first = 0; first + width < shares.size(); first += 2 * width) {
      pairs.push_back({first, first + width, std::min(first + 2 * width, shares.size())});
    }
    std::map<size_t, Pieces> pieces = piecesOf(shares, pairs);
    finish("pivots");
    for (auto &[device, both] : pieces) receive(shares, device, both);
    finish("exchange");
    for (auto &[device, both] : pieces) mergePieces(shares, device, both);
    finish("merge");
  }

  // What each device needs, but for those that have it already.
  std::map<size_t, Pieces> piecesOf(const Shares &shares, const std::vector<Pair> &pairs) {
    std::vector<std::vector<Count>> found;
    if (how == BY_PEERS) {
      found = pivotsByPeers(shares, pairs);
    } else {
      for (const Pair &pair : pairs) found.push_back(pivotsByHost(shares, pair));
    }
    std::map<size_t, Pieces> pieces;
    for (size_t i = 0; i < pairs.size(); i++) {
      const Pair &pair = pairs[i];
      Count first = shares[pair.first].start, middle = shares[pair.middle].start;
      for (size_t device = pair.first; device < pair.end; device++) {
        const DeviceShare<Word> &share = shares[device];
        Count start = share.start - first, end = start + share.count;
        Count a = device == pair.first ? 0 : found[i][device - pair.first - 1];
        Count endA = device + 1 == pair.end ? middle - first : found[i][device - pair.first];
        Pieces both{{first + a, first + endA}, {middle + start - a, middle + end - endA}};
        const Piece &own = device < pair.middle ? both.a : both.b;
        if (own.first != share.start || own.size() != share.count) pieces[device] = both;
      }
    }
    return pieces;
  }

  // On the first device of each pair.
  std::vector<std::vector<Count>> pivotsByPeers(const Shares &shares, const std::vector<Pair> &pairs) {
    machine::PeerAccess access;
    std::vector<std::vector<Count>> found;
    std::vector<Count *> at;
    for (const Pair &pair : pairs) {
      std::vector<Share> table;
      Count first = shares[pair.first].start;
      for (size_t device = pair.first; device < pair.end; device++) {
        table.push_back({shares[device].keys, shares[device].start - first});
      }
      table.push_back({nullptr, shares[pair.end - 1].start + shares[pair.end - 1].count - first});
      machine::use((int)pair.first);
      sorters::Pieces memory(shares[pair.first].scratch);
      Share *onDevice = memory.take<Share>(table.size());
      Count borders = table.size() - 2;
      at.push_back(memory.take<Count>(borders));
      machine::put(onDevice, table.data(), table.size() * sizeof(Share));
      launch(FIND_PIVOTS<Word>, (borders + pivots::THREADS - 1) / pivots::THREADS, pivots::THREADS, 0, onDevice,
             (unsigned)(pair.middle - pair.first), (unsigned)(pair.end - pair.first), at.back());
      found.emplace_back(borders);
    }
    for (size_t i = 0; i < pairs.size(); i++) {
      machine::use((int)pairs[i].first);
      machine::get(found[i].data(), at[i], found[i].size() * sizeof(Count));
    }
    return found;
  }

  // The same; the host reads each key that it compares.
  std::vector<Count> pivotsByHost(const Shares &shares, const Pair &pair) {
    Count first = shares[pair.first].start, middle = shares[pair.middle].start;
    Count countA = middle - first, countB = shares[pair.end - 1].start + shares[pair.end - 1].count - middle;
    std::vector<Count> found;
    for (size_t border = pair.first + 1; border < pair.end; border++) {
      Count diagonal = shares[border].start - first;
      Count low = diagonal > countB ? diagonal - countB : 0, high = std::min(diagonal, countA);
      while (low < high) {
        Count half = (low + high) / 2;
        if (keyAt(shares, first + half) <= keyAt(shares, middle + diagonal - 1 - half)) {
          low = half + 1;
        } else {
          high = half;
        }
      }
      found.push_back(low);
    }
    return found;
  }

  Word keyAt(const Shares &shares, Count place) {
    size_t device = 0;
    while (place - shares[device].start >= shares[device].count) device++;
    machine::use((int)device);
    Word key;
    machine::get(&key, shares[device].keys + (place - shares[device].start), sizeof key);
    return key;
  }

  // Puts both pieces of a device into its other memory, the longer one first.
  void receive(const Shares &shares, size_t device, const Pieces &both) {
    bool isALonger = both.a.size() >= both.b.size();
    const Piece &longer = isALonger ? both.a : both.b, &shorter = isALonger ? both.b : both.a;
    receive(shares, device, longer, shares[device].other);
    receive(shares, device, shorter, shares[device].other + longer.size());
  }

  void receive(const Shares &shares, size_t device, const Piece &piece, Word *to) {
    for (size_t source = 0; source < shares.size(); source++) {
      const DeviceShare<Word> &share = shares[source];
      Count first = std::max(piece.first, share.start), last = std::min(piece.last, share.start + share.count);
      if (first >= last) continue;
      const Word *from = share.keys + (first - share.start);
      Word *target = to + (first - piece.first);
      Bytes bytes = (last - first) * sizeof(Word);
      if (source == device) {
        lanes[device]->in.copyWithin(target, from, bytes);
      } else if (how == BY_PEERS) {
        lanes[device]->in.copyFromPeer(target, from, (int)source, bytes);
      } else {
        copyByHost(source, (const char *)from, device, (char *)target, bytes);
      }
    }
  }

  // While one buffer is filled, the other is emptied.
  void copyByHost(size_t source, const char *from, size_t target, char *to, Bytes bytes) {
    machine::use((int)source);
    std::array<machine::Event, 2> &full = filled[{source, target}];
    Lanes &lane = *lanes[target];
    machine::Stream &out = lanes[source]->out;
    for (Bytes at = 0; at < bytes; at += bufferBytes) {
      Bytes size = std::min(bufferBytes, bytes - at);
      Count side = lane.used++ % 2;
      if (lane.used > 2) out.wait(lane.emptied[side]);
      out.copyToHost(lane.buffers[side], from + at, size);
      out.record(full[side]);
      lane.in.wait(full[side]);
      lane.in.copyFromHost(to + at, lane.buffers[side], size);
      lane.in.record(lane.emptied[side]);
    }
  }

  void mergePieces(const Shares &shares, size_t device, const Pieces &both) {
    const DeviceShare<Word> &share = shares[device];
    machine::use((int)device);
    Count width = std::max(both.a.size(), both.b.size());
    merger.mergeOnce(share.other, share.keys, share.count, width, share.scratch);
  }
};

}  // namespace sorters
