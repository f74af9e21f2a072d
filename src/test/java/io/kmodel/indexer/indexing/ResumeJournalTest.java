package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.indexing.journal.BuildJournal;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.journal.RecoveredState;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the journal of an interrupted build says, and who may go on by it. */
@Timeout(120)
class ResumeJournalTest extends InterruptedBuild {
  /** The next one to read the journal does not know them: it forgets them at the sealed split. */
  @Test
  void whereASplitIsReadAgainRangesOfWhichNoneIsMergedAreCutAgain() throws Exception {
    interruptMerge();
    List<String> lines = Journal.read(journal());
    rewriteJournal(lines.stream().filter(line -> !line.contains("\"merged\"")).toList());
    RecoveredState sealed = RecoveredState.read(journal());
    Checkpoints saved = new Checkpoints(sealed, BuildJournal.none(), work().resolve("runs"));
    assertThat(saved.ranges()).isNotEmpty();
    assertThat(saved.index()).isNull();
    damage(files("-0.000.postings").getFirst());
    assertThat(sealed.verify(work().resolve("runs"), 2))
        .singleElement(STRING)
        .startsWith("split 0 is read again: ");
    assertThat(saved.ranges()).isNull();
  }

  /** As when another version of a library unpacks the first bytes of a file faster. */
  @Test
  void splitsThatAreCutElsewhereAreNotGoneOnWith() throws Exception {
    interruptParsing();
    List<String> lines = new ArrayList<>(Journal.read(journal()));
    String first = lines.getFirst();
    lines.set(0, first.replaceFirst("\"borders\":\"[0-9a-f]+\"", "\"borders\":\"0\""));
    assertThat(lines.getFirst()).isNotEqualTo(first);
    rewriteJournal(lines);
    assertThatThrownBy(() -> build(output, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("the input is cut at other places")
        .hasMessageEndingWith("start over with --restart");
    rewriteJournal(Stream.concat(Stream.of(first), lines.stream().skip(1)).toList());
    assertThat(build(output, Start.RESUME).documents()).isPositive();
  }

  @Test
  void workOfAnotherVersionIsNotGoneOnWith() throws Exception {
    interruptParsing();
    List<String> lines = new ArrayList<>(Journal.read(journal()));
    String first = lines.getFirst();
    lines.set(0, first.replace("\"in development\"", "\"0.1\""));
    assertThat(lines.getFirst()).isNotEqualTo(first);
    rewriteJournal(lines);
    assertThatThrownBy(this::resume)
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("other options: the program: in development (was 0.1); use");
    assertThat(sealedSplits()).isPositive();
  }

  @Test
  void workOnAnotherKindOfIndexIsNotGoneOnWith() throws Exception {
    interruptParsing();
    Indexing lucene =
        new Indexing(
                options(crawl, output, 2),
                Target.lucene(1, IndexCheck.NONE),
                new BuildProgress(),
                plan())
            .withRecovery(recovery(Start.RESUME));
    for (ThrowingCallable call : List.<ThrowingCallable>of(lucene::requireOutput, lucene::run)) {
      assertThatThrownBy(call)
          .isInstanceOf(BuildException.class)
          .hasMessageContaining(
              "other options: the kind of index: a Lucene index (was an index of its own); use");
    }
    assertThat(sealedSplits()).isPositive();
  }

  @Test
  void mergedRangesThatNobodyKnowsAreForgotten() throws Exception {
    interruptMerge();
    List<String> lines = new ArrayList<>(Journal.read(journal()));
    // As a split that is read again is sealed, and a merge goes on by ranges of before it.
    lines.add(lines.stream().filter(line -> line.contains("\"split\"")).findFirst().orElseThrow());
    lines.add(lines.stream().filter(line -> line.contains("\"merged\"")).findFirst().orElseThrow());
    rewriteJournal(lines);
    assertThat(saved().ranges()).isNull();
    assertThat(saved().index()).isNull();
  }

  @Test
  void aSplitThatWasDroppedIsThereAgainWhenItIsSealedAgain() throws Exception {
    interruptParsing();
    int splits = sealedSplits();
    List<String> lines = new ArrayList<>(Journal.read(journal()));
    String split =
        lines.stream().filter(line -> line.contains("\"split\"")).findFirst().orElseThrow();
    JsonNode read = Json.MAPPER.readTree(split).get("reading");
    Reading reading = Json.MAPPER.treeToValue(read, Reading.class);
    lines.add("{\"is\": \"dropped\", \"reading\": %s}".formatted(read));
    rewriteJournal(lines);
    assertThat(RecoveredState.read(journal()).isDropped(reading)).isTrue();
    assertThat(sealedSplits()).isEqualTo(splits - 1);
    lines.add(split);
    rewriteJournal(lines);
    assertThat(RecoveredState.read(journal()).isDropped(reading)).isFalse();
    assertThat(sealedSplits()).isEqualTo(splits);
  }

  @Test
  void aJournalThatEndsWithinALineIsGoneOnWithWhereverItEnds() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptParsing(1);
    Path journal = journal();
    byte[] whole = Files.readAllBytes(journal);
    List<String> lines = Journal.read(journal);
    assertThat(lines).hasSizeGreaterThan(2);
    Files.write(journal, Arrays.copyOf(whole, whole.length - 20));
    assertThat(Journal.read(journal)).isEqualTo(lines.subList(0, lines.size() - 1));
    resume();
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void whatWasPublishedBeforeLinesSaidTheFormIsKnown() throws Exception {
    interruptParsing();
    SortedMap<String, Integer> expected = undisturbed();
    Files.move(directory.resolve("undisturbed"), output);
    FileSeal metadata = FileSeal.force(output.resolve("index.json"), false);
    try (Journal journal = Journal.open(journal())) {
      journal.append(
          "{\"is\":\"finished\",\"metadata\":%s}"
              .formatted(Json.MAPPER.writeValueAsString(metadata)));
    }
    assertThat(resume().documents()).isEqualTo(DOCUMENTS);
    assertThat(notices).contains(output + " was already complete");
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
    assertThat(work()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'is':'begun','options':{},'splitBytes':1,'leading':1,'splits':1,'input':null,'more':1}",
        "{'is':'unheard of'}"
      })
  void aJournalOfAnotherVersionIsNamedAndStays(String line) throws Exception {
    interruptParsing();
    try (Journal journal = Journal.open(journal())) {
      journal.append(line.replace('\'', '"'));
    }
    byte[] whole = Files.readAllBytes(journal());
    for (Start start : List.of(Start.RESUME, Start.FRESH)) {
      assertThatThrownBy(() -> build(output, start))
          .isInstanceOf(BuildException.class)
          .hasMessageContaining(journal() + ": was made by another version of the program")
          .hasMessageEndingWith("start over with --restart");
      assertThat(journal()).hasBinaryContent(whole);
    }
    build(output, Start.RESTART);
    assertThat(IndexFilesHash.of(output)).isEqualTo(undisturbed());
  }

  private void rewriteJournal(List<String> lines) throws IOException {
    Files.delete(journal());
    try (Journal journal = Journal.open(journal())) {
      for (String line : lines) {
        journal.append(line);
      }
    }
  }
}
