package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.command.Commands;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BrowseCommandTest extends CommandCalls {
  /** A call of the command, which serves until it is interrupted. */
  private static final class Served implements AutoCloseable {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final FutureTask<Integer> exit;
    private final Thread thread;

    Served(String... arguments) {
      exit =
          new FutureTask<>(
              () ->
                  Main.execute(
                      Commands.of(arguments)
                          .setOut(new PrintWriter(out))
                          .setErr(new PrintWriter(err)),
                      Map.of(),
                      arguments));
      thread = Thread.ofPlatform().start(exit);
    }

    URI address() throws InterruptedException {
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (!out.toString().endsWith("\n")) {
        assertThat(thread.isAlive() && System.nanoTime() < end).as(err.toString()).isTrue();
        Thread.sleep(10);
      }
      return URI.create(out.toString().strip());
    }

    JsonNode ask(String path) throws IOException, InterruptedException {
      return read(address().resolve(path));
    }

    /** Ends it as Ctrl-C does; its exit code. */
    int end() throws Exception {
      thread.interrupt();
      return exit.get(60, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      thread.interrupt();
      Uninterruptibles.joinUninterruptibly(thread);
    }
  }

  private static JsonNode read(URI address) throws IOException {
    try (InputStream in = address.toURL().openStream()) {
      return new ObjectMapper().readTree(in);
    }
  }

  @Test
  void answersAreWhatOtherCommandsPrint() throws Exception {
    String index = index();
    try (Served served = new Served("browse", index, "--port", "0")) {
      assertThat(served.address().toString()).matches("http://127\\.0\\.0\\.1:[0-9]+/");
      assertThat(run("search", index, "river stone")).isZero();
      for (JsonNode hit : served.ask("/api/search?q=river+stone").get("hits")) {
        assertThat(out.toString())
            .contains(
                String.format(
                    Locale.ROOT,
                    "%3d. %s  (%.3f)",
                    hit.get("rank").asInt(),
                    hit.get("id").asText(),
                    hit.get("score").floatValue()));
      }
      assertThat(run("terms", index, "r")).isZero();
      JsonNode terms = served.ask("/api/terms?field=contents&prefix=r").get("terms");
      assertThat(out.toString().lines()).hasSize(terms.size());
      for (JsonNode term : terms) {
        assertThat(out.toString())
            .contains(
                String.format(
                    Locale.ROOT,
                    "%,12d %,14d  %s\n",
                    term.get("documents").asInt(),
                    term.get("occurrences").asInt(),
                    term.get("term").asText()));
      }
      assertThat(run("postings", index, "river")).isZero();
      JsonNode postings = served.ask("/api/postings?field=contents&term=river").get("postings");
      assertThat(postings).hasSize(3);
      for (JsonNode posting : postings) {
        assertThat(out.toString())
            .containsPattern(
                "%d +%d× of +%d +%s +at %s"
                    .formatted(
                        posting.get("document").asInt(),
                        posting.get("occurrences").asInt(),
                        posting.get("length").asInt(),
                        posting.get("id").asText(),
                        posting
                            .get("positions")
                            .toString()
                            .replaceAll("[\\[\\]]", "")
                            .replace(',', ' ')));
      }
      assertThat(served.end()).isEqualTo(ExitCode.OK);
      assertThat(served.err.toString()).isEmpty();
    }
  }

  @Test
  void aLuceneIndexIsShownWithTheAnalyzerThatIsGiven() throws Exception {
    String lucene = directory.resolve("lucene").toString();
    assertThat(run("export", "lucene", index(), lucene)).as(err.toString()).isZero();
    try (Served served = new Served("browse", lucene, "--port", "0", "--analyzer", "english")) {
      assertThat(served.ask("/api/index").get("kind").asText()).isEqualTo("Lucene index");
      assertThat(served.ask("/api/index").at("/analyzers").toString()).contains("english");
      assertThat(served.ask("/api/search?q=rivers").get("found").asInt()).isEqualTo(3);
    }
    try (Served served = new Served("browse", lucene, "--port", "0")) {
      assertThat(served.ask("/api/search?q=rivers").get("found").asInt()).isZero();
    }
  }

  @Test
  void metadataIsShownOfBothKindsOfIndex() throws Exception {
    Path pages =
        Files.writeString(
            directory.resolve("pages.jsonl"),
            """
            {"id":"a","contents":"river bank","published":2019,"day":"2021-03-05","place":"Aare"}
            {"id":"b","contents":"river mouth"}
            """);
    String index = directory.resolve("dated").toString();
    String columns = "year=published:int,day=day:date,place=place";
    assertThat(run("build", pages.toString(), "-o", index, "--json-metadata", columns))
        .as(err.toString())
        .isZero();
    String lucene = directory.resolve("dated-lucene").toString();
    assertThat(run("export", "lucene", index, lucene)).as(err.toString()).isZero();
    for (String path : List.of(index, lucene)) {
      try (Served served = new Served("browse", path, "--port", "0")) {
        JsonNode shown = served.ask("/api/document?document=0").get("columns");
        assertThat(shown.get("year").asText()).isEqualTo("2019");
        assertThat(shown.get("place").asText()).isEqualTo("Aare");
        // Lucene keeps the milliseconds since 1970, and does not say that they are a date.
        assertThat(shown.get("day").asText())
            .isEqualTo(path.equals(index) ? "2021-03-05T00:00:00Z" : "1614902400000");
        assertThat(served.ask("/api/document?document=1").get("columns")).isEmpty();
      }
    }
  }

  @Test
  void otherAddressesOfTheMachineAreListenedToWithAWarning() throws Exception {
    try (Served served = new Served("browse", index(), "--port", "0", "--address", "0.0.0.0")) {
      int port = served.address().getPort();
      URI local = URI.create("http://127.0.0.1:" + port + "/api/index");
      assertThat(read(local).get("documents").asInt()).isEqualTo(3);
      assertThat(served.err.toString()).contains("everyone on its network can read the index");
    }
  }

  /** All of 127.0.0.0/8 is this machine, and a name may be of any of it. */
  @Test
  void thePrintedAddressAndTheGivenNameAreAnswered() throws Exception {
    try (Served served = new Served("browse", index(), "--port", "0", "--address", "127.0.0.5")) {
      assertThat(served.address().toString()).startsWith("http://127.0.0.5:");
      assertThat(served.ask("/api/index").get("documents").asInt()).isEqualTo(3);
      assertThat(served.err.toString()).isEmpty();
    }
    try (Served served = new Served("browse", index(), "--port", "0", "--address", "localhost")) {
      URI named = URI.create("http://localhost:%d/".formatted(served.address().getPort()));
      assertThat(read(named.resolve("/api/index")).get("documents").asInt()).isEqualTo(3);
    }
  }

  @Test
  void mistakesAreNamed() throws Exception {
    String index = index();
    assertThat(run("browse", index, "--port", "70000")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--port must be 0 to 65535; got 70000");
    assertThat(run("browse", index, "--address", "no such address")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("there is no address 'no such address'");
    assertThat(run("browse", index, "--analyzer", "english")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("knows its analyzer; only a Lucene index needs one");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      assertThat(run("browse", index, "--port", port)).isEqualTo(ExitCode.FAILED);
      assertThat(err.toString())
          .contains("cannot listen on 127.0.0.1 port " + port, "--port (0 means any free port)");
    }
    for (String name : List.of("absent", "crawl")) {
      Path path = directory.resolve(name);
      assertThat(run("browse", path.toString())).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("no index at " + path);
      assertThat(Files.exists(path)).isEqualTo(name.equals("crawl"));
    }
  }
}
