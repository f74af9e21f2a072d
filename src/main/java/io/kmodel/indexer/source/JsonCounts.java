package io.kmodel.indexer.source;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the JSON objects read by their bytes and those read by Jackson, with the reasons. Not
 * thread-safe.
 */
public final class JsonCounts {
  /** Why an object is left to Jackson. */
  public enum Unsure {
    /** Something that JSON does not allow, or Jackson may not. */
    MALFORMED,
    /** Bytes that are not UTF-8. */
    INVALID_UTF_8,
    /** An escape of half a surrogate pair, in a string that is read. */
    HALF_SURROGATE,
    /** A name with escapes, or a very long one. */
    NAME,
    /** A very long number. */
    NUMBER,
    /** Many objects and lists inside each other. */
    DEPTH,
    /**
     * A list or an object where a text is expected, as in articles of the Washington Post, or a
     * text where a member inside an object is named.
     */
    STRUCTURE,
    /** A vector with unusual weights, or one that a user has named as a text. */
    VECTOR,
    /** No id or no text. */
    INCOMPLETE
  }

  private final Map<Unsure, Long> unsure = new EnumMap<>(Unsure.class);
  private long fast;

  /** Restores counts that were stored. */
  public static JsonCounts of(long fast, Map<Unsure, Long> unsure) {
    JsonCounts counts = new JsonCounts();
    counts.fast = fast;
    counts.unsure.putAll(unsure);
    return counts;
  }

  /**
   * Counts an object.
   *
   * @param reason why Jackson reads it; null if it was read by its bytes
   */
  public void add(@Nullable Unsure reason) {
    if (reason == null) {
      fast++;
    } else {
      unsure.merge(reason, 1L, Long::sum);
    }
  }

  /** Adds the current counts of another reader. */
  public void addAll(JsonCounts other) {
    fast += other.fast;
    other.unsure.forEach((reason, count) -> unsure.merge(reason, count, Long::sum));
  }

  /** Returns the number of objects read by their bytes. */
  public long fast() {
    return fast;
  }

  /** Returns the number of objects read by Jackson. */
  public long jackson() {
    return unsure.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns how many objects Jackson had to read, by reason and in the order of reasons. */
  public ImmutableMap<Unsure, Long> unsure() {
    return Maps.immutableEnumMap(unsure);
  }
}
