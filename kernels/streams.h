// Copies between devices that run beside each other, for tests on the CPU and for measurements (machine.h). A stream
// belongs to the device that was current when it was made. Its operations run in order; those of different streams
// run in any order, except that a stream can wait for an event of another.
//
// On the CPU nothing runs before finish(). Then each stream runs as far as it can before the next one does, in two
// orders in turn, so that a missing wait gives wrong keys.
#pragma once
#include "machine.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>

namespace machine {

#ifdef __CUDACC__
class Stream;

class Event {
 public:
  Event() { CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming)); }
  ~Event() { cudaEventDestroy(event); }
  Event(const Event &) = delete;

 private:
  friend class Stream;
  cudaEvent_t event;
};

class Stream {
 public:
  Stream() { CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream); }
  Stream(const Stream &) = delete;

  void copyWithin(void *to, const void *from, Bytes bytes) { copy(to, from, bytes, cudaMemcpyDeviceToDevice); }
  void copyToHost(void *to, const void *from, Bytes bytes) { copy(to, from, bytes, cudaMemcpyDeviceToHost); }
  void copyFromHost(void *to, const void *from, Bytes bytes) { copy(to, from, bytes, cudaMemcpyHostToDevice); }
  void copyFromPeer(void *to, const void *from, int peer, Bytes bytes) {
    if (gpus[peer] == gpus[device]) return copyWithin(to, from, bytes);
    CUDA(cudaMemcpyPeerAsync(to, gpus[device], from, gpus[peer], bytes, stream));
  }
  void record(Event &event) { CUDA(cudaEventRecord(event.event, stream)); }
  void wait(Event &event) { CUDA(cudaStreamWaitEvent(stream, event.event, 0)); }

 private:
  int device = current;
  cudaStream_t stream;

  void copy(void *to, const void *from, Bytes bytes, cudaMemcpyKind kind) {
    CUDA(cudaMemcpyAsync(to, from, bytes, kind, stream));
  }
};

// Waits for all streams and kernels.
inline void finish() { synchronize(); }

// Memory of the host that all devices can copy from and to.
inline void *reserveHost(Bytes bytes) {
  void *memory;
  CUDA(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable));
  return memory;
}
inline void releaseHost(void *memory) { CUDA(cudaFreeHost(memory)); }
#else
class Stream;
inline std::vector<Stream *> streams;

class Event {
  friend class Stream;
  unsigned recorded = 0;
  std::shared_ptr<unsigned> happened = std::make_shared<unsigned>(0);
};

class Stream {
 public:
  Stream() { streams.push_back(this); }
  ~Stream() { streams.erase(std::find(streams.begin(), streams.end(), this)); }
  Stream(const Stream &) = delete;

  void copyWithin(void *to, const void *from, Bytes bytes) {
    expectOn(device, to);
    expectOn(device, from);
    copy(to, from, bytes);
  }
  void copyToHost(void *to, const void *from, Bytes bytes) {
    expectOn(device, from);
    copy(to, from, bytes);
  }
  void copyFromHost(void *to, const void *from, Bytes bytes) {
    expectOn(device, to);
    copy(to, from, bytes);
  }
  void copyFromPeer(void *to, const void *from, int peer, Bytes bytes) {
    if (!peersOpen) fail("a copy from a peer without openPeers()");
    expectOn(device, to);
    expectOn(peer, from);
    copy(to, from, bytes);
  }
  void record(Event &event) {
    add([happened = event.happened, number = ++event.recorded] {
      *happened = number;
      return true;
    });
  }
  void wait(Event &event) {
    add([happened = event.happened, number = event.recorded] { return *happened >= number; });
  }

  // Runs operations until one has to wait; returns whether any ran.
  bool run() {
    bool moved = false;
    while (!operations.empty() && operations.front()()) {
      operations.pop_front();
      moved = true;
    }
    return moved;
  }
  bool isDone() const { return operations.empty(); }

 private:
  int device = current;
  std::deque<std::function<bool()>> operations;  // each returns false while it has to wait

  void add(std::function<bool()> operation) { operations.push_back(std::move(operation)); }
  void copy(void *to, const void *from, Bytes bytes) {
    add([=] {
      std::memcpy(to, from, bytes);
      return true;
    });
  }
};

inline void finish() {
  static bool backwards = false;
  backwards = !backwards;
  while (true) {
    bool moved = false, done = true;
    for (size_t i = 0; i < streams.size(); i++) {
      Stream &stream = *streams[backwards ? streams.size() - 1 - i : i];
      moved |= stream.run();
    }
    for (Stream *stream : streams) done &= stream->isDone();
    if (done) return;
    if (!moved) fail("streams wait for each other");
  }
}

inline void *reserveHost(Bytes bytes) { return std::malloc(bytes); }
inline void releaseHost(void *memory) { std::free(memory); }
#endif

}  // namespace machine
