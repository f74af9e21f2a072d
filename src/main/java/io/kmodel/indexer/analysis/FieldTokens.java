package io.kmodel.indexer.analysis;

/**
 * Turns UTF-8 text directly into an analyzer's tokens, without characters or Strings: the terms and
 * positions that IndexWriter would index with that analyzer. See {@link Analyzers#fieldTokens}.
 * Nothing is allocated per token. Each thread needs its own instance.
 */
public sealed interface FieldTokens permits StandardTokens, EnglishTokens {
  /**
   * Passes the tokens of one field's text to a sink, with positions from 0. No text is refused:
   * terms have at most 765 bytes, and there are fewer positions than bytes.
   *
   * @param field passed to the sink
   * @param text holds length bytes of valid UTF-8 from offset on
   */
  void tokens(int field, byte[] text, int offset, int length, TokenSink sink);

  /** Returns the current token's first byte in the text, while the sink receives it. */
  int startOffset();

  /** Returns the offset after its last byte. */
  int endOffset();
}
