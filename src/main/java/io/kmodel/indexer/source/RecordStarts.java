package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Finds where records start, without knowing where others end: at a line that looks like the start
 * of a record, or at a gzip member that unpacks to one. What it finds depends on the file's bytes
 * from the given offset on, and on nothing else.
 */
final class RecordStarts {
  /** Spaces and tabs that a line may have before its tag. */
  static final int TREC_INDENT = 64;

  /** The most that is looked at to tell a document of TREC. */
  static final int TREC_BYTES = Lines.MARK_BYTES + TREC_INDENT + "<DOC>".length();

  /** Of the longest start that is looked at: an ARC header's URI may be long. */
  static final int LOOK_BYTES = 4096;

  /** That members start with. */
  private static final int MAGIC_BYTES = 4;

  private static final int WARC_BYTES = "WARC/1.0".length();

  private static final Pattern WARC = Pattern.compile("WARC/\\d\\.\\d");
  private static final Pattern TREC =
      Pattern.compile(
          "(\u00EF\u00BB\u00BF)?[ \\t]{0," + TREC_INDENT + "}<DOC>", Pattern.CASE_INSENSITIVE);

  /** Of what is at the start of the text given: that of a line, with its end if it is there. */
  private final Predicate<String> start;

  /** Enough to tell. */
  private final int lookBytes;

  /**
   * Whether a start that is split over gzip members is found. Not of ARC: a URI may begin with any
   * scheme, so that the end of a record in a member of its own, where no line ends between records,
   * would be the start of the next.
   */
  private final boolean split;

  private RecordStarts(Predicate<String> start, int lookBytes, boolean split) {
    this.start = start;
    this.lookBytes = lookBytes;
    this.split = split;
  }

  static RecordStarts of(Format format) {
    return switch (format) {
      case WARC, WET -> new RecordStarts(text -> WARC.matcher(text).lookingAt(), WARC_BYTES, true);
      case ARC -> new RecordStarts(ArcHeader::isAt, LOOK_BYTES, false);
      case TREC -> new RecordStarts(text -> TREC.matcher(text).lookingAt(), TREC_BYTES, false);
      default -> new RecordStarts(text -> true, 1, false);
    };
  }

  /** Whether the bytes that come next are the start of a record, which ends at damage. */
  boolean isNext(RecordInput in) throws IOException {
    in.fill(lookBytes);
    return in.available() > 0 && matches(in.array(), in.at(), in.available());
  }

  /** Whether these bytes are the start of a record. */
  private boolean matches(byte[] bytes, int from, int length) {
    int most = from + Math.min(length, lookBytes);
    int end = from;
    while (end < most && bytes[end] != '\n') {
      end++;
    }
    int lineBytes = Math.min(end + 1, most) - from;
    return start.test(new String(bytes, from, lineBytes, StandardCharsets.ISO_8859_1));
  }

  /**
   * Passes over the rest of the line, and the lines that start no record; false at the end. A gzip
   * member starts a line.
   */
  boolean nextLine(RecordInput in) throws IOException {
    while (in.fill(1)) {
      boolean line = passLine(in);
      if ((line || in.startsMember()) && isNext(in)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Passes over what is there of a line; whether that was all of it. It does not leave a member.
   */
  static boolean passLine(RecordInput in) {
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

  /** The offset of the first member from here on that unpacks to a record's start; -1 if none. */
  long nextMember(InputBytes raw) throws IOException {
    return nextMember(raw, Long.MAX_VALUE);
  }

  /** The same of members that start before an offset. Time: that of the bytes passed over. */
  long nextMember(InputBytes raw, long before) throws IOException {
    try (MemberLook look = new MemberLook()) {
      while (raw.fill(MAGIC_BYTES) && raw.position() < before) {
        byte[] window = raw.array();
        int at = raw.at();
        int last = at + raw.available() - MAGIC_BYTES;
        while (at <= last && !MemberLook.isHeader(window, at)) {
          at++;
        }
        raw.advance(at - raw.at());
        if (at <= last) {
          if (raw.position() < before && isRecord(raw, look)) {
            return raw.position();
          }
          raw.advance(1);
        }
      }
    }
    return -1;
  }

  /** Whether the member that seems to start here is one, and unpacks to a record's start. */
  private boolean isRecord(InputBytes raw, MemberLook look) throws IOException {
    raw.fill(MemberLook.PACKED_BYTES);
    int end = raw.at() + Math.min(MemberLook.PACKED_BYTES, raw.available());
    int length = look.unpack(raw.array(), raw.at(), end, lookBytes, split);
    return length > 0 && matches(look.unpacked(), 0, length);
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
