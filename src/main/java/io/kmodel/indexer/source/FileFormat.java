package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * What a file holds, and how it is compressed.
 *
 * @param records never {@link Format#AUTO} where a file holds many records; AUTO is one document of
 *     a type that its content decides
 */
record FileFormat(Compression compression, Format records) {
  /** Of xz there are six; those of zstd may stand behind a frame of twelve, as pzstd has it. */
  private static final int MAGIC_BYTES = 16;

  /**
   * Looks at a file's first bytes.
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
    if (wanted != Format.AUTO) {
      return new FileFormat(compression, wanted);
    }
    if (compression == Compression.NONE) {
      raw.fill(ContentSniffer.WINDOW_BYTES);
      return new FileFormat(compression, sniff(raw.array(), raw.at(), raw.available(), name));
    }
    try (RecordInput input =
        new RecordInput(raw, compression, Integer.MAX_VALUE, decoders, window)) {
      input.fill(ContentSniffer.WINDOW_BYTES);
      return new FileFormat(compression, sniff(window, input.at(), input.available(), name));
    } catch (InputBytes.ReadFailure | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      // Damage is reported by whoever reads the file.
      return new FileFormat(compression, Format.AUTO);
    }
  }

  private static Format sniff(byte[] bytes, int from, int length, String name) {
    Format format = FormatSniffer.of(bytes, from, length, name);
    return format == Format.TEXT ? Format.AUTO : format;
  }

  /** Whether a file is one document, as it is. */
  boolean isOneDocument() {
    return compression == Compression.NONE && !records.records();
  }

  /** How a file that is one document is to be read. */
  ContentType type(byte[] bytes, int length, String name) {
    return switch (records) {
      case HTML -> ContentType.HTML;
      case TEXT -> ContentType.PLAIN_TEXT;
      default -> ContentSniffer.type(bytes, length, name);
    };
  }

  /** Whether a large file may be read in pieces: where records can be found from anywhere. */
  boolean canBeCut() {
    return switch (compression) {
      case NONE -> records.records();
      case GZIP -> records == Format.WARC || records == Format.WET;
      case ZSTD, BZIP2, XZ -> false;
    };
  }
}
