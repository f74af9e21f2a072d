package io.kmodel.indexer.export.lucene.vectors;

import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.columns.ColumnReader;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.codecs.TermVectorsWriter;
import org.apache.lucene.index.FieldInfos;

/**
 * Makes Lucene's term vectors of an index's documents: those that IndexWriter makes of fields that
 * store them with the positions and offsets of their postings. The index has its postings by term,
 * not by document, so the stored texts are analyzed once more, with the analyzers that the index
 * records. The lengths of the texts are compared with those in the index.
 *
 * <p>Memory: that of {@link FieldVector} for each field, and Lucene's buffers.
 */
public final class DocumentVectors {
  private DocumentVectors() {}

  /**
   * Checks that the texts of all fields can be analyzed again.
   *
   * @throws IllegalArgumentException if some are not stored or are no texts
   */
  public static void requireTexts(Schema schema) {
    for (Field field : schema.fields()) {
      if (field.detail().hasImpacts()) {
        throw new IllegalArgumentException(
            "term vectors are made from texts, but field '%s' has weights of sparse vectors"
                .formatted(field.name()));
      }
      if (field.tokenized() && !field.stored()) {
        throw new IllegalArgumentException(
            "term vectors are made from stored texts, but field '%s' is not stored; build with --store contents"
                .formatted(field.name()));
      }
    }
  }

  /** The names of the fields that get vectors: those of texts with at least one term. */
  public static ImmutableSet<String> fields(InvertedIndex index) {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    for (int ordinal = 0; ordinal < index.schema().size(); ordinal++) {
      Field field = index.schema().field(ordinal);
      if (field.tokenized() && index.statistics(ordinal).terms() > 0) {
        names.add(field.name());
      }
    }
    return names.build();
  }

  /**
   * Writes the vectors of a range of documents.
   *
   * @param infos Lucene's fields, numbered as those of the index
   * @param to finished, but not closed
   * @throws CorruptIndexException if a text does not have as many tokens as the index says
   */
  public static void write(
      InvertedIndex index, DocumentRange range, FieldInfos infos, TermVectorsWriter to)
      throws IOException {
    IndexAnalysis analysis = IndexAnalysis.from(index.metadata().options());
    try (Analyzer analyzer = analysis.newAnalyzer();
        StoredTexts texts = index.documents()) {
      List<FieldVector> vectors = new ArrayList<>();
      for (String name : fields(index)) {
        vectors.add(
            new FieldVector(
                index.schema().ordinal(name),
                infos.fieldInfo(name),
                analyzer,
                analysis.definition(name)));
      }
      // As IndexWriter does.
      vectors.sort(Comparator.comparing(FieldVector::name));
      ColumnReader languages =
          analysis.isByLanguage()
              ? index.columns().reader(index.schema().findColumn(Schema.DETECTED_LANGUAGE))
              : null;
      for (int docId = range.from(); docId < range.to(); docId++) {
        Interruption.requireNone();
        String language = languages == null ? "" : languages.text(docId);
        int count = 0;
        for (FieldVector vector : vectors) {
          vector.read(texts, docId, language);
          requireLength(index, vector, docId);
          count += vector.terms() > 0 ? 1 : 0;
        }
        to.startDocument(count);
        for (FieldVector vector : vectors) {
          if (vector.terms() > 0) {
            vector.write(to);
          }
        }
        to.finishDocument();
      }
    }
    to.finish(range.size());
  }

  private static void requireLength(InvertedIndex index, FieldVector vector, int docId)
      throws IOException {
    int expected = index.length(vector.ordinal(), docId);
    if (vector.length() != expected) {
      throw index
          .file(IndexFiles.DOCUMENTS)
          .corrupt(
              "document %d: field '%s' has %d tokens in the index, but its stored text has %d"
                  .formatted(docId, vector.name(), expected, vector.length()));
    }
  }
}
