package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Sorts keys that are spread over several devices (Tanasic et al., Comparison Based Sorting for
 * Systems with Multiple GPUs, sections 3 and 4; kernels/sorters/devices.h).
 *
 * <ol>
 *   <li>Each device sorts its keys by any sorter.
 *   <li>Lists over 1, 2, 4 … devices are merged in pairs. Pivots say which keys of both lists
 *       belong to each device. Devices exchange these, then each merges its two pieces.
 * </ol>
 *
 * <p>A device keeps its number of keys. With two devices this is the paper's algorithm. For lists
 * over more devices the paper swaps keys at the middle, merges, and repeats that in both halves.
 * Here each border between devices has a pivot, so a key goes straight to its device, and any
 * number of devices takes ⌈log2⌉ of it rounds.
 *
 * <p>Memory of a device: its keys, as many others, and scratch. Of the host: two buffers for each
 * device if keys go through it. One thread drives all devices, so sorters whose host takes part
 * sort on one device after the other.
 */
public final class DevicesSorter {
  /** How keys get from device to device. */
  public enum Exchange {
    /** Directly. Every device has access to the memory of all others. */
    BY_PEERS,

    /** Through pinned memory, in pieces; the host reads the keys that the pivots depend on. */
    BY_HOST
  }

  /** What all devices have finished; those after SORT once for each round. */
  public enum Phase {
    SORT,
    PIVOTS,
    EXCHANGE,
    MERGE
  }

  private final int keyBytes;
  private final Exchange exchange;
  private final DeviceSorter sorter;
  private final MergeSorter merger;
  private final Pivots pivots;

  /**
   * Creates a sorter.
   *
   * @param sorter of each device's keys
   * @param keyBytes 4 or 8, as the sorter's
   */
  public DevicesSorter(DeviceSorter sorter, int keyBytes, Exchange exchange) {
    this.sorter = sorter;
    this.keyBytes = keyBytes;
    this.exchange = exchange;
    this.merger = MergeSorter.byPath(keyBytes);
    this.pivots = new Pivots(keyBytes);
  }

  /** All kernels that each device needs. */
  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels = new ArrayList<>(sorter.kernels());
    kernels.addAll(merger.kernels());
    kernels.add(pivots.kernel());
    return kernels;
  }

  /** Bytes of a device's memory besides n keys and as many others. */
  public long scratchBytes(long n, int devices) {
    long sort = Math.max(sorter.scratchBytes(n), merger.scratchBytes(n));
    return Math.max(sort, Pivots.scratchBytes(devices));
  }

  /** The place of a device's first key if n keys are spread evenly. */
  public static long startOf(int device, int devices, long n) {
    return device * (n / devices) + Math.min(device, n % devices);
  }

  /**
   * Sorts keys. Afterwards each part has those that belong at its places; all work is done.
   *
   * @param parts one for each device, in the order of their keys
   * @param finished gets each phase when all devices are done with it
   */
  public void sort(List<DevicePart> parts, Consumer<Phase> finished) {
    Shares shares = new Shares(parts);
    for (DevicePart part : parts) {
      part.device().use();
      sorter.sort(part.lane(), part.keys());
    }
    shares.await();
    finished.accept(Phase.SORT);
    for (int width = 1; width < parts.size(); width *= 2) {
      mergeRound(shares, width, finished);
    }
  }

  private void mergeRound(Shares shares, int width, Consumer<Phase> finished) {
    List<ListPair> pairs = new ArrayList<>();
    for (int first = 0; first + width < shares.count(); first += 2 * width) {
      int end = Math.min(first + 2 * width, shares.count());
      pairs.add(new ListPair(first, first + width, end));
    }
    List<Delivery> deliveries = deliveries(shares, pairs);
    shares.await();
    finished.accept(Phase.PIVOTS);
    KeyExchange copies = new KeyExchange(shares, keyBytes, exchange);
    deliveries.forEach(copies::receive);
    shares.await();
    finished.accept(Phase.EXCHANGE);
    for (Delivery delivery : deliveries) {
      DevicePart part = shares.part(delivery.device());
      DeviceKeys keys = part.keys();
      part.device().use();
      long longer = Math.max(delivery.a().size(), delivery.b().size());
      merger.mergeOnce(
          part.lane(), keys.other(), keys.address(), keys.count(), longer, keys.scratch());
    }
    shares.await();
    finished.accept(Phase.MERGE);
  }

  /** What each device needs, except for devices that have it already. */
  private List<Delivery> deliveries(Shares shares, List<ListPair> pairs) {
    List<long[]> found =
        exchange == Exchange.BY_PEERS
            ? pivots.byPeers(shares, pairs)
            : pairs.stream().map(pair -> pivots.byHost(shares, pair)).toList();
    List<Delivery> deliveries = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      ListPair pair = pairs.get(i);
      long first = shares.start(pair.first());
      long middle = shares.start(pair.middle());
      for (int device = pair.first(); device < pair.end(); device++) {
        int border = device - pair.first();
        long start = shares.start(device);
        long end = shares.start(device + 1);
        long a = border == 0 ? 0 : found.get(i)[border - 1];
        long endA = device + 1 == pair.end() ? middle - first : found.get(i)[border];
        Delivery delivery =
            new Delivery(
                device,
                new KeyRange(first + a, first + endA),
                new KeyRange(middle + start - first - a, middle + end - first - endA));
        delivery.requireWithin(middle, shares.start(pair.end()));
        KeyRange own = device < pair.middle() ? delivery.a() : delivery.b();
        if (!own.equals(new KeyRange(start, end))) {
          deliveries.add(delivery);
        }
      }
    }
    return deliveries;
  }

  /** The devices of two lists: first to middle, and middle to end. */
  record ListPair(int first, int middle, int end) {}

  /** Places among all keys; the last one exclusive. */
  record KeyRange(long first, long last) {
    long size() {
      return last - first;
    }
  }

  /** The pieces of both lists that a device needs. */
  record Delivery(int device, KeyRange a, KeyRange b) {
    /** Pivots come from a device: wrong ones must not lead copies into other memory. */
    void requireWithin(long middle, long end) {
      if (a.size() < 0 || b.size() < 0 || a.last() > middle || b.last() > end) {
        throw new IllegalStateException(
            "device %d of a sort got impossible pivots: keys %d to %d and %d to %d"
                .formatted(device, a.first(), a.last(), b.first(), b.last()));
      }
    }
  }
}
