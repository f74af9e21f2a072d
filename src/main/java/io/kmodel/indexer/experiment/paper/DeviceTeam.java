package io.kmodel.indexer.experiment.paper;

import com.google.common.io.Closer;
import io.kmodel.indexer.experiment.DeviceUse;
import io.kmodel.indexer.experiment.RaceDevice;
import io.kmodel.indexer.experiment.paper.TeamTimes.Step;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.sort.device.DeviceKeys;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.DevicePart;
import io.kmodel.indexer.sort.device.DeviceSorters;
import io.kmodel.indexer.sort.device.DevicesSorter;
import io.kmodel.indexer.sort.device.DevicesSorter.Exchange;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Devices that sort together, with memory for all sorts of a paper: contexts and kernels take
 * longer to prepare than most sorts. If all devices are peers, they exchange keys directly,
 * otherwise through the host.
 *
 * <p>Device memory: 16 bytes for each key of a device's largest share, and the scratch of a sort.
 * Pinned host memory: 8 bytes for each key, and 32 MiB a device if keys go through the host.
 */
final class DeviceTeam implements Closeable {
  private static final long STAGING_BYTES = 1 << 20;

  /** 256 KiB to 64 MiB were tried. */
  private static final long BUFFER_BYTES = 16 << 20;

  private record Kind(String sorter, int keyBytes) {}

  private record Member(
      DeviceUse use,
      DeviceLane lane,
      GpuStream sending,
      MemorySegment buffers,
      long keys,
      long other,
      long scratch) {}

  private final Closer closer = Closer.create();
  private final List<DeviceUse> uses = new ArrayList<>();
  private final List<Member> members = new ArrayList<>();
  private final Map<Kind, DevicesSorter> sorters = new HashMap<>();
  private final Exchange exchange;
  private final MemorySegment host;

  /**
   * Prepares all devices.
   *
   * @param counts the numbers of devices that sort together, starting with the first device
   * @param names of the sorters of each device's keys
   * @throws io.kmodel.indexer.gpu.GpuException if a device has too little memory
   */
  DeviceTeam(List<RaceDevice> devices, List<Integer> counts, List<String> names, long mostKeys) {
    List<GpuKernel> kernels =
        names.stream()
            .flatMap(name -> kinds(name).stream())
            .flatMap(kind -> sorter(kind, Exchange.BY_PEERS).kernels().stream())
            .distinct()
            .toList();
    try {
      for (RaceDevice device : devices) {
        DeviceUse use = DeviceUse.of(device, kernels, Long.BYTES * mostKeys);
        closer.register(use::close);
        uses.add(use);
      }
      this.exchange = exchange();
      for (String name : names) {
        kinds(name).forEach(kind -> sorters.put(kind, sorter(kind, exchange)));
      }
      for (int device = 0; device < uses.size(); device++) {
        int number = device;
        long most =
            counts.stream()
                .filter(count -> number < count)
                .mapToLong(count -> Math.ceilDiv(mostKeys, count))
                .max()
                .orElse(0);
        members.add(member(uses.get(device), most));
      }
      uses.getFirst().device().use();
      this.host = uses.getFirst().allocatePinned(Long.BYTES * mostKeys);
    } catch (RuntimeException e) {
      throw closed(e);
    }
  }

  /** Releases everything prepared before a failure. */
  private RuntimeException closed(RuntimeException failure) {
    try {
      closer.close();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private static List<Kind> kinds(String name) {
    return List.of(new Kind(name, Integer.BYTES), new Kind(name, Long.BYTES));
  }

  private static DevicesSorter sorter(Kind kind, Exchange exchange) {
    return new DevicesSorter(
        DeviceSorters.of(kind.sorter(), kind.keyBytes()), kind.keyBytes(), exchange);
  }

  /** Enables access between all devices if all of them can. */
  private Exchange exchange() {
    for (DeviceUse one : uses) {
      for (DeviceUse other : uses) {
        if (one != other && !one.device().canAccess(other.device())) {
          return Exchange.BY_HOST;
        }
      }
    }
    try {
      for (DeviceUse one : uses) {
        one.device().use();
        uses.stream()
            .filter(other -> other != one)
            .forEach(other -> one.device().enableAccess(other.device()));
      }
      return Exchange.BY_PEERS;
    } catch (GpuException e) {
      // Some systems refuse what devices can do.
      return Exchange.BY_HOST;
    }
  }

  private Member member(DeviceUse use, long mostKeys) {
    use.device().use();
    DeviceLane lane = use.newLane(STAGING_BYTES);
    MemorySegment buffers =
        exchange == Exchange.BY_HOST ? use.allocatePinned(2 * BUFFER_BYTES) : MemorySegment.NULL;
    long bytes = Math.max(1, mostKeys) * Long.BYTES;
    long scratchBytes =
        sorters.values().stream()
            .mapToLong(sorter -> sorter.scratchBytes(mostKeys, uses.size()))
            .max()
            .orElseThrow();
    return new Member(
        use,
        lane,
        use.newStream(),
        buffers,
        use.allocate(bytes).address(),
        use.allocate(bytes).address(),
        use.allocate(scratchBytes).address());
  }

  /** Whether keys go from device to device without the host. */
  boolean arePeers() {
    return exchange == Exchange.BY_PEERS;
  }

  /** The host's memory from which keys go to the devices, and to which they come back. */
  MemorySegment host() {
    return host;
  }

  /** Sorts the keys of the host's memory on the first of the devices. */
  TeamTimes sort(String sorter, int keyBytes, int devices, long keys) {
    DevicesSorter of = sorters.get(new Kind(sorter, keyBytes));
    if (of == null) {
      throw new IllegalArgumentException("the devices were not prepared for " + sorter);
    }
    List<DevicePart> parts = parts(devices, keys);
    TeamTimes times = new TeamTimes();
    await(devices);
    times.start();
    transfer(parts, keyBytes, true);
    await(devices);
    times.lap(Step.UPLOAD);
    of.sort(parts, phase -> times.lap(Step.of(phase)));
    transfer(parts, keyBytes, false);
    await(devices);
    times.lap(Step.DOWNLOAD);
    return times;
  }

  private List<DevicePart> parts(int devices, long keys) {
    List<DevicePart> parts = new ArrayList<>();
    for (int device = 0; device < devices; device++) {
      Member member = members.get(device);
      long count =
          DevicesSorter.startOf(device + 1, devices, keys)
              - DevicesSorter.startOf(device, devices, keys);
      parts.add(
          new DevicePart(
              member.use().device(),
              member.lane(),
              new DeviceKeys(member.keys(), member.other(), member.scratch(), count),
              member.sending(),
              member.buffers()));
    }
    return parts;
  }

  private void transfer(List<DevicePart> parts, int keyBytes, boolean isUpload) {
    long at = 0;
    for (DevicePart part : parts) {
      long bytes = keyBytes * part.keys().count();
      MemorySegment piece = host.asSlice(at, bytes);
      GpuStream stream = part.lane().stream();
      part.device().use();
      if (isUpload) {
        stream.upload(uses.getFirst().pinned(), piece, part.keys().address(), bytes);
      } else {
        stream.download(uses.getFirst().pinned(), part.keys().address(), piece, bytes);
      }
      at += bytes;
    }
  }

  private void await(int devices) {
    for (Member member : members.subList(0, devices)) {
      member.use().device().use();
      member.lane().await();
    }
  }

  @Override
  public void close() throws IOException {
    closer.close();
  }
}
