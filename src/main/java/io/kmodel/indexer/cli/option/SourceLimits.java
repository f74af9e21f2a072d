package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.WeightScale;
import picocli.CommandLine.Option;

/** The options for size limits of documents and files. */
public final class SourceLimits {
  @Option(
      names = "--max-document",
      paramLabel = "SIZE",
      defaultValue = "64m",
      converter = ByteSize.class,
      description =
          "Skip documents larger than SIZE when decompressed (default: ${DEFAULT-VALUE}, at most"
              + " 512m).")
  private long maxDocumentBytes;

  @Option(
      names = "--max-expansion",
      paramLabel = "N",
      defaultValue = "1000",
      description = {
        "Stop reading a file of records, a gzip member or a zstd frame that decompresses to more"
            + " than 64 MiB and N times its size (default: ${DEFAULT-VALUE})."
      })
  private int maxExpansion;

  @Option(
      names = "--max-nesting",
      paramLabel = "N",
      defaultValue = "512",
      description =
          "Close HTML elements nested deeper than N, keeping their text (default: ${DEFAULT-VALUE},"
              + " the maximum).")
  private int maxNesting;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  SourceLimits() {}

  /**
   * Returns how a crawl is read.
   *
   * @throws IllegalArgumentException if a limit is invalid
   */
  public SourceOptions toOptions(
      Format format, Docno docno, JsonMembers json, WeightScale weights) {
    long most = SourceOptions.LARGEST_MAX_DOCUMENT_BYTES;
    if (maxDocumentBytes < 1 || maxDocumentBytes > most) {
      throw new IllegalArgumentException(
          "--max-document must be 1 to %d; got %d".formatted(most, maxDocumentBytes));
    }
    return new SourceOptions(
        format, docno, json, weights, (int) maxDocumentBytes, maxExpansion, maxNesting);
  }
}
