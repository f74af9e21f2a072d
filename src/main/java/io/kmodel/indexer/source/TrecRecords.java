package io.kmodel.indexer.source;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Documents of TREC's collections: from a {@code <DOC>} at the start of a line, or behind the
 * document before, to the first {@code </DOC>}. Behind a DOCHDR is a web page as its server sent
 * it, with the URI on the header's first line. Without one, the document is text in SGML: its title
 * is the first of {@link #TITLES}, its contents are {@link #SECTIONS} in the order of the document,
 * or where it has none of these, all behind its DOCNO; entities and tags are read as HTML's.
 *
 * <p>A document without an end or a DOCNO, and bytes between documents, are reported. Memory: the
 * largest document so far, some five times. Not thread-safe.
 */
final class TrecRecords implements Records {
  static final ImmutableList<String> TITLES =
      ImmutableList.of("HEADLINE", "TITLE", "HL", "HEAD", "TTL");
  static final ImmutableList<String> SECTIONS =
      ImmutableList.of("DD", "DATE", "LP", "LEADPARA", "TEXT");

  private static final Pattern CHARSET =
      Pattern.compile("(?im)^content-type:[^\\r\\n]*charset=\\s*\"?([\\w.:-]+)");
  private static final Pattern TAG = Pattern.compile("<[^<>]*>");
  private static final String OPEN = "<doc>";
  private static final String CLOSE = "</doc>";

  private final RecordFile file;
  private final Docno docno;
  private final Lines lines;
  private long place;
  private String placeName = "";
  private long cellOffset;

  /** Whether the next byte is a line's first. */
  private boolean atLine = true;

  TrecRecords(RecordFile file, Docno docno) {
    this.file = file;
    this.docno = docno;
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

  /** Passes over everything up to the start of a document; false at the end. */
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
      file.skip(file.place(junk, ""), SkipReason.DAMAGED_RECORD, "bytes outside of a <DOC>");
    }
    return found;
  }

  /** Passes over a byte of white space, or a byte order mark. */
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

  /** Whether a document starts here, as {@link RecordStarts} finds them in lines. */
  private boolean startsDocument() throws IOException {
    RecordInput input = file.input();
    input.fill(RecordStarts.TREC_BYTES);
    int at = input.at();
    int end = at + input.available();
    at += Lines.markBytes(input.array(), at, end);
    int most = Math.min(end, at + RecordStarts.TREC_INDENT);
    while (at < most && (input.array()[at] == ' ' || input.array()[at] == '\t')) {
      at++;
    }
    return Lines.startsWith(input.array(), at, end, OPEN);
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
      Lines.Line line = another ? Lines.Line.END : lines.append(buffer, CLOSE);
      // Too large a document is still read to its end, line by line.
      tooLarge |= line == Lines.Line.TOO_LARGE;
      if (line == Lines.Line.END && !tooLarge) {
        throw new DamagedRecordException(
            another ? "another <DOC> before its </DOC>" : "the file ends before its </DOC>");
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
    Sgml sgml = new Sgml(text);
    String number = sgml.element("docno", 0);
    if (number == null) {
      throw new DamagedRecordException("a document without a DOCNO");
    }
    int behind = sgml.end();
    String name = WellFormed.name(number);
    String header = sgml.element("dochdr", behind);
    return header == null
        ? text(sgml, name.strip(), behind)
        : page(name.strip(), header, sgml.end());
  }

  private @Nullable RawDocument page(String number, String header, int from)
      throws DamagedRecordException {
    DocumentBuffer buffer = file.buffer();
    String line = header.strip().lines().findFirst().orElse("").strip();
    String uri = WellFormed.name(line.split("\\s", 2)[0]);
    Place named = named(number, uri);
    int end = buffer.length;
    while (end > from && buffer.bytes[end - 1] != '<') {
      end--;
    }
    buffer.length = Math.max(from, end - 1);
    buffer.dropFirst(from);
    String binary = ContentSniffer.binary(buffer.bytes, buffer.length);
    if (binary != null) {
      file.skip(named, SkipReason.NOT_TEXT, binary);
      return null;
    }
    Matcher charset = CHARSET.matcher(header);
    ContentType type = ContentSniffer.type(buffer.bytes, buffer.length, ".html");
    return RawDocument.of(named, type, buffer.bytes, buffer.length, file.unitAt(cellOffset))
        .withCharset(charset.find() ? charset.group(1) : "")
        .withUrl(uri);
  }

  private @Nullable RawDocument text(Sgml sgml, String number, int from)
      throws DamagedRecordException, InterruptedException {
    StringBuilder html = new StringBuilder();
    html.append("<!doctype html><title>");
    html.append(TAG.matcher(sgml.first(TITLES, from)).replaceAll(" ")).append("</title><body>");
    if (!sgml.appendAll(SECTIONS, from, html)) {
      html.append(sgml.behind(from));
    }
    DocumentBuffer buffer = file.buffer();
    if (!buffer.allows(html.length())) {
      file.skip(named(number, ""), SkipReason.TOO_LARGE, buffer.problem());
      return null;
    }
    byte[] bytes = html.toString().getBytes(StandardCharsets.ISO_8859_1);
    return RawDocument.of(
            named(number, ""), ContentType.HTML, bytes, bytes.length, file.unitAt(cellOffset))
        .withCharset("utf-8");
  }

  private Place named(String number, String uri) throws DamagedRecordException {
    String id =
        switch (docno) {
          case PATH -> file.recordId(placeName);
          case URI -> uri.isEmpty() ? number : uri;
          case TREC_ID, RECORD_ID -> number;
        };
    if (id.isEmpty()) {
      throw new DamagedRecordException("a document whose DOCNO is empty");
    }
    return file.place(place, id);
  }

  /** Elements of a document, found by their tags alone; names are told in either case. */
  private static final class Sgml {
    private final String text;
    private final String lower;
    private int end;

    Sgml(String text) {
      this.text = text;
      this.lower = text.toLowerCase(Locale.ROOT);
    }

    /** The content of the first such element from an offset on; null if there is none. */
    @Nullable String element(String name, int from) {
      int open = lower.indexOf("<" + name + ">", from);
      int content = open + name.length() + 2;
      int close = open < 0 ? -1 : lower.indexOf("</" + name + ">", content);
      if (close < 0) {
        return null;
      }
      end = close + name.length() + 3;
      return text.substring(content, close);
    }

    /** Behind the element that was found last. */
    int end() {
      return end;
    }

    /** The content of the first element there is, by the order of the names. */
    String first(ImmutableList<String> names, int from) {
      for (String name : names) {
        String content = element(name.toLowerCase(Locale.ROOT), from);
        if (content != null) {
          return content;
        }
      }
      return "";
    }

    /** Appends the contents of all elements of these names, in order; whether there is one. */
    boolean appendAll(ImmutableList<String> names, int from, StringBuilder out) {
      Matcher open =
          Pattern.compile("<(" + String.join("|", names) + ")>", Pattern.CASE_INSENSITIVE)
              .matcher(text);
      int at = from;
      boolean any = false;
      Set<String> unclosed = new HashSet<>();
      while (open.find(at)) {
        String name = open.group(1).toLowerCase(Locale.ROOT);
        String content = unclosed.contains(name) ? null : element(name, open.start());
        at = content == null ? open.end() : end;
        if (content == null) {
          // Nor is there an end tag further on.
          unclosed.add(name);
        }
        if (content != null) {
          out.append("<div>").append(content).append("</div>\n");
          any = true;
        }
      }
      return any;
    }

    /** All from an offset to the document's end tag. */
    String behind(int from) {
      return text.substring(from, Math.max(from, lower.lastIndexOf(CLOSE)));
    }
  }
}
