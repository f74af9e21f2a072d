package io.kmodel.indexer.source;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps what was skipped. Safe for many threads. */
final class RecordedSkips implements SkipListener {
  record Skip(String place, SkipReason reason, String detail) {}

  private final List<Skip> skips = Collections.synchronizedList(new ArrayList<>());

  @Override
  public void skipped(Place place, SkipReason reason, String detail) {
    skips.add(new Skip(place.toString(), reason, detail));
  }

  List<Skip> all() {
    return List.copyOf(skips);
  }

  Skip only() {
    if (skips.size() != 1) {
      throw new AssertionError("expected one skip, got " + skips);
    }
    return skips.get(0);
  }
}
