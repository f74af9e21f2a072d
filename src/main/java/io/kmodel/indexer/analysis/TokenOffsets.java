package io.kmodel.indexer.analysis;

import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.source.record.EightBytes;
import org.jspecify.annotations.Nullable;

/**
 * Adds to a document's tokens their start and end in their fields' texts. For tokens from bytes, it
 * reads their byte offsets and counts the characters from one to the next, eight bytes at a time.
 * For others, the caller passes the offsets before each token. Nothing is allocated per token. Not
 * thread-safe.
 */
final class TokenOffsets implements TokenSink {
  private final OffsetSink sink;

  /** The source of the current field's tokens; null if the caller passes the offsets. */
  private @Nullable FieldTokens tokens;

  private byte[] text = {};

  /** An offset in the text in bytes, and the number of UTF-16 units before it. */
  private int at;

  private int units;

  private int start;
  private int end;

  TokenOffsets(OffsetSink sink) {
    this.sink = sink;
  }

  /**
   * Starts a field: the next tokens are those of a text, in order, whose first byte is at an
   * offset.
   */
  void startField(FieldTokens tokens, byte[] text, int offset) {
    this.tokens = tokens;
    this.text = text;
    at = offset;
    units = 0;
  }

  /** Starts a keyword: the next token is a text of this many units. */
  void startKeyword(int length) {
    tokens = null;
    start = 0;
    end = length;
  }

  /** Starts a field for which the caller passes the offsets. */
  void startField() {
    tokens = null;
    start = 0;
    end = 0;
  }

  /**
   * Sets the offsets of the next token.
   *
   * @throws MalformedDocumentException if they go backwards, as in IndexWriter
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

  /**
   * Returns the number of UTF-16 units before a byte that starts a character; offsets must not
   * descend between calls.
   */
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
