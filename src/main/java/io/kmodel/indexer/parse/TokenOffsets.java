package io.kmodel.indexer.parse;

import org.jspecify.annotations.Nullable;

/**
 * Adds to the tokens of a document where they start and end in their fields' texts. Tokens from
 * bytes are asked where they lie, and characters are counted from one to the next, eight bytes at a
 * time; of others it is told before each. Nothing is allocated per token. Not thread-safe.
 */
final class TokenOffsets implements TokenSink {
  private final OffsetSink sink;

  /** What the tokens of the current field come from; null where offsets are told. */
  private @Nullable FieldTokens tokens;

  private byte[] text = {};

  /** A place in the text, in bytes, and how many UTF-16 units lie before it. */
  private int at;

  private int units;

  private int start;
  private int end;

  TokenOffsets(OffsetSink sink) {
    this.sink = sink;
  }

  /** The next tokens are those of a text, in order, whose first byte is at an offset. */
  void startField(FieldTokens tokens, byte[] text, int offset) {
    this.tokens = tokens;
    this.text = text;
    at = offset;
    units = 0;
  }

  /** The next token is a text of so many units. */
  void startKeyword(int length) {
    tokens = null;
    start = 0;
    end = length;
  }

  /** The next tokens are of a field whose offsets are told. */
  void startField() {
    tokens = null;
    start = 0;
    end = 0;
  }

  /**
   * The next token has these offsets.
   *
   * @throws MalformedDocumentException as IndexWriter throws if they go backwards
   */
  void next(String id, String field, int nextStart, int nextEnd) throws MalformedDocumentException {
    if (nextStart < start || nextEnd < nextStart) {
      throw new MalformedDocumentException(
          id,
          "offsets %d to %d in field %s, expected to start at %d or later and not to end before"
              .formatted(nextStart, nextEnd, field, start));
    }
    start = nextStart;
    end = nextEnd;
  }

  @Override
  public void token(int field, byte[] bytes, int offset, int length, int position) {
    FieldTokens from = tokens;
    if (from != null) {
      start = unitsBefore(from.startOffset());
      end = unitsBefore(from.endOffset());
    }
    sink.token(field, bytes, offset, length, position, start, end);
  }

  /** UTF-16 units before a byte that starts a character, not before that of the last call. */
  private int unitsBefore(int until) {
    int from = at;
    int count = units;
    for (; from <= until - Long.BYTES; from += Long.BYTES) {
      count += EightBytes.utf16Units(EightBytes.at(text, from));
    }
    for (; from < until; from++) {
      count += EightBytes.utf16Units(text[from] & 0xFFL) - (Long.BYTES - 1);
    }
    at = from;
    units = count;
    return count;
  }
}
