package io.kmodel.indexer.indexing.options;

import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.MetadataPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What an index records of the texts of documents.
 *
 * @param fields the fields, and the parts of a document in each
 * @param analysis how texts become terms
 * @param detail what postings record: frequencies, positions, also offsets, or weights
 * @param store which texts can be read back
 * @param metadata the columns beside the texts; languages are among them if the analysis needs them
 */
public record IndexedText(
    FieldPlan fields, IndexAnalysis analysis, Detail detail, Store store, MetadataPlan metadata) {

  public IndexedText {
    if (!detail.hasFrequencies()) {
      throw new IllegalArgumentException("texts have frequencies at least; got " + detail);
    }
    if (detail.hasImpacts() && !fields.ofTheirName().equals(List.of(Schema.CONTENTS))) {
      throw new IllegalArgumentException(
          "vectors are indexed in the field '%s' alone; got %s"
              .formatted(Schema.CONTENTS, fields.parts().keySet()));
    }
    metadata = analysis.isByLanguage() ? metadata.withLanguages() : metadata;
    for (Column column : metadata.columns()) {
      if (fields.parts().containsKey(column.name())) {
        throw new IllegalArgumentException(
            "metadata '%s' has the name of a field; choose another".formatted(column.name()));
      }
    }
    fields = store == Store.RAW ? fields.withRaw() : fields;
    for (String field : analysis.byField().keySet()) {
      if (!fields.parts().containsKey(field)) {
        throw new IllegalArgumentException(
            "--field-analyzer: field '%s' has an analyzer but is not indexed; there are %s"
                .formatted(field, fields.parts().keySet()));
      }
    }
  }

  /** Without metadata. */
  public IndexedText(FieldPlan fields, IndexAnalysis analysis, Detail detail, Store store) {
    this(fields, analysis, detail, store, MetadataPlan.NONE);
  }

  /** The same with metadata. */
  public IndexedText withMetadata(MetadataPlan plan) {
    return new IndexedText(fields, analysis, detail, store, plan);
  }

  /** Without offsets. */
  public IndexedText(FieldPlan fields, IndexAnalysis analysis, boolean positions, Store store) {
    this(fields, analysis, positions ? Detail.POSITIONS : Detail.FREQUENCIES, store);
  }

  /**
   * Of vectors of weighted terms, in the field {@value Schema#CONTENTS}. Queries are tokens with
   * white space in between.
   */
  public static IndexedText ofVectors(Store store) {
    return new IndexedText(
        FieldPlan.parse(Schema.CONTENTS),
        IndexAnalysis.of(Analyzers.WHITESPACE),
        Detail.IMPACTS,
        store);
  }

  /** The fields of the index. */
  public Schema schema() {
    List<Field> all = new ArrayList<>();
    all.add(new Field(Schema.ID, Detail.DOCUMENTS, false, store != Store.NONE));
    for (String field : fields.parts().keySet()) {
      all.add(
          field.equals(Schema.RAW)
              ? new Field(field, Detail.NONE, false, true)
              : new Field(field, detail, true, isStored(field)));
    }
    return Schema.of(all).withColumns(metadata.columns());
  }

  private boolean isStored(String field) {
    return store == Store.CONTENTS || (store == Store.RAW && field.equals(Schema.TITLE));
  }

  /** Adds it to the options of an index. */
  void addTo(Map<String, String> options) {
    fields.addTo(options);
    analysis.addTo(options);
    metadata.addTo(options);
    options.put("positions", String.valueOf(detail.hasPositions()));
    options.put("offsets", String.valueOf(detail.hasOffsets()));
    options.put("store", store.name().toLowerCase(Locale.ROOT));
  }
}
