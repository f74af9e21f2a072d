package io.kmodel.indexer.analysis;

/** Receives the weighted terms of a document one by one. */
@FunctionalInterface
public interface WeightSink {
  /**
   * Receives one term.
   *
   * @param field the field's ordinal in the schema
   * @param bytes holds the term at offset; valid during the call
   * @param weight at least 1
   */
  void term(int field, byte[] bytes, int offset, int length, int weight);
}
