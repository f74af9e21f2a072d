package io.kmodel.indexer.parse;

/** Takes the words of a text, in lower case, as they are found. */
@FunctionalInterface
interface WordSink {
  /**
   * One word.
   *
   * @param bytes holds the word from offset on, in UTF-8, between at least {@link
   *     WordScanner#WORD_START} bytes before it and behind it that may be read and changed, as may
   *     the word; the callee copies what it keeps
   */
  void word(byte[] bytes, int offset, int length);
}
