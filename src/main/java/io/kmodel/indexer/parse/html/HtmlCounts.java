package io.kmodel.indexer.parse.html;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts the pages parsed fast and those parsed by jsoup, with the reasons. Not thread-safe. */
public final class HtmlCounts {
  private final Map<HtmlUnsure, Long> unsure = new EnumMap<>(HtmlUnsure.class);
  private long fast;
  private long jsoup;

  /** Restores counts that were stored. */
  public static HtmlCounts of(long fast, long jsoup, Map<HtmlUnsure, Long> unsure) {
    HtmlCounts counts = new HtmlCounts();
    counts.fast = fast;
    counts.jsoup = jsoup;
    counts.unsure.putAll(unsure);
    return counts;
  }

  /**
   * Counts a page.
   *
   * @param reason why it was parsed by jsoup; null if it was parsed fast
   */
  public void add(@Nullable HtmlUnsure reason) {
    if (reason == null) {
      fast++;
    } else {
      unsure.merge(reason, 1L, Long::sum);
      jsoup++;
    }
  }

  /** Counts a page for which jsoup was requested. */
  public void addJsoup() {
    jsoup++;
  }

  /** Adds the current counts of another parser. */
  public void addAll(HtmlCounts other) {
    fast += other.fast;
    jsoup += other.jsoup;
    other.unsure.forEach((reason, count) -> unsure.merge(reason, count, Long::sum));
  }

  /** Returns the number of pages parsed without a tree. */
  public long fast() {
    return fast;
  }

  /** Returns the number of pages parsed by jsoup, by necessity or by request. */
  public long jsoup() {
    return jsoup;
  }

  /** Returns how many pages had to be parsed by jsoup, by reason and in the order of reasons. */
  public ImmutableMap<HtmlUnsure, Long> unsure() {
    return Maps.immutableEnumMap(unsure);
  }
}
