package io.kmodel.indexer.export.lucene.segment;

import java.util.Locale;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;

/** How strongly Lucene compresses stored fields. */
public enum ExportCodec {
  /** LZ4, Lucene's default. */
  BEST_SPEED(Lucene104Codec.Mode.BEST_SPEED),
  /** DEFLATE: smaller, but slower to write and read. */
  BEST_COMPRESSION(Lucene104Codec.Mode.BEST_COMPRESSION);

  private final Lucene104Codec.Mode mode;

  ExportCodec(Lucene104Codec.Mode mode) {
    this.mode = mode;
  }

  Codec codec() {
    return new Lucene104Codec(mode);
  }

  /** The name in command-line options. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
