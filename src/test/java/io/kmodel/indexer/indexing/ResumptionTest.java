package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.InputList;
import io.kmodel.indexer.indexing.journal.OutputValidator;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.journal.StoredFiles;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.indexing.report.SourceCounts;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.parse.html.HtmlCounts;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stays of a build that fails, by how it does; whole builds are in {@link ResumeTest}. */
class ResumptionTest {
  private static final String KIND = "an index of a test";
  private static final OutputValidator SOUND = index -> true;

  @TempDir Path directory;
  private Path output = Path.of("");
  private final List<String> notices = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  @BeforeEach
  void makeCrawl() throws IOException {
    output = directory.resolve("index");
    Files.writeString(Files.createDirectory(directory.resolve("crawl")).resolve("a.txt"), "text");
  }

  @Test
  void whatWasFinishedBeforeAndSinceStaysWhereADiskFails() {
    assertFails(new IOException("no room"), 0);
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("finished work (parts of the input: 1) is kept in ");
    assertFails(new IOException("no room"), 1);
    assertThat(notices).containsExactly("resuming with 1 of 5 parts of the input");
    assertThat(warnings)
        .last()
        .asString()
        .startsWith("finished work (parts of the input: 2) is kept in ");
    assertThatThrownBy(
            () ->
                run(
                    saved -> {
                      throw new IOException("again");
                    }))
        .hasMessage("again");
    assertThat(notices).last().isEqualTo("resuming with 2 of 5 parts of the input");
    assertThat(warnings)
        .last()
        .asString()
        .startsWith("finished work (parts of the input: 2) is kept in ");
    assertThat(work()).isDirectory();
  }

  /** All documents would be read again, to the same end. */
  @Test
  void nothingStaysWhereTheCrawlHasAnIdTwiceNotEvenOfBefore() {
    assertFails(new IOException("no room"), 0);
    assertFails(new DuplicateIdException("twice"), 1);
    assertThat(work()).doesNotExist();
  }

  @Test
  void whereNoIndexCanBeMadeThatStaysWhichWasThereBefore() {
    assertFails(new BuildException("no such index"), 0);
    assertThat(work()).doesNotExist();
    assertFails(new IOException("no room"), 0);
    warnings.clear();
    assertFails(new BuildException("no such index"), 1);
    assertThat(work()).isDirectory();
    assertThat(warnings).isEmpty();
  }

  /** They follow from the options, but for a program whose options mean other fields. */
  @Test
  void fieldsAreNamedWhereNothingElseIsAnother() throws Exception {
    assertFails(new IOException("no room"), 0);
    Path journal = work().resolve("journal");
    List<String> lines = new ArrayList<>(Journal.read(journal));
    ObjectNode first = (ObjectNode) Json.MAPPER.readTree(lines.getFirst());
    ObjectNode options = (ObjectNode) first.get("options");
    options.put(BuildOptions.FIELDS, "others");
    options.remove(BuildOptions.NAMED_FIELDS);
    lines.set(0, first.toString());
    Files.delete(journal);
    try (Journal rewritten = Journal.open(journal)) {
      for (String line : lines) {
        rewritten.append(line);
      }
    }
    assertThatThrownBy(
            () ->
                run(
                    made -> {
                      throw new AssertionError("nothing is built");
                    }))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("other options: the fields: ")
        .hasMessageContaining(" (was others); use the same");
    assertThat(work()).isDirectory();
  }

  @Test
  void whoLooksIsToldThatTheInputWouldBeDeleted() throws IOException {
    Path input = Files.createDirectories(work().resolve("runs"));
    Files.createFile(work().resolve("lock"));
    BuildOptions options = InterruptedBuild.options(input, output, 1);
    assertThatThrownBy(() -> Resumption.look(options, null, KIND, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining(input + " cannot be input of a build of " + output);
  }

  @Test
  void anIndexThatWasCompleteForOtherOptionsOrInputStays() throws Exception {
    assertFails(new IOException("no room"), 0);
    finish(Map.of("form", "one"));
    assertThatThrownBy(() -> complete(Map.of("form", "another")))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("other options: --form another (was one); use");
    assertThatThrownBy(() -> complete(Map.of("form", "one")))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("a.txt is new");
    assertThat(work().resolve("index")).isDirectory();
    assertThat(output).doesNotExist();
  }

  private void finish(Map<String, String> form) throws IOException {
    Path index = Files.createDirectory(work().resolve("index"));
    Files.writeString(index.resolve(BuildReport.FILE_NAME), "{}");
    Path metadata = Files.writeString(index.resolve(InvertedIndex.METADATA), "{}");
    FileSeal seal = FileSeal.force(metadata, false);
    try (Journal journal = Journal.open(work().resolve("journal"))) {
      journal.append(
          Json.MAPPER.writeValueAsString(Map.of("is", "finished", "metadata", seal, "form", form)));
    }
  }

  private void complete(Map<String, String> form) throws IOException, InterruptedException {
    try (WorkDirectory work = WorkDirectory.create(output, null, Start.RESUME, SOUND)) {
      resumption(work).complete(form, new BuildProgress());
    }
  }

  /** Has a build fail that has finished one more split. */
  private void assertFails(Exception failure, int split) {
    assertThatThrownBy(
            () -> {
              try (WorkDirectory work = WorkDirectory.create(output, null, Start.RESUME, SOUND)) {
                build(
                    work,
                    saved -> {
                      finish(work, saved, split);
                      throw thrown(failure);
                    });
              }
            })
        .isSameAs(failure);
  }

  private static IOException thrown(Exception failure) {
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    return (IOException) failure;
  }

  private static void finish(WorkDirectory work, Checkpoints saved, int split) throws IOException {
    if (saved.cut() == null) {
      try (InputList list = InputList.write(work.input())) {
        list.end();
      }
      saved.cut(new Checkpoints.Cut(1, 1, 5, "borders"), work.input());
    }
    SkipLog skips = new SkipLog(work.runs().resolve(split + ".skips"), SkipListener.NONE);
    skips.close();
    saved.splitRead(
        new Reading(split, 0),
        new SplitResult(null, null, skips, new HtmlCounts(), false, new SourceCounts()),
        List.of(),
        new StoredFiles(null, null),
        run -> {});
  }

  /** Work that is done with checkpoints. */
  @FunctionalInterface
  private interface Build {
    void run(Checkpoints saved) throws IOException;
  }

  private void build(WorkDirectory work, Build build) throws IOException, InterruptedException {
    Resumption resumption = resumption(work);
    try (Checkpoints saved = resumption.open()) {
      try {
        build.run(saved);
      } catch (IOException | RuntimeException | Error e) {
        resumption.rescue(saved, e);
        throw e;
      }
    }
  }

  private void run(Build build) throws IOException, InterruptedException {
    try (WorkDirectory work = WorkDirectory.create(output, null, Start.RESUME, SOUND)) {
      build(work, build);
    }
  }

  private Resumption resumption(WorkDirectory work) {
    Recovery recovery =
        new Recovery(Start.RESUME, Duration.ofHours(1), notices::add, warnings::add);
    BuildOptions options = InterruptedBuild.options(directory.resolve("crawl"), output, 1);
    return new Resumption(work, options, KIND, recovery);
  }

  private Path work() {
    return directory.resolve("index.building");
  }
}
