package io.kmodel.indexer.source.lines;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.RawMetadata;
import io.kmodel.indexer.source.SparseVector;
import io.kmodel.indexer.source.record.DamagedRecordException;
import org.jspecify.annotations.Nullable;

/** The content of a text record; id, URI, title and headings are empty if it has none. */
public final class TextRecord {
  /** Reads one record. */
  @FunctionalInterface
  public interface Parser {
    /**
     * Parses a record; the result is valid until the next call.
     *
     * @param record its bytes, without a line end
     * @return null for a line that is not meant as a record
     * @throws DamagedRecordException if the record is malformed
     */
    @Nullable TextRecord parse(byte[] record, int length) throws DamagedRecordException;

    /** Whether a record of these lines may continue in the next line. */
    default boolean isOpen(byte[] record, int length) {
      return false;
    }

    /**
     * Returns how many bytes of the next lines belong to an open record; 0 if none do.
     *
     * @param next the array with the bytes that follow, from {@code from} to {@code end}
     * @param isAll whether they are all that follow
     */
    default int further(byte[] record, int length, byte[] next, int from, int end, boolean isAll) {
      return 0;
    }
  }

  /** How the text is interpreted. */
  public final ContentType type;

  public final String id;
  public final String uri;
  public final String title;
  public final String headings;

  /** Whether all of the title's bytes were valid. */
  final boolean titleDecoded;

  /** Holds the text in UTF-8: the record itself, or a separate array. */
  public final byte[] bytes;

  public final int from;
  public final int to;

  /** The weighted terms; null if the record has none. Its terms lie in the record. */
  public final @Nullable SparseVector vector;

  /** What the record says besides. */
  public final RawMetadata metadata;

  public TextRecord(
      ContentType type,
      String id,
      String uri,
      String title,
      String headings,
      boolean titleDecoded,
      byte[] bytes,
      int from,
      int to) {
    this(type, id, uri, title, headings, titleDecoded, bytes, from, to, null, RawMetadata.NONE);
  }

  private TextRecord(
      ContentType type,
      String id,
      String uri,
      String title,
      String headings,
      boolean titleDecoded,
      byte[] bytes,
      int from,
      int to,
      @Nullable SparseVector vector,
      RawMetadata metadata) {
    this.type = type;
    this.id = id;
    this.uri = uri;
    this.title = title;
    this.headings = headings;
    this.titleDecoded = titleDecoded;
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.vector = vector;
    this.metadata = metadata;
  }

  /** The same with weighted terms. */
  public TextRecord withVector(SparseVector terms) {
    return new TextRecord(
        type, id, uri, title, headings, titleDecoded, bytes, from, to, terms, metadata);
  }

  /** The same with metadata. */
  public TextRecord withMetadata(RawMetadata said) {
    return new TextRecord(
        type, id, uri, title, headings, titleDecoded, bytes, from, to, vector, said);
  }
}
