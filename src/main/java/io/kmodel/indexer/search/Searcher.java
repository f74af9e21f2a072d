package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.analysis.LanguageAnalyzers;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.DeclaredStatistics;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.search.expand.RelevanceFeedback;
import io.kmodel.indexer.search.expand.Rm3;
import io.kmodel.indexer.search.expand.TermCounts;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries from this program's index files through Lucene's IndexSearcher. Queries are in
 * Lucene's query syntax or bags of words, scored by a {@link ScoringModel}. Words without a field
 * are searched in the {@link FieldWeights}. Results and scores equal those of Lucene on the
 * exported index, unless {@link DeclaredStatistics} are known. An interrupted thread gets a
 * ClosedByInterruptException, but only after its search has ended: Lucene's searcher would check
 * earlier with a timeout, but then counts fewer documents.
 *
 * <p>The caller keeps ownership of the index, and closes it after the searcher. Thread-safe.
 */
public final class Searcher implements AutoCloseable {
  private final InvertedIndex index;
  private final IndexLeafReader reader;
  private final IndexSearcher searcher;
  private final TextAnalyzers analyzers;
  private final Snippets snippets;
  private final QueryReader queries;
  private final SearchOptions options;
  private final @Nullable RelevanceFeedback feedback;

  /** Creates a searcher for {@value Schema#CONTENTS}. */
  public Searcher(InvertedIndex index, Analyzer analyzer, ScoringModel model) throws IOException {
    this(index, analyzer, model, FieldWeights.CONTENTS);
  }

  /** Creates a searcher for fields with weights. */
  public Searcher(InvertedIndex index, Analyzer analyzer, ScoringModel model, FieldWeights fields)
      throws IOException {
    this(index, analyzer, SearchOptions.of(model).withFields(fields));
  }

  /**
   * Creates a searcher.
   *
   * @param analyzer the one that the index was built with
   * @throws IllegalArgumentException if the index lacks one of the fields, does not store the ids
   *     that decide ties, or cannot expand queries
   */
  public Searcher(InvertedIndex index, Analyzer analyzer, SearchOptions options)
      throws IOException {
    options.fields().weights().keySet().forEach(field -> requireIndexed(index.schema(), field));
    this.index = index;
    this.options = options;
    if (options.ties() == Ties.ID && !isStored(Schema.ID)) {
      throw new IllegalArgumentException(
          index.directory()
              + " does not store ids, so they cannot decide ties; build it with --store=id or"
              + " --store=contents");
    }
    this.reader = new IndexLeafReader(index);
    this.searcher = DeclaredSearcher.of(reader, DeclaredStatistics.of(index.metadata().options()));
    searcher.setSimilarity(options.model().similarity());
    this.analyzers = TextAnalyzers.of(index, perField(index.schema(), analyzer), reader);
    this.snippets = new Snippets('[', ']');
    this.queries = new QueryReader(analyzers, options.fields());
    this.feedback = feedback(analyzer);
  }

  private @Nullable RelevanceFeedback feedback(Analyzer analyzer) {
    Rm3 expansion = options.expansion();
    if (expansion == null) {
      return null;
    }
    if (!options.fields().isOne()) {
      throw new IllegalArgumentException(
          "queries of several fields cannot be expanded; got %s"
              .formatted(String.join(", ", options.fields().weights().keySet())));
    }
    if (analyzers.areByLanguage()) {
      throw new IllegalArgumentException(
          "queries cannot be expanded in %s, whose documents are analyzed by their languages"
              .formatted(index.directory()));
    }
    String field = options.fields().weights().keySet().iterator().next();
    return new RelevanceFeedback(expansion, index, field, analyzer, reader);
  }

  /**
   * Answers a query in Lucene's classic syntax: {@code +title:"debian policy" -draft pack*}.
   *
   * @param top maximum number of hits, at least 1
   * @throws IllegalArgumentException if the query cannot be parsed, or needs data that the index
   *     does not record
   */
  public SearchResult search(String text, int top) throws IOException {
    return search(queries.parse(text), top, text);
  }

  /** The same without snippets, for writing a run. */
  public SearchResult searchSyntax(String text, int top) throws IOException {
    return search(queries.parse(text), top, null);
  }

  /**
   * Answers a text as a bag of words, any of which may match, each weighted by its number of
   * occurrences. Query syntax in the text is not interpreted. Hits have no snippets.
   *
   * @param top maximum number of hits, at least 1
   */
  public SearchResult searchWords(String text, int top) throws IOException {
    return search(analyzers.read(analyzer -> bagOfWords(text, analyzer)), top, null);
  }

  /**
   * Answers a query of weighted terms, any of which may match, without analysis. Hits have no
   * snippets.
   *
   * @param vector weights above 0 by term
   * @param top maximum number of hits, at least 1
   */
  public SearchResult searchVector(Map<String, Float> vector, int top) throws IOException {
    return search(terms(vector), top, null);
  }

  private Query terms(Map<String, Float> vector) {
    FieldWeights fields = options.fields();
    requireFew(vector.size() * fields.weights().size());
    BooleanQuery.Builder terms = new BooleanQuery.Builder();
    fields
        .weights()
        .forEach(
            (field, of) -> {
              float weight = fields.isOne() ? 1 : of;
              vector.forEach(
                  (term, boost) -> addTerm(new Term(field, term), weight * boost, terms));
            });
    return terms.build();
  }

  private static void addTerm(Term term, float boost, BooleanQuery.Builder to) {
    Query query = new TermQuery(term);
    to.add(boost == 1 ? query : new BoostQuery(query, boost), BooleanClause.Occur.SHOULD);
  }

  /** The fields that can be searched. */
  public ImmutableList<String> searchedFields() {
    return index.schema().fields().stream()
        .map(Field::name)
        .filter(this::isSearched)
        .collect(ImmutableList.toImmutableList());
  }

  /** The columns of metadata. */
  public ImmutableList<String> columns() {
    return index.schema().columns().stream()
        .map(Column::name)
        .collect(ImmutableList.toImmutableList());
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private Query bagOfWords(String text, Analyzer analyzer) throws IOException {
    FieldWeights fields = options.fields();
    BooleanQuery.Builder words = new BooleanQuery.Builder();
    int distinct = 0;
    for (Map.Entry<String, Float> field : fields.weights().entrySet()) {
      Map<BytesRef, Integer> counts = TermCounts.of(analyzer, field.getKey(), text);
      distinct += counts.size();
      requireFew(distinct);
      float weight = fields.isOne() ? 1 : field.getValue();
      counts.forEach(
          (term, count) -> addTerm(new Term(field.getKey(), term), weight * count, words));
    }
    return distinct == 0 ? new MatchNoDocsQuery("no words") : words.build();
  }

  private static void requireFew(int words) {
    if (words > IndexSearcher.getMaxClauseCount()) {
      throw new IllegalArgumentException(
          "a query can have at most %d distinct words; got %d"
              .formatted(IndexSearcher.getMaxClauseCount(), words));
    }
  }

  /** Answers a query; hits have snippets if its text is given. */
  private SearchResult search(Query given, int top, @Nullable String text) throws IOException {
    if (top < 1) {
      throw new IllegalArgumentException("at least one hit must be requested; got " + top);
    }
    ImmutableMap<String, Float> expansion =
        feedback == null
            ? ImmutableMap.of()
            : feedback.expand(given, run(given, feedback.documents()).scoreDocs);
    Query query = expansion.isEmpty() ? given : terms(expansion);
    TopDocs found = run(query, top);
    ImmutableList.Builder<Hit> hits = ImmutableList.builder();
    try (StoredTexts documents = index.documents()) {
      for (ScoreDoc hit : found.scoreDocs) {
        hits.add(hit(query, hit, documents, text));
      }
    }
    return new SearchResult(
        hits.build(),
        found.totalHits.value(),
        found.totalHits.relation() == TotalHits.Relation.EQUAL_TO,
        notes(text != null),
        UnknownFields.of(query, this::isSearched),
        expansion);
  }

  private TopDocs run(Query query, int top) throws IOException {
    TopDocs found = QueryReader.run(searcher, options.filter().limit(query), top, options.ties());
    Interruption.requireNone();
    return found;
  }

  private Hit hit(Query query, ScoreDoc hit, StoredTexts documents, @Nullable String text)
      throws IOException {
    String id = stored(Schema.ID, hit.doc, documents);
    String title = stored(Schema.TITLE, hit.doc, documents);
    String contents = text == null ? null : stored(Schema.CONTENTS, hit.doc, documents);
    return new Hit(
        hit.doc,
        id == null ? Integer.toString(hit.doc) : id,
        hit.score,
        title == null ? "" : title,
        contents == null || text == null ? null : snippet(query, hit.doc, text, contents));
  }

  private String snippet(Query query, int docId, String text, String contents) throws IOException {
    return snippets.of(queries.readingFor(docId, text, query), contents, analyzers.of(docId));
  }

  private @Nullable String stored(String field, int docId, StoredTexts documents)
      throws IOException {
    return isStored(field) ? documents.text(docId, index.schema().ordinal(field)) : null;
  }

  private boolean isStored(String field) {
    int ordinal = index.schema().find(field);
    return ordinal >= 0 && index.schema().field(ordinal).stored();
  }

  private ImmutableList<String> notes(boolean withSnippets) {
    ImmutableList.Builder<String> notes = ImmutableList.builder();
    if (!isStored(Schema.ID)) {
      notes.add("the index does not store ids; hits show their docID instead");
    }
    if (withSnippets && !isStored(Schema.CONTENTS)) {
      notes.add("the index does not store contents; hits have no snippets");
    }
    return notes.build();
  }

  private boolean isSearched(String field) {
    int ordinal = index.schema().find(field);
    return ordinal >= 0 && index.schema().field(ordinal).detail().isIndexed();
  }

  private static void requireIndexed(Schema schema, String field) {
    if (!schema.field(schema.ordinal(field)).detail().isIndexed()) {
      throw new IllegalArgumentException(
          "field '%s' is stored but not indexed, so it cannot be searched".formatted(field));
    }
  }

  /** An analyzer of all fields, of which keyword fields are a single term. */
  public static Analyzer perField(Schema schema, Analyzer analyzer) {
    Map<String, Analyzer> keywords = new HashMap<>();
    for (Field field : schema.fields()) {
      if (!field.tokenized()) {
        keywords.put(field.name(), new KeywordAnalyzer());
      }
    }
    return LanguageAnalyzers.withFields(analyzer, keywords);
  }
}
