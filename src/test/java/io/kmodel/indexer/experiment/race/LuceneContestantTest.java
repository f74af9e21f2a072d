package io.kmodel.indexer.experiment.race;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.parse.html.HtmlMode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LuceneContestantTest {
  @TempDir Path directory;

  /** Where the outer archive is cut, a reader takes records of the inner one for its own. */
  @Test
  void aFileThatCannotBeReadInPiecesIsNoRace() throws IOException {
    byte[] inner = record("inner", "text/plain", 1 << 20);
    try (OutputStream archive = Files.newOutputStream(directory.resolve("a.warc"))) {
      byte[] outer = record("outer", "application/warc", 12 * inner.length);
      archive.write(outer, 0, outer.length - 12 * inner.length);
      for (int i = 0; i < 12; i++) {
        archive.write(inner);
      }
      archive.write("\r\n\r\n".getBytes(UTF_8));
    }
    RaceOptions options =
        new RaceOptions(
            directory.resolve("a.warc").toString(),
            directory.resolve("work").toString(),
            "standard",
            1,
            1000L << 20,
            0,
            RivalOptions.lucene(HtmlMode.FAST, 64));
    assertThatThrownBy(
            () -> new LuceneContestant(options, "lucene", LuceneFeed.Documents::new).run())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(" cannot be split");
  }

  private static byte[] record(String id, String type, int length) {
    String http = "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n".formatted(type);
    boolean isInner = id.equals("inner");
    String body = isInner ? "word".repeat(length / 4) : " ".repeat(length);
    return "WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: %s\r\nWARC-Target-URI: http://a/%s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s%s%s"
        .formatted(id, id, http.length() + length, http, body, isInner ? "\r\n\r\n" : "")
        .getBytes(UTF_8);
  }
}
