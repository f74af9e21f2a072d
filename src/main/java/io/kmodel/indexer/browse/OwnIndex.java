package io.kmodel.indexer.browse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.DeclaredStatistics;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.verify.CorpusCount;
import io.kmodel.indexer.index.verify.IndexNumbers;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.DeclaredSearcher;
import io.kmodel.indexer.search.FieldWeights;
import io.kmodel.indexer.search.ImpactSum;
import io.kmodel.indexer.search.ScoringModel;
import io.kmodel.indexer.search.Searcher;
import io.kmodel.indexer.search.filter.ShownColumns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/** An index of this program. Memory: that of its readers, and one block of texts per request. */
final class OwnIndex implements BrowsedIndex {
  private final InvertedIndex index;
  private final IndexAnalysis analysis;
  private final Analyzer general;
  private final Analyzer analyzer;
  private final IndexLeafReader reader;

  private OwnIndex(InvertedIndex index, IndexAnalysis analysis) {
    this.index = index;
    this.analysis = analysis;
    this.general = analysis.newAnalyzer();
    this.analyzer = Searcher.perField(index.schema(), general);
    this.reader = new IndexLeafReader(index);
  }

  static OwnIndex open(Path directory) throws IOException {
    InvertedIndex index = InvertedIndex.open(directory);
    try {
      return new OwnIndex(index, IndexAnalysis.from(index.metadata().options()));
    } catch (IllegalArgumentException e) {
      index.close();
      throw new IllegalArgumentException(directory + ": " + e.getMessage(), e);
    }
  }

  @Override
  public Path directory() {
    return index.directory();
  }

  @Override
  public String kind() {
    return "index";
  }

  @Override
  public IndexReader reader() {
    return reader;
  }

  @Override
  public IndexSearcher searcher() throws IOException {
    return DeclaredSearcher.of(reader, DeclaredStatistics.of(index.metadata().options()));
  }

  @Override
  public Analyzer analyzer() {
    return analyzer;
  }

  @Override
  public ImmutableMap<String, String> analyzers() {
    ImmutableMap.Builder<String, String> analyzers = ImmutableMap.builder();
    analyzers.put("", analysis.general().toString());
    analysis.byField().forEach((field, definition) -> analyzers.put(field, definition.toString()));
    return analyzers.buildOrThrow();
  }

  @Override
  public ScoringModel model() {
    return index.schema().hasImpacts() ? new ImpactSum() : Bm25.LUCENE;
  }

  @Override
  public FieldWeights searched() {
    return FieldWeights.defaultOf(index.schema());
  }

  @Override
  public ImmutableList<BrowsedField> fields() {
    ImmutableList.Builder<BrowsedField> fields = ImmutableList.builder();
    for (int i = 0; i < index.schema().size(); i++) {
      Field field = index.schema().field(i);
      FieldStatistics statistics = index.statistics(i);
      String records = field.detail().name().toLowerCase(Locale.ROOT);
      fields.add(
          new BrowsedField(
              field.name(),
              field.stored() ? records + ", stored" : records,
              statistics.terms(),
              statistics.documents(),
              statistics.postings(),
              statistics.tokens(),
              hasLengths(field),
              field.detail().hasPositions(),
              field.detail().hasImpacts()));
    }
    return fields.build();
  }

  private static boolean hasLengths(Field field) {
    return field.tokenized() && !field.detail().hasImpacts();
  }

  @Override
  public TermList terms(String field) throws IOException {
    int ordinal = index.schema().ordinal(field);
    return TermList.of(index.terms(ordinal), index.statistics(ordinal).terms());
  }

  @Override
  public CorpusCount.@Nullable Lengths lengths(String field) {
    int ordinal = index.schema().ordinal(field);
    return hasLengths(index.schema().field(ordinal)) ? docId -> index.length(ordinal, docId) : null;
  }

  @Override
  public boolean hasExactLengths() {
    return true;
  }

  @Override
  public List<StoredValue> stored(int docId) throws IOException {
    Schema schema = index.schema();
    List<StoredValue> stored = new ArrayList<>();
    try (StoredTexts texts = index.documents()) {
      for (int field = 0; field < schema.size(); field++) {
        if (schema.field(field).stored()) {
          stored.add(new StoredValue(schema.field(field).name(), texts.text(docId, field)));
        }
      }
    }
    return stored;
  }

  @Override
  public Map<String, String> columns(int docId) throws IOException {
    List<String> names = new ArrayList<>();
    index.schema().columns().forEach(column -> names.add(column.name()));
    return new ShownColumns(index, names).of(docId);
  }

  @Override
  public Texts texts() throws IOException {
    StoredTexts texts = index.documents();
    return new Texts() {
      @Override
      public @Nullable String of(int docId, String field) throws IOException {
        int ordinal = index.schema().find(field);
        return ordinal >= 0 && index.schema().field(ordinal).stored()
            ? texts.text(docId, ordinal)
            : null;
      }

      @Override
      public void close() {
        texts.close();
      }
    };
  }

  /** The options without definitions of analyzers, which may hold whole files. */
  @Override
  public ImmutableMap<String, String> options() {
    ImmutableMap.Builder<String, String> options = ImmutableMap.builder();
    for (Map.Entry<String, String> option : index.metadata().options().entrySet()) {
      if (!IndexAnalysis.isOption(option.getKey())) {
        options.put(option);
      }
    }
    return options.buildOrThrow();
  }

  @Override
  public FileSizes sizes() {
    ImmutableMap.Builder<String, Long> files = ImmutableMap.builder();
    index.metadata().files().forEach((name, file) -> files.put(name, file.bytes()));
    IndexNumbers numbers = IndexNumbers.of(index.metadata(), ImmutableList.of());
    return new FileSizes(
        files.buildOrThrow(),
        ImmutableList.of(),
        numbers.bitsPerPosting(),
        numbers.bitsPerPosition(),
        numbers.dictionaryBytesPerTerm());
  }

  @Override
  public void close() throws IOException {
    try (index) {
      reader.close();
      analyzer.close();
      general.close();
    }
  }
}
