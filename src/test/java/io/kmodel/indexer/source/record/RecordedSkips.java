package io.kmodel.indexer.source.record;

import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps what was skipped. Safe for many threads. */
public final class RecordedSkips implements SkipListener {
  public record Skip(String place, SkipReason reason, String detail) {}

  private final List<Skip> skips = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong documents = new AtomicLong();

  @Override
  public void skipped(Location place, SkipReason reason, String detail) {
    skipped(place, reason, detail, 1);
  }

  @Override
  public void skipped(Location place, SkipReason reason, String detail, long many) {
    documents.addAndGet(many);
    skips.add(new Skip(place.toString(), reason, detail));
  }

  /** Number of skipped documents. */
  public long documents() {
    return documents.get();
  }

  public List<Skip> all() {
    return List.copyOf(skips);
  }

  public Skip only() {
    if (skips.size() != 1) {
      throw new AssertionError("expected one skip, got " + skips);
    }
    return skips.get(0);
  }
}
