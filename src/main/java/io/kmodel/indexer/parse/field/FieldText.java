package io.kmodel.indexer.parse.field;

import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.text.TextBuffer;
import io.kmodel.indexer.parse.text.Utf8Text;
import io.kmodel.indexer.source.record.WellFormed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.UnicodeUtil;
import org.jspecify.annotations.Nullable;

/**
 * One text of a document, as UTF-8 and as a String; each form is created from the other on first
 * use. It is a view of its parser's buffers, valid as long as the {@link ParsedDocument}. Not
 * thread-safe.
 */
public final class FieldText {
  private byte[] bytes;
  private final int offset;
  private int length;
  private @Nullable String string;
  private final boolean cameAsString;

  /** Creates a text from valid UTF-8. */
  FieldText(byte[] bytes, int offset, int length) {
    this(bytes, offset, length, null);
  }

  public FieldText(String string) {
    this(new byte[0], 0, -1, string);
  }

  private FieldText(byte[] bytes, int offset, int length, @Nullable String string) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.string = string;
    this.cameAsString = string != null;
  }

  public static FieldText of(TextBuffer buffer) {
    return new FieldText(buffer.bytes, 0, buffer.length);
  }

  public static FieldText of(Utf8Text text) {
    return new FieldText(text.bytes(), text.from(), text.end() - text.from());
  }

  /** Joins texts in a buffer, with a line feed between two that are not empty. */
  public static FieldText joined(TextBuffer to, Iterable<FieldText> texts) {
    to.reset(0);
    for (FieldText text : texts) {
      int length = text.length();
      if (length > 0) {
        to.ensureRoom(length + 1);
        if (to.length > 0) {
          to.bytes[to.length++] = '\n';
        }
        System.arraycopy(text.bytes(), text.offset(), to.bytes, to.length, length);
        to.length += length;
      }
    }
    return of(to);
  }

  public String string() {
    if (string == null) {
      string = new String(bytes, offset, length, StandardCharsets.UTF_8);
    }
    return string;
  }

  /**
   * Whether the text has no unpaired surrogates; every text of a parser is such. (StandardTokenizer
   * loses the last words of a text that ends in half a pair, so it must get such a text unchanged.)
   */
  public boolean isWellFormed() {
    return !cameAsString || WellFormed.text(string()).equals(string());
  }

  /**
   * Returns the read-only array that holds the text as UTF-8 from {@link #offset} on. An unpaired
   * surrogate is U+FFFD in it.
   */
  public byte[] bytes() {
    encode();
    return bytes;
  }

  public int offset() {
    return offset;
  }

  /** Returns the length in bytes. */
  public int length() {
    encode();
    return length;
  }

  /** Returns a copy with its own array. */
  public FieldText copy() {
    encode();
    return new FieldText(Arrays.copyOfRange(bytes, offset, offset + length), 0, length);
  }

  private void encode() {
    if (length < 0) {
      String text = string();
      int most = UnicodeUtil.calcUTF16toUTF8Length(text, 0, text.length());
      bytes = ArrayUtil.growExact(bytes, most);
      length = UnicodeUtil.UTF16toUTF8(text, 0, text.length(), bytes);
    }
  }
}
