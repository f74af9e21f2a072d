package io.kmodel.indexer.source;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.RecordFile.Cells;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/**
 * What a file holds, and how it is compressed.
 *
 * @param records never {@link Format#AUTO} where a file holds many records; AUTO is one document of
 *     a type that its content decides
 * @param columns of TSV, where the first line names them
 * @param tags around documents of TREC
 */
record FileFormat(
    Compression compression, Format records, @Nullable TsvColumns columns, TrecTags tags) {
  /** Of xz there are six; those of zstd may stand behind a frame of twelve, as pzstd has it. */
  private static final int MAGIC_BYTES = 16;

  /** What archives are called, but for how they are compressed. */
  private static final ImmutableList<String> ARCHIVES = ImmutableList.of(".warc", ".arc", ".wet");

  FileFormat(Compression compression, Format records) {
    this(compression, records, null, TrecTags.USUAL);
  }

  /**
   * Looks at a file's first bytes; where these are damaged, or no archive though the file is called
   * one, also for a member that starts with a record, within {@value RecordFile#CELL_BYTES} bytes.
   *
   * @param raw at the file's start; it will be somewhere behind
   * @param name of the file, for cases of doubt
   * @param wanted what the user says, or AUTO
   * @param decoders is asked for memory to decode those bytes
   * @param window of {@link RecordInput#WINDOW_BYTES} bytes, for use
   */
  static FileFormat of(
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
        // Reported by whoever reads the file.
        damaged = true;
      }
    }
    if (told.records != Format.AUTO) {
      return told;
    }
    Compression members = compression.hasMembers() ? compression : Compression.named(name);
    if (!members.hasMembers()) {
      // As most files: what else their names might say matters to none of them.
      return told;
    }
    boolean mayBeArchive = (damaged && compression.hasMembers()) || isArchive(name);
    FileFormat archive = mayBeArchive ? archiveFurtherOn(raw, members, decoders, window) : null;
    return archive == null ? told : archive;
  }

  /** What these first bytes say, as far as the user does not. */
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

  /** What a file is that begins with damage; null if no member is found. */
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

  /** For a look that is bounded otherwise. */
  private static RecordInput open(
      InputBytes raw, Compression compression, DecoderGuard decoders, byte[] window)
      throws IOException {
    return new RecordInput(raw, compression, Integer.MAX_VALUE, decoders, window);
  }

  /** An offset behind the start of the first member, which a dictionary may come before. */
  private static long behindFirst(RecordInput input) throws IOException {
    try {
      return (input.fill(1) ? input.fileOffset() : 0) + 1;
    } catch (InputBytes.ReadFailure | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      return 1;
    }
  }

  /** Whether a member starts with a record, within a cell's bytes from an offset of the file on. */
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
  RecordStarts recordStarts() {
    return records == Format.TREC ? RecordStarts.trec(tags) : recordStarts(records);
  }

  /** Finds the starts of records where only the format is known. */
  static RecordStarts recordStarts(Format format) {
    return switch (format) {
      case WARC, WET -> RecordStarts.warc();
      case ARC -> ArcHeader.recordStarts();
      case TREC -> RecordStarts.trec(TrecTags.USUAL);
      default -> RecordStarts.lines();
    };
  }

  /** Whether a file is one document, as it is. */
  boolean isOneDocument() {
    return compression == Compression.NONE && !records.holdsRecords();
  }

  /**
   * What it holds, never {@link Format#AUTO}.
   *
   * @param type of the file, where it is one document
   */
  Format held(ContentType type) {
    if (records.holdsRecords()) {
      return records;
    }
    return type == ContentType.HTML ? Format.HTML : Format.TEXT;
  }

  /** What reports call such files. */
  String label(ContentType type) {
    String held = held(type).label();
    return compression == Compression.NONE ? held : held.concat(" ").concat(compression.label());
  }

  /** How a file that is one document is to be read. */
  ContentType type(byte[] bytes, int length, String name) {
    return switch (records) {
      case HTML -> ContentType.HTML;
      case TEXT -> ContentType.PLAIN_TEXT;
      default -> ContentSniffer.type(bytes, length, name);
    };
  }

  /**
   * Why a text may be a list of records that nobody told; null if it does not look so, or if its
   * user says what it is.
   *
   * @param isAll whether these bytes are all of it
   */
  @Nullable String perhapsRecords(
      ContentType type, byte[] bytes, int length, boolean isAll, String name) {
    return records == Format.AUTO && type == ContentType.PLAIN_TEXT
        ? PerhapsRecords.of(bytes, length, isAll, name)
        : null;
  }

  /** Whether what it unpacks to may be read in pieces. */
  boolean unpackedCanBeCut() {
    return compression != Compression.NONE && (records.archive() || records.startsAtLines());
  }

  /**
   * How a large file may be read in pieces. Of a packed archive it is looked for a member that
   * starts with a record: near its start, and in its midst, as its first records may be large.
   *
   * @param raw the file, which is not read on for it
   */
  Cells cells(InputBytes raw, DecoderGuard decoders, byte[] window) throws IOException {
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
