package io.kmodel.indexer.source;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a crawl is read. Every option but the last affects the documents.
 *
 * @param format the format of the files
 * @param docno how records are identified
 * @param json which members of JSON objects hold which parts
 * @param weights how the weights of sparse vectors become integers
 * @param maxDocumentBytes limit of a decompressed document; 1 to {@link
 *     #LARGEST_MAX_DOCUMENT_BYTES}
 * @param maxExpansion how many times its size a file of records, or a member of it, may unpack to,
 *     beyond 64 MiB
 * @param maxNesting limit of open HTML elements; deeper ones are closed early
 * @param metadata the metadata of documents to note
 * @param quotes what quotation marks in tab-separated values mean
 * @param standardInput the file with a copy of standard input, which is read for {@link
 *     StandardInput#PATH}; null for a crawl without it
 */
public record SourceOptions(
    Format format,
    Docno docno,
    JsonMembers json,
    WeightScale weights,
    int maxDocumentBytes,
    int maxExpansion,
    int maxNesting,
    MetadataRequest metadata,
    TsvQuotes quotes,
    @Nullable Path standardInput) {
  /** Limit of a decompressed document. The text of a larger one is hardly prose. */
  public static final int DEFAULT_MAX_DOCUMENT_BYTES = 64 << 20;

  /** A byte may become three bytes of UTF-8, in an array of fewer than 2^31 bytes. */
  public static final int LARGEST_MAX_DOCUMENT_BYTES = 1 << 29;

  /** Text compresses to a tenth, logs to a hundredth; deflate cannot exceed 1,032 to 1. */
  public static final int DEFAULT_MAX_EXPANSION = 1000;

  /** Pages nest some dozens deep. This is also the maximum. */
  public static final int DEFAULT_MAX_NESTING = 512;

  private static final int LEAST_MAX_NESTING = 16;

  public static final SourceOptions DEFAULT = withLimit(DEFAULT_MAX_DOCUMENT_BYTES);

  public SourceOptions {
    if (maxDocumentBytes < 1 || maxDocumentBytes > LARGEST_MAX_DOCUMENT_BYTES) {
      throw new IllegalArgumentException(
          "maxDocumentBytes must be 1 to %d; got %d"
              .formatted(LARGEST_MAX_DOCUMENT_BYTES, maxDocumentBytes));
    }
    if (weights.scales() && format != Format.VECTORS) {
      throw new IllegalArgumentException(
          "only the weights of vectors are quantized; got " + format);
    }
    if (maxExpansion < 1) {
      throw new IllegalArgumentException("maxExpansion must be at least 1; got " + maxExpansion);
    }
    if (maxNesting < LEAST_MAX_NESTING || maxNesting > DEFAULT_MAX_NESTING) {
      throw new IllegalArgumentException(
          "maxNesting must be %d to %d; got %d"
              .formatted(LEAST_MAX_NESTING, DEFAULT_MAX_NESTING, maxNesting));
    }
  }

  /** Options without metadata, and with the usual quotes. */
  public SourceOptions(
      Format format,
      Docno docno,
      JsonMembers json,
      WeightScale weights,
      int maxDocumentBytes,
      int maxExpansion,
      int maxNesting) {
    this(
        format,
        docno,
        json,
        weights,
        maxDocumentBytes,
        maxExpansion,
        maxNesting,
        MetadataRequest.NONE,
        TsvQuotes.AUTO,
        null);
  }

  /** Options with whole weights. */
  public SourceOptions(
      Format format,
      Docno docno,
      JsonMembers json,
      int maxDocumentBytes,
      int maxExpansion,
      int maxNesting) {
    this(format, docno, json, WeightScale.NONE, maxDocumentBytes, maxExpansion, maxNesting);
  }

  /** Options with the usual names of JSON members and the default nesting limit. */
  public SourceOptions(Format format, Docno docno, int maxDocumentBytes, int maxExpansion) {
    this(format, docno, JsonMembers.USUAL, maxDocumentBytes, maxExpansion, DEFAULT_MAX_NESTING);
  }

  /** The defaults with another document size limit. */
  public static SourceOptions withLimit(int maxDocumentBytes) {
    return new SourceOptions(Format.AUTO, Docno.TREC_ID, maxDocumentBytes, DEFAULT_MAX_EXPANSION);
  }

  /** The same with other metadata. */
  public SourceOptions withMetadata(MetadataRequest request) {
    return with(request, quotes, standardInput);
  }

  /** The same with another meaning of quotes. */
  public SourceOptions withQuotes(TsvQuotes meaning) {
    return with(metadata, meaning, standardInput);
  }

  /** The same with a copy of standard input. */
  public SourceOptions withStandardInput(Path copy) {
    return with(metadata, quotes, copy);
  }

  private SourceOptions with(MetadataRequest request, TsvQuotes meaning, @Nullable Path copy) {
    return new SourceOptions(
        format,
        docno,
        json,
        weights,
        maxDocumentBytes,
        maxExpansion,
        maxNesting,
        request,
        meaning,
        copy);
  }
}
