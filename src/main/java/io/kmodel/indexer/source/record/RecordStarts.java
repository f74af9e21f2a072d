package io.kmodel.indexer.source.record;

import io.kmodel.indexer.source.unpack.MemberProbe;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Finds where records start, without knowing where others end: at a line that looks like the start
 * of a record, or at a member (of gzip, or a frame of zstd) that unpacks to one. The result depends
 * only on the file's bytes from the given offset on, and on its dictionary.
 */
public final class RecordStarts {
  /** The most bytes that are examined to recognize a TREC document. */
  public static final int TREC_BYTES = Lines.MARK_BYTES + TrecTags.INDENT + TrecTags.OPEN_BYTES;

  private static final int WARC_BYTES = "WARC/1.0".length();

  private static final Pattern WARC = Pattern.compile("WARC/\\d\\.\\d");

  /** Examines the first bytes of a line, or the whole line with its end. */
  @FunctionalInterface
  private interface Start {
    boolean isAt(byte[] bytes, int from, int end);

    static Start of(Predicate<String> text) {
      return (bytes, from, end) ->
          text.test(new String(bytes, from, end - from, StandardCharsets.ISO_8859_1));
    }
  }

  private final Start start;

  /** Bytes that suffice to decide. */
  private final int probeBytes;

  /**
   * Whether a start that is split across members is found. Not for ARC: a URI may begin with any
   * scheme. The end of a record in a separate member, with no line end between records, would then
   * look like the next start.
   */
  private final boolean split;

  private RecordStarts(Start start, int probeBytes, boolean split) {
    this.start = start;
    this.probeBytes = probeBytes;
    this.split = split;
  }

  /** The starts of WARC records. */
  public static RecordStarts warc() {
    return new RecordStarts(Start.of(text -> WARC.matcher(text).lookingAt()), WARC_BYTES, true);
  }

  /**
   * The starts of ARC records.
   *
   * @param isHeader whether a text starts with the header of an ARC record
   */
  public static RecordStarts arc(Predicate<String> isHeader) {
    return new RecordStarts(Start.of(isHeader), MemberProbe.PROBE_BYTES, false);
  }

  /** The starts of TREC documents with these tags. */
  public static RecordStarts trec(TrecTags tags) {
    return new RecordStarts(tags::startAt, TREC_BYTES, false);
  }

  /** A record at every line. */
  public static RecordStarts lines() {
    return new RecordStarts((bytes, from, end) -> true, 1, false);
  }

  /** Whether a record starts with the next bytes, which end at damage. */
  public boolean isNext(RecordInput in) throws IOException {
    in.fill(probeBytes);
    return in.available() > 0 && matches(in.array(), in.at(), in.available());
  }

  /** How many bytes suffice to decide. */
  int probeBytes() {
    return probeBytes;
  }

  /** Whether a start that is split across members counts. */
  boolean mayBeSplit() {
    return split;
  }

  /** Whether these bytes are the start of a record. */
  public boolean matches(byte[] bytes, int from, int length) {
    int most = from + Math.min(length, probeBytes);
    int end = from;
    while (end < most && bytes[end] != '\n') {
      end++;
    }
    return start.isAt(bytes, from, Math.min(end + 1, most));
  }

  /**
   * Skips the rest of the line, and the lines that do not start a record; returns false at the end.
   * A member starts a line.
   */
  public boolean nextLine(RecordInput in) throws IOException {
    while (in.fill(1)) {
      boolean line = passLineInWindow(in);
      if ((line || in.startsMember()) && isNext(in)) {
        return true;
      }
    }
    return false;
  }

  /** Skips the rest of a line; returns false if it does not end. */
  public static boolean passLine(RecordInput in) throws IOException {
    while (in.fill(1)) {
      if (passLineInWindow(in)) {
        return true;
      }
    }
    return false;
  }

  /** Skips the available part of a line, within the member; returns whether the line ended. */
  private static boolean passLineInWindow(RecordInput in) {
    byte[] window = in.array();
    int at = in.at();
    int end = at + in.availableInMember();
    while (at < end && window[at] != '\n') {
      at++;
    }
    boolean line = at < end;
    in.advance(at - in.at() + (line ? 1 : 0));
    return line;
  }

  /**
   * The offset in the file of the first record that starts at or after an offset.
   *
   * @param in a file, whose position does not change
   * @return the file's size if there is no such record
   */
  public long atOrAfter(RecordInput in, long offset) throws IOException {
    long size = in.fileSize();
    if (offset == 0 || offset >= size) {
      return Math.min(offset, size);
    }
    MemberSearch members = MemberSearch.of(in, this);
    if (members != null) {
      long member = members.next(offset);
      return member < 0 ? size : member;
    }
    try (RecordInput lines = RecordInput.plain(in.fork(offset - 1))) {
      return nextLine(lines) ? lines.offset() : size;
    }
  }
}
