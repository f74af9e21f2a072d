package io.kmodel.indexer.browse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.analysis.LanguageAnalyzers;
import io.kmodel.indexer.browse.SampledTerms.Sample;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.verify.CorpusCount;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.FieldWeights;
import io.kmodel.indexer.search.ScoringModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.SmallFloat;
import org.jspecify.annotations.Nullable;

/**
 * A Lucene index, read by Lucene: its last commit. Lucene does not keep analyzers, so fields with
 * lengths are analyzed by the given one, and others are keywords. Fields and files are read when it
 * is opened, so they do not change if another commit replaces this one. Memory: that of the reader,
 * and the samples of the fields whose terms were shown.
 */
final class LuceneIndex implements BrowsedIndex {
  private final Path path;
  private final Directory directory;
  private final DirectoryReader reader;
  private final FieldInfos infos;
  private final String analyzerName;
  private final Analyzer general;
  private final Analyzer analyzer;
  private final ImmutableList<BrowsedField> fields;
  private final FileSizes sizes;
  private final Map<String, Sample> samples = new HashMap<>();

  private LuceneIndex(Path path, Directory directory, DirectoryReader reader, String analyzer)
      throws IOException {
    this.path = path;
    this.directory = directory;
    this.reader = reader;
    this.infos = FieldInfos.getMergedFieldInfos(reader);
    this.analyzerName = analyzer;
    this.general = Analyzers.named(analyzer);
    if (general instanceof LanguageAnalyzers && infos.fieldInfo(Schema.DETECTED_LANGUAGE) == null) {
      throw new IllegalArgumentException(
          "%s has no field '%s', by which the analyzer '%s' is chosen"
              .formatted(path, Schema.DETECTED_LANGUAGE, analyzer));
    }
    Map<String, Analyzer> keywords = new HashMap<>();
    for (FieldInfo info : infos) {
      if (!info.hasNorms()) {
        keywords.put(info.name, new KeywordAnalyzer());
      }
    }
    this.analyzer = LanguageAnalyzers.withFields(general, keywords);
    this.fields = fields(reader, infos);
    this.sizes = LuceneSizes.of(reader);
  }

  static LuceneIndex open(Path path, String analyzer) throws IOException {
    Directory directory = FSDirectory.open(path);
    DirectoryReader reader = null;
    try {
      reader = DirectoryReader.open(directory);
      return new LuceneIndex(path, directory, reader, analyzer);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(reader, directory);
      throw e;
    }
  }

  @Override
  public Path directory() {
    return path;
  }

  @Override
  public String kind() {
    return "Lucene index";
  }

  @Override
  public IndexReader reader() {
    return reader;
  }

  @Override
  public Analyzer analyzer() {
    return analyzer;
  }

  @Override
  public ImmutableMap<String, String> analyzers() {
    return ImmutableMap.of("", analyzerName);
  }

  @Override
  public ScoringModel model() {
    return Bm25.LUCENE;
  }

  @Override
  public FieldWeights searched() {
    List<String> names = new ArrayList<>();
    for (FieldInfo info : infos) {
      if (info.hasNorms()) {
        names.add(info.name);
      }
    }
    if (names.contains(Schema.CONTENTS) || names.isEmpty()) {
      return FieldWeights.CONTENTS;
    }
    ImmutableMap.Builder<String, Float> weights = ImmutableMap.builder();
    names.forEach(name -> weights.put(name, 1f));
    return new FieldWeights(weights.buildOrThrow());
  }

  @Override
  public ImmutableList<BrowsedField> fields() {
    return fields;
  }

  private static ImmutableList<BrowsedField> fields(IndexReader reader, FieldInfos infos)
      throws IOException {
    ImmutableList.Builder<BrowsedField> fields = ImmutableList.builder();
    Map<String, FieldInfo> byName = new TreeMap<>();
    infos.forEach(info -> byName.put(info.name, info));
    for (FieldInfo info : byName.values()) {
      fields.add(field(reader, info));
    }
    return fields.build();
  }

  private static BrowsedField field(IndexReader reader, FieldInfo info) throws IOException {
    Terms terms = MultiTerms.getTerms(reader, info.name);
    return new BrowsedField(
        info.name,
        records(info),
        terms == null ? 0 : terms.size(),
        terms == null ? 0 : terms.getDocCount(),
        terms == null ? 0 : terms.getSumDocFreq(),
        terms == null ? 0 : terms.getSumTotalTermFreq(),
        info.hasNorms(),
        info.getIndexOptions().compareTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS) >= 0,
        false);
  }

  private static String records(FieldInfo info) {
    List<String> records = new ArrayList<>();
    records.add(
        switch (info.getIndexOptions()) {
          case NONE -> "none";
          case DOCS -> "documents";
          case DOCS_AND_FREQS -> "frequencies";
          case DOCS_AND_FREQS_AND_POSITIONS -> "positions";
          case DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS -> "offsets";
          default -> info.getIndexOptions().toString();
        });
    switch (info.getDocValuesType()) {
      case NONE -> {}
      default -> records.add("doc values");
    }
    if (info.getPointDimensionCount() > 0) {
      records.add("points");
    }
    if (info.getVectorDimension() > 0) {
      records.add("vectors");
    }
    if (info.hasTermVectors()) {
      records.add("term vectors");
    }
    return String.join(", ", records);
  }

  @Override
  public TermList terms(String field) throws IOException {
    if (infos.fieldInfo(field) == null) {
      throw new IllegalArgumentException("the index has no field '%s'".formatted(field));
    }
    Terms terms = MultiTerms.getTerms(reader, field);
    return terms == null
        ? new SampledTerms(Sample.NONE, null)
        : new SampledTerms(sample(field, terms), terms.iterator());
  }

  /** Samples a field once; others wait for it. */
  private Sample sample(String field, Terms terms) throws IOException {
    synchronized (samples) {
      Sample sample = samples.get(field);
      if (sample == null) {
        sample = Sample.of(terms);
        samples.put(field, sample);
      }
      return sample;
    }
  }

  @Override
  public CorpusCount.@Nullable Lengths lengths(String field) {
    FieldInfo info = infos.fieldInfo(field);
    return info != null && info.hasNorms() ? new NormLengths(field) : null;
  }

  /** Lengths from norms, which are read forwards. */
  private final class NormLengths implements CorpusCount.Lengths {
    private final String field;
    private @Nullable LeafReaderContext leaf;
    private @Nullable NumericDocValues norms;

    NormLengths(String field) {
      this.field = field;
    }

    @Override
    public int of(int docId) throws IOException {
      LeafReaderContext at = leaf;
      if (at == null || docId < at.docBase || docId >= at.docBase + at.reader().maxDoc()) {
        at = reader.leaves().get(ReaderUtil.subIndex(docId, reader.leaves()));
        norms = at.reader().getNormValues(field);
        leaf = at;
      }
      return norms != null && norms.advanceExact(docId - at.docBase)
          ? SmallFloat.byte4ToInt((byte) norms.longValue())
          : 0;
    }
  }

  @Override
  public boolean hasExactLengths() {
    return false;
  }

  @Override
  public List<StoredValue> stored(int docId) throws IOException {
    List<StoredValue> stored = new ArrayList<>();
    for (IndexableField field : reader.storedFields().document(docId)) {
      String text = field.stringValue();
      if (text == null && field.binaryValue() != null) {
        text = "%d bytes".formatted(field.binaryValue().length);
      }
      stored.add(new StoredValue(field.name(), String.valueOf(text)));
    }
    return stored;
  }

  /** Ids have doc values besides their stored text, which is shown once. */
  @Override
  public Map<String, String> columns(int docId) throws IOException {
    Map<String, String> columns = Columns.of(reader, docId);
    stored(docId).forEach(value -> columns.remove(value.field()));
    return columns;
  }

  /** The contents may be stored as {@value Schema#RAW}, as this program and Anserini do. */
  @Override
  public Texts texts() throws IOException {
    StoredFields fields = reader.storedFields();
    return new Texts() {
      @Override
      public @Nullable String of(int docId, String field) throws IOException {
        String text = fields.document(docId, Set.of(field)).get(field);
        return text == null && field.equals(Schema.CONTENTS) ? of(docId, Schema.RAW) : text;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public ImmutableMap<String, String> options() {
    try {
      return ImmutableSortedMap.copyOf(reader.getIndexCommit().getUserData());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public FileSizes sizes() {
    return sizes;
  }

  @Override
  public void close() throws IOException {
    try (directory) {
      reader.close();
      analyzer.close();
      general.close();
    }
  }
}
