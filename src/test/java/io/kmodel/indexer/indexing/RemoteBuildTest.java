package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Execution;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.remote.FileServer;
import io.kmodel.indexer.source.remote.FileServer.Reply;
import io.kmodel.indexer.source.remote.S3Server;
import io.kmodel.indexer.source.remote.UnavailableException;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.netpreserve.jwarc.WarcCompression;
import org.netpreserve.jwarc.WarcRecord;

/** Builds of files on a server, which equal builds of the same files on disk. */
@Timeout(120)
class RemoteBuildTest extends InterruptedBuild {
  private FileServer server;

  @BeforeEach
  void serve() throws IOException {
    server = new FileServer();
    for (Path file : files(crawl)) {
      server.put("/" + crawl.relativize(file), Files.readAllBytes(file));
    }
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static List<Path> files(Path below) throws IOException {
    try (Stream<Path> all = Files.walk(below)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static BuildOptions options(List<Path> roots, Path target) {
    return new BuildOptions(
        ImmutableList.copyOf(roots),
        target,
        false,
        HtmlMode.FAST,
        "standard",
        true,
        Store.CONTENTS,
        new BuildOptions.Resources(2, 1L << 30));
  }

  private BuildReport build(List<Path> roots, Path target, Start start)
      throws IOException, InterruptedException {
    return build(options(roots, target), new BuildProgress(), start);
  }

  private Path url(String path) {
    return RemotePath.of(server.url(path));
  }

  /** The files of the crawl as URLs, in the order of the crawl. */
  private List<Path> urls() throws IOException {
    List<Path> urls = new ArrayList<>();
    for (Path file : files(crawl)) {
      urls.add(url("/" + crawl.relativize(file)));
    }
    return urls;
  }

  /** Files of an index without the list of skips, which has other paths. */
  private static SortedMap<String, Integer> index(Path index) throws IOException {
    SortedMap<String, Integer> files = IndexFilesHash.of(index);
    files.remove("skipped.jsonl");
    return files;
  }

  /** Text that hardly compresses, and is not indexed. */
  private static String noise(Random random) {
    byte[] bytes = new byte[75_000];
    random.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** So many pages of 75 KB in an archive. */
  private static byte[] pages(int count, int seed) throws IOException {
    Random random = new Random(seed);
    WarcRecord[] records = new WarcRecord[count];
    for (int i = 0; i < count; i++) {
      String html =
          "<html><body><!-- %s --><p>sea %d of %d".formatted(noise(random), i, random.nextInt(50));
      records[i] = Warcs.html("http://example.org/" + seed + "/" + i, html);
    }
    return Warcs.write(WarcCompression.GZIP, records);
  }

  /** Lines of JSON, 9 MB of them. */
  private static byte[] lines() {
    Random random = new Random(6);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 90; i++) {
      lines.append(
          "{\"id\": \"d%d\", \"contents\": \"lake %d\", \"noise\": \"%s\"}\n"
              .formatted(i, random.nextInt(50), noise(random)));
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static Execution.Remote remote(BuildReport report) {
    Execution execution = Objects.requireNonNull(report.execution());
    return Objects.requireNonNull(execution.remote());
  }

  /** Has the files on disk, too, and compares builds of both, in this order. */
  private BuildReport assertSame(Map<String, byte[]> named) throws Exception {
    List<Path> here = new ArrayList<>();
    List<Path> there = new ArrayList<>();
    Path plain = Files.createDirectories(directory.resolve("plain"));
    for (Map.Entry<String, byte[]> file : named.entrySet()) {
      here.add(Files.write(plain.resolve(file.getKey()), file.getValue()));
      server.put("/" + file.getKey(), file.getValue());
      there.add(url("/" + file.getKey()));
    }
    build(here, directory.resolve("expected"), Start.FRESH);
    BuildReport report = build(there, output, Start.FRESH);
    assertThat(index(output)).isEqualTo(index(directory.resolve("expected")));
    return report;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void largeFilesAreReadInPiecesOrWholeWithTheSameIndex(boolean ranges) throws Exception {
    server.ranges = ranges;
    BuildReport report = assertSame(Map.of("lines.jsonl", lines(), "pages.warc.gz", pages(120, 1)));
    assertThat(report.documents()).isEqualTo(210);
    assertThat(report.skippedDocuments()).isZero();
    Execution.Remote remote = remote(report);
    assertThat(remote.requests()).isEqualTo(server.requests.size());
    assertThat(remote.retries()).isZero();
    assertThat(remote.bytes()).isGreaterThan(15_000_000);
    if (ranges) {
      assertThat(remote.bytes()).isLessThan(60_000_000);
    }
  }

  @Test
  void smallFilesAndDamageHaveTheSameIndexAndSkips() throws Exception {
    byte[] cut = pages(20, 2);
    BuildReport report =
        assertSame(
            Map.of(
                "birds.tsv", Files.readAllBytes(Path.of("corpus-samples/formats/birds.tsv")),
                "page.html", "<html><title>T</title>text".getBytes(StandardCharsets.UTF_8),
                "page.txt.gz", Warcs.gzip("packed text".getBytes(StandardCharsets.UTF_8)),
                "empty.txt", new byte[0],
                "cut.warc.gz", Arrays.copyOf(cut, cut.length - 100)));
    assertThat(report.skippedDocuments()).isPositive();
    assertThat(output.resolve("skipped.jsonl"))
        .content()
        .contains("\"file\":\"" + server.url("/cut.warc.gz") + "\"");
  }

  @Test
  void troubleOnTheWayChangesNothing() throws Exception {
    server.script =
        (request, usual) ->
            switch (server.requests.size() % 7) {
              case 2 -> Reply.of(503, "");
              case 4 -> usual.breaking(usual.body().length / 2);
              default -> usual;
            };
    BuildReport report =
        assertSame(Map.of("pages.warc.gz", pages(60, 3), "a.txt", new byte[] {65}));
    assertThat(remote(report).retries()).isPositive();
  }

  @Test
  void aPrefixOfS3IsADirectory() throws Exception {
    System.setProperty("aws.region", S3Server.REGION);
    System.setProperty("aws.accessKeyId", S3Server.ACCESS);
    System.setProperty("aws.secretAccessKey", S3Server.SECRET);
    try (S3Server s3 = new S3Server("bucket")) {
      System.setProperty("aws.endpointUrlS3", s3.endpoint());
      for (Path file : files(crawl)) {
        s3.put("crawl/" + crawl.relativize(file), Files.readAllBytes(file));
      }
      build(List.of(crawl), directory.resolve("expected"), Start.FRESH);
      BuildReport report = build(List.of(RemotePath.of("s3://bucket/crawl/")), output, Start.FRESH);
      assertThat(report.documents()).isPositive();
      assertThat(index(output)).isEqualTo(index(directory.resolve("expected")));
    } finally {
      for (String name : List.of("region", "accessKeyId", "secretAccessKey", "endpointUrlS3")) {
        System.clearProperty("aws." + name);
      }
    }
  }

  /** Ends a build whose server refuses everything after some files were read. */
  private void interrupt(List<Path> roots) {
    server.script =
        (request, usual) ->
            server.requests.size() > roots.size() + roots.size() / 2 ? Reply.of(403, "") : usual;
    assertThatThrownBy(() -> build(options(roots, output), new BuildProgress(), Start.FRESH))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("403");
    assertThat(output).doesNotExist();
    assertThat(notices).anyMatch(line -> line.contains("--resume"));
    server.script = (request, usual) -> usual;
  }

  @Test
  void aRefusalWithinAFileStopsTheBuildWhichCanBeResumed() throws Exception {
    server.put("/pages.warc.gz", pages(20, 5));
    List<Path> roots = new ArrayList<>(urls());
    roots.add(url("/pages.warc.gz"));
    server.script =
        (request, usual) ->
            request.path().equals("/pages.warc.gz") && !request.header("range").contains("=0-")
                ? Reply.of(403, "")
                : usual;
    assertThatThrownBy(() -> build(roots, output, Start.FRESH))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("403");
    assertThat(output).doesNotExist();
    server.script = (request, usual) -> usual;
    build(roots, output, Start.RESUME);
    build(roots, directory.resolve("expected"), Start.FRESH);
    assertThat(index(output)).isEqualTo(index(directory.resolve("expected")));
  }

  @Test
  void aStoppedBuildContinuesWhenTheServerIsBack() throws Exception {
    List<Path> roots = urls();
    interrupt(roots);
    build(roots, output, Start.RESUME);
    build(roots, directory.resolve("expected"), Start.FRESH);
    assertThat(index(output)).isEqualTo(index(directory.resolve("expected")));
  }

  @Test
  void aFileThatIsGoneBeforeTheResumptionIsNamedWithAWayOut() throws Exception {
    List<Path> roots = urls();
    interrupt(roots);
    assertThat(notices).last().asString().endsWith("--resume continues from there");
    String gone = "/" + crawl.relativize(files(crawl).getLast());
    server.script = (request, usual) -> request.path().equals(gone) ? Reply.of(404, "") : usual;
    assertThatThrownBy(() -> build(roots, output, Start.RESUME))
        .hasMessageContaining(gone + ": the server answers 404");
    assertThat(notices).last().asString().endsWith("take it out of the list and use --restart");
    assertThat(work()).isDirectory();
    build(roots.subList(0, roots.size() - 1), output, Start.RESTART);
    assertThat(output).isDirectory();
  }

  @Test
  void aServerThatRefusesBeforeAnyWorkIsFinishedIsToldOfWithThat() throws Exception {
    server.put("/only.txt", "text".getBytes(StandardCharsets.UTF_8));
    server.script = (request, usual) -> server.requests.size() > 1 ? Reply.of(403, "") : usual;
    assertThatThrownBy(() -> build(List.of(url("/only.txt")), output, Start.FRESH))
        .isInstanceOf(UnavailableException.class);
    assertThat(notices).contains("no work is kept; the same command starts from the beginning");
    assertThat(work()).doesNotExist();
  }

  @Test
  void aFileWithAnotherTagIsNotResumed() throws Exception {
    List<Path> roots = urls();
    interrupt(roots);
    String changed = "/" + crawl.relativize(files(crawl).getLast());
    server.script =
        (request, usual) ->
            request.path().equals(changed) ? usual.with("ETag", "\"other\"") : usual;
    assertThatThrownBy(() -> build(roots, output, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("has the ETag \"other\" on its server, and had \"");
  }

  @Test
  void aFileThatIsGoneAfterItWasListedIsASkip() throws Exception {
    server.put("/a.txt", "stays".getBytes(StandardCharsets.UTF_8));
    server.put("/b.txt", "goes".getBytes(StandardCharsets.UTF_8));
    server.script =
        (request, usual) ->
            request.path().equals("/b.txt") && !request.header("range").equals("bytes=0-0")
                ? Reply.of(404, "")
                : usual;
    BuildReport report = build(List.of(url("/a.txt"), url("/b.txt")), output, Start.FRESH);
    assertThat(report.documents()).isEqualTo(1);
    assertThat(report.skipped()).containsEntry("unreadable", 1L);
    assertThatThrownBy(() -> build(List.of(url("/none")), directory.resolve("x"), Start.FRESH))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/none: the server answers 404; there is no such file");
  }
}
