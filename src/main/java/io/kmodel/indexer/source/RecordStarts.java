package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.zip.ZipException;

/**
 * Finds where records start, without knowing where others end: at a line that looks like the start
 * of a record, or at a gzip member that unpacks to one. What it finds depends on the file's bytes
 * from the given offset on, and on nothing else.
 */
final class RecordStarts {
  /** Spaces and tabs that a line may have before its tag. */
  static final int TREC_INDENT = 64;

  /** Enough to tell: an ARC header's URI may be long. */
  private static final int LOOK_BYTES = 4096;

  private static final Pattern WARC = Pattern.compile("WARC/\\d\\.\\d");
  private static final Pattern TREC =
      Pattern.compile("[ \\t]{0," + TREC_INDENT + "}<DOC>", Pattern.CASE_INSENSITIVE);

  /** Of what is at the start of the text given. */
  private final Predicate<String> start;

  private RecordStarts(Predicate<String> start) {
    this.start = start;
  }

  static RecordStarts of(Format format) {
    return new RecordStarts(
        switch (format) {
          case WARC, WET -> text -> WARC.matcher(text).lookingAt();
          case ARC -> ArcHeader::isAt;
          case TREC -> text -> TREC.matcher(text).lookingAt();
          default -> text -> true;
        });
  }

  /** Whether these bytes are the start of a record. */
  boolean matches(byte[] bytes, int from, int length) {
    int look = Math.min(length, LOOK_BYTES);
    String text = new String(bytes, from, look, StandardCharsets.ISO_8859_1);
    return start.test(text);
  }

  /** Passes over the rest of the line, and the lines that start no record; false at the end. */
  boolean nextLine(RecordInput in) throws IOException {
    while (in.fill(1)) {
      byte[] window = in.array();
      int at = in.at();
      int end = at + in.available();
      while (at < end && window[at] != '\n') {
        at++;
      }
      boolean line = at < end;
      in.advance(at - in.at() + (line ? 1 : 0));
      if (line) {
        in.fill(LOOK_BYTES);
        if (in.available() > 0 && matches(in.array(), in.at(), in.available())) {
          return true;
        }
      }
    }
    return false;
  }

  /** The offset of the first member from here on that unpacks to a record's start; -1 if none. */
  long nextMember(InputBytes raw) throws IOException {
    while (raw.fill(4)) {
      byte[] window = raw.array();
      int at = raw.at();
      int last = at + raw.available() - 4;
      while (at <= last && !isHeader(window, at)) {
        at++;
      }
      raw.advance(at - raw.at());
      if (at <= last) {
        long candidate = raw.position();
        if (isRecord(raw.fork(candidate))) {
          return candidate;
        }
        raw.advance(1);
      }
    }
    return -1;
  }

  private static boolean isHeader(byte[] bytes, int at) {
    return bytes[at] == 0x1F
        && bytes[at + 1] == (byte) 0x8B
        && bytes[at + 2] == 8
        && (bytes[at + 3] & 0xE0) == 0;
  }

  private boolean isRecord(InputBytes raw) throws IOException {
    byte[] first = new byte[LOOK_BYTES];
    int length = 0;
    try (GzipInput member = new GzipInput(raw)) {
      for (int n = 0; n >= 0 && length < first.length; length += Math.max(0, n)) {
        n = member.read(first, length, first.length - length);
      }
    } catch (ZipException e) {
      // As far as it goes: a short file may end here.
      return matches(first, 0, length);
    }
    return matches(first, 0, length);
  }

  /**
   * The offset in the file of the first record that starts at an offset or after it.
   *
   * @return the file's size if there is none
   */
  long atOrAfter(InputBytes raw, long offset, Compression compression) throws IOException {
    long size = raw.size();
    if (offset == 0 || offset >= size) {
      return Math.min(offset, size);
    }
    if (compression == Compression.GZIP) {
      long member = nextMember(raw.fork(offset));
      return member < 0 ? size : member;
    }
    try (RecordInput lines = RecordInput.plain(raw.fork(offset - 1))) {
      return nextLine(lines) ? lines.offset() : size;
    }
  }
}
