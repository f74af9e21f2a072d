package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many pages were parsed fast, and how many by jsoup and why. Not thread-safe. */
public final class HtmlCounts {
  private final Map<HtmlUnsure, Long> unsure = new EnumMap<>(HtmlUnsure.class);
  private long fast;
  private long jsoup;

  /** Counts that were kept somewhere. */
  public static HtmlCounts of(long fast, long jsoup, Map<HtmlUnsure, Long> unsure) {
    HtmlCounts counts = new HtmlCounts();
    counts.fast = fast;
    counts.jsoup = jsoup;
    counts.unsure.putAll(unsure);
    return counts;
  }

  /** Counts a page: null if it was parsed fast, or why it was not. */
  void add(@Nullable HtmlUnsure reason) {
    if (reason == null) {
      fast++;
    } else {
      unsure.merge(reason, 1L, Long::sum);
      jsoup++;
    }
  }

  /** Counts a page that was to be parsed by jsoup. */
  void addJsoup() {
    jsoup++;
  }

  /** Adds the counts of another parser, as of now. */
  public void addAll(HtmlCounts other) {
    fast += other.fast;
    jsoup += other.jsoup;
    other.unsure.forEach((reason, count) -> unsure.merge(reason, count, Long::sum));
  }

  /** Pages parsed without a tree. */
  public long fast() {
    return fast;
  }

  /** Pages parsed by jsoup, because they had to be or were to be. */
  public long jsoup() {
    return jsoup;
  }

  /** Why pages had to be parsed by jsoup, and how many; reasons in their order. */
  public ImmutableMap<HtmlUnsure, Long> unsure() {
    return Maps.immutableEnumMap(unsure);
  }
}
