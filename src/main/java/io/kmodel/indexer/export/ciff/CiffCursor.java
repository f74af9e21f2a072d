package io.kmodel.indexer.export.ciff;

import com.google.common.base.Utf8;
import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Streams the postings lists of a file; see {@link CiffReader} for its checks. A list's term, df
 * and cf must precede its postings, as all protobuf writers order them. Allocates nothing per
 * posting. Memory: the longest term. Not thread-safe.
 */
final class CiffCursor implements PostingsCursor {
  private static final int TERM_TAG = Wire.tag(CiffWriter.TERM_FIELD, Wire.BYTES);
  private static final int DF_TAG = Wire.tag(CiffWriter.DF_FIELD, Wire.VARINT);
  private static final int CF_TAG = Wire.tag(CiffWriter.CF_FIELD, Wire.VARINT);
  private static final int POSTING_TAG = Wire.tag(CiffWriter.POSTING_FIELD, Wire.BYTES);
  private static final int DOC_TAG = Wire.tag(CiffWriter.POSTING_DOC_FIELD, Wire.VARINT);
  private static final int TF_TAG = Wire.tag(CiffWriter.POSTING_TF_FIELD, Wire.VARINT);

  /** Bytes of a term shown in messages. */
  private static final int PRINTED_BYTES = 64;

  private final CiffInput in;
  private final CiffHeader header;

  /** The term, after one byte for the field's ordinal. */
  private byte[] key = new byte[64];

  private int keyLength;
  private int lists;
  private boolean inList;
  private long docFreq;
  private long totalTermFreq;

  /** The last tag read: of a posting not read yet, or 0 after the last one. */
  private int tag;

  private long docsRead;
  private long freqsRead;
  private long lastDoc;
  private long postings;
  private long totalFrequency;

  CiffCursor(CiffInput in, CiffHeader header) {
    this.in = in;
    this.header = header;
  }

  void setField(int field) {
    key[0] = (byte) field;
  }

  /** Whether all lists were read or skipped. */
  boolean atEnd() {
    return lists == header.postingsLists() && !inList;
  }

  @Override
  public boolean nextTerm() throws IOException {
    if (inList && tag == 0) {
      finishList();
    } else if (inList) {
      skipList();
    }
    if (lists == header.postingsLists()) {
      return false;
    }
    startList();
    return true;
  }

  private void startList() throws IOException {
    in.startMessage("postings list", lists, header.postingsLists());
    byte[] term = {};
    docFreq = 0;
    totalTermFreq = 0;
    docsRead = 0;
    freqsRead = 0;
    lastDoc = 0;
    for (tag = in.nextTag(); tag != 0 && tag != POSTING_TAG; tag = in.nextTag()) {
      if (tag == TERM_TAG) {
        term = in.readBytes();
      } else if (tag == DF_TAG) {
        docFreq = in.readInt64();
      } else if (tag == CF_TAG) {
        totalTermFreq = in.readInt64();
      } else {
        in.skipField(tag);
      }
    }
    setTerm(term);
    if (tag == 0 || docFreq < 1 || docFreq > header.documents() || totalTermFreq < docFreq) {
      throw in.corrupt(
          "the list of %s has df %d and cf %d%s in %d documents"
              .formatted(
                  printable(),
                  docFreq,
                  totalTermFreq,
                  tag == 0 ? " and no postings" : "",
                  header.documents()));
    }
    lists++;
    inList = true;
  }

  private void setTerm(byte[] term) throws MalformedCiffException {
    if (keyLength > 0 && Arrays.compareUnsigned(key, 1, keyLength, term, 0, term.length) >= 0) {
      throw in.corrupt(
          "terms out of order: %s after %s; they must ascend in byte order"
              .formatted(printable(term, 0, term.length), printable()));
    }
    if (!Utf8.isWellFormed(term)) {
      throw in.corrupt("the term of list %d is not UTF-8".formatted(lists));
    }
    if (key.length <= term.length) {
      key = Arrays.copyOf(key, Math.addExact(term.length + 1, term.length >> 1));
    }
    System.arraycopy(term, 0, key, 1, term.length);
    keyLength = term.length + 1;
  }

  @Override
  public byte[] term() {
    return key;
  }

  @Override
  public int termLength() {
    return keyLength;
  }

  @Override
  public int docFreq() {
    return Math.toIntExact(docFreq);
  }

  @Override
  public long totalTermFreq() {
    return totalTermFreq;
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) throws IOException {
    if (!inList) {
      return 0;
    }
    int count = 0;
    while (tag != 0 && count < BLOCK) {
      if (tag == POSTING_TAG) {
        readPosting(docs, freqs, count);
        count++;
      } else if (tag == TERM_TAG || tag == DF_TAG || tag == CF_TAG) {
        throw in.corrupt(
            "the list of %s has field 1, 2 or 3 after its postings".formatted(printable()));
      } else {
        in.skipField(tag);
      }
      tag = in.nextTag();
    }
    if (count == 0) {
      finishList();
    }
    return count;
  }

  private void readPosting(int[] docs, int[] freqs, int place) throws IOException {
    long outer = in.startInner();
    int gap = 0;
    int freq = 0;
    for (int field; (field = in.nextTag()) != 0; ) {
      if (field == DOC_TAG) {
        gap = in.readInt32();
      } else if (field == TF_TAG) {
        freq = in.readInt32();
      } else {
        in.skipField(field);
      }
    }
    in.endInner(outer);
    long doc = lastDoc + gap;
    if (gap < 0 || (gap == 0 && docsRead > 0) || doc >= header.documents() || freq < 1) {
      throw in.corrupt(
          "posting %d of %s has a docid gap of %d after document %d of %d, and tf %d"
              .formatted(docsRead, printable(), gap, lastDoc, header.documents(), freq));
    }
    lastDoc = doc;
    docs[place] = (int) doc;
    freqs[place] = freq;
    docsRead++;
    freqsRead += freq;
  }

  private void finishList() throws MalformedCiffException {
    inList = false;
    if (docsRead != docFreq || freqsRead != totalTermFreq) {
      throw in.corrupt(
          "the list of %s has %d postings with %d occurrences, expected df %d and cf %d"
              .formatted(printable(), docsRead, freqsRead, docFreq, totalTermFreq));
    }
    postings += docsRead;
    totalFrequency += freqsRead;
  }

  /** Skips the rest of a list without checking it. */
  private void skipList() throws IOException {
    in.skipMessage();
    inList = false;
    postings += docFreq;
    totalFrequency += totalTermFreq;
  }

  @Override
  public int nextPositions(int[] deltas) {
    return 0;
  }

  long postings() {
    return postings;
  }

  long totalFrequency() {
    return totalFrequency;
  }

  @Override
  public void close() {}

  private String printable() {
    return printable(key, 1, keyLength);
  }

  private static String printable(byte[] bytes, int from, int to) {
    int shown = Math.min(to - from, PRINTED_BYTES);
    return "'%s'%s"
        .formatted(
            new String(bytes, from, shown, StandardCharsets.UTF_8), shown < to - from ? "..." : "");
  }
}
