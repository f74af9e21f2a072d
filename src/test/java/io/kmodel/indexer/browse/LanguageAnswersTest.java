package io.kmodel.indexer.browse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.api.Document;
import io.kmodel.indexer.api.Hit;
import io.kmodel.indexer.api.Index;
import io.kmodel.indexer.api.IndexBuilder;
import io.kmodel.indexer.api.IndexSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index whose documents are analyzed by their languages, made by a program and looked into. */
class LanguageAnswersTest {
  private static final String[] TEXTS = {
    "The old city has many houses, and the plan for them was made by three men a long time ago.",
    "Die alte Stadt hat viele Häuser, und der Plan dafür wurde vor langer Zeit von drei Männern gemacht.",
    "Each planet of the sun has been visited by a probe, and they have sent us pictures of its surface.",
  };

  @TempDir Path directory;

  @Test
  void documentsAreShownByTheirOwnAnalyzers() throws Exception {
    Path ours = build(IndexBuilder.create(directory.resolve("ours")).analyzer("auto"));
    Path lucene = directory.resolve("lucene");
    try (Index index = Index.open(ours)) {
      assertThat(index.search("haus planet", 10).list())
          .extracting(Hit::id)
          .containsExactlyInAnyOrder("1", "2");
      index.exportLucene(lucene);
    }
    for (Path path : List.of(ours, lucene)) {
      String analyzer = path.equals(ours) ? null : AnalysisDefinition.BY_LANGUAGE;
      try (BrowsedIndex opened = BrowsedIndex.open(path, analyzer);
          Requests requests = new Requests(opened)) {
        for (int document = 0; document < TEXTS.length; document++) {
          JsonNode words = requests.ask("words", "document", document, "field", "contents");
          assertThat(words.get("absent").asInt()).as("%s %s", path, document).isZero();
          assertThat(words.get("distinct").asInt()).isGreaterThan(5);
        }
        JsonNode hits = requests.ask("search", "q", "planet").get("hits");
        assertThat(hits).hasSize(1);
        assertThat(hits.get(0).get("snippet").asText()).contains("\uFDD0planet\uFDD1");
        JsonNode parts =
            requests.ask("explain", "q", "old city +houses", "document", 0).get("parts");
        assertThat(parts)
            .extracting(part -> part.get("clause").asText())
            .containsExactlyInAnyOrder("contents:old", "contents:citi", "contents:hous");
      }
    }
  }

  @Test
  void aLuceneIndexWithoutLanguagesIsNotReadByThem() throws Exception {
    Path lucene = directory.resolve("lucene");
    try (Index index =
        Index.open(build(IndexBuilder.create(directory.resolve("ours")).analyzer("english")))) {
      index.exportLucene(lucene);
    }
    assertThatThrownBy(() -> BrowsedIndex.open(lucene, AnalysisDefinition.BY_LANGUAGE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no field 'detected-language'");
  }

  private Path build(IndexSettings settings) throws Exception {
    try (IndexBuilder builder = settings.start()) {
      for (String text : TEXTS) {
        builder.add(
            Document.of(Integer.toString(Arrays.asList(TEXTS).indexOf(text))).contents(text));
      }
      builder.finish();
    }
    return directory.resolve("ours");
  }
}
