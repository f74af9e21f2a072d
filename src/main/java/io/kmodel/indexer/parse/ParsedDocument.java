package io.kmodel.indexer.parse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.UnicodeUtil;
import org.jspecify.annotations.Nullable;

/**
 * A document's text, as UTF-8 and as Strings; one of them is made of the other when it is asked for
 * the first time. A document that a {@link DocumentParser} gave is a view of the parser's buffers,
 * valid until its next call; who keeps it keeps its {@link #copy}. An unpaired surrogate becomes
 * U+FFFD in UTF-8. Not thread-safe.
 */
public final class ParsedDocument {
  private final String id;
  private final Text title;
  private final Text contents;

  /** Text in UTF-8 at the offset, or a String, or both. */
  private static final class Text {
    private byte[] bytes;
    private final int offset;
    private int length;
    private @Nullable String string;
    private boolean cameAsString;

    Text(byte[] bytes, int offset, int length) {
      this.bytes = bytes;
      this.offset = offset;
      this.length = length;
    }

    Text(String string) {
      this(new byte[0], 0, -1);
      this.string = string;
      this.cameAsString = true;
    }

    String string() {
      if (string == null) {
        string = new String(bytes, offset, length, StandardCharsets.UTF_8);
      }
      return string;
    }

    boolean isWellFormed() {
      return !cameAsString || HtmlText.wellFormed(string()).equals(string());
    }

    Text copy() {
      encoded();
      return new Text(Arrays.copyOfRange(bytes, offset, offset + length), 0, length);
    }

    Text encoded() {
      if (length < 0) {
        String text = string();
        int most = UnicodeUtil.calcUTF16toUTF8Length(text, 0, text.length());
        bytes = ArrayUtil.growExact(bytes, most);
        length = UnicodeUtil.UTF16toUTF8(text, 0, text.length(), bytes);
      }
      return this;
    }
  }

  /**
   * A document whose text is in Strings.
   *
   * @param id what users know the document by
   * @param title empty where there is none
   * @param contents empty where there is none
   */
  public ParsedDocument(String id, String title, String contents) {
    this.id = id;
    this.title = new Text(title);
    this.contents = new Text(contents);
  }

  /** A document whose text is in these buffers, in valid UTF-8. */
  ParsedDocument(String id, TextBuffer title, TextBuffer contents) {
    this.id = id;
    this.title = new Text(title.bytes, 0, title.length);
    this.contents = new Text(contents.bytes, 0, contents.length);
  }

  /** A document whose contents are this text as it stands. */
  ParsedDocument(String id, String title, Utf8Text contents) {
    this.id = id;
    this.title = new Text(title);
    this.contents = new Text(contents.bytes(), contents.from(), contents.end() - contents.from());
  }

  private ParsedDocument(ParsedDocument view) {
    id = view.id;
    title = view.title.copy();
    contents = view.contents.copy();
  }

  /** The same text in arrays of its own, valid for good. */
  public ParsedDocument copy() {
    return new ParsedDocument(this);
  }

  public String id() {
    return id;
  }

  /**
   * Whether title and contents are Unicode without unpaired surrogates, as all that a parser gives
   * is. (StandardTokenizer loses the last words of a text that ends in half a pair, so such a text
   * has to reach it as it is.)
   */
  public boolean isWellFormed() {
    return title.isWellFormed() && contents.isWellFormed();
  }

  public String title() {
    return title.string();
  }

  public String contents() {
    return contents.string();
  }

  /** Holds the title in UTF-8, from {@link #titleOffset()} on; read-only. */
  public byte[] titleBytes() {
    return title.encoded().bytes;
  }

  public int titleOffset() {
    return title.encoded().offset;
  }

  /** In bytes. */
  public int titleLength() {
    return title.encoded().length;
  }

  /** Holds the contents in UTF-8, from {@link #contentsOffset()} on; read-only. */
  public byte[] contentsBytes() {
    return contents.encoded().bytes;
  }

  public int contentsOffset() {
    return contents.encoded().offset;
  }

  /** In bytes. */
  public int contentsLength() {
    return contents.encoded().length;
  }

  /** Whether another document has the same id and text. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ParsedDocument that
        && id.equals(that.id)
        && title().equals(that.title())
        && contents().equals(that.contents());
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, title(), contents());
  }

  @Override
  public String toString() {
    return "%s: title '%s', contents '%s'".formatted(id, title(), contents());
  }
}
