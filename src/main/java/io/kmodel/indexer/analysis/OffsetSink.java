package io.kmodel.indexer.analysis;

/** Receives the tokens of a document one by one, with their offsets in their fields' texts. */
@FunctionalInterface
public interface OffsetSink {
  /**
   * Receives one token, like {@link TokenSink}.
   *
   * @param start its start in the field's text, in UTF-16 units; not descending within a field of a
   *     document
   * @param end its end, at least start
   */
  void token(int field, byte[] bytes, int offset, int length, int position, int start, int end);
}
