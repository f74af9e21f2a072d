package io.kmodel.indexer.export.opensearch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.export.ndjson.StoredJson;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings and mappings that an index needs in OpenSearch, where a file may add to them. A
 * field's properties state all that its postings fix, so that the file cannot contradict them.
 */
final class IndexDefinition {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ANALYZER = "analyzer";
  private static final String REPLICAS = "number_of_replicas";

  /** Settings that a file may have. All others can be changed once the index is restored. */
  private static final ImmutableSet<String> SETTINGS =
      ImmutableSet.of("analysis", "similarity", REPLICAS);

  /** What a file may replace. */
  private static final ImmutableSet<String> REPLACEABLE = ImmutableSet.of(ANALYZER, REPLICAS);

  /** Parameters of a field for which the index has no terms, or other ones. */
  private static final ImmutableSet<String> UNFIT = ImmutableSet.of("index_prefixes", "normalizer");

  /** Our analyzers that OpenSearch does not have. */
  private static final ImmutableSet<String> UNKNOWN =
      ImmutableSet.of(
          "nepali",
          "serbian",
          "tamil",
          "telugu",
          AnalysisDefinition.BY_LANGUAGE,
          AnalysisDefinition.CHAIN);

  private final ObjectNode settings = JSON.createObjectNode().put(REPLICAS, "1");
  private final ObjectNode mappings = JSON.createObjectNode();

  /**
   * Defines an index.
   *
   * @param file what to add, in the form of a request that creates an index; null for nothing
   * @throws IllegalArgumentException if the file contradicts the index, or a field has an analyzer
   *     that OpenSearch does not have, and the file names no other one
   */
  IndexDefinition(InvertedIndex index, @Nullable Path file) throws IOException {
    Schema schema = index.schema();
    mappings.putObject("_source").put("enabled", StoredJson.hasMembers(schema));
    ObjectNode properties = mappings.putObject("properties");
    IndexAnalysis analysis = IndexAnalysis.from(index.metadata().options());
    for (Field field : schema.fields()) {
      if (!field.name().equals(Schema.ID) && schema.findColumn(field.name()) < 0) {
        define(field, analysis.definition(field.name()), properties.putObject(field.name()));
      }
    }
    for (Column column : schema.columns()) {
      define(column, properties.putObject(column.name()));
    }
    if (file != null) {
      ImmutableSet<String> own = ImmutableSet.copyOf(properties.fieldNames());
      add(read(file), file);
      own.forEach(name -> requireFit(properties.path(name), file, name));
    }
    for (Field field : schema.fields()) {
      if (field.tokenized() && !properties.get(field.name()).has(ANALYZER)) {
        throw new IllegalArgumentException(
            "field '%s': OpenSearch has no analyzer '%s'; give one with --mapping"
                .formatted(field.name(), analysis.definition(field.name())));
      }
    }
  }

  private static void define(Field field, AnalysisDefinition analysis, ObjectNode to) {
    to.put("type", "text").put("store", false).put("index", field.tokenized());
    to.put("index_phrases", false);
    if (field.tokenized()) {
      to.put("norms", true).put("term_vector", "no");
      to.put(
          "index_options",
          switch (field.detail()) {
            case NONE, DOCUMENTS -> "docs";
            case FREQUENCIES, IMPACTS -> "freqs";
            case POSITIONS -> "positions";
            case OFFSETS -> "offsets";
          });
      if (analysis.parameters().isEmpty() && !UNKNOWN.contains(analysis.analyzer())) {
        to.put(ANALYZER, analysis.analyzer());
      }
    }
  }

  private static void define(Column column, ObjectNode to) {
    to.put(
        "type",
        switch (column.type()) {
          case STRING -> "keyword";
          case INT -> "long";
          case DOUBLE -> "double";
          case DATE -> "date";
        });
    to.put("index", true).put("doc_values", true).put("store", false);
    if (column.type().isNumber()) {
      to.put("skip_list", false);
    } else {
      to.put("norms", false).put("index_options", "docs");
    }
  }

  /** Fields that the file adds, also below ours, may have any parameters. */
  private static void requireFit(JsonNode field, Path file, String name) {
    for (String parameter : UNFIT) {
      if (field.has(parameter)) {
        throw new IllegalArgumentException(
            "%s: mappings.properties.%s.%s does not fit the terms of the index"
                .formatted(file, name, parameter));
      }
    }
  }

  private static JsonNode read(Path file) throws IOException {
    try {
      JsonNode given = JSON.readTree(file.toFile());
      if (given.isObject()) {
        return given;
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("%s: %s".formatted(file, e.getOriginalMessage()), e);
    }
    throw new IllegalArgumentException(file + " must hold an object of JSON");
  }

  private void add(JsonNode given, Path file) {
    for (Map.Entry<String, JsonNode> part : given.properties()) {
      switch (part.getKey()) {
        case "mappings" -> merge(mappings, part.getValue(), file + ": mappings");
        case "settings" -> addSettings(part.getValue(), file + ": settings");
        default ->
            throw new IllegalArgumentException(
                "%s: '%s' is unknown here; only settings and mappings can be given"
                    .formatted(file, part.getKey()));
      }
    }
  }

  /** Settings may be in an object named index, as OpenSearch prints them. */
  private void addSettings(JsonNode added, String path) {
    ObjectNode known = JSON.createObjectNode();
    for (Map.Entry<String, JsonNode> setting : added.properties()) {
      if (setting.getKey().equals("index")) {
        addSettings(setting.getValue(), path + ".index");
      } else if (SETTINGS.contains(setting.getKey())) {
        known.set(setting.getKey(), setting.getValue());
      } else {
        throw new IllegalArgumentException(
            "%s: unknown setting '%s'; only %s can be given"
                .formatted(path, setting.getKey(), String.join(", ", SETTINGS)));
      }
    }
    merge(settings, added.isObject() ? known : added, path);
  }

  private static void merge(ObjectNode into, JsonNode added, String path) {
    if (!added.isObject()) {
      throw new IllegalArgumentException(path + " must be an object");
    }
    for (Map.Entry<String, JsonNode> member : added.properties()) {
      String name = path + '.' + member.getKey();
      JsonNode present = into.get(member.getKey());
      if (present instanceof ObjectNode object) {
        merge(object, member.getValue(), name);
      } else if (present == null || REPLACEABLE.contains(member.getKey())) {
        into.set(member.getKey(), member.getValue());
      } else if (!present.equals(member.getValue())) {
        throw new IllegalArgumentException(
            "%s must be %s, as in the index; got %s".formatted(name, present, member.getValue()));
      }
    }
  }

  ObjectNode settings() {
    return settings;
  }

  ObjectNode mappings() {
    return mappings;
  }
}
