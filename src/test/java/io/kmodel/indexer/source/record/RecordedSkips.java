package io.kmodel.indexer.source.record;

import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps what was skipped. Safe for many threads. */
public final class RecordedSkips implements SkipListener {
  public record Skip(String place, SkipReason reason, String detail) {}

  private final List<Skip> skips = Collections.synchronizedList(new ArrayList<>());

  @Override
  public void skipped(Location place, SkipReason reason, String detail) {
    skips.add(new Skip(place.toString(), reason, detail));
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
