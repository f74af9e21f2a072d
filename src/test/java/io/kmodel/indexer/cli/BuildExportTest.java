package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.command.Commands;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;

/** What the options of a build say of the Lucene index that it makes. */
class BuildExportTest extends CommandCalls {
  private static final String CRAWL = "corpus-samples/site";

  @Test
  void aSegmentIsMadeOfEachRunOrAsManyAsAreAskedFor() throws IOException {
    assertThat(segments("runs")).hasSizeGreaterThan(1);
    assertThat(segments("one", "--segments=1")).hasSize(1);
    assertThat(segments("two", "--segments=2")).hasSize(2);
  }

  @Test
  void theSummaryNamesTheLuceneIndexItsSegmentsAndItsCheck() throws IOException {
    for (String check : List.of("content", "none")) {
      segments("lucene", "--segments=2", "--overwrite", "--check=" + check);
      assertThat(out.toString())
          .contains("lucene: a Lucene index of 124 documents in 2 segments\n")
          .contains(
              check.equals("none")
                  ? "  checked        not at all (--check none)\n"
                  : "  checked        by CheckIndex (content), which found no fault\n");
    }
  }

  @Test
  void soItIsWhereAnIndexOfOursIsBuiltBefore() throws IOException {
    assertThat(segments("one", "--segments=1", "--output", path("first"))).hasSize(1);
    assertThat(segments("two", "--segments=2", "--output", path("second"))).hasSize(2);
    // As many as there are threads.
    assertThat(segments("three", "--output", path("third"))).hasSize(3);
  }

  @Test
  void storedFieldsAreCompressedAsTheCodecSays() throws IOException {
    for (List<String> how : List.of(List.<String>of(), List.of("--output", path("index")))) {
      for (String codec : List.of("best-compression", "best-speed")) {
        Iterable<SegmentCommitInfo> segments =
            segments(
                "lucene",
                Stream.concat(how.stream(), Stream.of("--overwrite", "--codec=" + codec))
                    .toArray(String[]::new));
        String mode = codec.replace('-', '_').toUpperCase(Locale.ROOT);
        assertThat(segments)
            .isNotEmpty()
            .allSatisfy(s -> assertThat(s.info.getAttributes()).containsValue(mode));
      }
    }
  }

  @Test
  void termVectorsNeedAnIndexOfOursWithStoredTexts() throws IOException {
    String vectors = "--term-vectors";
    refused("--term-vectors has no effect without --export, which", "-o", path("a"), vectors);
    String lucene = "--export=lucene:" + path("lucene");
    refused("term vectors are made from an index of our own: give --output", lucene, vectors);
    refused("field 'contents' is not stored", lucene, "-o", path("a"), vectors, "--store=id");
    refused(
        "term vectors are written for Lucene 10.6 only; got 9.12",
        lucene,
        "-o",
        path("a"),
        vectors,
        "--lucene-version=9.12");
    assertThat(directory).isEmptyDirectory();
    assertThat(segments("lucene", vectors, "--output", path("index"))).hasSize(3);
    assertHasVectors(path("lucene"));
    assertThat(run("export", "lucene", path("index"), path("exported"), vectors))
        .as("%s", err)
        .isZero();
    assertHasVectors(path("exported"));
    // The export that is there is another one.
    assertThat(run(build("--output", path("index"), lucene, "--resume"))).isEqualTo(ExitCode.USAGE);
  }

  private static void assertHasVectors(String index) throws IOException {
    try (Directory files = FSDirectory.open(Path.of(index));
        DirectoryReader reader = DirectoryReader.open(files)) {
      assertThat(reader.termVectors().get(0, "contents")).isNotNull();
    }
  }

  @Test
  void whatGoesTogetherWithNoExportIsRefusedBeforeAnythingIsRead() {
    refused("--segments must be at least 1; got 0", "--export=lucene:" + path("a"), "--segments=0");
    refused(
        "--segments has no effect without --export=lucene:DIR, which is not given",
        "--export=ciff:" + path("b"),
        "--segments=1",
        "--output",
        path("c"));
    refused(
        "--codec has no effect without --export, which",
        "--output",
        path("c"),
        "--codec=best-speed");
    refused("--check has no effect without --export, which", "--output", path("c"), "--check=none");
    refused(
        "--check has no effect without --export=lucene:DIR, which is not given",
        "--export=ciff:" + path("b"),
        "--output",
        path("c"),
        "--check=slow");
    refused("made from an index: give --output, too", "--export=ciff:" + path("b"));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void anExportThatFailsIsGoneOnWithAloneIfItsIndexIsComplete() throws IOException {
    for (String target : List.of("lucene", "ciff")) {
      Path taken = directory.resolve("taken-" + target);
      String[] call = build("--output", path(target), "--export=" + target + ":" + taken);
      StringWriter errors = new StringWriter();
      // What is printed is the report of the build.
      PrintWriter taking = new PrintWriter(new Taking(taken.resolve("file")));
      int exitCode =
          Main.execute(
              Commands.of(call).setOut(taking).setErr(new PrintWriter(errors)), Map.of(), call);
      assertThat(exitCode).as("%s", errors).isEqualTo(ExitCode.FAILED);
      assertThat(errors.toString())
          .contains("is complete; the same command with --resume does the rest");
      assertThat(run(call)).isEqualTo(ExitCode.USAGE);
      Directories.deleteTree(taken);
      assertThat(
              run(build("--output", path(target), "--export=" + target + ":" + taken, "--resume")))
          .as("%s", err)
          .isEqualTo(ExitCode.INCOMPLETE);
      assertThat(err.toString()).contains("was already complete");
      assertThat(taken).exists();
      assertThat(directory.resolve(target + ".building")).doesNotExist();
    }
  }

  /** Makes a file when something is written. */
  private static final class Taking extends StringWriter {
    private final Path file;

    Taking(Path file) {
      this.file = file;
    }

    @Override
    public void write(String text, int from, int length) {
      try {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, "");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void refused(String why, String... options) {
    assertThat(run(build(options))).as(err.toString()).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(why);
  }

  private Iterable<SegmentCommitInfo> segments(String name, String... options) throws IOException {
    String[] all =
        Stream.concat(Stream.of("--export=lucene:" + path(name), "--threads=3"), Stream.of(options))
            .toArray(String[]::new);
    assertThat(run(build(all))).as("%s", err).isEqualTo(ExitCode.INCOMPLETE);
    try (Directory files = FSDirectory.open(Path.of(path(name)))) {
      return SegmentInfos.readLatestCommit(files);
    }
  }

  private static String[] build(String... options) {
    return Stream.concat(Stream.of("build", CRAWL), Stream.of(options)).toArray(String[]::new);
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }
}
