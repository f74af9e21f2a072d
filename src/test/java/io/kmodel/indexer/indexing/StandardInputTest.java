package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.StandardInput;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Builds of a stream, which equal builds of a file with the same bytes and the name stdin. */
@Timeout(120)
class StandardInputTest extends InterruptedBuild {
  private static final InputStream UNREADABLE =
      new InputStream() {
        @Override
        public int read() throws IOException {
          throw new IOException("broken");
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          return read();
        }
      };

  private Path file = Path.of("");

  @BeforeEach
  void nameFile() {
    file = directory.resolve("stdin");
  }

  /** So many lines, of which some have the same id and one is damaged. */
  private static byte[] lines(int count) {
    Random random = new Random(5);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append("{\"id\": \"d%d\", \"contents\": \"".formatted(random.nextInt(4 * count)));
      for (int word = 0; word < 60; word++) {
        lines.append("word").append((int) (random.nextDouble() * random.nextInt(3000))).append(' ');
      }
      lines.append(i == count / 2 ? "\"\n" : "\"}\n");
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static BuildOptions of(Path root, Path target, SourceOptions source, Duplicates policy) {
    return options(root, target, 2).withSource(source, policy);
  }

  private BuildReport receive(BuildOptions options, InputStream from, BuildProgress progress)
      throws IOException, InterruptedException {
    return receive(options, from, progress, Start.FRESH);
  }

  private BuildReport receive(
      BuildOptions options, InputStream from, BuildProgress progress, Start start)
      throws IOException, InterruptedException {
    return new Indexing(options, Target.ownIndex(), progress, plan())
        .withRecovery(recovery(start))
        .setInput(from)
        .run();
  }

  /** Builds both ways and compares; returns the report of the stream's. */
  private BuildReport assertSame(byte[] bytes, SourceOptions source, Duplicates policy)
      throws IOException, InterruptedException {
    Files.write(file, bytes);
    Path expected = directory.resolve("expected");
    build(of(file, expected, source, policy), new BuildProgress(), Start.FRESH);
    BuildProgress progress = new BuildProgress();
    BuildOptions options = of(StandardInput.PATH, output, source, policy);
    BuildReport report = receive(options, new ByteArrayInputStream(bytes), progress);
    assertThat(progress.receivedBytes()).isEqualTo(bytes.length);
    assertThat(report.documents()).isPositive();
    assertSameFiles(expected);
    assertThat(work()).doesNotExist();
    return report;
  }

  /** Compares the files of the output with those of an index of the file, and the named skips. */
  private void assertSameFiles(Path expected) throws IOException {
    SortedMap<String, Integer> files = IndexFilesHash.of(output);
    SortedMap<String, Integer> others = IndexFilesHash.of(expected);
    assertThat(files.remove("skipped.jsonl")).isNotNull();
    others.remove("skipped.jsonl");
    assertThat(files).isEqualTo(others);
    String skipped = Files.readString(expected.resolve("skipped.jsonl"));
    assertThat(output.resolve("skipped.jsonl"))
        .hasContent(skipped.replace(file.toString(), "/dev/stdin"));
  }

  @ParameterizedTest
  @CsvSource({
    "birds.jsonl, AUTO, TREC_ID",
    "birds.jsonl, JSONL, PATH",
    "birds.trec, AUTO, TREC_ID",
    "birds.tsv, TSV, TREC_ID",
    "birds.warc, AUTO, URI"
  })
  void everyFormatPlainAndCompressed(String sample, Format format, Docno docno) throws Exception {
    byte[] plain = Files.readAllBytes(Path.of("corpus-samples/formats").resolve(sample));
    SourceOptions source = new SourceOptions(format, docno, 1 << 20, 1000);
    assertSame(plain, source, Duplicates.KEEP);
    output = directory.resolve("of-gzip");
    byte[] packed = Warcs.gzip(plain);
    BuildOptions options = of(StandardInput.PATH, output, source, Duplicates.KEEP);
    BuildReport report = receive(options, new ByteArrayInputStream(packed), new BuildProgress());
    assertThat(report.documents()).isEqualTo(2);
    assertThat(report.sources().keySet()).allMatch(label -> label.endsWith("gzip"));
  }

  @Test
  void aLargeStreamIsReadInPiecesAndTwiceForDuplicates() throws Exception {
    byte[] bytes = lines(30_000);
    assertThat(bytes.length).isGreaterThan(8 << 20);
    BuildReport report = assertSame(bytes, SourceOptions.DEFAULT, Duplicates.SKIP);
    assertThat(report.skipped()).containsKeys("damaged record", "duplicate id");
    assertThat(output.resolve("skipped.jsonl"))
        .content()
        .contains("\"file\":\"/dev/stdin\"")
        .doesNotContain("building");
    assertThat(report.phases().getFirst().name()).isEqualTo("standard input");
  }

  @Test
  void itMayStandBetweenFiles() throws Exception {
    Path first = Files.writeString(directory.resolve("first.txt"), "one sea");
    Path last = Files.writeString(directory.resolve("last.txt"), "three seas");
    Files.writeString(file, "two seas");
    BuildOptions plain = options(file, directory.resolve("expected"), 1);
    build(withRoots(plain, first, file, last), new BuildProgress(), Start.FRESH);
    BuildOptions streamed = withRoots(options(file, output, 1), first, StandardInput.PATH, last);
    receive(streamed, new ByteArrayInputStream(Files.readAllBytes(file)), new BuildProgress());
    assertSameFiles(directory.resolve("expected"));
  }

  private static BuildOptions withRoots(BuildOptions options, Path... roots) {
    return new BuildOptions(
        ImmutableList.copyOf(roots),
        options.source(),
        options.duplicates(),
        options.output(),
        options.overwrite(),
        options.html(),
        options.text(),
        options.resources());
  }

  @Test
  void anEmptyOrBrokenStreamLeavesNothing() {
    BuildOptions options = options(StandardInput.PATH, output, 1);
    assertThatThrownBy(() -> receive(options, InputStream.nullInputStream(), new BuildProgress()))
        .isInstanceOf(BuildException.class)
        .hasMessage("standard input is empty: there is nothing to index");
    InputStream breaking =
        new SequenceInputStream(new ByteArrayInputStream(new byte[1000]), UNREADABLE);
    assertThatThrownBy(() -> receive(options, breaking, new BuildProgress()))
        .isInstanceOf(IOException.class)
        .hasMessage("standard input: broken after 1000 bytes");
    assertThat(output).doesNotExist();
    assertThat(work()).doesNotExist();
  }

  @Test
  void aBuildThatIsResumedReadsTheCopyOfTheStream() throws Exception {
    byte[] bytes = lines(4000);
    Files.write(file, bytes);
    build(options(file, directory.resolve("expected"), 2), new BuildProgress(), Start.FRESH);
    BuildOptions options = options(StandardInput.PATH, output, 2);
    BuildProgress failing =
        sealedAt(
            Stage.FINISH,
            () -> {
              throw new IOException("stopped");
            });
    assertThatThrownBy(() -> receive(options, new ByteArrayInputStream(bytes), failing))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(work().resolve("stdin")).hasBinaryContent(bytes);
    assertThatThrownBy(() -> receive(options, UNREADABLE, new BuildProgress()))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("continue with build --resume");
    receive(options, UNREADABLE, new BuildProgress(), Start.RESUME);
    assertThat(notices).anyMatch(notice -> notice.startsWith("resuming with "));
    assertSameFiles(directory.resolve("expected"));
    assertThat(work()).doesNotExist();
    assertThatThrownBy(() -> receive(options, UNREADABLE, new BuildProgress(), Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("is complete, but was built from standard input");
  }

  /** As a process leaves it that is killed before it saves anything. */
  @Test
  void aCompleteCopyIsReadEvenIfNothingElseIsSaved() throws Exception {
    byte[] bytes = lines(40);
    Files.write(file, bytes);
    build(options(file, directory.resolve("expected"), 2), new BuildProgress(), Start.FRESH);
    BuildOptions options = options(StandardInput.PATH, output, 2);
    Files.createDirectories(work().resolve("runs"));
    Files.createFile(work().resolve("lock"));
    Files.write(work().resolve("stdin"), bytes);
    receive(options, UNREADABLE, new BuildProgress(), Start.RESUME);
    assertSameFiles(directory.resolve("expected"));
    assertThat(work()).doesNotExist();
  }

  @Test
  void aCopyThatIsNotCompleteIsNotRead() throws Exception {
    BuildOptions options = options(StandardInput.PATH, output, 2);
    Files.createDirectories(work().resolve("runs"));
    Files.createFile(work().resolve("lock"));
    Files.write(work().resolve("stdin.part"), lines(40));
    InputStream other = new ByteArrayInputStream("one sea".getBytes(StandardCharsets.UTF_8));
    assertThat(receive(options, other, new BuildProgress(), Start.RESUME).documents()).isEqualTo(1);
    assertThat(work()).doesNotExist();
  }

  @Test
  void aBuildThatStartsOverReadsTheStreamAgain() throws Exception {
    BuildOptions options = options(StandardInput.PATH, output, 2);
    BuildProgress failing =
        sealedAt(
            Stage.FINISH,
            () -> {
              throw new IOException("stopped");
            });
    assertThatThrownBy(() -> receive(options, new ByteArrayInputStream(lines(4000)), failing))
        .isInstanceOf(UncheckedIOException.class);
    InputStream other = new ByteArrayInputStream("one sea".getBytes(StandardCharsets.UTF_8));
    BuildReport report = receive(options, other, new BuildProgress(), Start.RESTART);
    assertThat(report.documents()).isEqualTo(1);
    assertThat(report.tokens()).isEqualTo(2);
  }
}
