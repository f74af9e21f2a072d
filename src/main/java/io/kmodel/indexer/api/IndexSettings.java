package io.kmodel.indexer.api;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.documents.DocumentSource;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SourceOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What an index records and how it is built. The methods change this object and return it; what an
 * index records has the defaults of {@code indexer build}. Not thread-safe.
 */
public final class IndexSettings {
  private static final DataSize USUAL_MEMORY = DataSize.gigabytes(2);

  private final Path directory;
  private final boolean isLucene;
  private String analyzer = Analyzers.STANDARD;
  private final Map<String, String> fieldAnalyzers = new TreeMap<>();
  private List<String> fields = List.of("title", "contents");
  private final List<String> combined = new ArrayList<>();
  private final Map<String, Column> metadata = new TreeMap<>();
  private boolean positions = true;
  private boolean offsets;
  private StoredText stored = StoredText.FIELDS;
  private int segments = 1;
  private OptionalInt threads = OptionalInt.empty();
  private DataSize memory;
  private boolean overwrite;

  IndexSettings(Path directory, boolean isLucene) {
    this.directory = directory;
    this.isLucene = isLucene;
    long largest = Math.max(MemoryPlan.largestEmbedded(), BuildOptions.Resources.MIN_MEMORY_BYTES);
    this.memory = new DataSize(Math.min(USUAL_MEMORY.bytes(), largest));
  }

  /**
   * Sets how texts become terms, for fields without another analyzer.
   *
   * @param name {@code standard} (the default), {@code english}, {@code whitespace}, another
   *     analyzer of Lucene such as {@code german}, a language code such as {@code de}, or {@code
   *     auto} for that of each document's detected language
   * @return this
   */
  public IndexSettings analyzer(String name) {
    analyzer = name;
    return this;
  }

  /**
   * Sets how the texts of one field become terms.
   *
   * @param field one of the fields
   * @param name as for {@link #analyzer}
   * @return this
   */
  public IndexSettings fieldAnalyzer(String field, String name) {
    fieldAnalyzers.put(field, name);
    return this;
  }

  /**
   * Sets the fields besides the id.
   *
   * @param parts each a part of a document that becomes a field: {@code title}, {@code contents}
   *     (these two are the default), {@code headings}, {@code anchors}, {@code url}
   * @return this
   */
  public IndexSettings fields(String... parts) {
    fields = List.of(parts);
    return this;
  }

  /**
   * Adds a field that holds several parts of a document.
   *
   * @param field its name
   * @param parts as for {@link #fields}
   * @return this
   */
  public IndexSettings combine(String field, String... parts) {
    combined.add(field + "=" + Joiner.on(',').join(parts));
    return this;
  }

  /**
   * Adds a column of metadata. Where a document has no value, that of a page's {@code meta} element
   * of the same name counts.
   *
   * @param column its name: letters, digits, {@code -} and {@code _}
   * @param type of all its values
   * @return this
   */
  public IndexSettings metadata(String column, MetadataType type) {
    if (metadata.put(column, new Column(column, type.column())) != null) {
      throw new IllegalArgumentException("the metadata '%s' is set twice".formatted(column));
    }
    return this;
  }

  /**
   * Sets whether positions are recorded, which phrase queries need.
   *
   * @param whether true by default
   * @return this
   */
  public IndexSettings positions(boolean whether) {
    positions = whether;
    return this;
  }

  /**
   * Sets whether the place of each word in its text is recorded, for highlighters.
   *
   * @param whether false by default
   * @return this
   */
  public IndexSettings offsets(boolean whether) {
    offsets = whether;
    return this;
  }

  /**
   * Sets which texts can be read back.
   *
   * @param what {@link StoredText#FIELDS} by default
   * @return this
   */
  public IndexSettings store(StoredText what) {
    stored = what;
    return this;
  }

  /**
   * Sets the most segments that a Lucene index may have; ignored for this program's format.
   *
   * @param most at least 1, the default
   * @return this
   */
  public IndexSettings segments(int most) {
    segments = most;
    return this;
  }

  /**
   * Sets how many threads index documents, besides those that add them.
   *
   * @param count at least 1; by default one for each processor, or as many as the memory allows
   * @return this
   */
  public IndexSettings threads(int count) {
    threads = OptionalInt.of(count);
    return this;
  }

  /**
   * Sets the memory that the build takes. Two fifths are on Java's heap, which must be as large;
   * the rest is outside. A document that needs more than its share is left out and counted: with
   * 512 MB and two threads, some 17 MB of text, or 4 MB for a Lucene index.
   *
   * @param most at least 256 MB, and 24 MB outside the heap for each thread; by default 2 GB, or
   *     less if that were more than half of the heap
   * @return this
   */
  public IndexSettings memory(DataSize most) {
    memory = most;
    return this;
  }

  /**
   * Sets whether an existing index may be replaced. It stays until the new one is complete.
   *
   * @param whether false by default
   * @return this
   */
  public IndexSettings overwrite(boolean whether) {
    overwrite = whether;
    return this;
  }

  /**
   * Starts a build that documents are added to.
   *
   * @return the build, to be closed
   * @throws IllegalArgumentException if a setting is invalid, or the memory too little
   * @throws IndexException if the directory is taken; if another build is at work on it, {@link
   *     IndexBuilder#add} may say so instead
   * @throws IOException if nothing can be written there
   */
  public IndexBuilder start() throws IOException {
    BuildOptions options = options(ImmutableList.of());
    MemoryPlan plan = plan(options).leavingHalfToWaiting();
    Indexing build = new Indexing(options, target(), new BuildProgress(), plan);
    Failures.translated(
        () -> {
          build.requireOutput();
          return true;
        });
    return new IndexBuilder(directory, build, plan, options);
  }

  /**
   * Builds an index of files, as {@code indexer build} does: archives, collections, and directories
   * of HTML and text. Values of metadata come from members of JSON, columns of TSV, and tags of the
   * column's name.
   *
   * @param paths files and directories, in the order of their documents
   * @return the figures of the build
   * @throws IllegalArgumentException if a setting is invalid, or the memory too little
   * @throws IndexException if the directory is taken
   * @throws IOException if reading or writing failed; no index was made
   */
  public BuildResult buildFrom(Path... paths) throws IOException {
    if (paths.length == 0) {
      throw new IllegalArgumentException("give one or more paths");
    }
    BuildOptions options = options(ImmutableList.copyOf(paths));
    Indexing build =
        new Indexing(options, target(), new BuildProgress(), plan(options))
            .withDocuments(new DocumentSource.Crawl(false));
    return BuildResult.of(directory, Failures.translated(build::run));
  }

  private MemoryPlan plan(BuildOptions options) {
    MemoryPlan plan = MemoryPlan.embedded(options);
    return isLucene ? plan : plan.forOwnIndex();
  }

  private Target target() {
    return isLucene ? Target.lucene(segments, IndexCheck.CONTENT) : Target.ownIndex();
  }

  private BuildOptions options(ImmutableList<Path> paths) {
    return new BuildOptions(
        paths,
        SourceOptions.DEFAULT,
        Duplicates.KEEP,
        directory,
        overwrite,
        HtmlMode.FAST,
        text(),
        new BuildOptions.Resources(threads.orElseGet(this::usualThreads), memory.bytes()));
  }

  private int usualThreads() {
    return Math.min(
        Runtime.getRuntime().availableProcessors(), MemoryPlan.mostEmbeddedThreads(memory.bytes()));
  }

  private IndexedText text() {
    if (offsets && !positions) {
      throw new IllegalArgumentException("offsets need positions");
    }
    FieldPlan plan = FieldPlan.parse(Joiner.on(',').join(fields));
    for (String field : combined) {
      plan = plan.combine(field);
    }
    Detail detail = positions ? Detail.POSITIONS : Detail.FREQUENCIES;
    return new IndexedText(plan, analysis(), offsets ? Detail.OFFSETS : detail, stored.option())
        .withMetadata(
            new MetadataPlan(
                ImmutableList.copyOf(metadata.values()), ImmutableList.copyOf(metadata.keySet())));
  }

  private IndexAnalysis analysis() {
    IndexAnalysis analysis = IndexAnalysis.of(AnalysisDefinition.of(analyzer));
    for (Map.Entry<String, String> of : fieldAnalyzers.entrySet()) {
      analysis = analysis.with(of.getKey(), AnalysisDefinition.of(of.getValue()));
    }
    return analysis;
  }
}
