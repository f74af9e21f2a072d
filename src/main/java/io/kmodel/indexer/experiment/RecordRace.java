package io.kmodel.indexer.experiment;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.records.DeviceRecords;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Layout;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Pair;
import io.kmodel.indexer.sort.device.records.RecordSorter;
import io.kmodel.indexer.sort.device.records.RecordSorters;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;

/**
 * Races all sorters of records on a device. They take turns; each round has other keys and starts
 * with another sorter. Times are those of CUDA events, without the transfers; each result is
 * checked before its time counts.
 *
 * <p>Memory for each record, with f other fields at most: 8 + 8f bytes on the host, and the same
 * with the sorters' scratch on the device.
 */
public final class RecordRace implements AutoCloseable {
  private static final long STAGING_BYTES = 4 << 20;
  private static final long SEED = 20_111;

  private final long count;
  private final ForkJoinPool pool = new ForkJoinPool();
  private final DeviceUse device;
  private final GpuStream stream;
  private final DeviceLane lane;
  private final Pair keys;
  private final Pair fields;
  private final long scratch;

  /** Pinned memory for the input, and for results. */
  private final MemorySegment keysIn;

  private final MemorySegment fieldsIn;
  private final MemorySegment keysOut;
  private final MemorySegment fieldsOut;

  /**
   * Prepares a device for all races.
   *
   * @param count number of records
   * @param mostOthers maximum number of other fields
   */
  public RecordRace(RaceDevice on, long count, int mostOthers) {
    SortSetting.requireKeys(count);
    this.count = count;
    long keyBytes = Integer.BYTES * count;
    long fieldBytes = keyBytes * mostOthers;
    List<GpuKernel> kernels = new ArrayList<>();
    long scratchBytes = Long.BYTES;
    for (Layout layout : Layout.values()) {
      for (String name : names()) {
        RecordSorter sorter = RecordSorters.of(name, layout);
        kernels.addAll(sorter.kernels());
        scratchBytes = Math.max(scratchBytes, sorter.scratchBytes(count));
      }
    }
    this.device = DeviceUse.of(on, kernels, keyBytes + fieldBytes);
    try {
      this.lane = device.newLane(STAGING_BYTES);
      this.stream = lane.stream();
      this.keys = pair(keyBytes);
      this.fields = pair(fieldBytes);
      this.scratch = device.allocate(scratchBytes).address();
      this.keysIn = device.allocatePinned(keyBytes);
      this.keysOut = device.allocatePinned(keyBytes);
      this.fieldsIn = device.allocatePinned(fieldBytes);
      this.fieldsOut = device.allocatePinned(fieldBytes);
    } catch (RuntimeException | OutOfMemoryError e) {
      pool.close();
      device.closeAfter(e);
      throw e;
    }
  }

  private Pair pair(long bytes) {
    return new Pair(device.allocate(bytes).address(), device.allocate(bytes).address());
  }

  private static List<String> names() {
    return RecordSorters.names();
  }

  /**
   * Runs a race, with one round more to warm up.
   *
   * @param others number of other fields of a record
   * @return for each sorter, in seconds, the times of all rounds
   * @throws IllegalStateException if a sorter failed; there are no figures then
   * @throws java.nio.channels.ClosedByInterruptException if the thread is interrupted
   */
  public Map<String, List<Double>> run(Layout layout, int others, int rounds) throws IOException {
    NumberedRecords input = new NumberedRecords(pool, keysIn, fieldsIn, count, others, layout);
    NumberedRecords result = new NumberedRecords(pool, keysOut, fieldsOut, count, others, layout);
    input.fillFields();
    List<List<Double>> seconds =
        Turns.take(
            1,
            rounds,
            names().size(),
            round -> {
              long seed = SEED + count * round;
              input.fillKeys(seed);
              return seed;
            },
            (who, seed) -> {
              String name = names().get(who);
              RecordSorter sorter = RecordSorters.of(name, layout);
              double time = sort(sorter, others);
              result.verify(name, seed, sorter.isStable());
              return time;
            });
    ImmutableMap.Builder<String, List<Double>> times = ImmutableMap.builder();
    for (int who = 0; who < seconds.size(); who++) {
      times.put(names().get(who), seconds.get(who));
    }
    return times.buildOrThrow();
  }

  /** Sorts the input, and fetches the result. */
  private double sort(RecordSorter sorter, int others) {
    long keyBytes = Integer.BYTES * count;
    long fieldBytes = keyBytes * others;
    stream.upload(device.pinned(), keysIn, keys.first(), keyBytes);
    stream.upload(device.pinned(), fieldsIn, fields.first(), fieldBytes);
    // No other sorter's result may pass for this one's.
    stream.clear(keys.second(), keyBytes);
    stream.clear(fields.second(), fieldBytes);
    device.await(stream);
    stream.clearMarks();
    stream.mark();
    long sorted = sorter.sort(lane, new DeviceRecords(keys, fields, scratch, count, others));
    stream.mark();
    stream.download(device.pinned(), keys.first(), keysOut, keyBytes);
    stream.download(device.pinned(), sorted, fieldsOut, fieldBytes);
    device.await(stream);
    return stream.secondsBetween(0, 1);
  }

  @Override
  public void close() {
    pool.close();
    device.close();
  }
}
