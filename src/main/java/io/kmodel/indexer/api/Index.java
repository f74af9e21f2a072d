package io.kmodel.indexer.api;

import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.export.ciff.CiffExportOptions;
import io.kmodel.indexer.export.ciff.CiffExporter;
import io.kmodel.indexer.export.ciff.CiffLengths;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.TermCursor.Seek;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.indexing.IndexMerge;
import io.kmodel.indexer.search.SearchResult;
import io.kmodel.indexer.search.filter.ShownColumns;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;

/**
 * An open index of this program's format. Its files are mapped into memory; every part of them is
 * checked when it is first read. Thread-safe. Streams must not be used after the index is closed.
 *
 * {@snippet :
 * try (Index index = Index.open(directory)) {
 *   index.search("bitonic sort", 10).forEach(hit -> System.out.println(hit.id()));
 * }
 * }
 */
public final class Index implements AutoCloseable {
  private final InvertedIndex index;
  private final Analyzer analyzer;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private Index(InvertedIndex index, Analyzer analyzer) {
    this.index = index;
    this.analyzer = analyzer;
  }

  /**
   * Opens an index.
   *
   * @param directory of an index of this program's format
   * @return the index, to be closed
   * @throws DamagedIndexException if it is damaged
   * @throws java.nio.file.NoSuchFileException if there is no index, or a file of it is missing
   * @throws IOException if it cannot be read
   */
  public static Index open(Path directory) throws IOException {
    return Failures.translated(
        () -> {
          InvertedIndex opened = InvertedIndex.open(directory);
          try {
            return new Index(opened, IndexAnalysis.from(opened.metadata().options()).newAnalyzer());
          } catch (RuntimeException e) {
            opened.close();
            throw e;
          }
        });
  }

  /**
   * Merges indexes with the same settings into one, with their documents one index after the other:
   * the same terms and postings as a build of all documents. One thread for each processor merges;
   * each takes some 300 KB of the heap for each index.
   *
   * @param indexes at least one
   * @param output does not exist or is empty
   * @return number of documents in the new index
   * @throws IllegalArgumentException if there are no indexes, or the output is one of them
   * @throws IndexException if the settings differ or the output is taken
   * @throws IOException if reading or writing failed; no index was made
   */
  public static int merge(List<Path> indexes, Path output) throws IOException {
    Path target = output.toAbsolutePath().normalize();
    if (indexes.isEmpty()
        || indexes.stream().anyMatch(i -> i.toAbsolutePath().normalize().equals(target))) {
      throw new IllegalArgumentException(
          "a merge needs indexes, and an output other than these; got %s and %s"
              .formatted(indexes, output));
    }
    return Failures.translated(
        () ->
            new IndexMerge(
                    new IndexMerge.Options(
                        indexes, output, false, null, processors(), DiskSpace.CHECKED),
                    ProgressListener.NONE)
                .run()
                .documents());
  }

  /**
   * Returns the number of documents, which are numbered from 0.
   *
   * @return the number
   */
  public int documentCount() {
    return index.documentCount();
  }

  /**
   * Returns the fields whose terms can be read and searched.
   *
   * @return their names, among them {@code id} and columns of text
   */
  public List<String> fields() {
    return index.schema().fields().stream()
        .filter(field -> field.detail().isIndexed())
        .map(Field::name)
        .toList();
  }

  /**
   * Returns the columns of metadata.
   *
   * @return types by name
   */
  public Map<String, MetadataType> metadata() {
    Map<String, MetadataType> columns = new LinkedHashMap<>();
    for (Column column : index.schema().columns()) {
      columns.put(column.name(), MetadataType.of(column.type()));
    }
    return columns;
  }

  /**
   * Searches contents in Lucene's classic query syntax.
   *
   * @param query as in {@code +title:"external sort" merge* -draft}
   * @param top the most documents to return, at least 1
   * @return the best documents by BM25, with snippets
   * @throws IllegalArgumentException if the query cannot be read, or needs what the index lacks
   * @throws IOException if reading failed
   */
  public Hits search(String query, int top) throws IOException {
    return search(Query.of(query).top(top));
  }

  /**
   * Searches.
   *
   * @param query what to search
   * @return the best documents, with snippets unless the query is a bag of words. Scores equal
   *     those of Lucene on an export of the index
   * @throws IllegalArgumentException if the query cannot be read, or needs what the index lacks
   * @throws IOException if reading failed
   */
  public Hits search(Query query) throws IOException {
    return Failures.translated(
        () -> {
          SearchResult result = query.run(index, analyzer);
          if (!result.unknownFields().isEmpty()) {
            throw new IllegalArgumentException(
                "the index has no fields %s; it has %s"
                    .formatted(result.unknownFields(), fields()));
          }
          return Hits.of(result);
        });
  }

  /**
   * Reads a document by its number.
   *
   * @param number from 0
   * @return what the index keeps of it
   * @throws IndexOutOfBoundsException if there is no such document
   * @throws IOException if reading failed
   */
  public StoredDocument document(int number) throws IOException {
    Objects.checkIndex(number, documentCount());
    return Failures.translated(() -> read(number));
  }

  private StoredDocument read(int number) throws IOException {
    Schema schema = index.schema();
    Map<String, String> texts = new LinkedHashMap<>();
    try (StoredTexts stored = index.documents()) {
      for (int field = 0; field < schema.size(); field++) {
        if (schema.field(field).stored()) {
          texts.put(schema.field(field).name(), stored.text(number, field));
        }
      }
    }
    List<String> columns = schema.columns().stream().map(Column::name).toList();
    return new StoredDocument(number, texts, new ShownColumns(index, columns).of(number));
  }

  /**
   * Finds a document by its id.
   *
   * @param id as it was added
   * @return the number of the first document that has it, if there is one
   * @throws IOException if reading failed
   */
  public OptionalInt find(String id) throws IOException {
    try (Stream<Posting> with = postings(Schema.ID, id)) {
      return with.mapToInt(Posting::document).findFirst();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Reads the terms of a field in byte order of their UTF-8.
   *
   * @param field its name
   * @param prefix of the terms; empty for all
   * @return a stream that reads while it is used, and throws UncheckedIOException if that fails
   * @throws IllegalArgumentException if the index has no terms of such a field
   * @throws IOException if reading failed
   */
  public Stream<Term> terms(String field, String prefix) throws IOException {
    int ordinal = indexed(field);
    byte[] from = prefix.getBytes(StandardCharsets.UTF_8);
    return Failures.translated(
        () -> {
          TermCursor cursor = index.terms(ordinal);
          boolean hasFirst = cursor.seek(from, 0, from.length) != Seek.END;
          return Walk.of(
              hasFirst,
              cursor::next,
              () -> cursor.startsWith(from) ? Optional.of(term(cursor)) : Optional.empty());
        });
  }

  private static Term term(TermCursor cursor) {
    return new Term(cursor.text(), cursor.docFreq(), cursor.totalTermFreq());
  }

  /**
   * Reads the list of a term.
   *
   * @param field its field
   * @param term as the index has it, after analysis
   * @return the term's documents in order, none if the field has no such term; the stream reads
   *     while it is used, and throws UncheckedIOException if that fails
   * @throws IllegalArgumentException if the index has no terms of such a field
   * @throws IOException if reading failed
   */
  public Stream<Posting> postings(String field, String term) throws IOException {
    int ordinal = indexed(field);
    boolean hasPositions = index.schema().field(ordinal).detail().hasPositions();
    byte[] bytes = term.getBytes(StandardCharsets.UTF_8);
    return Failures.translated(
        () -> {
          TermCursor cursor = index.terms(ordinal);
          if (cursor.seek(bytes, 0, bytes.length) != Seek.FOUND) {
            return Stream.empty();
          }
          PostingList list = cursor.postings(null, Detail.POSITIONS);
          return Walk.of(
              list.nextDoc() != PostingList.END,
              () -> list.nextDoc() != PostingList.END,
              () -> Optional.of(posting(list, hasPositions)));
        });
  }

  private static Posting posting(PostingList list, boolean hasPositions) throws IOException {
    List<Integer> positions = new ArrayList<>();
    if (hasPositions) {
      for (int i = 0; i < list.freq(); i++) {
        positions.add(list.nextPosition());
      }
    }
    return new Posting(list.docId(), list.freq(), positions);
  }

  private int indexed(String field) {
    int ordinal = index.schema().find(field);
    if (ordinal < 0 || !index.schema().field(ordinal).detail().isIndexed()) {
      throw new IllegalArgumentException(
          "the index has no terms of a field '%s'; it has %s".formatted(field, fields()));
    }
    return ordinal;
  }

  /**
   * Reads all of the index that the directory holds now, and checks it: every byte, and that its
   * parts fit together.
   *
   * @throws DamagedIndexException if it is damaged
   * @throws IOException if reading failed
   */
  public void verify() throws IOException {
    Failures.translated(() -> IndexVerifier.verify(index.directory(), ProgressListener.NONE));
  }

  /**
   * Writes a Lucene 10.6 index of one segment, as IndexWriter makes it of the same documents, and
   * has CheckIndex read it.
   *
   * @param directory does not exist or is empty
   * @throws IndexException if Lucene cannot hold the index, or the directory is taken
   * @throws IOException if reading or writing failed; nothing is left
   */
  public void exportLucene(Path directory) throws IOException {
    ExportOptions options = new ExportOptions(1, processors(), IndexCheck.CONTENT);
    Failures.translated(() -> LuceneExporter.export(index, directory, options));
  }

  /**
   * Writes a field as a file of the Common Index File Format, with exact lengths of documents.
   *
   * @param file does not exist
   * @param field a tokenized field
   * @throws IllegalArgumentException if there is no such field, or ids are not stored
   * @throws IndexException if CIFF cannot hold the index, or the file exists
   * @throws IOException if reading or writing failed; nothing is left
   */
  public void exportCiff(Path file, String field) throws IOException {
    CiffExportOptions options = new CiffExportOptions(field, CiffLengths.EXACT, false);
    Failures.translated(() -> CiffExporter.export(index, file, options, ProgressListener.NONE));
  }

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Closes the index; a second call does nothing. */
  @Override
  public void close() throws IOException {
    if (isClosed.compareAndSet(false, true)) {
      analyzer.close();
      index.close();
    }
  }
}
