package io.kmodel.indexer.indexing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.verify.DeepVerifier;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.netpreserve.jwarc.WarcCompression;

/** What documents say is text: nothing of it is fetched, run, or taken for the name of a file. */
class UntrustedContentTest {
  private static final List<String> NAMES =
      List.of(
          "../../../outside.html",
          "/etc/outside.html",
          "file:///etc/passwd",
          "C:\\outside.html",
          "a/../../../outside",
          "--output=outside",
          "outside\n{\"reason\":\"none\"}");

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(HtmlMode.class)
  void nothingThatAPageNamesIsFetched(HtmlMode mode) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String url = "http://127.0.0.1:" + server.getLocalPort() + "/";
      Path crawl = Files.createDirectory(directory.resolve("crawl"));
      Files.writeString(crawl.resolve("page.html"), page(url));
      Files.writeString(crawl.resolve("page.xhtml"), "<?xml version='1.0'?>" + page(url));
      Files.write(
          crawl.resolve("a.warc"),
          Warcs.write(WarcCompression.GZIP, Warcs.html(url + "archived", page(url))));
      BuildReport report = build(crawl, mode);
      assertThat(report.documents()).isEqualTo(3);
      server.setSoTimeout(200);
      assertThat(connected(server)).as("connections").isFalse();
    }
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"));
        StoredTexts texts = index.documents()) {
      for (int doc = 0; doc < index.documentCount(); doc++) {
        assertThat(texts.text(doc, index.schema().ordinal(Schema.CONTENTS)))
            .contains("before", "after")
            .doesNotContain("root:");
      }
    }
  }

  private static String page(String url) {
    return """
    <!DOCTYPE html [<!ENTITY passwd SYSTEM "file:///etc/passwd"><!ENTITY far SYSTEM "URLentity">]>
    <html manifest="URLmanifest"><head><base href="URL"><meta http-equiv=refresh content="0;url=URLnext">
    <link rel=stylesheet href="URLstyle.css"><script src="URLscript.js"></script><title>page</title>
    <?xml-stylesheet href="URLsheet.xsl"?></head><body>before &passwd; &far; <img src="URLimage.png">
    <iframe src="URLframe"></iframe><object data="URLobject"></object><svg><use href="URLuse"/></svg>
    <xi:include href="file:///etc/passwd" parse="text"/> after</body></html>
    """
        .replace("URL", url);
  }

  private static boolean connected(ServerSocket server) throws IOException {
    try {
      server.accept().close();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @Test
  void noNameInACollectionBecomesThatOfAFile() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    StringBuilder lines = new StringBuilder();
    StringBuilder trec = new StringBuilder();
    for (String name : NAMES) {
      String json = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"");
      lines.append("{\"id\":\"%s\",\"contents\":\"text\"}%n".formatted(json));
      trec.append("<DOC>\n<DOCNO>%s</DOCNO>\n<TEXT>\ntext\n</TEXT>\n</DOC>\n".formatted(name));
    }
    Files.writeString(crawl.resolve("a.jsonl"), lines + "{\"id\":\"../lost\"}\n");
    Files.writeString(crawl.resolve("b.trec"), trec);
    Files.write(crawl.resolve("c.warc"), archive().getBytes(UTF_8));
    BuildReport report = build(crawl, HtmlMode.FAST);
    assertThat(report.documents()).isGreaterThanOrEqualTo(2L * NAMES.size());
    DeepVerifier.verify(directory.resolve("index"), ProgressListener.NONE);
    try (Stream<Path> all = Files.walk(directory)) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.contains("outside") || name.contains("lost"));
    }
    assertThat(Path.of("outside")).doesNotExist();
    assertThat(Path.of("/etc/outside.html")).doesNotExist();
    assertThat(directory.resolveSibling("outside.html")).doesNotExist();
    assertThat(Files.readAllLines(directory.resolve("index").resolve("skipped.jsonl")))
        .as("a line for each document left out, whatever it is called")
        .hasSize(Math.toIntExact(report.skippedDocuments()));
  }

  private static String archive() {
    StringBuilder archive = new StringBuilder();
    for (String name : NAMES) {
      if (!name.contains("\n")) {
        archive.append(
            """
            WARC/1.0\r
            WARC-Type: resource\r
            WARC-Record-ID: <urn:uuid:../../../outside>\r
            WARC-Filename: ../../../outside.warc\r
            WARC-Target-URI: %s\r
            Content-Type: text/plain\r
            Content-Length: 4\r
            \r
            text\r
            \r
            """
                .formatted(name));
      }
    }
    return archive.toString();
  }

  /** The index itself has the permissions that its maker's files have. */
  @Test
  void whatABuildHasNotFinishedIsClosedToOthers() throws Exception {
    Path output = directory.resolve("index");
    try (WorkDirectory work = WorkDirectory.create(output, null)) {
      Path root = work.runs().getParent();
      if (Files.getFileAttributeView(root, PosixFileAttributeView.class) != null) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root)))
            .isEqualTo("rwx------");
      }
    }
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(crawl.resolve("a.txt"), "text");
    build(crawl, HtmlMode.FAST);
    Path made = Files.createDirectory(directory.resolve("made"));
    assertThat(Files.getPosixFilePermissions(output))
        .isEqualTo(Files.getPosixFilePermissions(made));
  }

  /** Unpacked native libraries are private while they are there, and are not there any more. */
  @Test
  void noNativeLibraryIsLeftAmongTheTemporaryFiles() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(crawl.resolve("a.txt"), "text");
    build(crawl, HtmlMode.FAST);
    Path maps = Path.of("/proc/self/maps");
    assumeTrue(Files.exists(maps), "no /proc to see what is loaded");
    List<String> zstd =
        Files.readAllLines(maps).stream().filter(line -> line.contains("libzstd-jni")).toList();
    // Of a test that used zstd before any class of ours in this process, nothing can be said.
    assumeTrue(zstd.stream().allMatch(line -> line.contains("indexer-zstd")), "loaded by a test");
    assertThat(zstd).isNotEmpty().allMatch(line -> line.endsWith("(deleted)"));
  }

  private BuildReport build(Path crawl, HtmlMode mode) throws IOException, InterruptedException {
    BuildOptions options =
        new BuildOptions(
            ImmutableList.of(crawl),
            directory.resolve("index"),
            false,
            mode,
            "standard",
            true,
            Store.CONTENTS,
            new BuildOptions.Resources(2, 1L << 30));
    MemoryPlan plan = new MemoryPlan(1 << 30, 8 << 20, 64 << 20, 256 << 20);
    return new Indexing(options, Target.ownIndex(), new BuildProgress(), plan).run();
  }
}
