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
 * Records what the threads of a build do, and the runs that they make. Adding takes some tens of
 * nanoseconds and allocates nothing, because every thread has its own {@link Lane}. Memory: that of
 * the lanes, and some 100 bytes per run. Safe for many threads; read after the writing threads have
 * ended.
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
   * @param bytes of its file, -1 if it has none
   */
  public record Run(int split, int number, int documents, long tokens, long bytes) {}

  /** Sets the origin to the present time; called before any thread records anything. */
  void begin() {
    origin = System.nanoTime();
  }

  /** The time of the origin of all lanes. */
  long origin() {
    return origin;
  }

  /** Records an activity of the calling thread. */
  void spent(Activity activity, long startNanos, long endNanos) {
    lane.get().add(activity, startNanos, endNanos);
  }

  private Lane newLane() {
    Lane made = new Lane(Thread.currentThread().getName(), origin);
    lanes.add(made);
    return made;
  }

  /** Records a run. */
  public void run(Run run) {
    runs.put(key(run.split(), run.number()), run);
  }

  /** Removes the runs of a split. */
  public void forgetRuns(int split) {
    runs.subMap(key(split, 0), key(split + 1, 0)).clear();
  }

  private static long key(int split, int number) {
    return (long) split << Integer.SIZE | number;
  }

  /** All runs in document order. */
  List<Run> runs() {
    return List.copyOf(runs.values());
  }

  /**
   * A lane for each thread name, all with bins of one width, sorted by name with numbers in numeric
   * order.
   */
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

  /** The name with its last number padded by zeros. */
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
