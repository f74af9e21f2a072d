package io.kmodel.indexer.export.lucene.segment;

import java.util.Locale;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene90.Lucene90StoredFieldsFormat;
import org.apache.lucene.codecs.lucene90.compressing.Lucene90CompressingStoredFieldsFormat;
import org.apache.lucene.index.SegmentInfo;

/** How strongly Lucene compresses stored fields. */
public enum ExportCodec {
  /** LZ4, Lucene's default. */
  BEST_SPEED(Lucene104Codec.Mode.BEST_SPEED) {
    @Override
    StoredFieldsFormat storedFields(SegmentInfo segment) {
      segment.putAttribute(Lucene90StoredFieldsFormat.MODE_KEY, name());
      return new Lucene90CompressingStoredFieldsFormat(
          "Lucene90StoredFieldsFastData",
          new StringCompressionMode(Lucene90StoredFieldsFormat.BEST_SPEED_MODE),
          80 << 10,
          1024,
          INDEX_BLOCK_SHIFT);
    }
  },
  /** DEFLATE: smaller, but slower to write and read. */
  BEST_COMPRESSION(Lucene104Codec.Mode.BEST_COMPRESSION) {
    @Override
    StoredFieldsFormat storedFields(SegmentInfo segment) {
      segment.putAttribute(Lucene90StoredFieldsFormat.MODE_KEY, name());
      return new Lucene90CompressingStoredFieldsFormat(
          "Lucene90StoredFieldsHighData",
          new StringCompressionMode(Lucene90StoredFieldsFormat.BEST_COMPRESSION_MODE),
          480 << 10,
          4096,
          INDEX_BLOCK_SHIFT);
    }
  };

  private static final int INDEX_BLOCK_SHIFT = 10;

  private final Lucene104Codec.Mode mode;

  ExportCodec(Lucene104Codec.Mode mode) {
    this.mode = mode;
  }

  Codec codec() {
    return new Lucene104Codec(mode);
  }

  /**
   * Writes stored texts, handed over as binary values, exactly as {@link #codec} writes strings.
   * The numbers are those of {@link Lucene90StoredFieldsFormat}.
   */
  abstract StoredFieldsFormat storedFields(SegmentInfo segment);

  /** The name in command-line options. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
