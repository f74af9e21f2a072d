package io.kmodel.indexer.index;

import static io.kmodel.indexer.index.IndexModel.CONTENTS;
import static io.kmodel.indexer.index.IndexModel.SCHEMA;
import static io.kmodel.indexer.index.IndexModel.TITLE;
import static io.kmodel.indexer.index.InvertedIndexTest.inTemporaryDirectory;
import static io.kmodel.indexer.index.InvertedIndexTest.names;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.index.IndexModel.Posting;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class InvertedIndexWriterTest {
  @Property(tries = 30)
  void theFilesAreTheSameHoweverTheContentIsCut(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 1200) int documents,
      @ForAll @Size(max = 6) List<@IntRange(min = 0, max = 400) Integer> cuts,
      @ForAll @IntRange(min = 1, max = 256) int chunk)
      throws IOException {
    inTemporaryDirectory(
        directory -> {
          IndexModel model = IndexModel.random(seed, documents, 40);
          Path whole = directory.resolve("whole");
          model.write(whole);
          Path inPieces = directory.resolve("pieces");
          try (InvertedIndexWriter writer = new InvertedIndexWriter(inPieces, SCHEMA)) {
            model.writeDocuments(writer, 300);
            model.writeTerms(writer, chunk, cuts.stream().mapToInt(Integer::intValue).toArray());
            model.writeLengths(writer, chunk);
            writer.finish(documents, Map.of("analyzer", "standard"));
          }
          assertSameFiles(inPieces, whole);
        });
  }

  @Test
  void aCursorCopiesAnIndexByteForByte(@TempDir Path directory) throws IOException {
    IndexModel model = IndexModel.random(11, 2000, 50);
    Path original = directory.resolve("original");
    Path copy = directory.resolve("copy");
    model.write(original);
    try (InvertedIndex index = InvertedIndex.open(original);
        InvertedIndexWriter writer = new InvertedIndexWriter(copy, SCHEMA)) {
      try (PostingsPart part = writer.newPart()) {
        copy(index.cursor(), part);
        writer.append(part);
      }
      model.writeLengths(writer, 7);
      model.writeDocuments(writer, 2000);
      writer.finish(model.documentCount, index.metadata().options());
    }
    assertSameFiles(copy, original);
  }

  private static void copy(PostingsCursor cursor, PostingsConsumer out) throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int[] deltas = new int[PostingsCursor.COLUMNS];
    while (cursor.nextTerm()) {
      out.startTerm(cursor.term(), cursor.termLength());
      for (int n = cursor.nextDocs(docs, freqs); n > 0; n = cursor.nextDocs(docs, freqs)) {
        out.docs(docs, freqs, n);
        for (int m = cursor.nextPositions(deltas); m > 0; m = cursor.nextPositions(deltas)) {
          out.positions(deltas, m);
        }
      }
      out.finishTerm();
    }
    cursor.close();
  }

  @Test
  void whereAPartsThirdFileCannotBeMadeTheOthersAreGone(@TempDir Path directory)
      throws IOException {
    Path inTheWay =
        Files.createDirectory(
            OutputFile.temporary(PostingsPart.path(directory, 7, PostingsPart.TERMS)));
    assertThatThrownBy(() -> PostingsPart.create(directory, 7, SCHEMA))
        .isInstanceOf(IOException.class);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(inTheWay);
    }
  }

  @Test
  void partsMayBeWrittenByManyThreadsAtOnce(@TempDir Path directory) throws Exception {
    IndexModel model = IndexModel.random(12, 1000, 200);
    Path alone = directory.resolve("alone");
    Path together = directory.resolve("together");
    model.write(alone);
    var entries = new ArrayList<>(model.terms.entrySet());
    int half = entries.size() / 2;
    try (ExecutorService threads = Executors.newFixedThreadPool(2);
        InvertedIndexWriter writer = new InvertedIndexWriter(together, SCHEMA);
        PostingsPart second = writer.newPart();
        PostingsPart first = writer.newPart()) {
      Callable<Void> low = () -> write(first, entries.subList(0, half));
      Callable<Void> high = () -> write(second, entries.subList(half, entries.size()));
      for (Future<Void> future : threads.invokeAll(List.of(low, high))) {
        future.get();
      }
      writer.append(first);
      writer.append(second);
      model.finish(writer, 100, 100);
    }
    assertSameFiles(together, alone);
  }

  @Test
  void filesMayBeAppendedSideBySide(@TempDir Path directory) throws IOException {
    IndexModel model = IndexModel.random(14, Tier.pick(10_000, 40_000), 60);
    Path alone = directory.resolve("alone");
    Path together = directory.resolve("together");
    model.write(alone);
    try (ExecutorService files = Executors.newFixedThreadPool(3);
        InvertedIndexWriter writer = new InvertedIndexWriter(together, SCHEMA).holdParts(1 << 20)) {
      var entries = new ArrayList<>(model.terms.entrySet());
      for (int from = 0; from < entries.size(); from += 7) {
        boolean held = from % 2 == 0;
        try (PostingsPart part = held ? writer.newPart() : writer.newPartInFiles()) {
          write(part, entries.subList(from, Math.min(from + 7, entries.size())));
          writer.append(part, files);
        }
      }
      model.finish(writer, 100, 100);
    }
    assertSameFiles(together, alone);
  }

  @Test
  void whatFailsInOneFileLeavesTheIndexInPieces(@TempDir Path directory) throws IOException {
    IndexModel model = IndexModel.random(15, 100, 20);
    var entries = new ArrayList<>(model.terms.entrySet());
    try (ExecutorService files = Executors.newFixedThreadPool(3);
        InvertedIndexWriter writer = new InvertedIndexWriter(directory.resolve("i"), SCHEMA);
        PostingsPart first = writer.newPart();
        PostingsPart second = writer.newPart()) {
      write(first, entries.subList(10, 20));
      write(second, entries.subList(0, 10));
      writer.append(first, files);
      assertThat(writer.isWhole()).isTrue();
      assertThatThrownBy(() -> writer.append(second, files))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("terms out of order");
      assertThat(writer.isWhole()).isFalse();
    }
  }

  @ParameterizedTest
  @QuickEvery(2)
  @ValueSource(ints = {0, 1, 2, 5, 100})
  void theFilesAreTheSameHoweverMuchOfThePartsIsHeld(int buffers, @TempDir Path directory)
      throws IOException {
    IndexModel model = IndexModel.random(13, 40_000, 60);
    Path whole = directory.resolve("whole");
    Path held = directory.resolve("held");
    model.write(whole);
    try (InvertedIndexWriter writer =
        new InvertedIndexWriter(held, SCHEMA).holdParts((long) buffers << 16)) {
      model.writeTerms(writer, 256, 10, 30, 31, 60);
      model.finish(writer, 100, 1000);
    }
    assertSameFiles(held, whole);
    // More than five buffers for each part.
    assertThat(Files.size(held.resolve(IndexFiles.POSITIONS))).isGreaterThan(25L << 16);
  }

  private static Void write(PostingsPart part, List<Map.Entry<byte[], List<Posting>>> entries)
      throws IOException {
    for (var entry : entries) {
      IndexModel.writeTerm(part, entry.getKey(), entry.getValue(), 256);
    }
    return null;
  }

  @Test
  void termsOutOfOrderAreRefusedWithinAndAcrossParts(@TempDir Path directory) throws IOException {
    List<Posting> postings = List.of(new Posting(0, 1));
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, SCHEMA);
        PostingsPart first = writer.newPart();
        PostingsPart second = writer.newPart()) {
      IndexModel.writeTerm(first, key("b"), postings, 1);
      assertThatThrownBy(() -> IndexModel.writeTerm(first, key("b"), postings, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("terms out of order: 3:'b' after 3:'b'");
      IndexModel.writeTerm(second, key("a"), postings, 1);
      writer.append(first);
      assertThatThrownBy(() -> writer.append(second))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("terms out of order: 3:'a' after 3:'b'");
      assertThatThrownBy(() -> writer.finish(1, Map.of()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("an earlier append failed");
    }
    assertThat(names(directory)).isEmpty();
  }

  @Test
  void impossiblePostingsAreRefused(@TempDir Path directory) throws IOException {
    int[] one = {1};
    int[] none = {0};
    byte[] key = IndexModel.key(CONTENTS, (byte) 'a');
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, SCHEMA);
        PostingsPart part = writer.newPart()) {
      assertThatThrownBy(() -> part.docs(one, one, 1)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> part.startTerm(new byte[] {5}, 1))
          .isInstanceOf(IllegalArgumentException.class);
      part.startTerm(key, key.length);
      assertThatThrownBy(part::finishTerm).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> part.docs(one, none, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> part.docs(new int[] {5, 5}, new int[] {1, 1}, 2))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> part.docs(new int[] {-2}, one, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> part.docs(new int[] {PostingList.END}, one, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> part.positions(new int[] {-1}, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.append(part)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void offsetsThatGoBackwardsAreRefused(@TempDir Path directory) throws IOException {
    byte[] key = IndexModel.key(IndexModel.WHERE, (byte) 'a');
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, SCHEMA);
        PostingsPart part = writer.newPart()) {
      part.startTerm(key, key.length);
      part.docs(new int[] {1}, new int[] {2}, 1);
      for (int column : new int[] {PostingsCursor.STARTS, PostingsCursor.LENGTHS}) {
        int[] columns = new int[PostingsCursor.COLUMNS];
        columns[column + 1] = -1;
        assertThatThrownBy(() -> part.positions(columns, 2))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("negative position gap or offset among 2 values after the first 0");
      }
    }
  }

  @Test
  void missingPositionsAreRefused(@TempDir Path directory) throws IOException {
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, SCHEMA);
        PostingsPart part = writer.newPart()) {
      part.startTerm(IndexModel.key(CONTENTS, (byte) 'a'), 2);
      part.docs(new int[] {1}, new int[] {3}, 1);
      part.positions(new int[] {0, 0}, 2);
      assertThatThrownBy(part::finishTerm)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("2 positions for 3 occurrences of 0:'a'");
    }
  }

  @Test
  void anIndexWithTooFewLengthsOrDocumentsIsRefused(@TempDir Path directory) throws IOException {
    IndexModel model = IndexModel.random(3, 50, 5);
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, SCHEMA)) {
      model.writeTerms(writer, 256);
      assertThatThrownBy(() -> writer.finish(49, Map.of()))
          .hasMessage("postings refer to document 49, expected 49 documents");
      assertThatThrownBy(() -> writer.finish(50, Map.of()))
          .hasMessage("0 stored documents, expected 50");
      model.writeDocuments(writer, 50);
      assertThatThrownBy(() -> writer.finish(50, Map.of()))
          .hasMessage("0 lengths of field 'contents', expected 50");
    }
  }

  @Test
  void aWriterThatGoesOnFromACheckpointKnowsItsLastDocument(@TempDir Path directory)
      throws IOException {
    IndexModel model = IndexModel.random(3, 50, 5);
    Path undisturbed = directory.resolve("undisturbed");
    model.write(undisturbed);
    Path resumed = directory.resolve("resumed");
    WriterCheckpoint at;
    try (InvertedIndexWriter writer = InvertedIndexWriter.resumable(resumed, SCHEMA)) {
      model.writeTerms(writer, 256, 10);
      at = writer.checkpoint();
    }
    try (InvertedIndexWriter writer = InvertedIndexWriter.resume(resumed, SCHEMA, at)) {
      assertThatThrownBy(() -> writer.finish(49, Map.of()))
          .hasMessage("postings refer to document 49, expected 49 documents");
      model.finish(writer, 50, 50);
    }
    InvertedIndexWriter.forgetCheckpoints(resumed);
    assertSameFiles(resumed, undisturbed);
  }

  @Test
  void aCheckpointIsInDirectoriesThatWereForcedWithTheirNames(@TempDir Path directory)
      throws IOException {
    IndexModel model = IndexModel.random(3, 50, 5);
    List<String> failures = new ArrayList<>();
    for (int n = 1; failures.size() == n - 1; n++) {
      Faults faults = new Faults();
      Path index = new FaultyFileSystem(faults).through(directory.resolve("index" + n));
      try (InvertedIndexWriter writer = InvertedIndexWriter.resumable(index, SCHEMA)) {
        model.writeTerms(writer, 256);
        faults.fail(Faults.Kind.FORCE, n);
        writer.checkpoint();
      } catch (IOException e) {
        failures.add(String.valueOf(e.getMessage()).replace("index" + n, "index"));
      }
    }
    Path index = directory.resolve("index");
    assertThat(failures)
        .endsWith(forceOf(index.resolve(IndexFiles.TEMPORARY)), forceOf(index), forceOf(directory));
  }

  private static String forceOf(Path path) {
    return "injected: FORCE of %s failed".formatted(path);
  }

  @Test
  void aWriterThatIsClosedBeforeItHasFinishedLeavesNothing(@TempDir Path directory)
      throws IOException {
    IndexModel model = IndexModel.random(3, 50, 5);
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, SCHEMA)) {
      model.writeTerms(writer, 256, 10);
      model.writeLengths(writer, 10);
      model.writeDocuments(writer, 20);
    }
    assertThat(names(directory)).isEmpty();
  }

  @Test
  void aFinishedIndexIsItsFilesAndNothingElse(@TempDir Path directory) throws IOException {
    IndexModel.random(3, 50, 5).write(directory, 10, 10);
    assertThat(names(directory))
        .containsExactly(
            "documents.data",
            "documents.index",
            "index.json",
            "lengths.contents",
            "lengths.tags",
            "lengths.title",
            "lengths.where",
            "postings.docs",
            "postings.positions",
            "terms.dictionary",
            "terms.index");
  }

  @Test
  void aDirectoryThatIsNotEmptyIsRefused(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("something"), "precious");
    assertThatThrownBy(() -> new InvertedIndexWriter(directory, SCHEMA))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not empty");
    assertThat(directory.resolve("something")).hasContent("precious");
  }

  @Test
  void aFieldNameThatCannotNameAFileIsRefused(@TempDir Path directory) {
    Schema schema = Schema.of(List.of(new Field("../x", Detail.POSITIONS, true, false)));
    assertThatThrownBy(() -> new InvertedIndexWriter(directory, schema))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'../x'");
  }

  private static byte[] key(String term) {
    return IndexModel.key(TITLE, term.getBytes(UTF_8));
  }

  public static void assertSameFiles(Path actual, Path expected) throws IOException {
    assertThat(names(actual)).isEqualTo(names(expected));
    for (String name : names(expected)) {
      byte[] a = Files.readAllBytes(actual.resolve(name));
      byte[] b = Files.readAllBytes(expected.resolve(name));
      assertThat(Arrays.mismatch(a, b)).as(name).isEqualTo(-1);
    }
  }
}
