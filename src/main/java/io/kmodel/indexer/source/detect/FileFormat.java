package io.kmodel.indexer.source.detect;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.lines.TsvColumns;
import io.kmodel.indexer.source.record.ContentSniffer;
import io.kmodel.indexer.source.record.MemberSearch;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.RecordFile.Cells;
import io.kmodel.indexer.source.record.RecordStarts;
import io.kmodel.indexer.source.record.TrecTags;
import io.kmodel.indexer.source.unpack.Compression;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.unpack.RecordInput;
import io.kmodel.indexer.source.warc.ArcHeader;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/**
 * The format and the compression of a file.
 *
 * @param records never {@link Format#AUTO} for a file of many records; AUTO is one document whose
 *     content decides its type
 * @param columns of TSV, if the first line names them
 * @param tags around documents of TREC
 */
public record FileFormat(
    Compression compression, Format records, @Nullable TsvColumns columns, TrecTags tags) {
  /**
   * The signature of xz has six bytes; that of zstd may follow a frame of twelve, as pzstd writes
   * it.
   */
  private static final int MAGIC_BYTES = 16;

  /** Suffixes of archives, without that of a compression. */
  private static final ImmutableList<String> ARCHIVES = ImmutableList.of(".warc", ".arc", ".wet");

  public FileFormat(Compression compression, Format records) {
    this(compression, records, null, TrecTags.USUAL);
  }

  /**
   * Detects the format by a file's first bytes. If these are damaged, or are not an archive
   * although the name suggests one, the method also searches {@value RecordFile#CELL_BYTES} bytes
   * for a member that starts with a record.
   *
   * @param raw at the file's start; its position advances
   * @param name of the file, used in case of doubt
   * @param wanted the format that the user gave, or AUTO
   * @param decoders grants memory to decode those bytes
   * @param window of {@link RecordInput#WINDOW_BYTES} bytes, overwritten
   */
  public static FileFormat of(
      InputBytes raw, String name, Format wanted, DecoderGuard decoders, byte[] window)
      throws IOException {
    raw.fill(MAGIC_BYTES);
    Compression compression = Compression.of(raw.array(), raw.at(), raw.available());
    FileFormat told = new FileFormat(compression, wanted);
    if (wanted != Format.AUTO && wanted != Format.TSV && wanted != Format.TREC) {
      return told;
    }
    boolean damaged = false;
    if (compression == Compression.NONE) {
      raw.fill(ContentSniffer.WINDOW_BYTES);
      told = told.look(raw.array(), raw.at(), raw.available(), name);
    } else {
      try (RecordInput input = open(raw, compression, decoders, window)) {
        input.fill(ContentSniffer.WINDOW_BYTES);
        told = told.look(window, input.at(), input.available(), name);
        damaged = input.endsAtDamage();
      } catch (InputBytes.ReadFailure | ClosedByInterruptException e) {
        throw e;
      } catch (IOException e) {
        // The file's reader reports it.
        damaged = true;
      }
    }
    if (told.records != Format.AUTO) {
      return told;
    }
    Compression members = compression.hasMembers() ? compression : Compression.named(name);
    if (!members.hasMembers()) {
      // Most files end here; nothing else in their names matters.
      return told;
    }
    boolean mayBeArchive = (damaged && compression.hasMembers()) || isArchive(name);
    FileFormat archive = mayBeArchive ? archiveFurtherOn(raw, members, decoders, window) : null;
    return archive == null ? told : archive;
  }

  /** What these first bytes show, as far as the user did not give it. */
  private FileFormat look(byte[] bytes, int from, int length, String name) {
    Format told = records == Format.AUTO ? sniff(bytes, from, length, name) : records;
    TsvColumns named = told == Format.TSV ? TsvColumns.named(bytes, from, length) : null;
    TrecTags tags = told == Format.TREC ? TrecTags.in(bytes, from, length) : TrecTags.USUAL;
    return new FileFormat(compression, told, named, tags);
  }

  private static boolean isArchive(String name) {
    String plain = Compression.plainEnd(name);
    return ARCHIVES.stream().anyMatch(plain::endsWith);
  }

  /** The format of a file that begins with damage; null if no member is found. */
  private static @Nullable FileFormat archiveFurtherOn(
      InputBytes raw, Compression compression, DecoderGuard decoders, byte[] window)
      throws IOException {
    try (RecordInput input = open(raw.fork(0), compression, decoders, window)) {
      for (Format format : ImmutableList.of(Format.WARC, Format.ARC)) {
        if (startsAgain(input, format, 1)) {
          return new FileFormat(compression, format);
        }
      }
    }
    return null;
  }

  /** For a probe with another bound than the expansion limit. */
  private static RecordInput open(
      InputBytes raw, Compression compression, DecoderGuard decoders, byte[] window)
      throws IOException {
    return new RecordInput(raw, compression, Integer.MAX_VALUE, decoders, window);
  }

  /** An offset after the start of the first member, which may follow a dictionary. */
  private static long behindFirst(RecordInput input) throws IOException {
    try {
      return (input.fill(1) ? input.fileOffset() : 0) + 1;
    } catch (InputBytes.ReadFailure | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      return 1;
    }
  }

  /**
   * Whether a member that starts with a record is within a cell's bytes after an offset of the
   * file.
   */
  private static boolean startsAgain(RecordInput input, Format format, long from)
      throws IOException {
    MemberSearch members = MemberSearch.of(input, recordStarts(format));
    return members != null && members.next(from, from + RecordFile.CELL_BYTES) >= 0;
  }

  private static Format sniff(byte[] bytes, int from, int length, String name) {
    Format format = FormatSniffer.of(bytes, from, length, name);
    return format == Format.TEXT ? Format.AUTO : format;
  }

  /** Finds where the records of a file of this format start. */
  public RecordStarts recordStarts() {
    return records == Format.TREC ? RecordStarts.trec(tags) : recordStarts(records);
  }

  /** Finds the starts of records if only the format is known. */
  public static RecordStarts recordStarts(Format format) {
    return switch (format) {
      case WARC, WET -> RecordStarts.warc();
      case ARC -> ArcHeader.recordStarts();
      case TREC -> RecordStarts.trec(TrecTags.USUAL);
      default -> RecordStarts.lines();
    };
  }

  /** Whether a file is one uncompressed document. */
  public boolean isOneDocument() {
    return compression == Compression.NONE && !records.holdsRecords();
  }

  /**
   * The format of the content, never {@link Format#AUTO}; XML counts as HTML.
   *
   * @param type of the file, if it is one document
   */
  public Format held(ContentType type) {
    if (records.holdsRecords()) {
      return records;
    }
    return type == ContentType.PLAIN_TEXT ? Format.TEXT : Format.HTML;
  }

  /** The name of such files in reports. */
  public String label(ContentType type) {
    String held = type == ContentType.XML && !records.holdsRecords() ? "xml" : held(type).label();
    return compression == Compression.NONE ? held : held.concat(" ").concat(compression.label());
  }

  /** How a file that is one document is interpreted. */
  public ContentType type(byte[] bytes, int length, String name) {
    return switch (records) {
      case HTML -> ContentType.HTML;
      case TEXT -> ContentType.PLAIN_TEXT;
      default -> ContentSniffer.type(bytes, length, name);
    };
  }

  /**
   * Why a text may be an undeclared list of records; null if it does not look like one, or if the
   * user gave the format.
   *
   * @param isAll whether these bytes are the whole text
   */
  @Nullable
  public String perhapsRecords(
      ContentType type, byte[] bytes, int length, boolean isAll, String name) {
    return records == Format.AUTO && type != ContentType.HTML
        ? PerhapsRecords.of(bytes, length, isAll, name)
        : null;
  }

  /** Whether the decompressed data may be read in pieces. */
  public boolean unpackedCanBeCut() {
    return compression != Compression.NONE && (records.archive() || records.startsAtLines());
  }

  /**
   * How a large file may be read in pieces. In a compressed archive, this searches for a member
   * that starts with a record: near the start, and in the middle, because the first records may be
   * large.
   *
   * @param raw the file; its position does not change
   */
  public Cells cells(InputBytes raw, DecoderGuard decoders, byte[] window) throws IOException {
    if (compression == Compression.NONE) {
      return records.startsAnywhere() ? Cells.OF_FILE : Cells.NONE;
    }
    if (!records.archive() || !compression.hasMembers()) {
      return unpackedCanBeCut() ? Cells.OF_UNPACKED : Cells.NONE;
    }
    try (RecordInput input = open(raw.fork(0), compression, decoders, window)) {
      boolean again =
          startsAgain(input, records, behindFirst(input))
              || startsAgain(input, records, input.fileSize() / 2);
      return again ? Cells.OF_FILE : Cells.OF_UNPACKED;
    }
  }
}
