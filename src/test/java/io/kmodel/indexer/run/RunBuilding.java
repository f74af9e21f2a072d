package io.kmodel.indexer.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCopier;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.run.RecordedPostings.Token;
import io.kmodel.indexer.sort.CountingOrder;
import io.kmodel.indexer.sort.CpuSortStage;
import io.kmodel.indexer.sort.KeySorter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Builds runs of invented documents and compares their content with the oracle. */
final class RunBuilding {
  static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("contents", Detail.POSITIONS, true, false),
              new Field("id", Detail.DOCUMENTS, false, true),
              new Field("tags", Detail.FREQUENCIES, true, false)));
  static final Schema WITHOUT_POSITIONS =
      Schema.of(
          List.of(
              new Field("contents", Detail.FREQUENCIES, true, false),
              new Field("id", Detail.DOCUMENTS, false, true)));
  static final Schema WITH_OFFSETS =
      Schema.of(
          List.of(
              new Field("contents", Detail.OFFSETS, true, false),
              new Field("id", Detail.DOCUMENTS, false, true),
              new Field("tags", Detail.FREQUENCIES, true, false),
              new Field("title", Detail.POSITIONS, true, false)));
  static final int CONTENTS = 0;
  static final int ID = 1;
  static final long SMALLEST = RunMemory.MIN_BYTES;

  private RunBuilding() {}

  /**
   * Sorts a run and checks the builder's lists, its file and its copy. A run of the same documents
   * whose keys are counted must give the same.
   */
  static void assertRun(
      Schema schema, RunBuilder builder, KeySorter sorter, List<List<Token>> documents)
      throws IOException {
    builder.sort(sorter);
    assertSorted(schema, builder, documents);
    if (!schema.hasOffsets()) {
      try (RunBuilder again = new RunBuilder(schema, 4 * builder.bytes())) {
        fill(schema, again, documents);
        count(again);
        assertSorted(schema, again, documents);
      }
    }
  }

  private static void fill(Schema schema, RunBuilder builder, List<List<Token>> documents) {
    for (List<Token> document : documents) {
      if (add(schema, builder, document) != Outcome.ADDED) {
        // The document needs another layout.
        assertThat(builder.documentCount()).isZero();
        builder.reset();
        assertThat(add(schema, builder, document)).isEqualTo(Outcome.ADDED);
      }
    }
  }

  /** Counts the keys instead of sorting them. */
  static void count(RunBuilder builder) {
    try (CpuSortStage stage = new CpuSortStage(new CountingOrder())) {
      builder.startSort(stage);
      assertThat(builder.finishSort()).as("whether a device did it").isFalse();
      assertThat(stage.report().cpuRuns()).isEqualTo(1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Checks the lists in place and in a copy in memory. */
  static void assertLists(RunBuilder builder, List<List<Token>> documents) throws IOException {
    List<String> expected = RecordedPostings.oracle(SCHEMA, documents);
    assertThat(RecordedPostings.of(builder.cursor(), SCHEMA)).isEqualTo(expected);
    try (MemoryRun copy = builder.copy(bytes -> true)) {
      assertThat(copy).isNotNull();
      assertThat(RecordedPostings.of(copy.cursor(null, null, 0), SCHEMA)).isEqualTo(expected);
    }
  }

  private static void assertSorted(Schema schema, RunBuilder builder, List<List<Token>> documents)
      throws IOException {
    List<String> expected = RecordedPostings.oracle(schema, documents);
    builder.checkOrder();
    RecordedPostings recorded = new RecordedPostings(schema);
    new PostingsCopier().copy(builder.cursor(), recorded);
    assertThat(recorded.lines()).isEqualTo(expected);
    Path directory = Files.createTempDirectory("run");
    Path path = directory.resolve("run-000000.postings");
    try {
      builder.writeRun(path);
      try (RunReader reader = RunReader.open(path)) {
        reader.verify();
        assertThat(reader.distinctTerms()).isEqualTo(expected.size());
        assertSame(reader, schema, expected, documents);
      }
      assertCopy(schema, builder, documents, path);
    } finally {
      Files.deleteIfExists(path);
      Files.delete(directory);
    }
  }

  private static void assertCopy(
      Schema schema, RunBuilder builder, List<List<Token>> documents, Path file)
      throws IOException {
    List<String> expected = RecordedPostings.oracle(schema, documents);
    Path again = file.resolveSibling("again.postings");
    try (MemoryRun copy = builder.copy(bytes -> true)) {
      if (schema.hasOffsets()) {
        assertThat(copy).isNull();
        return;
      }
      assertThat(copy).isNotNull();
      assertSame(copy, schema, expected, documents);
      copy.write(again);
      assertThat(again).hasSameBinaryContentAs(file);
    } finally {
      Files.deleteIfExists(again);
    }
  }

  private static void assertSame(
      SortedRun run, Schema schema, List<String> expected, List<List<Token>> documents)
      throws IOException {
    assertThat(RecordedPostings.of(run.cursor(null, null, 0), schema)).isEqualTo(expected);
    assertThat(run.documentCount()).isEqualTo(documents.size());
    for (int field = 0; field < schema.size(); field++) {
      if (schema.field(field).tokenized()) {
        assertThat(lengths(run, field)).isEqualTo(lengths(documents, field));
      }
    }
  }

  private static List<Integer> lengths(SortedRun run, int field) throws IOException {
    List<Integer> lengths = new ArrayList<>();
    LengthsReader in = run.lengths(field);
    int[] block = new int[256];
    for (int n; (n = in.next(block)) > 0; ) {
      IntStream.range(0, n).forEach(i -> lengths.add(block[i]));
    }
    return lengths;
  }

  private static List<Integer> lengths(List<List<Token>> documents, int field) {
    return documents.stream()
        .map(
            tokens ->
                (int)
                    tokens.stream()
                        .filter(token -> token.field() == field)
                        .mapToInt(Token::position)
                        .distinct()
                        .count())
        .toList();
  }

  static Outcome add(RunBuilder builder, List<Token> document) {
    return add(SCHEMA, builder, document);
  }

  static Outcome add(Schema schema, RunBuilder builder, List<Token> document) {
    begin(schema, builder, document);
    return builder.finishDocument();
  }

  /** Adds a document without finishing it. */
  static void begin(Schema schema, RunBuilder builder, List<Token> document) {
    builder.startDocument();
    for (Token t : document) {
      byte[] term = t.bytes();
      if (schema.hasOffsets()) {
        builder.add(t.field(), term, 0, term.length, t.position(), t.start(), t.end());
      } else {
        builder.add(t.field(), term, 0, term.length, t.position());
      }
    }
  }

  static List<Token> contents(List<String> terms) {
    List<Token> tokens = new ArrayList<>();
    terms.forEach(term -> tokens.add(token(CONTENTS, term, tokens.size())));
    return tokens;
  }

  static Token token(int field, String term, int position) {
    return new Token(field, term, position);
  }
}
