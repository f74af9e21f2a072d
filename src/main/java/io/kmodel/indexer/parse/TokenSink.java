package io.kmodel.indexer.parse;

/** Takes the tokens of a document as they are found. */
@FunctionalInterface
public interface TokenSink {
  /**
   * One token.
   *
   * @param field the field's ordinal in the schema
   * @param bytes holds the term from offset on, in UTF-8; the callee copies what it keeps
   * @param position 0-based, not descending within a field of a document
   */
  void token(int field, byte[] bytes, int offset, int length, int position);
}
