package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Stored documents as NDJSON for search servers. */
class ExportNdjsonTest extends CommandCalls {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private String odd() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("odd"));
    Files.writeString(
        crawl.resolve("a.jsonl"),
        """
        {"id":"1 \\"quoted\\"","title":"line\\nfeed","contents":"tab\\tand \\u0001 \\ud83d\\ude00"}
        {"id":"%s","title":"","contents":""}
        """
            .formatted("é".repeat(257)));
    String index = directory.resolve("odd-index").toString();
    assertThat(run("build", crawl.toString(), "-o", index, "--threads", "1", "-q")).isZero();
    return index;
  }

  private static List<JsonNode> lines(String text) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (!line.isEmpty()) {
        lines.add(MAPPER.readTree(line));
      }
    }
    return lines;
  }

  @Test
  void eachDocumentIsTwoLines() throws IOException {
    assertThat(run("export", "ndjson", odd(), "-", "--name", "pages")).isZero();
    List<JsonNode> lines = lines(out.toString());
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0))
        .isEqualTo(
            MAPPER.readTree("{\"index\":{\"_index\":\"pages\",\"_id\":\"1 \\\"quoted\\\"\"}}"));
    assertThat(lines.get(1))
        .isEqualTo(
            MAPPER.readTree(
                "{\"title\":\"line\\nfeed\",\"contents\":\"tab\\tand \\u0001 \\ud83d\\ude00\"}"));
    assertThat(lines.get(3)).isEqualTo(MAPPER.readTree("{\"title\":\"\",\"contents\":\"\"}"));
    assertThat(err.toString()).contains("1 id is longer than 512 bytes");
  }

  @Test
  void aFileAppearsWholeAndIsNotReplacedByMistake() throws IOException {
    Path file = directory.resolve("pages.ndjson.gz");
    assertThat(run("export", "ndjson", index(), file.toString())).as(err.toString()).isZero();
    assertThat(out.toString()).endsWith("pages.ndjson.gz: NDJSON of 3 documents\n");
    List<JsonNode> lines;
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      lines = lines(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    assertThat(lines).hasSize(6);
    assertThat(lines.get(0).at("/index/_id").asText()).isEqualTo("first");
    assertThat(lines.get(0).at("/index").has("_index")).isFalse();
    assertThat(lines.get(1).at("/contents").asText()).isEqualTo("river river stone");
    assertThat(run("export", "ndjson", index(), file.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--overwrite replaces it");
    assertThat(run("export", "ndjson", index(), file.toString(), "--overwrite")).isZero();
  }

  @Test
  void anIndexWithoutTextsIsRefused() throws IOException {
    String index = directory.resolve("ids").toString();
    index();
    String crawl = directory.resolve("crawl").toString();
    assertThat(run("build", crawl, "-o", index, "--store", "id", "-q")).isZero();
    assertThat(run("export", "ndjson", index, directory.resolve("none").toString()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("stores no texts", "--store contents");
    assertThat(directory.resolve("none")).doesNotExist();
  }
}
