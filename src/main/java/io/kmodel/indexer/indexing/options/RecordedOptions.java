package io.kmodel.indexer.indexing.options;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.TsvQuotes;
import io.kmodel.indexer.source.WeightScale;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of a build that an index records, so that more documents can be read, analyzed and
 * stored in the same way. See {@link BuildOptions#content}.
 */
public final class RecordedOptions {
  /** Options that do not concern texts. */
  private static final List<String> OF_SOURCE =
      List.of("docno", "duplicates", "format", "json-members", "order", "quantize", "tsv-quotes");

  private final Map<String, String> options;
  private final List<String> fields;
  private final boolean hasImpacts;

  /** The fields of the index that records these options; null before it is built. */
  private final @Nullable Schema schema;

  private RecordedOptions(
      Map<String, String> options,
      List<String> fields,
      boolean hasImpacts,
      @Nullable Schema schema) {
    this.options = options;
    this.fields = fields;
    this.hasImpacts = hasImpacts;
    this.schema = schema;
  }

  /** The options of an index. */
  public static RecordedOptions of(IndexMetadata index) {
    Schema schema = index.schema();
    return new RecordedOptions(index.options(), fields(schema), schema.hasImpacts(), schema);
  }

  /**
   * The options of a build.
   *
   * @param content see {@link BuildOptions#content}
   * @param fields see {@link #fields}
   * @param hasImpacts whether it indexes vectors
   */
  public static RecordedOptions of(
      Map<String, String> content, List<String> fields, boolean hasImpacts) {
    return new RecordedOptions(content, fields, hasImpacts, null);
  }

  /** The names of the fields that are not ids, whole documents or columns, in order. */
  public static List<String> fields(Schema schema) {
    return schema.fields().stream()
        .map(Field::name)
        .filter(name -> !name.equals(Schema.ID) && !name.equals(Schema.RAW))
        .filter(name -> schema.findColumn(name) < 0)
        .toList();
  }

  /**
   * A build of other documents with these options, by usual limits and resources.
   *
   * @throws IllegalArgumentException if no build of this version makes such an index
   */
  public BuildOptions build(ImmutableList<Path> roots, Path output, Duplicates duplicates) {
    return new BuildOptions(
        roots,
        source(SourceOptions.DEFAULT),
        duplicates,
        output,
        false,
        HtmlMode.FAST,
        text(),
        new BuildOptions.Resources(1, BuildOptions.Resources.MIN_MEMORY_BYTES));
  }

  /** How the crawl is read, with the limits of other options. */
  public SourceOptions source(SourceOptions limits) {
    return new SourceOptions(
            format(),
            docno(),
            json(),
            weights(),
            limits.maxDocumentBytes(),
            limits.maxExpansion(),
            limits.maxNesting())
        .withQuotes(quotes());
  }

  /** How documents in files of many are identified. */
  public Docno docno() {
    return constant(Docno.class, "docno");
  }

  /** The format that the files were limited to. */
  public Format format() {
    return constant(Format.class, "format");
  }

  /** The members of JSON objects that hold the parts of documents. */
  public JsonMembers json() {
    String recorded = options.get("json-members");
    return recorded == null
        ? JsonMembers.USUAL
        : JsonMembers.parse(Splitter.on(';').splitToList(recorded));
  }

  /** How the weights of sparse vectors become integers. */
  public WeightScale weights() {
    String recorded = options.get("quantize");
    return recorded == null ? WeightScale.NONE : new WeightScale(Integer.parseInt(recorded));
  }

  /** What quotation marks in tab-separated values mean. */
  public TsvQuotes quotes() {
    return options.containsKey("tsv-quotes")
        ? constant(TsvQuotes.class, "tsv-quotes")
        : TsvQuotes.AUTO;
  }

  /** What happens to documents with the same id. */
  public IdPolicy duplicates() {
    return IdPolicy.of(required("duplicates"));
  }

  /**
   * Fields, analysis, detail, stored texts and metadata.
   *
   * @throws IllegalArgumentException if no build of this version makes such an index
   */
  public IndexedText text() {
    IndexedText text =
        new IndexedText(
            FieldPlan.from(fields, options),
            IndexAnalysis.from(options),
            detail(),
            constant(Store.class, "store"),
            MetadataPlan.from(options));
    Map<String, String> recorded = new TreeMap<>();
    text.addTo(recorded);
    Map<String, String> others = new TreeMap<>(options);
    OF_SOURCE.forEach(others::remove);
    boolean hasOtherFields = schema != null && !text.schema().equals(schema);
    if (!recorded.equals(others) || hasOtherFields) {
      throw new IllegalArgumentException(
          "it has the fields %s and the options %s, which no build of this version gives it"
              .formatted(fields, others));
    }
    return text;
  }

  private Detail detail() {
    if (hasImpacts) {
      return Detail.IMPACTS;
    }
    if (Boolean.parseBoolean(required("offsets"))) {
      return Detail.OFFSETS;
    }
    return Boolean.parseBoolean(required("positions")) ? Detail.POSITIONS : Detail.FREQUENCIES;
  }

  private <E extends Enum<E>> E constant(Class<E> type, String option) {
    return Enum.valueOf(type, required(option).toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private String required(String option) {
    String value = options.get(option);
    if (value == null) {
      throw new IllegalArgumentException(
          "it was not made by 'indexer build', since it does not record --" + option);
    }
    return value;
  }
}
