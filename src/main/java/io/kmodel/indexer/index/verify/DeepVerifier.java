package io.kmodel.indexer.index.verify;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.columns.ColumnReader;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnStatistics;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the slower checks that {@link IndexVerifier} leaves out. Searches, which look terms up and
 * skip within lists, must see what a sequential walk sees ({@link SkippingVerifier}). The lengths
 * of documents must match their positions ({@link LengthRecount}). Every stored text must be
 * readable, and every stored keyword must be a term of its document; so must every string of a
 * column ({@link IndexVerifier} has counted both). Stops at the first difference. Memory: see those
 * two classes. Single-threaded.
 */
public final class DeepVerifier {
  /** Documents between two progress reports. */
  private static final int REPORT_DOCUMENTS = 1 << 12;

  private final InvertedIndex index;
  private final ProgressListener progress;
  private final long work;
  private long done;

  /**
   * Counts of what was read and found correct.
   *
   * @param terms terms looked up, each with its list read by skipping
   * @param lengths document lengths recounted from positions
   * @param texts stored texts read
   * @param values strings of columns compared with the terms of their documents
   * @param sharedIds documents whose id an earlier document has, too
   */
  public record Result(long terms, long lengths, long texts, long values, long sharedIds) {}

  private DeepVerifier(InvertedIndex index, ProgressListener progress) {
    this.index = index;
    this.progress = progress;
    long documents = index.documentCount();
    long terms = 0;
    long passes = 0;
    for (int field = 0; field < index.schema().size(); field++) {
      terms += index.statistics(field).terms();
      passes += index.schema().field(field).stored() ? 1 : 0;
      passes += LengthRecount.applies(index, field) ? 1 : 0;
    }
    for (ColumnStatistics column : strings(index)) {
      terms += column.documents();
    }
    this.work = terms + passes * documents;
  }

  /**
   * Reads an index the way searches do, and recounts lengths. It should have passed {@link
   * IndexVerifier#verify} before. Progress is in terms and documents.
   *
   * @throws CorruptIndexException at the first error
   */
  public static Result verify(Path directory, ProgressListener progress) throws IOException {
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      return new DeepVerifier(index, progress).verify();
    }
  }

  private Result verify() throws IOException {
    long terms = new SkippingVerifier(index).verify(this::advance);
    long lengths = 0;
    for (int field = 0; field < index.schema().size(); field++) {
      if (LengthRecount.applies(index, field)) {
        try (LengthRecount recount = new LengthRecount(index, field)) {
          lengths += recount.verify(this::advance);
        }
      }
    }
    return new Result(terms, lengths, verifyTexts(), verifyStrings(), sharedIds());
  }

  private static List<ColumnStatistics> strings(InvertedIndex index) {
    List<Column> columns = index.schema().columns();
    return IntStream.range(0, columns.size())
        .filter(i -> columns.get(i).type() == ColumnType.STRING)
        .mapToObj(index.metadata().columns()::get)
        .toList();
  }

  private long verifyStrings() throws IOException {
    long values = 0;
    for (int i = 0; i < index.schema().columns().size(); i++) {
      Column column = index.schema().columns().get(i);
      if (column.type() != ColumnType.STRING) {
        continue;
      }
      ColumnReader reader = index.columns().reader(i);
      TermCursor terms = index.terms(index.schema().ordinal(column.name()));
      PostingList list = null;
      while (terms.next()) {
        Interruption.requireNone();
        list = terms.postings(list, Detail.DOCUMENTS);
        verifyStrings(terms, list, reader);
        values += terms.docFreq();
        advance(terms.docFreq());
      }
    }
    return values;
  }

  private void verifyStrings(TermCursor terms, PostingList list, ColumnReader reader)
      throws IOException {
    int start = terms.termOffset();
    int end = start + terms.termLength();
    for (int doc = list.nextDoc(); doc != PostingList.END; doc = list.nextDoc()) {
      byte[] value = reader.has(doc) ? reader.string(doc) : null;
      if (value == null || !Arrays.equals(value, 0, value.length, terms.term(), start, end)) {
        throw index
            .file(IndexFiles.column(reader.column()))
            .corrupt(
                "document %d has %s, but the term '%s'"
                    .formatted(
                        doc,
                        value == null
                            ? "no value"
                            : "'" + new String(value, StandardCharsets.UTF_8) + "'",
                        new String(terms.term(), start, end - start, StandardCharsets.UTF_8)));
      }
    }
  }

  private long verifyTexts() throws IOException {
    long texts = 0;
    try (StoredTexts stored = index.documents()) {
      for (int field = 0; field < index.schema().size(); field++) {
        if (index.schema().field(field).stored()) {
          verifyTexts(stored, field);
          texts += index.documentCount();
        }
      }
    }
    return texts;
  }

  private void verifyTexts(StoredTexts stored, int field) throws IOException {
    Field described = index.schema().field(field);
    boolean keyword = described.isKeyword();
    TermCursor terms = index.terms(field);
    PostingList list = null;
    for (int doc = 0; doc < index.documentCount(); doc++) {
      String text = stored.text(doc, field);
      if (keyword) {
        list = verifyKeyword(terms, list, doc, text, field);
      }
      if ((doc + 1) % REPORT_DOCUMENTS == 0) {
        Interruption.requireNone();
        advance(REPORT_DOCUMENTS);
      }
    }
  }

  private PostingList verifyKeyword(
      TermCursor terms, @Nullable PostingList reuse, int doc, String text, int field)
      throws IOException {
    byte[] term = text.getBytes(StandardCharsets.UTF_8);
    if (terms.seek(term, 0, term.length) == TermCursor.Seek.FOUND) {
      PostingList list = terms.postings(reuse, Detail.DOCUMENTS);
      if (list.advance(doc) == doc) {
        return list;
      }
    }
    throw index
        .file(IndexFiles.DOCUMENTS)
        .corrupt(
            "document %d stores %s '%s', but that term's postings do not contain it"
                .formatted(doc, index.schema().field(field).name(), text));
  }

  /** Each document has exactly one id, so documents in excess of the distinct ids share one. */
  private long sharedIds() {
    int id = index.schema().find(Schema.ID);
    return id < 0 || index.schema().field(id).tokenized()
        ? 0
        : index.documentCount() - index.statistics(id).terms();
  }

  private void advance(long units) {
    done += units;
    progress.progress(Math.min(done, work), work);
  }
}
