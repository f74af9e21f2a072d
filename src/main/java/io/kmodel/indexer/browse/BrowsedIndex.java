package io.kmodel.indexer.browse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.verify.CorpusCount;
import io.kmodel.indexer.search.DeclaredSearcher;
import io.kmodel.indexer.search.FieldWeights;
import io.kmodel.indexer.search.ScoringModel;
import io.kmodel.indexer.search.TextAnalyzers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/**
 * An open index to look into: one of this program, or one of Lucene. Both are read through Lucene's
 * {@link IndexReader}; the methods here give the rest. Thread-safe; the objects it returns are for
 * one thread.
 */
public sealed interface BrowsedIndex extends AutoCloseable permits OwnIndex, LuceneIndex {
  /**
   * Opens an index of either kind.
   *
   * @param analyzer the name of the analyzer of a Lucene index; null for StandardAnalyzer. Ours
   *     know theirs
   */
  static BrowsedIndex open(Path directory, @Nullable String analyzer) throws IOException {
    if (InvertedIndex.exists(directory)) {
      if (analyzer != null) {
        throw new IllegalArgumentException(
            directory + " knows its analyzer; only a Lucene index needs one");
      }
      return OwnIndex.open(directory);
    }
    return LuceneIndex.open(directory, analyzer == null ? Analyzers.STANDARD : analyzer);
  }

  Path directory();

  /** The kind of index, in words for users. */
  String kind();

  IndexReader reader();

  /** A searcher of the index with its statistics. */
  default IndexSearcher searcher() throws IOException {
    return DeclaredSearcher.of(reader(), null);
  }

  /** The analyzer of every field. */
  Analyzer analyzer();

  /** The analyzers of documents: all the same, or by their languages. */
  default TextAnalyzers documentAnalyzers() {
    try {
      return new TextAnalyzers(
          analyzer(), reader(), docId -> columns(docId).getOrDefault(Schema.DETECTED_LANGUAGE, ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The analyzers in words, by field; the entry without a name is for all other fields. */
  ImmutableMap<String, String> analyzers();

  ScoringModel model();

  /** The fields that words without a field are searched in. */
  FieldWeights searched();

  ImmutableList<BrowsedField> fields();

  /**
   * The terms of a field.
   *
   * @throws IllegalArgumentException if the index has no such field
   */
  TermList terms(String field) throws IOException;

  /** The lengths of a field's documents, to be asked in ascending order; null if it has none. */
  CorpusCount.@Nullable Lengths lengths(String field) throws IOException;

  /** Whether lengths are exact. Lucene keeps a byte for each, with an error of up to 11 %. */
  boolean hasExactLengths();

  /** The stored values of a document, in the order in which they are stored. */
  List<StoredValue> stored(int docId) throws IOException;

  /** The metadata of a document as text, by column; doc values of a Lucene index. */
  Map<String, String> columns(int docId) throws IOException;

  /**
   * A reader of stored texts, for one thread. Its last block stays in memory until it is closed.
   */
  Texts texts() throws IOException;

  /** The build options that shaped the content, or the properties of the last commit. */
  ImmutableMap<String, String> options();

  /** The sizes of the index's files. */
  FileSizes sizes();

  @Override
  void close() throws IOException;

  /**
   * A field that has terms or may be stored.
   *
   * @param records what its postings record, or none
   * @param terms distinct terms; -1 if they would have to be counted
   * @param documents documents with at least one term
   * @param isVector whether frequencies are weights
   */
  record BrowsedField(
      String name,
      String records,
      long terms,
      int documents,
      long postings,
      long tokens,
      boolean hasLengths,
      boolean hasPositions,
      boolean isVector) {}

  /** Reads stored texts. */
  interface Texts extends AutoCloseable {
    /** The stored text of a document's field; null if it is not stored or not a text. */
    @Nullable String of(int docId, String field) throws IOException;

    @Override
    void close();
  }

  /** A stored value, as text. */
  record StoredValue(String field, String text) {}

  /**
   * The files of an index.
   *
   * @param bitsPerPosting bits per posting in documents and frequencies; 0 without postings
   * @param bitsPerPosition bits per position; 0 without positions
   * @param bytesPerTerm bytes per term in the dictionary and its index; 0 without terms
   */
  record FileSizes(
      ImmutableMap<String, Long> files,
      ImmutableList<Segment> segments,
      double bitsPerPosting,
      double bitsPerPosition,
      double bytesPerTerm) {}

  /** A segment of a Lucene index. */
  record Segment(String name, int documents, int deleted, long bytes, String codec) {}
}
