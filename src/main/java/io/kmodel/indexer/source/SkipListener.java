package io.kmodel.indexer.source;

/** Is told of everything that is left out, or kept in part. Safe for many threads. */
@FunctionalInterface
public interface SkipListener {
  /** For callers that do not want to know. */
  SkipListener NONE = (place, reason, detail) -> {};

  /**
   * A document was left out, or what {@code reason} says.
   *
   * @param place which
   * @param detail what a person needs to act on it
   */
  void skipped(Place place, SkipReason reason, String detail);
}
