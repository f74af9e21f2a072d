package io.kmodel.indexer.source;

/** Is told of everything that is left out, or kept in part. Safe for many threads. */
@FunctionalInterface
public interface SkipListener {
  /** For callers that do not want to know. */
  SkipListener NONE = (place, reason, detail) -> {};

  /**
   * A document was left out, or what {@code reason} says.
   *
   * @param place which: a path, with an offset for archives
   * @param detail what a person needs to act on it
   */
  void skipped(String place, SkipReason reason, String detail);

  /** The same, with the parts of the place apart. */
  default void skipped(Place place, SkipReason reason, String detail) {
    skipped(place.toString(), reason, detail);
  }
}
