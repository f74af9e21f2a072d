package io.kmodel.indexer.indexing.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was left out is counted and listed, in few words whatever a document is called. */
class SkipLogTest {
  @TempDir Path directory;

  @Test
  void anIdOfAMegabyteIsNeitherKeptNorListedInFull() throws IOException {
    String id = "x".repeat(1 << 20);
    Path list = directory.resolve("skipped.jsonl");
    try (SkipLog log = new SkipLog(list, SkipListener.NONE)) {
      for (int n = 0; n < 20; n++) {
        log.skipped(
            new Location("crawl/a.jsonl", n, "id-" + id),
            SkipReason.UNPARSABLE,
            "id-" + id + ": is no good");
      }
      assertThat(log.counts()).containsEntry(SkipReason.UNPARSABLE, 20L);
      assertThat(log.examples().get(SkipReason.UNPARSABLE))
          .hasSize(10)
          .allSatisfy(
              skipped ->
                  assertThat(skipped.detail())
                      .hasSize(SkipLog.MOST_CHARS)
                      .startsWith("id-xxx")
                      .contains("x…x")
                      .endsWith("xxx: is no good"));
    }
    List<String> lines = Files.readAllLines(list);
    assertThat(lines).hasSize(20).allMatch(line -> line.length() < 1200);
    JsonNode last = Json.MAPPER.readTree(lines.getLast());
    assertThat(last.get("file").asText()).isEqualTo("crawl/a.jsonl");
    assertThat(last.get("offset").asLong()).isEqualTo(19);
    assertThat(last.get("document").asText()).hasSize(SkipLog.MOST_CHARS).startsWith("id-xxx");
    assertThat(last.get("detail").asText()).endsWith(": is no good");
  }

  @Test
  void logsAddUpAndKeepTheFirstExamplesOfAll() {
    SkipLog all = new SkipLog();
    for (int split = 0; split < 3; split++) {
      SkipLog log = new SkipLog();
      for (int n = 0; n < 7; n++) {
        log.skipped(new Location("file", n, ""), SkipReason.UNPARSABLE, split + "." + n);
      }
      all.addAll(log);
    }
    assertThat(all.total()).isEqualTo(21);
    assertThat(all.examples().get(SkipReason.UNPARSABLE))
        .extracting(SkipLog.Skipped::detail)
        .containsExactly("0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "1.0", "1.1", "1.2");
  }

  /** Whoever is told, too, who writes it where people read it. */
  @Test
  void whatMayBeMissedHasALineOfWhatIsKnownAndNothingElse() throws IOException {
    Path list = directory.resolve("skipped.jsonl");
    List<String> told = new ArrayList<>();
    SkipListener listener =
        (place, reason, detail) -> told.add(place.document() + " " + reason + " " + detail);
    try (SkipLog log = new SkipLog(list, listener)) {
      log.skipped(new Location("a", 0, ""), SkipReason.UNPARSABLE, "bad");
      log.skipped(new Location("a", -1, "x".repeat(1000)), SkipReason.NOT_TEXT, "y".repeat(1000));
      log.skipped(new Location("a", 7, "d"), SkipReason.REQUEST, "of no page");
      log.skipped(new Location("b", 4, ""), SkipReason.DAMAGED_RECORD, "rows", 6);
      log.skipped(new Location("b", 4, "row group 0, row 2", "r"), SkipReason.SIMILAR, "to q");
      assertThat(log.counts()).hasSize(5).containsEntry(SkipReason.DAMAGED_RECORD, 6L);
      assertThat(log.total()).isEqualTo(7);
      assertThat(log.examples().get(SkipReason.SIMILAR))
          .containsExactly(new SkipLog.Skipped("b, row group 0, row 2", "to q"));
    }
    String document = SkipLog.cut("x".repeat(1000));
    String detail = SkipLog.cut("y".repeat(1000));
    assertThat(list)
        .content()
        .isEqualTo(
            """
            {"file":"a","offset":0,"reason":"unparsable","detail":"bad"}
            {"document":"%s","file":"a","reason":"archived, but no text","detail":"%s"}
            {"file":"b","offset":4,"reason":"damaged record","detail":"rows"}
            {"document":"r","file":"b","offset":4,"reason":"near duplicate","detail":"row group 0, row 2: to q"}
            """
                .formatted(document, detail));
    assertThat(told)
        .containsExactly(
            " UNPARSABLE bad",
            document + " NOT_TEXT " + detail,
            " DAMAGED_RECORD rows",
            "r SIMILAR row group 0, row 2: to q");
  }

  @Test
  void whatIsShortStaysAsItIs() {
    String most = "x".repeat(SkipLog.MOST_CHARS);
    assertThat(SkipLog.cut(most)).isSameAs(most);
    assertThat(SkipLog.cut(most + "y")).hasSize(SkipLog.MOST_CHARS).endsWith("xy");
  }

  @Test
  void noCharacterIsCutInTwo() {
    for (String before : List.of("", "x")) {
      for (String after : List.of("", "y")) {
        String cut = SkipLog.cut(before + "\uD834\uDD1E".repeat(SkipLog.MOST_CHARS) + after);
        assertThat(cut.length()).isBetween(SkipLog.MOST_CHARS - 2, SkipLog.MOST_CHARS);
        assertThat(new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
            .isEqualTo(cut)
            .doesNotContain("\uFFFD");
      }
    }
  }

  /** A parser that was given a character beyond the BMP may name half of it. */
  @Test
  void halfACharacterIsWrittenAsNone() throws IOException {
    Path list = directory.resolve("skipped.jsonl");
    try (SkipLog log = new SkipLog(list, SkipListener.NONE)) {
      for (String detail : List.of("a \uD835 b", "c".repeat(SkipLog.MOST_CHARS) + "\uDC00")) {
        log.skipped(new Location("a", 0, "\uD835"), SkipReason.DAMAGED_RECORD, detail);
      }
      assertThat(log.examples().get(SkipReason.DAMAGED_RECORD))
          .extracting(SkipLog.Skipped::detail)
          .first()
          .isEqualTo("a \uFFFD b");
    }
    List<String> lines = Files.readAllLines(list);
    assertThat(Json.MAPPER.readTree(lines.getFirst()).get("detail").asText())
        .isEqualTo("a \uFFFD b");
    assertThat(Json.MAPPER.readTree(lines.getFirst()).get("document").asText()).isEqualTo("\uFFFD");
    assertThat(Json.MAPPER.readTree(lines.getLast()).get("detail").asText()).endsWith("c\uFFFD");
  }

  /** A journal may have been written when they were kept in full. */
  @Test
  void examplesThatAreReadAreNoLonger() throws IOException {
    String json = "{\"place\":\"a\",\"detail\":\"%s\"}".formatted("x".repeat(1 << 20));
    assertThat(Json.MAPPER.readValue(json, SkipLog.Skipped.class).detail())
        .hasSize(SkipLog.MOST_CHARS);
  }
}
