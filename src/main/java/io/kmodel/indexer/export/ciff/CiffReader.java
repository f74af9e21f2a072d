package io.kmodel.indexer.export.ciff;

import com.google.common.base.Utf8;
import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads a file sequentially: the header when it is opened, then {@link #lists}, then {@link
 * #nextDocument} until it returns false. The reader checks that messages are complete, terms ascend
 * in byte order, documents ascend within a list and exist, df and cf match the postings, document
 * records are numbered 0, 1, 2, and nothing follows the last one. Unknown fields are skipped.
 * Memory: buffers, the longest term, the longest name. Not thread-safe.
 */
public final class CiffReader implements AutoCloseable {
  private static final int DOCUMENT_TAG = Wire.tag(CiffWriter.DOCUMENT_FIELD, Wire.VARINT);
  private static final int NAME_TAG = Wire.tag(CiffWriter.DOCUMENT_NAME_FIELD, Wire.BYTES);
  private static final int LENGTH_TAG = Wire.tag(CiffWriter.DOCUMENT_LENGTH_FIELD, Wire.VARINT);
  private static final byte[] NO_NAME = {};

  private final CiffInput in;
  private final CiffHeader header;
  private final CiffCursor cursor;
  private int documents;
  private byte[] name = NO_NAME;
  private int length;
  private long totalLength;

  private CiffReader(CiffInput in) throws IOException {
    this.in = in;
    this.header = readHeader();
    this.cursor = new CiffCursor(in, header);
  }

  /**
   * Opens a file, gzipped or not, and reads its header.
   *
   * @throws MalformedCiffException if it does not start with a CIFF header
   */
  public static CiffReader open(Path file) throws IOException {
    CiffInput in = CiffInput.open(file);
    try {
      return new CiffReader(in);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  public CiffHeader header() {
    return header;
  }

  /**
   * The postings lists, which can be read once and must be read before the documents.
   *
   * @param field first byte of the term keys
   */
  public PostingsCursor lists(int field) {
    cursor.setField(field);
    return cursor;
  }

  /**
   * Moves to the next document; returns false at the end of the file.
   *
   * @throws IllegalStateException if postings lists are left to read
   */
  public boolean nextDocument() throws IOException {
    if (!cursor.atEnd()) {
      throw new IllegalStateException("the postings lists must be read before the documents");
    }
    if (documents == header.documents()) {
      if (!in.atEnd()) {
        throw in.corrupt("data after the last of %d document records".formatted(documents));
      }
      return false;
    }
    readDocument();
    return true;
  }

  /** The current document's name in its collection, in UTF-8; not modified later. */
  public byte[] documentName() {
    return name;
  }

  /** The current document's length. */
  public int documentLength() {
    return length;
  }

  /** Postings of the lists read so far. */
  public long postings() {
    return cursor.postings();
  }

  /** Sum of the frequencies of the lists read so far. */
  public long totalFrequency() {
    return cursor.totalFrequency();
  }

  /** Sum of the lengths of the documents read so far. */
  public long totalLength() {
    return totalLength;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private CiffHeader readHeader() throws IOException {
    in.startMessage("header", 0, 1);
    int[] counts = new int[CiffHeader.TOTAL_DOCUMENTS_FIELD + 1];
    long terms = 0;
    double average = 0;
    byte[] description = NO_NAME;
    for (int tag; (tag = in.nextTag()) != 0; ) {
      int field = tag >>> 3;
      int type = tag & 7;
      if (field < counts.length && type == Wire.VARINT) {
        counts[field] = in.readInt32();
      } else if (field == CiffHeader.TOTAL_TERMS_FIELD && type == Wire.VARINT) {
        terms = in.readInt64();
      } else if (field == CiffHeader.AVERAGE_LENGTH_FIELD && type == Wire.FIXED64) {
        average = in.readDouble();
      } else if (field == CiffHeader.DESCRIPTION_FIELD && type == Wire.BYTES) {
        description = in.readBytes();
      } else {
        in.skipField(tag);
      }
    }
    if (counts[CiffHeader.VERSION_FIELD] != CiffHeader.VERSION) {
      throw in.corrupt(
          "CIFF version %d, expected %d (is this a CIFF file?)"
              .formatted(counts[CiffHeader.VERSION_FIELD], CiffHeader.VERSION));
    }
    try {
      return new CiffHeader(
          counts[CiffHeader.POSTINGS_LISTS_FIELD],
          counts[CiffHeader.DOCUMENTS_FIELD],
          counts[CiffHeader.TOTAL_POSTINGS_LISTS_FIELD],
          counts[CiffHeader.TOTAL_DOCUMENTS_FIELD],
          terms,
          average,
          new String(description, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw in.corrupt(String.valueOf(e.getMessage()));
    }
  }

  private void readDocument() throws IOException {
    in.startMessage("document record", documents, header.documents());
    int docId = 0;
    name = NO_NAME;
    length = 0;
    for (int tag; (tag = in.nextTag()) != 0; ) {
      if (tag == DOCUMENT_TAG) {
        docId = in.readInt32();
      } else if (tag == NAME_TAG) {
        name = in.readBytes();
      } else if (tag == LENGTH_TAG) {
        length = in.readInt32();
      } else {
        in.skipField(tag);
      }
    }
    if (docId != documents) {
      throw in.corrupt("document record %d, expected %d".formatted(docId, documents));
    }
    if (length < 0) {
      throw in.corrupt("document %d has length %d".formatted(docId, length));
    }
    if (!Utf8.isWellFormed(name)) {
      throw in.corrupt("the name of document %d is not UTF-8".formatted(docId));
    }
    totalLength += length;
    documents++;
  }
}
