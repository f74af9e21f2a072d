package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Finds where records start, without knowing where others end: at a line that looks like the start
 * of a record, or at a member (of gzip, or a frame of zstd) that unpacks to one. What it finds
 * depends on the file's bytes from the given offset on, and on nothing else but its dictionary.
 */
final class RecordStarts {
  /** The most that is looked at to tell a document of TREC. */
  static final int TREC_BYTES = Lines.MARK_BYTES + TrecTags.INDENT + TrecTags.OPEN_BYTES;

  private static final int WARC_BYTES = "WARC/1.0".length();

  private static final Pattern WARC = Pattern.compile("WARC/\\d\\.\\d");

  /** Looks at the first bytes of a line, or all of it with its end. */
  @FunctionalInterface
  private interface Start {
    boolean isAt(byte[] bytes, int from, int end);

    static Start of(Predicate<String> text) {
      return (bytes, from, end) ->
          text.test(new String(bytes, from, end - from, StandardCharsets.ISO_8859_1));
    }
  }

  private final Start start;

  /** Enough to tell. */
  private final int lookBytes;

  /**
   * Whether a start that is split over members is found. Not of ARC: a URI may begin with any
   * scheme, so that the end of a record in a member of its own, where no line ends between records,
   * would be the start of the next.
   */
  private final boolean split;

  private RecordStarts(Start start, int lookBytes, boolean split) {
    this.start = start;
    this.lookBytes = lookBytes;
    this.split = split;
  }

  /** The starts of WARC records. */
  static RecordStarts warc() {
    return new RecordStarts(Start.of(text -> WARC.matcher(text).lookingAt()), WARC_BYTES, true);
  }

  /**
   * The starts of ARC records.
   *
   * @param isHeader whether a text starts with the header of an ARC record
   */
  static RecordStarts arc(Predicate<String> isHeader) {
    return new RecordStarts(Start.of(isHeader), MemberLook.LOOK_BYTES, false);
  }

  /** The starts of TREC documents with these tags. */
  static RecordStarts trec(TrecTags tags) {
    return new RecordStarts(tags::startAt, TREC_BYTES, false);
  }

  /** A record at every line. */
  static RecordStarts lines() {
    return new RecordStarts((bytes, from, end) -> true, 1, false);
  }

  /** Whether the bytes that come next are the start of a record, which ends at damage. */
  boolean isNext(RecordInput in) throws IOException {
    in.fill(lookBytes);
    return in.available() > 0 && matches(in.array(), in.at(), in.available());
  }

  /** How many bytes are enough to tell. */
  int lookBytes() {
    return lookBytes;
  }

  /** Whether a start counts that is split over members. */
  boolean mayBeSplit() {
    return split;
  }

  /** Whether these bytes are the start of a record. */
  boolean matches(byte[] bytes, int from, int length) {
    int most = from + Math.min(length, lookBytes);
    int end = from;
    while (end < most && bytes[end] != '\n') {
      end++;
    }
    return start.isAt(bytes, from, Math.min(end + 1, most));
  }

  /**
   * Passes over the rest of the line, and the lines that start no record; false at the end. A
   * member starts a line.
   */
  boolean nextLine(RecordInput in) throws IOException {
    while (in.fill(1)) {
      boolean line = passLineInWindow(in);
      if ((line || in.startsMember()) && isNext(in)) {
        return true;
      }
    }
    return false;
  }

  /** Passes over the rest of a line; false if it does not end. */
  static boolean passLine(RecordInput in) throws IOException {
    while (in.fill(1)) {
      if (passLineInWindow(in)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Passes over what is there of a line; whether that was all of it. It does not leave a member.
   */
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
   * The offset in the file of the first record that starts at an offset or after it.
   *
   * @param in a file, which is not read on
   * @return the file's size if there is none
   */
  long atOrAfter(RecordInput in, long offset) throws IOException {
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
