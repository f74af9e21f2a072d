package io.kmodel.indexer.export.ciff;

import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes the messages of a file in call order: {@code header (startList postings* )* document*}. A
 * message is preceded by its size, so a list is measured ({@link Measure}) before it is written,
 * and is never held in memory. Memory: one buffer of 64 KiB. Not thread-safe.
 */
final class CiffWriter {
  static final int TERM_FIELD = 1;
  static final int DF_FIELD = 2;
  static final int CF_FIELD = 3;
  static final int POSTING_FIELD = 4;
  static final int POSTING_DOC_FIELD = 1;
  static final int POSTING_TF_FIELD = 2;
  static final int DOCUMENT_FIELD = 1;
  static final int DOCUMENT_NAME_FIELD = 2;
  static final int DOCUMENT_LENGTH_FIELD = 3;

  /** Protobuf's limit for the size of a message. */
  static final long MAX_MESSAGE_BYTES = Integer.MAX_VALUE;

  private final WireOutput out;

  /** The last document of the current list. */
  private int lastDoc;

  CiffWriter(OutputStream stream) {
    this.out = new WireOutput(stream);
  }

  /** Measures the postings of a list, block by block. Not thread-safe. */
  static final class Measure {
    private long bytes;
    private int lastDoc;

    void start() {
      bytes = 0;
      lastDoc = 0;
    }

    void add(int[] docs, int[] freqs, int count) {
      long sum = 0;
      int previous = lastDoc;
      for (int i = 0; i < count; i++) {
        sum += 2 + postingBytes(docs[i] - previous, freqs[i]);
        previous = docs[i];
      }
      lastDoc = previous;
      bytes += sum;
    }

    /** Bytes of all postings added, including their tags and lengths. */
    long bytes() {
      return bytes;
    }
  }

  /** Bytes inside a posting: at most 12, so its length takes one byte. */
  private static int postingBytes(int gap, int freq) {
    return WireOutput.integerBytes(POSTING_DOC_FIELD, gap)
        + WireOutput.integerBytes(POSTING_TF_FIELD, freq);
  }

  void header(CiffHeader header) throws IOException {
    long[] numbers = {
      CiffHeader.VERSION,
      header.postingsLists(),
      header.documents(),
      header.totalPostingsLists(),
      header.totalDocuments(),
      header.totalTerms()
    };
    byte[] description = header.description().getBytes(StandardCharsets.UTF_8);
    long bytes =
        WireOutput.realBytes(CiffHeader.AVERAGE_LENGTH_FIELD, header.averageLength())
            + WireOutput.stringBytes(CiffHeader.DESCRIPTION_FIELD, description.length);
    for (int i = 0; i < numbers.length; i++) {
      bytes += WireOutput.integerBytes(i + 1, numbers[i]);
    }
    out.varint(bytes);
    for (int i = 0; i < numbers.length; i++) {
      out.integer(i + 1, numbers[i]);
    }
    out.real(CiffHeader.AVERAGE_LENGTH_FIELD, header.averageLength());
    out.string(CiffHeader.DESCRIPTION_FIELD, description, 0, description.length);
  }

  /**
   * Size of the message of a list.
   *
   * @param term length of the term in bytes
   * @param postings size measured by {@link Measure}
   */
  static long listBytes(int term, long df, long cf, long postings) {
    return WireOutput.stringBytes(TERM_FIELD, term)
        + WireOutput.integerBytes(DF_FIELD, df)
        + WireOutput.integerBytes(CF_FIELD, cf)
        + postings;
  }

  /**
   * Starts the list of the cursor's term.
   *
   * @param bytes size of the whole message, at most {@link #MAX_MESSAGE_BYTES}
   */
  void startList(PostingsCursor term, long bytes) throws IOException {
    out.varint(bytes);
    out.string(TERM_FIELD, term.term(), 1, term.termLength() - 1);
    out.integer(DF_FIELD, term.docFreq());
    out.integer(CF_FIELD, term.totalTermFreq());
    lastDoc = 0;
  }

  void postings(int[] docs, int[] freqs, int count) throws IOException {
    int previous = lastDoc;
    for (int i = 0; i < count; i++) {
      int gap = docs[i] - previous;
      previous = docs[i];
      out.varint(Wire.tag(POSTING_FIELD, Wire.BYTES));
      out.varint(postingBytes(gap, freqs[i]));
      out.integer(POSTING_DOC_FIELD, gap);
      out.integer(POSTING_TF_FIELD, freqs[i]);
    }
    lastDoc = previous;
  }

  void document(int docId, String name, int length) throws IOException {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    long bytes =
        WireOutput.integerBytes(DOCUMENT_FIELD, docId)
            + WireOutput.stringBytes(DOCUMENT_NAME_FIELD, utf8.length)
            + WireOutput.integerBytes(DOCUMENT_LENGTH_FIELD, length);
    out.varint(bytes);
    out.integer(DOCUMENT_FIELD, docId);
    out.string(DOCUMENT_NAME_FIELD, utf8, 0, utf8.length);
    out.integer(DOCUMENT_LENGTH_FIELD, length);
  }

  void flush() throws IOException {
    out.flush();
  }
}
