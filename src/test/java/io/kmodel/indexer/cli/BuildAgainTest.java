package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds that are complete and are asked for again with --resume. */
class BuildAgainTest extends CommandCalls {
  private Path crawl = Path.of("");
  private Path index = Path.of("");

  @BeforeEach
  void writeCrawl() throws IOException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    index = crawl.resolve("index");
    Files.writeString(crawl.resolve("a.txt"), "river river stone");
    Files.writeString(crawl.resolve("b.txt"), "stone bridge over river");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lucene", "ciff"})
  void nothingIsDoneIfIndexAndExportAreThere(String kind) throws IOException {
    String export = "--export=" + kind + ":" + crawl.resolve("made");
    requireExit(ExitCode.OK, build(export));
    Map<Path, String> before = tree();
    assertThat(run(build(export))).isEqualTo(ExitCode.USAGE);
    requireExit(ExitCode.OK, build(export, "--resume", "--threads=3", "--memory=3g"));
    assertThat(err.toString())
        .contains(index + " was already complete", crawl.resolve("made") + " was already complete");
    assertThat(tree()).isEqualTo(before);
    requireExit(ExitCode.OK, build(export, "--resume", "--overwrite"));
    assertThat(tree()).isEqualTo(before);
    requireExit(ExitCode.OK, build(export, "--resume", "--dry-run"));
    assertThat(tree()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lucene", "ciff"})
  void aMissingExportIsMade(String kind) throws IOException {
    requireExit(ExitCode.OK, build());
    Map<Path, String> before = tree();
    String export = "--export=" + kind + ":" + directory.resolve("made");
    for (int i = 0; i < 2; i++) {
      requireExit(ExitCode.OK, build(export, "--resume"));
      assertThat(err.toString()).contains(index + " was already complete");
      assertThat(directory.resolve("made")).exists();
      assertThat(tree()).isEqualTo(before);
    }
  }

  @Test
  void aLuceneIndexWithoutAnIndexOfOursIsAskedForAgain() throws IOException {
    String[] call = {
      "build", crawl.toString(), "--export=lucene:" + crawl.resolve("made"), "--segments=1"
    };
    requireExit(ExitCode.OK, call);
    Map<Path, String> before = tree();
    String[] again = Stream.concat(Stream.of(call), Stream.of("--resume")).toArray(String[]::new);
    requireExit(ExitCode.OK, again);
    assertThat(err.toString()).contains(crawl.resolve("made") + " was already complete");
    assertThat(tree()).isEqualTo(before);
    again[3] = "--segments=2";
    refused(crawl.resolve("made") + " is complete, but was built with other options: ", again);
  }

  @Test
  void otherOptionsAreRefusedByName() throws IOException {
    requireExit(ExitCode.OK, build());
    refused(
        index
            + " is complete, but was built with other options: --analyzer english (was standard);"
            + " name another output, or replace it with --overwrite",
        build("--resume", "--analyzer=english"));
    requireExit(ExitCode.OK, build("--resume", "--analyzer=english", "--overwrite"));
    assertThat(err.toString()).contains("(was standard)", "rebuilding it");
    requireExit(ExitCode.OK, build("--resume", "--analyzer=english"));
  }

  @Test
  void otherInputIsRefused() throws IOException {
    requireExit(ExitCode.OK, build());
    Path file = crawl.resolve("a.txt");
    FileTime time = Files.getLastModifiedTime(file);
    Files.setLastModifiedTime(file, FileTime.fromMillis(time.toMillis() - 10_000));
    refused("one had another path, size, modification time or ETag", build("--resume"));
    Files.setLastModifiedTime(file, FileTime.fromMillis(time.toMillis() + 10_000));
    refused("now the newest is of ", build("--resume"));
    Files.setLastModifiedTime(file, time);
    requireExit(ExitCode.OK, build("--resume"));
    Path more = Files.writeString(crawl.resolve("c.txt"), "c");
    Files.setLastModifiedTime(more, FileTime.fromMillis(0));
    refused(
        index
            + " is complete, but was built from 2 files with 40 bytes; now there are 3 files with"
            + " 41 bytes; name another output, or replace it with --overwrite",
        build("--resume"));
    requireExit(ExitCode.OK, build("--resume", "--overwrite"));
    requireExit(ExitCode.OK, build("--resume"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lucene", "ciff"})
  void theExportOfAnotherIndexIsRefused(String kind) throws IOException {
    String export = "--export=" + kind + ":" + directory.resolve("made");
    requireExit(ExitCode.OK, build(export));
    Files.writeString(crawl.resolve("b.txt"), "stone bridge under water");
    requireExit(ExitCode.OK, build("--overwrite"));
    refused("--overwrite", build(export, "--resume"));
    requireExit(ExitCode.OK, build(export, "--resume", "--overwrite"));
    assertThat(err.toString()).doesNotContain(directory.resolve("made") + " was already complete");
    requireExit(ExitCode.OK, build(export, "--resume"));
    assertThat(err.toString()).contains(directory.resolve("made") + " was already complete");
  }

  @Test
  void aLuceneIndexInAnotherFormIsRefused() throws IOException {
    String export = "--export=lucene:" + directory.resolve("made");
    requireExit(ExitCode.OK, build(export, "--segments=1"));
    requireExit(ExitCode.OK, build(export, "--resume"));
    refused("--overwrite", build(export, "--resume", "--segments=2"));
    refused("--overwrite", build(export, "--resume", "--codec=best-compression"));
  }

  @Test
  void damageIsFound() throws IOException {
    String export = "--export=ciff:" + directory.resolve("made");
    requireExit(ExitCode.OK, build(export));
    Path made = directory.resolve("made");
    byte[] bytes = Files.readAllBytes(made);
    Files.write(made, Arrays.copyOf(bytes, bytes.length - 1));
    assertThat(run(build(export, "--resume"))).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("the export is damaged; replace it with --overwrite");
    requireExit(ExitCode.OK, build(export, "--resume", "--overwrite"));
    assertThat(made).hasBinaryContent(bytes);

    Path postings = index.resolve("postings.docs");
    byte[] postingBytes = Files.readAllBytes(postings);
    byte[] damaged = postingBytes.clone();
    damaged[damaged.length / 2] ^= 1;
    Files.write(postings, damaged);
    assertThat(run(build("--resume"))).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains(postings.toString());
    requireExit(ExitCode.OK, build("--resume", "--overwrite"));
    assertThat(postings).hasBinaryContent(postingBytes);
  }

  /** As earlier versions wrote it; merged indexes have no report at all. */
  @Test
  void anIndexOfUnknownOriginIsRefused() throws IOException {
    requireExit(ExitCode.OK, build());
    ObjectMapper mapper = new ObjectMapper();
    Path report = index.resolve("report.json");
    ObjectNode json = (ObjectNode) mapper.readTree(report.toFile());
    assertThat(json.remove("origin")).isNotNull();
    mapper.writeValue(report.toFile(), json);
    refused(index + " exists already", build("--resume"));
    Files.delete(report);
    refused(index + " exists already", build("--resume"));
  }

  private String[] build(String... options) {
    return Stream.concat(
            Stream.of("build", crawl.toString(), "--output", index.toString()), Stream.of(options))
        .toArray(String[]::new);
  }

  private void requireExit(int exitCode, String... call) {
    assertThat(run(call)).as("%s", err).isEqualTo(exitCode);
  }

  private void refused(String why, String... call) throws IOException {
    Map<Path, String> before = tree();
    requireExit(ExitCode.USAGE, call);
    assertThat(err.toString()).contains(why);
    assertThat(tree()).isEqualTo(before);
  }

  /** All files below the crawl with their sizes and times. */
  private Map<Path, String> tree() throws IOException {
    Map<Path, String> tree = new TreeMap<>();
    try (Stream<Path> files = Files.walk(crawl)) {
      for (Path file : (Iterable<Path>) files.filter(f -> !f.equals(crawl))::iterator) {
        tree.put(file, Files.size(file) + " " + Files.getLastModifiedTime(file));
      }
    }
    return tree;
  }
}
