package io.kmodel.indexer.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.index.model.PostingsCopier;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.IntBlock;
import io.kmodel.indexer.index.postings.OffsetCodec;
import io.kmodel.indexer.run.RunTail.LongList;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes a run file front to back: all lists, then {@link #lengths} for every tokenized field in
 * order of ordinals, then {@link #commit}.
 *
 * <pre>
 * body    := list* lengths* tail tailStart:u64            lengths: one per tokenized field
 * list    := shared:vint rest:vint bytes                  the term key, after the last one's bytes
 *            docFreq:vint [excess:vlong] chunk*           excess := totalTermFreq - docFreq
 * chunk   := [count:u8] docs positions                    count - 1; absent where docFreq reads 1
 * docs    := gaps:block [freqs:block]                     256 documents; freq - 1 each
 *          | (gap:vint)*                                  fewer, without frequencies
 *          | (gapAndOnce:vint [freq:vint])*               fewer: gap &lt;&lt; 1 | once; if not, freq - 2
 * positions := block* vint*                               256 each, then the rest of the chunk's
 *            | (block offsets)* (gap:vint offset)*     with offsets, see {@link OffsetCodec}
 * lengths := block* vint*                                 a length per document
 * tail    := documents:vint tokens:vlong terms:vlong listsEnd:vlong fields:u8 field*
 *            longLists:vint (docFreq:vint totalTermFreq:vlong)*
 *            samples:vint (length:vint bytes bytesBefore:vlong longListsBefore:vint)*
 * field   := detail:u2 | tokenized &lt;&lt; 2 | offsets &lt;&lt; 3 [lengthsStart:vlong]
 * </pre>
 *
 * <p>A document's gap is its distance to the previous one minus 1; the first one's is its docID.
 * Fields without frequencies have neither excess nor freqs, those without positions no positions.
 * Starts and lengths of offsets are as in {@link PostingsCursor}. Blocks are {@link IntBlock}s. A
 * list that outgrows the buffer is a long list: its docFreq is written as 0, without excess, and
 * its statistics are in the tail. The first list of every {@value #SAMPLE_BYTES} bytes has a sample
 * in the tail and shares no bytes with the previous key, so that reading can start there.
 *
 * <p>Example: one tokenized field with positions, documents "b b" and "a". The body starts at
 * offset 0x0c.
 *
 * <pre>
 * 00 02 00 61  01 00  03  00          key 00 'a', one document, excess 0; doc 1 once; position 0
 * 01 01 62  01 01  00 00  00 01       key 00 'b', one document, excess 1; doc 0 twice; 0, 0 + 1
 * 02 01                               lengths of documents 0 and 1
 * 02 03 02 1d  01 06 1d               2 documents, 3 tokens, 2 terms, lists end at 0x1d; 1 field
 * 00  01 00 00 00                     no long list; one sample: empty key, at the first list
 * 1f 00 00 00 00 00 00 00             the tail starts at 0x1f
 * </pre>
 *
 * <p>Memory: a buffer of {@value #BUFFER_INTS} ints, that of the file, and the content of the tail
 * (see {@link RunTail}). Not thread-safe. Closing it before {@link #commit} deletes the file.
 */
public final class RunWriter implements PostingsConsumer, AutoCloseable {
  static final String FORMAT = "run";
  static final int VERSION = 2;

  static final int SAMPLE_BYTES = 1 << 16;

  /** Large, so that there are few long lists and their table in the tail is small. */
  static final int BUFFER_INTS = 1 << 18;

  private final Schema schema;
  private final OutputFile out;
  private final ListEncoder encoder;
  private final IntBlock block = new IntBlock();
  private final int[] blockValues = new int[PostingsCursor.BLOCK];

  /**
   * Chunks of a list that is not long (yet): count, docs, freqs, number of positions, positions. If
   * the field has offsets, each position is followed by the gap of its start and its length.
   */
  private final int[] buffer = new int[BUFFER_INTS];

  private int buffered;

  /** Index in the buffer of the current chunk's number of positions. */
  private int positionsAt;

  private boolean isLong;

  private byte[] term = new byte[64];
  private int termLength;
  private byte[] lastTerm = new byte[64];
  private int lastTermLength;
  private boolean inTerm;
  private Detail detail = Detail.DOCUMENTS;
  private int docFreq;
  private long totalTermFreq;
  private int lastDoc;

  /** Positions of the current chunk that have not been added yet. */
  private long positionsDue;

  private long tokens;
  private long terms;
  private long lastSample;
  private final long listsStart;
  private long listsEnd = -1;
  private final List<LongList> longLists = new ArrayList<>();
  private final List<TermSample> samples = new ArrayList<>();

  private final long[] lengthsStarts;
  private final int[] lengthCounts;
  private int lengthsField = -1;
  private int blockCount;

  private RunWriter(OutputFile out, Schema schema) {
    this.out = out;
    this.schema = schema;
    this.encoder = new ListEncoder(out);
    this.listsStart = out.position();
    this.lengthsStarts = new long[schema.size()];
    this.lengthCounts = new int[schema.size()];
  }

  public static RunWriter create(Path path, Schema schema) throws IOException {
    return new RunWriter(OutputFile.create(path, FORMAT, VERSION), schema);
  }

  /** Writes a whole run and closes its cursor. */
  static void write(
      Path path, Schema schema, PostingsCursor postings, RunDocuments perDocument, int documents)
      throws IOException {
    try (postings;
        RunWriter writer = create(path, schema)) {
      new PostingsCopier().copy(postings, writer);
      perDocument.write(writer, documents);
      writer.commit(documents);
    }
  }

  @Override
  public void startTerm(byte[] key, int length) throws IOException {
    if (inTerm || listsEnd >= 0) {
      throw new IllegalStateException("startTerm within a term or after lengths");
    }
    if (length < 1 || (key[0] & 0xFF) >= schema.size()) {
      throw new IllegalArgumentException("a term key must begin with the ordinal of a field");
    }
    if (terms > 0 && Arrays.compareUnsigned(key, 0, length, term, 0, termLength) <= 0) {
      throw new IllegalArgumentException(
          "terms must ascend; got %s after %s"
              .formatted(text(key, length), text(term, termLength)));
    }
    byte[] swap = lastTerm;
    lastTerm = term;
    lastTermLength = termLength;
    term = swap.length >= length ? swap : new byte[Math.max(length, 2 * swap.length)];
    System.arraycopy(key, 0, term, 0, length);
    termLength = length;
    inTerm = true;
    detail = schema.field(key[0] & 0xFF).detail();
    docFreq = 0;
    totalTermFreq = 0;
    lastDoc = -1;
    positionsDue = 0;
    buffered = 0;
    isLong = false;
  }

  @Override
  public void docs(int[] docs, int[] freqs, int count) throws IOException {
    checkPositions();
    if (!inTerm || count < 1 || count > PostingsCursor.BLOCK) {
      throw new IllegalStateException("%d documents, expected 1..256 of a term".formatted(count));
    }
    long occurrences = 0;
    for (int i = 0; i < count; i++) {
      int freq = detail.hasFrequencies() ? freqs[i] : 1;
      if (docs[i] <= lastDoc || freq < 1) {
        throw new IllegalArgumentException(
            "document %d with frequency %d after document %d".formatted(docs[i], freq, lastDoc));
      }
      lastDoc = docs[i];
      occurrences += freq;
    }
    docFreq += count;
    totalTermFreq += occurrences;
    positionsDue = detail.hasPositions() ? occurrences : 0;
    makeRoom(2 + 2 * count);
    if (isLong) {
      encoder.docs(docs, 0, freqs, 0, count);
      return;
    }
    buffer[buffered++] = count;
    System.arraycopy(docs, 0, buffer, buffered, count);
    if (detail.hasFrequencies()) {
      System.arraycopy(freqs, 0, buffer, buffered + count, count);
    }
    buffered += 2 * count;
    positionsAt = buffered++;
    buffer[positionsAt] = 0;
  }

  @Override
  public void positions(int[] deltas, int count) throws IOException {
    if (count > positionsDue) {
      throw new IllegalStateException(
          "%d positions, expected at most %d".formatted(count, positionsDue));
    }
    positionsDue -= count;
    if (detail.hasOffsets()) {
      occurrences(deltas, count);
      return;
    }
    makeRoom(count);
    if (isLong) {
      encoder.positions(deltas, 0, count);
      return;
    }
    System.arraycopy(deltas, 0, buffer, buffered, count);
    buffer[positionsAt] += count;
    buffered += count;
  }

  private void occurrences(int[] columns, int count) throws IOException {
    makeRoom(3 * count);
    int at = isLong ? 0 : buffered;
    int from = at;
    for (int i = 0; i < count; i++) {
      buffer[at++] = columns[i];
      buffer[at++] = columns[PostingsCursor.STARTS + i];
      buffer[at++] = columns[PostingsCursor.LENGTHS + i];
    }
    if (isLong) {
      encoder.occurrences(buffer, from, count);
      return;
    }
    buffer[positionsAt] += count;
    buffered = at;
  }

  @Override
  public void finishTerm() throws IOException {
    checkPositions();
    if (!inTerm || docFreq == 0) {
      throw new IllegalStateException("finishTerm without a term or its documents");
    }
    if (isLong) {
      longLists.add(new LongList(docFreq, totalTermFreq));
    } else {
      writeHead();
      out.writeVInt(docFreq);
      if (detail.hasFrequencies()) {
        out.writeVLong(totalTermFreq - docFreq);
      }
      writeBuffered(docFreq > 1);
    }
    encoder.finishChunk();
    tokens += totalTermFreq;
    terms++;
    inTerm = false;
  }

  /**
   * Adds the lengths of further documents in a tokenized field, in tokens.
   *
   * @param count at most the length of the array
   */
  public void lengths(int field, int[] lengths, int count) throws IOException {
    if (inTerm || field < lengthsField || !schema.field(field).tokenized()) {
      throw new IllegalStateException("lengths of field " + field + " within a term or too late");
    }
    startLengths(field);
    for (int i = 0; i < count; i++) {
      blockValues[blockCount++] = lengths[i];
      if (blockCount == PostingsCursor.BLOCK) {
        block.write(blockValues, out);
        blockCount = 0;
      }
    }
    lengthCounts[field] += count;
  }

  /** Completes the file. Every tokenized field must have a length for every document. */
  public void commit(int documents) throws IOException {
    if (inTerm) {
      throw new IllegalStateException("commit within a term");
    }
    startLengths(schema.size());
    for (int i = 0; i < schema.size(); i++) {
      if (schema.field(i).tokenized() && lengthCounts[i] != documents) {
        throw new IllegalStateException(
            "%d lengths of field %d, expected %d".formatted(lengthCounts[i], i, documents));
      }
    }
    RunTail.Totals totals = new RunTail.Totals(documents, tokens, terms);
    RunTail.Lists lists =
        new RunTail.Lists(listsEnd, ImmutableList.copyOf(longLists), ImmutableList.copyOf(samples));
    new RunTail(out.position(), totals, RunTail.fields(schema, lengthsStarts), lists).write(out);
    out.commitUnforced();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  /** Makes the list a long one if the buffer has no room for so many ints. */
  private void makeRoom(int ints) throws IOException {
    if (!isLong && ints > buffer.length - buffered) {
      writeHead();
      out.writeVInt(0);
      writeBuffered(true);
      isLong = true;
    }
  }

  private void writeHead() throws IOException {
    int shared = 0;
    long at = out.position();
    if (terms == 0) {
      samples.add(new TermSample(new byte[0], at, 0, 0));
      lastSample = at;
    } else {
      shared = Arrays.mismatch(lastTerm, 0, lastTermLength, term, 0, termLength);
      if (at - lastSample >= SAMPLE_BYTES) {
        byte[] separator = Arrays.copyOf(term, shared + 1);
        samples.add(new TermSample(separator, at, longLists.size(), at - listsStart));
        lastSample = at;
        shared = 0;
      }
    }
    out.writeVInt(shared);
    out.writeVInt(termLength - shared);
    out.writeBytes(term, shared, termLength - shared);
  }

  private void writeBuffered(boolean counted) throws IOException {
    encoder.start(detail, counted);
    for (int at = 0; at < buffered; ) {
      int count = buffer[at++];
      encoder.docs(buffer, at, buffer, at + count, count);
      at += 2 * count;
      int positions = buffer[at++];
      if (detail.hasOffsets()) {
        encoder.occurrences(buffer, at, positions);
        at += 3 * positions;
      } else {
        encoder.positions(buffer, at, positions);
        at += positions;
      }
    }
  }

  private void checkPositions() {
    if (positionsDue != 0) {
      throw new IllegalStateException(positionsDue + " positions of the last documents missing");
    }
  }

  /** Ends the previous fields and starts the sections up to that of {@code field}. */
  private void startLengths(int field) throws IOException {
    if (listsEnd < 0) {
      listsEnd = out.position();
    }
    if (field == lengthsField) {
      return;
    }
    out.writeVInts(blockValues, blockCount);
    blockCount = 0;
    while (lengthsField < field) {
      lengthsField++;
      if (lengthsField < schema.size()) {
        lengthsStarts[lengthsField] = out.position();
      }
    }
  }

  private static String text(byte[] key, int length) {
    return "field %d '%s'".formatted(key[0] & 0xFF, new String(key, 1, length - 1, UTF_8));
  }
}
