package io.kmodel.indexer.parse;

/**
 * Takes the tokens of a document as they are found, and where in their fields' texts they stand.
 */
@FunctionalInterface
public interface OffsetSink {
  /**
   * One token, as {@link TokenSink} takes it.
   *
   * @param start where in the field's text it starts, in UTF-16 units; not descending within a
   *     field of a document
   * @param end where it ends, at least start
   */
  void token(int field, byte[] bytes, int offset, int length, int position, int start, int end);
}
