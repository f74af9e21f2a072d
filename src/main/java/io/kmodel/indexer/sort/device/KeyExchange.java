package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.sort.device.DevicesSorter.Delivery;
import io.kmodel.indexer.sort.device.DevicesSorter.Exchange;
import io.kmodel.indexer.sort.device.DevicesSorter.KeyRange;
import java.lang.foreign.MemorySegment;

/**
 * Queues the copies of one exchange of keys between devices (Tanasic et al., section 4;
 * kernels/sorters/devices.h). Keys go to a device's other memory. Through the host, one of two
 * buffers of the receiving device is filled while the other is emptied.
 */
final class KeyExchange {
  private final Shares shares;
  private final int keyBytes;
  private final Exchange how;

  /** Buffers that were filled for each receiving device. */
  private final long[] filled;

  /** The marks of the receiving streams after which their two buffers are empty again. */
  private final int[][] emptied;

  KeyExchange(Shares shares, int keyBytes, Exchange how) {
    this.shares = shares;
    this.keyBytes = keyBytes;
    this.how = how;
    this.filled = new long[shares.count()];
    this.emptied = new int[shares.count()][2];
    for (int device = 0; device < shares.count(); device++) {
      shares.part(device).lane().stream().clearMarks();
      shares.part(device).sending().clearMarks();
    }
  }

  /** Puts both pieces into the device's other memory, the longer one first. */
  void receive(Delivery delivery) {
    KeyRange a = delivery.a();
    KeyRange b = delivery.b();
    boolean isLongerA = a.size() >= b.size();
    KeyRange longer = isLongerA ? a : b;
    long other = shares.part(delivery.device()).keys().other();
    receive(delivery.device(), longer, other);
    receive(delivery.device(), isLongerA ? b : a, other + longer.size() * keyBytes);
  }

  private void receive(int target, KeyRange range, long to) {
    for (int source = 0; source < shares.count(); source++) {
      long first = Math.max(range.first(), shares.start(source));
      long last = Math.min(range.last(), shares.start(source + 1));
      if (first < last) {
        long skipped = (first - shares.start(source)) * keyBytes;
        long from = shares.part(source).keys().address() + skipped;
        long at = to + (first - range.first()) * keyBytes;
        copy(source, from, target, at, (last - first) * keyBytes);
      }
    }
  }

  private void copy(int source, long from, int target, long to, long bytes) {
    DevicePart part = shares.part(target);
    GpuStream stream = part.lane().stream();
    if (source != target && how == Exchange.BY_HOST) {
      copyByHost(shares.part(source), from, target, to, bytes);
      return;
    }
    part.device().use();
    if (source == target) {
      stream.copyWithin(from, to, bytes);
    } else {
      stream.copyFromPeer(shares.part(source).device(), from, to, bytes);
    }
  }

  private void copyByHost(DevicePart source, long from, int target, long to, long bytes) {
    DevicePart part = shares.part(target);
    GpuStream receiving = part.lane().stream();
    GpuStream sending = source.sending();
    long bufferBytes = part.buffers().byteSize() / 2;
    for (long at = 0; at < bytes; at += bufferBytes) {
      long length = Math.min(bufferBytes, bytes - at);
      int side = (int) (filled[target] % 2);
      MemorySegment buffer = part.buffers().asSlice(side * bufferBytes, length);
      source.device().use();
      if (filled[target] >= 2) {
        sending.waitFor(receiving, emptied[target][side]);
      }
      sending.download(part.lane().pinned(), from + at, buffer, length);
      int full = sending.mark();
      part.device().use();
      receiving.waitFor(sending, full);
      receiving.upload(part.lane().pinned(), buffer, to + at, length);
      emptied[target][side] = receiving.mark();
      filled[target]++;
    }
  }
}
