package io.kmodel.indexer.source;

import java.util.Map;

/** Receives everything that is left out, or kept in part. Safe for many threads. */
@FunctionalInterface
public interface SkipListener {
  /** Ignores everything. */
  SkipListener NONE = (place, reason, detail) -> {};

  /**
   * A document was left out, or affected as {@code reason} says.
   *
   * @param place the document or file
   * @param detail what a person needs to act on it
   */
  void skipped(Location place, SkipReason reason, String detail);

  /**
   * The same for a number of documents that are known by nothing else.
   *
   * @param place of all of them
   */
  default void skipped(Location place, SkipReason reason, String detail, long documents) {
    skipped(place, reason, detail);
  }

  /**
   * Members of the documents' JSON objects were not read.
   *
   * @param members numbers by name
   */
  default void unused(Map<String, Long> members) {}

  /** JSON objects were read by their bytes, or by Jackson. */
  default void objects(JsonCounts counts) {}
}
