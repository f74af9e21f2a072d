package io.kmodel.indexer.source.trec;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.record.ContentSniffer;
import io.kmodel.indexer.source.record.DamagedRecordException;
import io.kmodel.indexer.source.record.Lines;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.RecordStarts;
import io.kmodel.indexer.source.record.Records;
import io.kmodel.indexer.source.record.TrecTags;
import io.kmodel.indexer.source.record.WellFormed;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Documents of TREC collections. A document extends from a {@code <DOC>} at the start of a line, or
 * right after the previous document, to the first {@code </DOC>}. Both are spelled as in the file's
 * first document ({@link TrecTags}). Its id is the DOCNO, or else the attribute {@code id}, as in
 * collections of LDC and NTCIR and from WikiExtractor. A DOCHDR is followed by a web page as its
 * server sent it, with the URI on the header's first line. Without a DOCHDR, the document is SGML
 * text. Its title consists of all {@link #TITLES} outside sections. Its contents are the {@link
 * #SECTIONS}, or if it has only dates among these, everything after the DOCNO. Both are in the
 * order of the document. Entities and tags are read as in HTML, see {@link SgmlText}.
 *
 * <p>A document without an end or a DOCNO, and bytes between documents, are reported. Memory: the
 * largest document so far, some five times. Not thread-safe.
 */
public final class TrecRecords implements Records {
  static final ImmutableList<String> TITLES =
      ImmutableList.of("HEADLINE", "TITLE", "HL", "HEAD", "TTL");
  static final ImmutableList<String> SECTIONS =
      ImmutableList.of("DD", "DATE", "LP", "LEADPARA", "TEXT");

  /** In a document whose only sections are these, the text is elsewhere. */
  private static final ImmutableSet<String> DATES = ImmutableSet.of("dd", "date");

  private static final Pattern CHARSET =
      Pattern.compile("(?im)^content-type:[^\\r\\n]*charset=\\s*\"?([\\w.:-]+)");

  private static final ImmutableSet<String> SECTION_NAMES = lowered(SECTIONS);

  /** Names of titles and sections. */
  private static final ImmutableSet<String> PARTS =
      ImmutableSet.<String>builder().addAll(lowered(TITLES)).addAll(SECTION_NAMES).build();

  private static final int LONGEST_NAME = 8;

  private static final int NOWHERE = Integer.MAX_VALUE;

  private final RecordFile file;
  private final Docno docno;
  private final TrecTags tags;
  private final TrecMetadata metadata;
  private final Lines lines;
  private long place;
  private String placeName = "";
  private long cellOffset;

  /** Whether the next byte is the first one of a line. */
  private boolean atLine = true;

  public TrecRecords(RecordFile file, Docno docno, MetadataRequest wanted, TrecTags tags) {
    this.file = file;
    this.docno = docno;
    this.tags = tags;
    this.metadata = new TrecMetadata(wanted);
    this.lines = new Lines(file.input());
  }

  @Override
  public @Nullable RawDocument next() throws IOException, InterruptedException {
    while (findStart() && !file.isPastEnd(atLine)) {
      try {
        RawDocument document = read();
        if (document != null) {
          return document;
        }
      } catch (DamagedRecordException e) {
        file.skip(file.place(place, ""), SkipReason.DAMAGED_RECORD, String.valueOf(e.getMessage()));
      }
    }
    return null;
  }

  /** Skips everything up to the start of a document; returns false at the end. */
  private boolean findStart() throws IOException, InterruptedException {
    RecordInput input = file.input();
    long junk = -1;
    boolean found = false;
    while (!found && input.fill(1)) {
      found = startsDocument();
      if (!found && !skipBlank()) {
        junk = junk < 0 ? input.place() : junk;
        file.buffer().start();
        lines.append(file.buffer());
        atLine = true;
      }
    }
    if (junk >= 0) {
      file.skip(
          file.place(junk, ""),
          SkipReason.DAMAGED_RECORD,
          "bytes outside of a " + tags.open() + ">");
    }
    return found;
  }

  /** Skips a byte of white space, or a byte order mark; returns false if there is neither. */
  private boolean skipBlank() throws IOException {
    RecordInput input = file.input();
    input.fill(Lines.MARK_BYTES);
    int at = input.at();
    int bytes =
        Lines.isBlank(input.array()[at])
            ? 1
            : Lines.markBytes(input.array(), at, at + input.available());
    if (bytes > 0) {
      atLine = input.array()[at] == '\n';
      input.advance(bytes);
    }
    return bytes > 0;
  }

  /**
   * Whether a document starts here, by the same test that {@link RecordStarts} applies to lines.
   */
  private boolean startsDocument() throws IOException {
    RecordInput input = file.input();
    input.fill(RecordStarts.TREC_BYTES);
    return tags.startAt(input.array(), input.at(), input.at() + input.available());
  }

  private @Nullable RawDocument read() throws IOException, InterruptedException {
    RecordInput input = file.input();
    place = input.place();
    placeName = input.placeName();
    cellOffset = file.cellOffset();
    DocumentBuffer buffer = file.buffer();
    buffer.start();
    boolean tooLarge = false;
    boolean ended = false;
    for (boolean first = true; !ended; first = false) {
      boolean another = !first && startsDocument();
      atLine = another;
      Lines.Line line = another ? Lines.Line.END : lines.append(buffer, tags.close());
      // A document that is too large is still read to its end, line by line.
      tooLarge |= line == Lines.Line.TOO_LARGE;
      if (line == Lines.Line.END && !tooLarge) {
        throw new DamagedRecordException(
            another
                ? "another %s> before its %s".formatted(tags.open(), tags.close())
                : "the file ends before its " + tags.close());
      }
      ended = line == Lines.Line.END || lines.atTag();
      if (tooLarge) {
        buffer.length = 0;
      }
    }
    if (tooLarge) {
      file.skip(file.place(place, ""), SkipReason.TOO_LARGE, buffer.problem());
      return null;
    }
    return document();
  }

  private @Nullable RawDocument document() throws DamagedRecordException, InterruptedException {
    DocumentBuffer buffer = file.buffer();
    String text = new String(buffer.bytes, 0, buffer.length, StandardCharsets.ISO_8859_1);
    Sgml sgml = new Sgml(text, tags.close());
    String number = sgml.element("docno", 0);
    int behind = sgml.end();
    if (number == null) {
      TrecTags.Start start = TrecTags.start(text);
      number = start == null ? null : start.attribute("id");
      behind = start == null ? 0 : start.end();
    }
    if (number == null) {
      throw new DamagedRecordException("document has no DOCNO");
    }
    String name = WellFormed.name(number).strip();
    String header = sgml.element("dochdr", behind);
    return header == null ? text(sgml, name, behind) : page(name, header, sgml.end());
  }

  private @Nullable RawDocument page(String number, String header, int from)
      throws DamagedRecordException {
    DocumentBuffer buffer = file.buffer();
    String line = header.strip().lines().findFirst().orElse("").strip();
    String uri = WellFormed.name(line.split("\\s", 2)[0]);
    Location named = named(number, uri);
    int end = buffer.length;
    while (end > from && buffer.bytes[end - 1] != '<') {
      end--;
    }
    buffer.length = Math.max(from, end - 1);
    buffer.dropFirst(from);
    Matcher matcher = CHARSET.matcher(header);
    String charset = matcher.find() ? matcher.group(1) : "";
    String binary = ContentSniffer.binaryForText(buffer.bytes, buffer.length, charset);
    if (binary != null) {
      file.skip(named, SkipReason.NOT_TEXT, binary);
      return null;
    }
    ContentType type = ContentSniffer.type(buffer.bytes, buffer.length, ".html");
    return RawDocument.of(named, type, buffer.bytes, buffer.length, file.unitAt(cellOffset))
        .withCharset(charset)
        .withUrl(uri)
        .withMetadata(metadata.ofPage(header));
  }

  private @Nullable RawDocument text(Sgml sgml, String number, int from)
      throws DamagedRecordException, InterruptedException {
    StringBuilder html = new StringBuilder();
    Parts parts = sgml.parts(from);
    html.append("<!doctype html><title>").append(SgmlText.withoutTags(parts.title()));
    html.append("</title><body>").append(parts.body());
    DocumentBuffer buffer = file.buffer();
    if (!buffer.allows(html.length())) {
      file.skip(named(number, ""), SkipReason.TOO_LARGE, buffer.problem());
      return null;
    }
    byte[] bytes = html.toString().getBytes(StandardCharsets.ISO_8859_1);
    return RawDocument.of(
            named(number, ""), ContentType.HTML, bytes, bytes.length, file.unitAt(cellOffset))
        .withCharset("utf-8")
        .withMetadata(metadata.ofText(sgml.text));
  }

  private static ImmutableSet<String> lowered(List<String> names) {
    return names.stream().map(Ascii::toLowerCase).collect(ImmutableSet.toImmutableSet());
  }

  private static boolean isLetter(char c) {
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  }

  private Location named(String number, String uri) throws DamagedRecordException {
    String id =
        switch (docno) {
          case PATH, PATH_STEM -> file.recordId(placeName);
          case URI -> uri.isEmpty() ? number : uri;
          case TREC_ID, RECORD_ID -> number;
        };
    if (id.isEmpty()) {
      throw new DamagedRecordException("document has an empty DOCNO");
    }
    return file.place(place, id);
  }

  /**
   * Finds the elements of a document by their tags alone, whose names may be in either case. Texts
   * have few of them, so it goes from one angle bracket to the next.
   */
  private static final class Sgml {
    private final String text;
    private final String close;
    private final Map<String, Integer> closes = new HashMap<>();
    private int section = -1;
    private int end;

    Sgml(String text, String close) {
      this.text = text;
      this.close = close;
    }

    /** The content of the first such element from an offset on; null if not found. */
    @Nullable String element(String name, int from) {
      int open = find("<" + name + ">", from);
      int content = open + name.length() + 2;
      int closing = open < 0 ? -1 : find("</" + name + ">", content);
      if (closing < 0) {
        return null;
      }
      end = closing + name.length() + 3;
      return text.substring(content, closing);
    }

    /** Where a tag is, from an offset on; -1 if it is not found. */
    private int find(String tag, int from) {
      int at = text.indexOf('<', from);
      while (at >= 0 && !text.regionMatches(true, at, tag, 0, tag.length())) {
        at = text.indexOf('<', at + 1);
      }
      return at;
    }

    /** Where a tag with one of some names is, from an offset on; -1 if it is not found. */
    private int findAny(ImmutableSet<String> names, int from) {
      int at = text.indexOf('<', from);
      while (at >= 0 && !names.contains(name(at))) {
        at = text.indexOf('<', at + 1);
      }
      return at;
    }

    /** The name in lower case of a start tag without attributes; empty if there is no such tag. */
    private String name(int open) {
      int at = open + 1;
      int most = Math.min(text.length() - 1, open + LONGEST_NAME + 1);
      while (at < most && isLetter(text.charAt(at))) {
        at++;
      }
      return at < text.length() && text.charAt(at) == '>'
          ? Ascii.toLowerCase(text.substring(open + 1, at))
          : "";
    }

    /** The offset after the element that was found last. */
    int end() {
      return end;
    }

    /**
     * The titles outside sections, or else the first one within; and the sections, or everything
     * after an offset if there are only dates. A section without an end tag ends where the next
     * section starts, or the document ends. A title without an end tag before the next section is
     * ignored.
     */
    Parts parts(int from) {
      StringJoiner titles = new StringJoiner("\n");
      List<String> sections = new ArrayList<>();
      titles.setEmptyValue("");
      boolean isDated = true;
      int at = from;
      for (int open = findAny(PARTS, at); open >= 0; open = findAny(PARTS, at)) {
        String name = name(open);
        boolean isSection = SECTION_NAMES.contains(name);
        int start = open + name.length() + 2;
        int next = nextSection(start);
        int close = close(name, start);
        boolean isClosed = close < (isSection ? NOWHERE : next);
        if (isSection) {
          isDated &= DATES.contains(name);
          sections.add(SgmlText.plain(text.substring(start, isClosed ? close : next)));
        } else if (isClosed) {
          titles.add(text.substring(start, close));
        }
        int unclosed = isSection ? next : start;
        at = isClosed ? close + name.length() + 3 : unclosed;
      }
      String title = titles.toString();
      String contents =
          isDated ? SgmlText.plain(text.substring(from, documentEnd(from))) : joined(sections);
      return new Parts(title.isEmpty() ? first(TITLES, from) : title, contents);
    }

    /** Puts sections on separate lines, closed so that none continues in the next one. */
    private static String joined(List<String> sections) {
      StringJoiner joined = new StringJoiner("\n");
      int last = sections.size() - 1;
      for (int i = 0; i <= last; i++) {
        joined.add(i < last ? SgmlSection.closed(sections.get(i)) : sections.get(i));
      }
      return joined.toString();
    }

    /**
     * Where the next end tag is, from an offset that never decreases; {@link #NOWHERE} if not
     * found.
     */
    private int close(String name, int from) {
      int known = closes.getOrDefault(name, -1);
      if (known < from) {
        int found = find("</" + name + ">", from);
        known = found < 0 ? NOWHERE : found;
        closes.put(name, known);
      }
      return known;
    }

    /** Where the next section starts, from an offset that never decreases, or the document ends. */
    private int nextSection(int from) {
      if (section < from) {
        int found = findAny(SECTION_NAMES, from);
        section = found >= 0 ? found : documentEnd(from);
      }
      return section;
    }

    /** The content of the first element that exists, in the order of the names. */
    private String first(ImmutableList<String> names, int from) {
      for (String name : names) {
        String content = element(name, from);
        if (content != null) {
          return content;
        }
      }
      return "";
    }

    /** The offset of the document's end tag, but no less than {@code from}. */
    private int documentEnd(int from) {
      return Math.max(from, text.lastIndexOf(close));
    }
  }

  /** The parts of an SGML text; both are markup. */
  private record Parts(String title, String body) {}
}
