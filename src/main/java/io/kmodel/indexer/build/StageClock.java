package io.kmodel.indexer.build;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Adds up what each stage took, over all threads, and the bytes that came out of it; and has the
 * {@link Timeline} note when it was.
 */
final class StageClock {
  /** The work that a build consists of, in the order of the pipeline. */
  enum Work {
    /** Reading and decompressing the source. */
    READ,
    /** Source bytes to text. */
    PARSE,
    /** Text to tokens, interned, with their keys. */
    ANALYZE,
    /** Compressing the stored documents. */
    STORE,
    /** Sorting the keys of runs, or waiting for that; or counting them, and moving a segment's. */
    SORT,
    /** Looking whether sorted keys are in order, and where those of each term end. */
    CHECK,
    /** Copying sorted keys, or moving counted ones, to where they wait for the merge in memory. */
    KEEP_RUN,
    /** Writing runs, counted keys of which are moved first. */
    WRITE_RUN,
    /** Merging runs into postings. */
    MERGE,
    /** Putting the files of the index together. */
    ASSEMBLE,
    /** Writing segments of a Lucene index. */
    EXPORT,
    /** Reading a Lucene index again. */
    VERIFY;

    private final Activity activity = Activity.valueOf(name());
  }

  private final Map<Work, LongAdder> nanos = new EnumMap<>(Work.class);
  private final Map<Work, LongAdder> bytes = new EnumMap<>(Work.class);

  private final Timeline timeline = new Timeline();

  StageClock() {
    for (Work work : Work.values()) {
      nanos.put(work, new LongAdder());
      bytes.put(work, new LongAdder());
    }
  }

  /** Adds the time since {@code startNanos} and returns the present time, the next start. */
  long lap(Work work, long startNanos) {
    long now = System.nanoTime();
    adder(nanos, work).add(now - startNanos);
    timeline.spent(work.activity, startNanos, now);
    return now;
  }

  /** The same of a time that was spent waiting for that work. */
  long waited(Work work, long startNanos) {
    long now = System.nanoTime();
    adder(nanos, work).add(now - startNanos);
    timeline.spent(Activity.WAIT, startNanos, now);
    return now;
  }

  Timeline timeline() {
    return timeline;
  }

  void produced(Work work, long count) {
    adder(bytes, work).add(count);
  }

  double seconds(Work work) {
    return adder(nanos, work).sum() / 1e9;
  }

  long bytes(Work work) {
    return adder(bytes, work).sum();
  }

  private static LongAdder adder(Map<Work, LongAdder> adders, Work work) {
    LongAdder adder = adders.get(work);
    if (adder == null) {
      throw new IllegalStateException("no clock for " + work);
    }
    return adder;
  }
}
