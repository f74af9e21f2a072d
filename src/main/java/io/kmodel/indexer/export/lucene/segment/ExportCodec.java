package io.kmodel.indexer.export.lucene.segment;

import java.util.Locale;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.compressing.CompressionMode;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene90.Lucene90StoredFieldsFormat;
import org.apache.lucene.codecs.lucene90.compressing.Lucene90CompressingStoredFieldsFormat;
import org.apache.lucene.index.SegmentInfo;

/** How strongly Lucene compresses stored fields. */
public enum ExportCodec {
  /** LZ4, Lucene's default. */
  BEST_SPEED(Lucene104Codec.Mode.BEST_SPEED, "Lucene90StoredFieldsFastData", 80 << 10, 1024),
  /** DEFLATE: smaller, but slower to write and read. */
  BEST_COMPRESSION(
      Lucene104Codec.Mode.BEST_COMPRESSION, "Lucene90StoredFieldsHighData", 480 << 10, 4096);

  private static final int INDEX_BLOCK_SHIFT = 10;

  private final Lucene104Codec.Mode mode;
  private final String formatName;
  private final int chunkBytes;
  private final int chunkDocuments;

  /** The numbers and names are those of {@link Lucene90StoredFieldsFormat}. */
  ExportCodec(Lucene104Codec.Mode mode, String formatName, int chunkBytes, int chunkDocuments) {
    this.mode = mode;
    this.formatName = formatName;
    this.chunkBytes = chunkBytes;
    this.chunkDocuments = chunkDocuments;
  }

  Codec codec() {
    return new Lucene104Codec(mode);
  }

  /**
   * A format that writes stored texts, handed over as binary values, exactly as {@link #codec}
   * writes strings.
   */
  StoredFieldsFormat storedFields(SegmentInfo segment) {
    segment.putAttribute(Lucene90StoredFieldsFormat.MODE_KEY, name());
    return new Lucene90CompressingStoredFieldsFormat(
        formatName,
        new StringCompressionMode(compression()),
        chunkBytes,
        chunkDocuments,
        INDEX_BLOCK_SHIFT);
  }

  private CompressionMode compression() {
    return this == BEST_SPEED
        ? Lucene90StoredFieldsFormat.BEST_SPEED_MODE
        : Lucene90StoredFieldsFormat.BEST_COMPRESSION_MODE;
  }

  /** The name in command-line options. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
