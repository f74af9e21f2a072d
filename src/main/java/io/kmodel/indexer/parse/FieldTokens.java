package io.kmodel.indexer.parse;

/**
 * Turns UTF-8 text straight into an analyzer's tokens, without characters or Strings between: the
 * terms and positions that IndexWriter would index with that analyzer. See {@link
 * Analyzers#fieldTokens}. Nothing is allocated per token. One per thread.
 */
public sealed interface FieldTokens permits StandardTokens, EnglishTokens {
  /**
   * Hands the tokens of one field's text to a sink, positions from 0. No text is refused: terms
   * have at most 765 bytes, and positions end before the text does.
   *
   * @param field what the sink is told
   * @param text holds length bytes of valid UTF-8 from offset on
   */
  void tokens(int field, byte[] text, int offset, int length, TokenSink sink);

  /** Where the token lies that the sink is being given: its first byte in the text. */
  int startOffset();

  /** The byte behind it. */
  int endOffset();
}
