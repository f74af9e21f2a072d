package io.kmodel.indexer.browse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server answers to whom. */
class BrowseServerTest {
  private static final String SCRIPT = "</script><script>alert(1)</script>";

  @TempDir static Path directory;

  private static BrowsedIndex index;
  private static Requests requests;

  @BeforeAll
  static void open() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(
        crawl.resolve("page.jsonl"),
        "{\"id\": \"<img src=x>\", \"contents\": \"a river %s\"}\n".formatted(SCRIPT)
            + "{\"id\": \"b\", \"contents\": \"a bank\"}\n");
    BrowsedSite.build(crawl, directory.resolve("index"));
    index = BrowsedIndex.open(directory.resolve("index"), null);
    requests = new Requests(index);
  }

  @AfterAll
  static void close() throws Exception {
    requests.close();
    index.close();
    assertThat(requests.log).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/, text/html; charset=utf-8, <!DOCTYPE html>",
    "/browse.css, text/css; charset=utf-8, :root",
    "/browse.js, text/javascript; charset=utf-8, import",
    "/list.js, text/javascript; charset=utf-8, import",
    "/charts.js, text/javascript; charset=utf-8, /**",
    "/icon.svg, image/svg+xml, <svg",
    "/api/index, application/json, {"
  })
  void everyAnswerSaysWhatItIsAndWhatAPageMayDo(String path, String type, String start)
      throws Exception {
    HttpResponse<String> answer = requests.get(path);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).startsWith(start);
    assertThat(answer.headers().map())
        .containsEntry("content-type", List.of(type))
        .containsEntry("x-content-type-options", List.of("nosniff"))
        .containsEntry("referrer-policy", List.of("no-referrer"))
        .doesNotContainKey("access-control-allow-origin");
    assertThat(answer.headers().firstValue("content-security-policy").orElseThrow())
        .startsWith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
        .doesNotContain("unsafe");
  }

  /** The report has its script inside, so it may do nothing else. */
  @Test
  void theReportIsServedInASandbox() throws Exception {
    HttpResponse<String> answer = requests.get("/report");
    assertThat(answer.body()).contains("<title>Build report</title>");
    assertThat(answer.headers().firstValue("content-security-policy").orElseThrow())
        .startsWith("sandbox allow-scripts; default-src 'none'")
        .doesNotContain("connect-src", "allow-same-origin");
    assertThat(requests.ask("index").get("hasReport").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "HEAD"})
  void onlyGetIsAnswered(String method) throws Exception {
    HttpResponse<String> answer =
        requests.send(
            HttpRequest.newBuilder(requests.uri("/api/index"))
                .method(method, BodyPublishers.noBody()));
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().map()).containsEntry("allow", List.of("GET"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/api/search|parameter 'q' is missing",
        "/api/search?q=%22|cannot parse query",
        "/api/search?q=river&size=0|'size' must be a number from 1 to 100; got '0'",
        "/api/search?q=river&size=1000|'size' must be a number from 1 to 100; got '1000'",
        "/api/search?q=river&from=-1|'from' must be a number from 0 to 9990; got '-1'",
        "/api/search?q=river&from=99999999999999999999|'from' must be a number",
        "/api/search?q=river&q=bank|parameter 'q' is given twice",
        "/api/search?q=river&x=1|unknown parameter 'x'; the parameters are [from, q, size]",
        "/api/explain?q=river&document=2|'document' must be a number from 0 to 1; got '2'",
        "/api/explain?document=1|parameter 'q' is missing",
        "/api/terms?field=nope|no field 'nope'",
        "/api/terms?field=contents&size=1001|'size' must be a number from 1 to 1000",
        "/api/postings?field=contents|give either 'term' or 'hex'",
        "/api/postings?field=contents&term=a&hex=61|give either 'term' or 'hex'",
        "/api/postings?field=contents&hex=6|'6' is not hexadecimal",
        "/api/postings?field=nope&term=a|the index has no field 'nope'",
        "/api/document?document=x|'document' must be a number from 0 to 1; got 'x'",
        "/api/document|parameter 'document' is missing",
        "/api/statistics?field=id|statistics need a text field with lengths, which 'id' is not",
        "/api/statistics?field=nope|statistics need a text field"
      })
  void aMistakeIsNamed(String path, String message) throws Exception {
    assertThat(requests.error(400, path)).contains(message).doesNotContain("Exception", "\tat ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/nothing|there is nothing at '/nothing'",
        "/api/|there is nothing at '/api/'",
        "/browse.html|there is nothing",
        "/../index.json|there is nothing",
        "/report.html|there is nothing",
        "/api/postings?field=contents&term=nowhere|'nowhere' is not a term of contents",
        "/api/postings?field=contents&hex=ff|'ff' is not a term of contents",
        "/api/words?document=0&field=nope|the index does not store 'nope'"
      })
  void whatIsNotThereIsSaid(String path, String message) throws Exception {
    assertThat(requests.error(404, path)).contains(message);
  }

  @Test
  void longTextsAreRefused() throws Exception {
    assertThat(requests.error(400, "/api/search?q=" + "a".repeat(4001)))
        .contains("at most 4,000 characters; got 4,001");
    assertThat(requests.error(414, "/api/search?q=" + "a".repeat(17_000)))
        .contains("the address is too long");
    String nested = "%28b+".repeat(300) + "a" + "%29".repeat(300);
    assertThat(requests.error(400, "/api/search?q=" + nested))
        .contains("nested more than 200 levels deep");
  }

  /** A page of another site can give its own name any address, but not another name's. */
  @ParameterizedTest
  @CsvSource({
    "localhost, 200",
    "LOCALHOST:1, 200",
    "127.0.0.1:8483, 200",
    "[::1]:8483, 200",
    "[::1], 200",
    "10.1.2.3:80, 200",
    "[fe80::1]:80, 200",
    "evil.example, 403",
    "evil.example:8483, 403",
    "localhost.evil.example, 403",
    "127.0.0.1.evil.example:80, 403",
    "evil.example:80:127.0.0.1, 403",
    "[evil.example], 403",
    "localhost., 403"
  })
  void onlyRequestsThatNameThisMachineAreAnswered(String host, int status) throws IOException {
    assertThat(raw("GET /api/index HTTP/1.1\r\nHost: " + host + "\r\n"))
        .startsWith("HTTP/1.1 " + status + " ");
  }

  @Test
  void aNameThatWasGivenIsAnsweredTo() {
    HostNames names = new HostNames("crawls.example");
    assertThat(names.include("Crawls.Example:8483")).isTrue();
    assertThat(names.include("localhost")).isTrue();
    assertThat(names.include("crawls.example.evil.example")).isFalse();
  }

  @Test
  void aRequestThatNamesNoHostIsRefused() throws IOException {
    assertThat(raw("GET / HTTP/1.0\r\n")).startsWith("HTTP/1.1 403 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/search?q=%zz", "/api/search?q=%", "/api/search?q=%C3%28&q"})
  void brokenEscapesAreRefused(String path) throws IOException {
    assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n")).startsWith("HTTP/1.1 400 ");
  }

  /** The answer to a request as it is written, up to its end. */
  private static String raw(String request) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), requests.server.address().getPort())) {
      socket.setSoTimeout(30_000);
      socket
          .getOutputStream()
          .write((request + "Connection: close\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void textsOfDocumentsAreStringsOfJson() throws Exception {
    JsonNode found = requests.ask("document", "document", 0);
    assertThat(found.get("id").asText()).isEqualTo("<img src=x>");
    assertThat(found.get("stored").get(0).get("text").asText()).contains(SCRIPT);
    JsonNode hit = requests.ask("search", "q", "alert").get("hits").get(0);
    assertThat(hit.get("snippet").asText()).contains("<script>");
    assertThat(requests.ask("search", "q", "nofield:a").get("unknownFields").toString())
        .isEqualTo("[\"nofield\"]");
  }

  @Test
  void manyAreAnsweredAtOnce() throws Exception {
    List<Future<JsonNode>> answers = new ArrayList<>();
    JsonNode expected = requests.ask("document", "document", 1);
    try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
      for (int i = 0; i < 200; i++) {
        int document = i % 2;
        answers.add(threads.submit(() -> requests.ask("document", "document", document)));
      }
    }
    for (int i = 0; i < answers.size(); i++) {
      assertThat(answers.get(i).get().get("document").asInt()).isEqualTo(i % 2);
      if (i % 2 == 1) {
        assertThat(answers.get(i).get()).isEqualTo(expected);
      }
    }
  }

  /** What another program may do to an index, or a build with --overwrite. */
  @Test
  void anIndexThatIsDeletedMeanwhileIsStillShown() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("few"));
    Files.writeString(crawl.resolve("a.txt"), "a river");
    Path ours = directory.resolve("few-index");
    Path lucene = directory.resolve("few-lucene");
    BrowsedSite.build(crawl, ours);
    BrowsedSite.export(ours, lucene);
    for (Path path : List.of(ours, lucene)) {
      try (BrowsedIndex opened = BrowsedIndex.open(path, null);
          Requests of = new Requests(opened)) {
        JsonNode before = of.ask("index");
        Directories.deleteTree(path);
        assertThat(of.ask("index")).isEqualTo(before);
        assertThat(of.ask("search", "q", "river").get("hits")).hasSize(1);
        assertThat(of.ask("document", "document", 0).get("stored")).isNotEmpty();
        assertThat(of.ask("terms", "field", "contents").get("total").asInt()).isEqualTo(2);
        assertThat(of.ask("statistics", "field", "contents").get("tokens").asInt()).isEqualTo(2);
        if (path.equals(ours)) {
          assertThat(of.error(404, "/report")).contains("report.html was deleted or moved");
        }
        assertThat(of.log).isEmpty();
      }
    }
  }

  @Test
  void anIndexWithoutDocumentsIsShown() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("empty"));
    Path empty = directory.resolve("empty-index");
    BrowsedSite.build(crawl, empty);
    BrowsedSite.export(empty, directory.resolve("empty-lucene"));
    for (Path path : List.of(empty, directory.resolve("empty-lucene"))) {
      try (BrowsedIndex opened = BrowsedIndex.open(path, null);
          Requests of = new Requests(opened)) {
        assertThat(of.ask("index").get("documents").asInt()).isZero();
        assertThat(of.ask("search", "q", "river").get("hits")).isEmpty();
        assertThat(of.error(404, "/api/document?document=0")).contains("no documents");
      }
    }
  }
}
