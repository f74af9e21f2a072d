package io.kmodel.indexer.analysis.words;

/** Receives the lowercase words of a text one by one. */
@FunctionalInterface
public interface WordSink {
  /**
   * Receives one word.
   *
   * @param bytes holds the UTF-8 word at offset. At least {@link WordScanner#WORD_START} bytes
   *     before and after it may be read and changed, as may the word; the callee copies what it
   *     keeps
   */
  void word(byte[] bytes, int offset, int length);
}
