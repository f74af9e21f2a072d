package io.kmodel.indexer.indexing.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kmodel.indexer.indexing.journal.JournalEntry.Finished;
import io.kmodel.indexer.indexing.journal.JournalEntry.JsonObjects;
import io.kmodel.indexer.indexing.journal.JournalEntry.Pages;
import io.kmodel.indexer.indexing.journal.JournalEntry.RangesCut;
import io.kmodel.indexer.indexing.journal.JournalEntry.Run;
import io.kmodel.indexer.indexing.journal.JournalEntry.RunsMerged;
import io.kmodel.indexer.indexing.journal.JournalEntry.Skips;
import io.kmodel.indexer.indexing.journal.JournalEntry.SplitDropped;
import io.kmodel.indexer.indexing.journal.JournalEntry.SplitSealed;
import io.kmodel.indexer.indexing.journal.JournalEntry.Started;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.parse.html.HtmlUnsure;
import io.kmodel.indexer.source.JsonCounts;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.store.FileSeal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a line of a journal must say. */
class JournalEntryTest {
  private static final FileSeal FILE = new FileSeal("file", 1, 2, true);
  private static final Reading READING = new Reading(3, 4);

  /** Of a split that stores nothing, whose documents have no ids, or of an earlier version. */
  private static final Set<String> MAY_BE_NULL =
      Set.of(
          "/stored",
          "/columns",
          "/ids",
          "/signatures",
          "/skips/unread",
          "/skips/unused",
          "/skips/objects",
          "/form");

  private static final List<JournalEntry> ENTRIES =
      List.of(
          new Started(Map.of("store", "id"), 1, 2, 3, "4", FILE),
          new SplitSealed(
              READING,
              List.of(new Run(FILE, 5)),
              FILE,
              FILE,
              FILE,
              FILE,
              new Skips(
                  FILE,
                  Map.of(SkipReason.NOT_TEXT, 6L),
                  Map.of("year: not a number", 12L),
                  Map.of("abstract", 13L),
                  new JsonObjects(14, Map.of(JsonCounts.Unsure.NAME, 15L)),
                  Map.of(SkipReason.NOT_TEXT, List.of(new SkipLog.Skipped("a", "b")))),
              new Pages(7, 8, Map.of(HtmlUnsure.DEPTH, 9L)),
              true,
              Map.of("html", new BuildReport.Source(10, 11))),
          new SplitDropped(READING),
          new RunsMerged(1, FILE, List.of("run")),
          new RangesCut(List.of(new byte[] {1})),
          new Finished(FILE, Map.of("segments", "1")));

  /** Whoever goes on with it would stumble over it where nothing says which file is damaged. */
  @Test
  void aNullStandsForNothingButWhatASplitMayLack() throws Exception {
    for (JournalEntry entry : ENTRIES) {
      JsonNode line = Json.MAPPER.readTree(Json.MAPPER.writeValueAsString(entry));
      assertThat(JournalEntry.parse(line.toString())).hasSameClassAs(entry);
      for (String path : paths(line, "")) {
        JsonNode altered = line.deepCopy();
        setNull(altered, path);
        if (MAY_BE_NULL.contains(path)) {
          assertThat(JournalEntry.parse(altered.toString())).hasSameClassAs(entry);
        } else {
          assertThatThrownBy(() -> JournalEntry.parse(altered.toString()))
              .as("%s", altered)
              .isInstanceOf(JsonProcessingException.class);
        }
      }
    }
  }

  /** As one of another version may: where nothing says what a build was like, it does not go on. */
  @Test
  void nothingIsLeftOutButWhatASplitMayLack() throws Exception {
    for (JournalEntry entry : ENTRIES) {
      ObjectNode line = Json.MAPPER.valueToTree(entry);
      for (String name : line.properties().stream().map(Map.Entry::getKey).toList()) {
        ObjectNode without = line.deepCopy();
        without.remove(name);
        if (MAY_BE_NULL.contains("/" + name)) {
          assertThat(JournalEntry.parse(without.toString())).hasSameClassAs(entry);
        } else {
          assertThatThrownBy(() -> JournalEntry.parse(without.toString()))
              .as("%s", without)
              .isInstanceOf(JsonProcessingException.class);
        }
      }
    }
  }

  private static List<String> paths(JsonNode node, String path) {
    List<String> paths = new ArrayList<>();
    if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        paths.add(path + "/" + i);
        paths.addAll(paths(array.get(i), path + "/" + i));
      }
    } else if (node instanceof ObjectNode object) {
      object
          .fieldNames()
          .forEachRemaining(
              name -> {
                paths.add(path + "/" + name);
                paths.addAll(paths(object.get(name), path + "/" + name));
              });
    }
    return paths;
  }

  private static void setNull(JsonNode root, String path) {
    int last = path.lastIndexOf('/');
    String name = path.substring(last + 1);
    switch (root.at(path.substring(0, last))) {
      case ObjectNode object -> object.putNull(name);
      case ArrayNode array -> array.setNull(Integer.parseInt(name));
      case JsonNode other -> throw new IllegalStateException(path + " of " + other);
    }
  }
}
