package io.kmodel.indexer.indexing.report;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Adds up the time of each kind of work over all threads, and the bytes that it produced; the
 * {@link Timeline} records when it was done.
 */
public final class StageClock {
  private final Map<Activity, LongAdder> nanos = new EnumMap<>(Activity.class);
  private final Map<Activity, LongAdder> bytes = new EnumMap<>(Activity.class);

  private final Timeline timeline = new Timeline();

  public StageClock() {
    for (Activity work : Activity.values()) {
      nanos.put(work, new LongAdder());
      bytes.put(work, new LongAdder());
    }
  }

  /** Work without a result. */
  @FunctionalInterface
  public interface Action<E extends Exception> {
    void run() throws E;
  }

  /** Work with a result. */
  @FunctionalInterface
  public interface Task<T, E extends Exception> {
    T run() throws E;
  }

  /** Does some work and adds the time that it takes, unless it fails. */
  public <E extends Exception> void time(Activity work, Action<E> action) throws E {
    long start = System.nanoTime();
    action.run();
    lap(work, start);
  }

  /** The same of work with a result. */
  public <T, E extends Exception> T timed(Activity work, Task<T, E> task) throws E {
    long start = System.nanoTime();
    T result = task.run();
    lap(work, start);
    return result;
  }

  /** Adds the time since {@code startNanos} and returns the present time, the next start. */
  public long lap(Activity work, long startNanos) {
    long now = System.nanoTime();
    adder(nanos, work).add(now - startNanos);
    timeline.spent(work, startNanos, now);
    return now;
  }

  /** The same for time spent waiting for that work. */
  public long waited(Activity work, long startNanos) {
    long now = System.nanoTime();
    adder(nanos, work).add(now - startNanos);
    timeline.spent(Activity.WAIT, startNanos, now);
    return now;
  }

  public Timeline timeline() {
    return timeline;
  }

  public void produced(Activity work, long count) {
    adder(bytes, work).add(count);
  }

  double seconds(Activity work) {
    return adder(nanos, work).sum() / 1e9;
  }

  long bytes(Activity work) {
    return adder(bytes, work).sum();
  }

  private static LongAdder adder(Map<Activity, LongAdder> adders, Activity work) {
    LongAdder adder = adders.get(work);
    if (adder == null) {
      throw new IllegalStateException("no clock for " + work);
    }
    return adder;
  }
}
