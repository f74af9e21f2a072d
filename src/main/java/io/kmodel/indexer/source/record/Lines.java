package io.kmodel.indexer.source.record;

import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads lines of any length as bytes; a line ends after its LF or at the end of the input. Not
 * thread-safe.
 */
public final class Lines {
  /** Of UTF-8; it occurs within a file where another one was appended. */
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  /** The most bytes that {@link #markBytes} examines. */
  public static final int MARK_BYTES = BYTE_ORDER_MARK.length;

  private final RecordInput in;
  private boolean atTag;

  public Lines(RecordInput in) {
    this.in = in;
  }

  /** The result of reading a line. */
  public enum Line {
    READ,
    /** The line was skipped; the buffer has the reason. */
    TOO_LARGE,
    END
  }

  /** Appends the next line, with its end, to a buffer. */
  public Line append(DocumentBuffer buffer) throws IOException, InterruptedException {
    return append(buffer, "");
  }

  /**
   * Appends the next line up to its end, or to the end of a tag in it, which {@link #atTag} tells.
   *
   * @param tag shorter than a window; empty if there is none
   */
  public Line append(DocumentBuffer buffer, String tag) throws IOException, InterruptedException {
    atTag = false;
    if (!in.fill(1)) {
      return Line.END;
    }
    boolean fits = true;
    boolean ended = false;
    while (!ended && in.fill(1)) {
      // A tag that starts at the first byte is then in the window.
      in.fill(Math.max(1, tag.length()));
      int from = in.at();
      int to = lineEnd(from, from + in.available(), tag);
      ended = atTag || in.array()[to - 1] == '\n';
      int count = to - from;
      fits = fits && buffer.append(in.array(), from, count);
      in.advance(count);
    }
    return fits ? Line.READ : Line.TOO_LARGE;
  }

  /** Whether the last line that was appended stops after the tag. */
  public boolean atTag() {
    return atTag;
  }

  /**
   * The offset after a tag or LF, or the end of the window, or where a tag may start that the
   * window cuts off; always greater than {@code from}.
   */
  private int lineEnd(int from, int end, String tag) {
    byte[] window = in.array();
    int first = tag.isEmpty() ? lineFeedFrom(window, from, end) : from;
    for (int to = first; to < end; to++) {
      if (window[to] == '\n') {
        return to + 1;
      }
      if (window[to] == '<' && !tag.isEmpty()) {
        if (isAt(tag, window, to, end)) {
          atTag = true;
          return to + tag.length();
        }
        if (to > from && to + tag.length() > end) {
          return to;
        }
      }
    }
    return end;
  }

  /** An offset from which on the next line feed is at most seven bytes away, if there is one. */
  private static int lineFeedFrom(byte[] window, int from, int end) {
    int at = from;
    while (at <= end - Long.BYTES
        && EightBytes.firstEqual(EightBytes.at(window, at), (byte) '\n') == 0) {
      at += Long.BYTES;
    }
    return at;
  }

  /** Whether a byte is ASCII white space; any other byte may be part of a character. */
  public static boolean isBlank(int b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }

  /** Bytes of the byte order mark at an offset; 0 if there is none. */
  public static int markBytes(byte[] bytes, int from, int end) {
    int to = from + MARK_BYTES;
    boolean there = to <= end && Arrays.equals(bytes, from, to, BYTE_ORDER_MARK, 0, MARK_BYTES);
    return there ? MARK_BYTES : 0;
  }

  /** Whether an ASCII text is at an offset. */
  static boolean isAt(String text, byte[] bytes, int from, int end) {
    if (end - from < text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[from + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether bytes start with a text that is given in lower case, in either case. */
  public static boolean startsWith(byte[] bytes, int from, int end, String lower) {
    if (from < 0 || end - from < lower.length()) {
      return false;
    }
    for (int i = 0; i < lower.length(); i++) {
      char c = lower.charAt(i);
      int b = bytes[from + i];
      if (b != c && (c < 'a' || c > 'z' || (b | 0x20) != c)) {
        return false;
      }
    }
    return true;
  }
}
