package io.kmodel.indexer.source.crawl;

import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderMemoryException;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.RegularFile;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.detect.FileFormat;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.list.PathBytes;
import io.kmodel.indexer.source.parquet.ParquetRecords;
import io.kmodel.indexer.source.record.ContentSniffer;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An estimate of what a crawl holds, from the names, sizes and first bytes of its files: the kinds
 * of files, including links and others that are skipped, and how dense their text is. Words are
 * counted roughly in the first {@value ContentSniffer#WINDOW_BYTES} bytes of each file, outside
 * {@code <} and {@code >}. Footers of Parquet files tell how much text there is.
 *
 * <p>Of a crawl of more than {@value #MOST_OPENED} files, one in so many is opened, and the first
 * few with each ending. The others count as of the kind of the last one that was opened and has the
 * same ending.
 */
public final class CrawlSurvey {
  private static final int MOST_OPENED = 2000;

  /** Endings of compressed files, before which there may be another. */
  private static final ImmutableSet<String> COMPRESSED =
      ImmutableSet.of("gz", "zst", "bz2", "xz", "z");

  /** Bytes of a word and the white space around it, in columns of Parquet. */
  public static final int TEXT_BYTES_PER_WORD = 6;

  private static final Kind UNREADABLE = new Kind("unreadable", "", Use.SKIPPED);

  /** Also sockets and devices. */
  private static final Kind NO_FILE = new Kind("link or pipe", "", Use.SKIPPED);

  private final SortedMap<Kind, Content> kinds = new TreeMap<>();

  /** The kind of the last opened file with each ending. */
  private final Map<String, Kind> byEnding = new HashMap<>();

  private long opened;
  private final byte[] rawWindow = new byte[InputBytes.WINDOW_BYTES];
  private final byte[] window = new byte[RecordInput.WINDOW_BYTES];

  /** What files hold, how they are compressed, and how they are used. */
  public record Kind(String format, String compression, Use use) implements Comparable<Kind> {
    @Override
    public int compareTo(Kind other) {
      int byUse = use.compareTo(other.use);
      int byFormat = byUse != 0 ? byUse : format.compareTo(other.format);
      return byFormat != 0 ? byFormat : compression.compareTo(other.compression);
    }
  }

  /** How a file is used. */
  public enum Use {
    /** The file is one document. */
    DOCUMENT,
    /** The file holds records, which may be documents. */
    RECORDS,
    /** The file is skipped. */
    SKIPPED
  }

  /**
   * Files of one kind.
   *
   * @param bytes in the file system
   * @param sampledBytes decompressed bytes that were sampled
   * @param sampledWords words in the sample
   */
  public record Content(long files, long bytes, long sampledBytes, long sampledWords) {
    static final Content NONE = new Content(0, 0, 0, 0);

    Content plus(Content other) {
      return new Content(
          files + other.files,
          bytes + other.bytes,
          sampledBytes + other.sampledBytes,
          sampledWords + other.sampledWords);
    }
  }

  private final DecoderGuard decoders;
  private long leftOut;

  private CrawlSurvey(DecoderGuard decoders) {
    this.decoders = decoders;
  }

  /**
   * Surveys files.
   *
   * @param leftOut what the listing skipped, which is not in {@code files}
   */
  static CrawlSurvey of(
      FileList files, Map<SkipReason, Long> leftOut, SourceOptions options, DecoderGuard decoders)
      throws IOException {
    CrawlSurvey survey = new CrawlSurvey(decoders);
    leftOut.forEach(survey::addLeftOut);
    FileList.Cursor file = files.cursor(0, files.units());
    long step = Math.ceilDiv(Math.max(1, files.files()), MOST_OPENED);
    Kind last = UNREADABLE;
    for (long i = 0; file.next(); i++) {
      String name = PathBytes.text(file.path(), file.pathLength());
      String ending = ending(name);
      Kind known = survey.byEnding.get(ending);
      if (i % step == 0 || (known == null && survey.byEnding.size() < MOST_OPENED)) {
        last = survey.open(file, name, options);
        survey.byEnding.put(ending, last);
      } else {
        Kind kind = limited(known == null ? last : known, file.size(), options);
        survey.count(kind, file.size(), Content.NONE);
      }
    }
    return survey;
  }

  /** The part of a name behind the last dot, and the one before it if that means a compression. */
  private static String ending(String name) {
    String file = name.substring(name.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    int dot = file.lastIndexOf('.');
    String last = file.substring(dot + 1);
    return dot > 0 && COMPRESSED.contains(last)
        ? file.substring(file.lastIndexOf('.', dot - 1) + 1)
        : dot < 0 ? "" : last;
  }

  /** Number of files that were opened. */
  public long opened() {
    return opened;
  }

  /** Number of listed files, opened or not. */
  public long files() {
    return kinds.values().stream().mapToLong(Content::files).sum() - leftOut;
  }

  /** All kinds that were found. */
  public SortedMap<Kind, Content> kinds() {
    return Collections.unmodifiableSortedMap(kinds);
  }

  /** Number of files with this use. */
  public long files(Use use) {
    return kinds.entrySet().stream()
        .filter(e -> e.getKey().use() == use)
        .mapToLong(e -> e.getValue().files())
        .sum();
  }

  /** Bytes of the files with this use. */
  public long bytes(Use use) {
    return kinds.entrySet().stream()
        .filter(e -> e.getKey().use() == use)
        .mapToLong(e -> e.getValue().bytes())
        .sum();
  }

  private void addLeftOut(SkipReason reason, long count) {
    Kind kind = reason == SkipReason.NOT_A_FILE ? NO_FILE : UNREADABLE;
    kinds.merge(kind, new Content(count, 0, 0, 0), Content::plus);
    leftOut += count;
  }

  private void count(Kind kind, long bytes, Content sample) {
    kinds.merge(kind, new Content(1, bytes, 0, 0).plus(sample), Content::plus);
  }

  /** Opens a file; returns its kind regardless of its size. */
  private Kind open(FileList.Cursor file, String name, SourceOptions options) throws IOException {
    opened++;
    Kind kind;
    Content sample = Content.NONE;
    try (FileBytes bytes = RegularFile.open(file.place())) {
      InputBytes raw = InputBytes.of(bytes, rawWindow);
      FileFormat format = FileFormat.of(raw, name, options.format(), decoders, window);
      if (format.records() == Format.PARQUET) {
        ParquetRecords.requirePlain(format.compression());
        OpenFile.requireParts(bytes, format);
        long text = ParquetRecords.textBytes(raw, options, decoders);
        kind = kind(format, new byte[0], name);
        sample = new Content(0, 0, file.size(), text / TEXT_BYTES_PER_WORD);
      } else {
        byte[] start = start(raw, format, options);
        kind = kind(format, start, name);
        sample = new Content(0, 0, start.length, words(start));
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      kind = UNREADABLE;
    }
    count(limited(kind, file.size(), options), file.size(), sample);
    return kind;
  }

  private byte[] start(InputBytes raw, FileFormat format, SourceOptions options)
      throws IOException {
    raw.seek(0);
    try (RecordInput input =
        new RecordInput(raw, format.compression(), options.maxExpansion(), decoders, window)) {
      fill(input, format);
      int length = Math.min(input.available(), ContentSniffer.WINDOW_BYTES);
      return Arrays.copyOfRange(input.array(), input.at(), input.at() + length);
    }
  }

  /** An archive that begins with damage has an empty sample; a build reads it after the damage. */
  private static void fill(RecordInput input, FileFormat format) throws IOException {
    try {
      input.fill(ContentSniffer.WINDOW_BYTES);
    } catch (InputBytes.ReadFailure | ClosedByInterruptException | DecoderMemoryException e) {
      throw e;
    } catch (IOException e) {
      if (!format.records().archive()) {
        throw e;
      }
    }
  }

  private static Kind kind(FileFormat format, byte[] start, String name) {
    String compression = format.compression().label();
    if (format.records().holdsRecords()) {
      return new Kind(format.records().label(), compression, Use.RECORDS);
    }
    if (ContentSniffer.binary(start, start.length) != null) {
      return new Kind("binary", compression, Use.SKIPPED);
    }
    Format one = format.held(format.type(start, start.length, name));
    return new Kind(one.label(), compression, Use.DOCUMENT);
  }

  /** The kind of a file, whose one document may be too large. */
  private static Kind limited(Kind kind, long size, SourceOptions options) {
    return kind.use() == Use.DOCUMENT
            && kind.compression().isEmpty()
            && size > options.maxDocumentBytes()
        ? new Kind("too large", "", Use.SKIPPED)
        : kind;
  }

  /** Counts runs of letters, digits and non-ASCII bytes outside tags. */
  static long words(byte[] text) {
    long words = 0;
    boolean tag = false;
    boolean word = false;
    for (byte b : text) {
      tag = b == '<' || (tag && b != '>');
      boolean letter = !tag && (b < 0 || Character.isLetterOrDigit(b));
      words += letter && !word ? 1 : 0;
      word = letter;
    }
    return words;
  }
}
