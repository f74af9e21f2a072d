package io.kmodel.indexer.index.postings;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.terms.TermEntry;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.util.Arrays;

/**
 * Decodes the documents of successive terms, a block at a time; see {@link DocsWriter} for the
 * grammar. Frequencies are decoded on demand. Impossible content (documents that do not ascend or
 * lie beyond the index, bytes beyond the term's) raises a {@link
 * io.kmodel.indexer.store.CorruptIndexException}. Memory: the buffer and 5 KiB. Not thread-safe.
 */
public final class DocsReader {
  private static final int BLOCK = PostingsCursor.BLOCK;

  private final ByteReader in;
  private final int documentCount;
  private final SkipTable skips;
  private final IntBlock intBlock = new IntBlock();
  private final int[] docs = new int[BLOCK];
  private final int[] freqs = new int[BLOCK];

  private boolean hasFreqs;
  private int singleDoc;
  private int docFreq;
  private int singleFreq;
  private long start;
  private int block;
  private int count;
  private int lastDoc;

  /** Whether the next bytes are the frequencies of the current block. */
  private boolean freqsPending;

  public DocsReader(InputFile file, int documentCount, int bufferBytes) throws IOException {
    this.in = file.reader(bufferBytes);
    this.documentCount = documentCount;
    this.skips = new SkipTable(file);
  }

  public void reset(TermEntry term, Detail detail) throws IOException {
    if (term.docFreq > documentCount) {
      throw in.corrupt(
          "document frequency %d exceeds the index's %d documents, in the term at offset %d"
              .formatted(term.docFreq, documentCount, term.docsStart));
    }
    hasFreqs = detail.hasFrequencies();
    docFreq = term.docFreq;
    singleDoc = term.singleDoc;
    singleFreq = docFreq == 1 ? Math.toIntExact(term.totalTermFreq) : 0;
    start = term.docsStart;
    skips.reset(term, detail.hasPositions());
    block = -1;
    count = 0;
    lastDoc = -1;
    freqsPending = false;
    if (docFreq > 1) {
      in.seek(start);
    }
  }

  /** Decodes the next block of documents; false at the end of the list. */
  public boolean next() throws IOException {
    if (freqsPending) {
      IntBlock.skip(in);
      freqsPending = false;
    }
    long left = docFreq - (block + 1L) * BLOCK;
    if (left <= 0) {
      return false;
    }
    block++;
    count = (int) Math.min(left, BLOCK);
    if (docFreq == 1) {
      docs[0] = singleDoc;
      freqs[0] = singleFreq;
      checkLast(singleDoc);
    } else if (count == BLOCK) {
      intBlock.read(in, docs);
      freqsPending = hasFreqs;
      if (!hasFreqs) {
        Arrays.fill(freqs, 1);
      }
      sumGaps();
    } else {
      readTail();
      sumGaps();
    }
    return true;
  }

  /** Makes the given block, full or partial, the next one. */
  public void jump(int target) throws IOException {
    block = target - 1;
    count = 0;
    freqsPending = false;
    lastDoc = target == 0 ? -1 : skips.lastDoc(target - 1);
    in.seek(start + (target == 0 ? 0 : skips.docsOffset(target - 1)));
  }

  /** The current block's documents, ascending; only the first {@link #count()} are valid. */
  public int[] docs() {
    return docs;
  }

  /** The current block's frequencies. */
  public int[] freqs() throws IOException {
    if (freqsPending) {
      intBlock.read(in, freqs);
      freqsPending = false;
      int signs = 0;
      for (int i = 0; i < BLOCK; i++) {
        int freq = freqs[i] + 1;
        signs |= freqs[i] | freq;
        freqs[i] = freq;
      }
      if (signs < 0) {
        throw in.corrupt("frequency above 2^31 - 1 before offset " + in.position());
      }
      checkEnd();
    }
    return freqs;
  }

  /** Documents in the current block. */
  public int count() {
    return count;
  }

  /** The current block's number, -1 before the first. */
  public int block() {
    return block;
  }

  public SkipTable skips() {
    return skips;
  }

  /** Bytes of the term read so far. */
  public long offset() {
    return docFreq == 1 ? 0 : in.position() - start;
  }

  private void readTail() throws IOException {
    for (int i = 0; i < count; i++) {
      int code = in.readVInt();
      if (!hasFreqs) {
        docs[i] = code;
        freqs[i] = 1;
      } else {
        docs[i] = code >>> 1;
        freqs[i] = (code & 1) != 0 ? 1 : in.readVInt() + 2;
        if (freqs[i] < 1) {
          throw in.corrupt("frequency above 2^31 - 1 before offset " + in.position());
        }
      }
    }
  }

  /** Converts gaps - 1 to document numbers. */
  private void sumGaps() throws IOException {
    int signs = 0;
    long doc = lastDoc;
    for (int i = 0; i < count; i++) {
      signs |= docs[i];
      doc += docs[i] + 1L;
      docs[i] = (int) doc;
    }
    checkLast(signs < 0 ? Long.MAX_VALUE : doc);
    lastDoc = (int) doc;
    checkEnd();
  }

  private void checkLast(long doc) throws IOException {
    if (doc >= documentCount) {
      throw in.corrupt(
          "block %d of the term at offset %d exceeds the index's %d documents"
              .formatted(block, start, documentCount));
    }
  }

  private void checkEnd() throws IOException {
    if (in.position() - start > skips.dataBytes()) {
      throw in.corrupt(
          "block %d of the term at offset %d ends at %d, expected at most %d"
              .formatted(block, start, in.position(), start + skips.dataBytes()));
    }
  }
}
