package io.kmodel.indexer.source;

/** Is told of every document that is left out. Safe for many threads. */
@FunctionalInterface
public interface SkipListener {
  /** For callers that do not want to know. */
  SkipListener NONE = (place, reason, detail) -> {};

  /**
   * A document was left out.
   *
   * @param place which: a path, with an offset for archives
   * @param detail what a person needs to act on it
   */
  void skipped(String place, SkipReason reason, String detail);
}
