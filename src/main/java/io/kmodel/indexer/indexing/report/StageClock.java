package io.kmodel.indexer.indexing.report;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Adds up what each stage took, over all threads, and the bytes that came out of it; and has the
 * {@link Timeline} note when it was.
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

  /** Adds the time since {@code startNanos} and returns the present time, the next start. */
  public long lap(Activity work, long startNanos) {
    long now = System.nanoTime();
    adder(nanos, work).add(now - startNanos);
    timeline.spent(work, startNanos, now);
    return now;
  }

  /** The same of a time that was spent waiting for that work. */
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
