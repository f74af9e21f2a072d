package io.kmodel.indexer.indexing.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Records what the threads of a build do, and the runs they make. Adding costs some tens of
 * nanoseconds and no allocation: every thread has a {@link Lane} of its own. Memory: the lanes',
 * and some 100 bytes a run. Safe for many threads; read when the threads that wrote have ended.
 */
public final class Timeline {
  private volatile long origin = System.nanoTime();
  private final Queue<Lane> lanes = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Lane> lane = ThreadLocal.withInitial(this::newLane);

  /** By split and number. */
  private final ConcurrentNavigableMap<Long, Run> runs = new ConcurrentSkipListMap<>();

  /**
   * A run.
   *
   * @param bytes of its file, -1 where it was not written
   */
  public record Run(int split, int number, int documents, long tokens, long bytes) {}

  /** Lets time begin now; before any thread has noted anything. */
  void begin() {
    origin = System.nanoTime();
  }

  /** The time of the origin of all lanes. */
  long origin() {
    return origin;
  }

  /** The calling thread has been doing this. */
  void spent(Activity activity, long startNanos, long endNanos) {
    lane.get().add(activity, startNanos, endNanos);
  }

  private Lane newLane() {
    Lane made = new Lane(Thread.currentThread().getName(), origin);
    lanes.add(made);
    return made;
  }

  /** A run is made. */
  public void run(Run run) {
    runs.put(key(run.split(), run.number()), run);
  }

  /** The runs of a split do not count. */
  public void forgetRuns(int split) {
    runs.subMap(key(split, 0), key(split + 1, 0)).clear();
  }

  private static long key(int split, int number) {
    return (long) split << Integer.SIZE | number;
  }

  /** In the order of their documents. */
  List<Run> runs() {
    return List.copyOf(runs.values());
  }

  /** One for each name of a thread, all with bins of one width; by name, and numbers as such. */
  List<Lane> lanes() {
    Map<String, Lane> byName = new TreeMap<>();
    long width = Lane.LEAST_WIDTH;
    for (Lane part : lanes) {
      Lane sum = byName.computeIfAbsent(sortable(part.name()), n -> new Lane(part.name(), origin));
      sum.addAll(part);
      width = Math.max(width, sum.width());
    }
    List<Lane> all = new ArrayList<>(byName.values());
    for (Lane each : all) {
      each.widenTo(width);
    }
    return all;
  }

  /** A name whose last number has leading zeros. */
  private static String sortable(String name) {
    int at = name.length();
    while (at > 0 && Character.isDigit(name.charAt(at - 1))) {
      at--;
    }
    @Nullable Long number = at == name.length() ? null : Long.valueOf(name.substring(at));
    return number == null
        ? name
        : name.substring(0, at) + String.format(Locale.ROOT, "%019d", number);
  }
}
