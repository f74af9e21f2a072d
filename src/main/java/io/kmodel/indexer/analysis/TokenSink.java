package io.kmodel.indexer.analysis;

/** Receives the tokens of a document one by one. */
@FunctionalInterface
public interface TokenSink {
  /**
   * Receives one token.
   *
   * @param field the field's ordinal in the schema
   * @param bytes holds the UTF-8 term at offset; the callee copies what it keeps
   * @param position 0-based, not descending within a field of a document
   */
  void token(int field, byte[] bytes, int offset, int length, int position);
}
