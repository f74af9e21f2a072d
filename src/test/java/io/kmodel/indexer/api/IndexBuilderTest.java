package io.kmodel.indexer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kmodel.indexer.indexing.IndexFilesHash;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexBuilderTest {
  private static final DataSize MEMORY = DataSize.megabytes(256);

  @TempDir Path directory;

  private IndexSettings settings(String name) {
    return IndexBuilder.create(directory.resolve(name)).memory(MEMORY).threads(2);
  }

  private static Document document(int number) {
    return Document.of("id-" + number)
        .title("Title " + number % 7)
        .contents("word%d sorting networks %s".formatted(number % 11, "merge ".repeat(number % 5)));
  }

  @Test
  void documentsHaveTheOrderOfTheirAdditions() throws IOException {
    BuildResult result;
    try (IndexBuilder builder = settings("index").start()) {
      for (int i = 0; i < 50; i++) {
        builder.add(document(i));
      }
      result = builder.finish();
      assertThat(builder.finish()).isEqualTo(result);
    }
    assertThat(result.documents()).isEqualTo(50);
    assertThat(result.complete()).isTrue();
    try (Index index = Index.open(result.directory())) {
      assertThat(index.documentCount()).isEqualTo(50);
      for (int i = 0; i < 50; i++) {
        assertThat(index.document(i).texts()).containsEntry("id", "id-" + i);
        assertThat(index.find("id-" + i)).hasValue(i);
      }
      assertThat(index.find("id-50")).isEmpty();
    }
  }

  /** All files are the same while the texts fill one unit, and all but stored texts otherwise. */
  @ParameterizedTest
  @CsvSource({"300, true", "20000, false"})
  void filesAreThoseOfABuildOfTheSameDocuments(int count, boolean isOneUnit) throws IOException {
    List<String> lines = new ArrayList<>();
    try (IndexBuilder builder =
        settings("added").analyzer("english").metadata("year", MetadataType.INTEGER).start()) {
      for (int i = 0; i < count; i++) {
        String contents = "Sorted run %d of \u00fcbung \ud83d\ude00".formatted(i);
        builder.add(
            Document.of("d" + i).title("Run " + i).contents(contents).metadata("year", 1990L + i));
        lines.add(
            "{\"id\":\"d%d\",\"title\":\"Run %d\",\"contents\":\"%s\",\"year\":%d}"
                .formatted(i, i, contents, 1990 + i));
      }
      builder.finish();
    }
    Path file = Files.write(directory.resolve("documents.jsonl"), lines);
    BuildResult result =
        settings("read").analyzer("english").metadata("year", MetadataType.INTEGER).buildFrom(file);
    assertThat(result.documents()).isEqualTo(count);
    Map<String, Integer> added = IndexFilesHash.of(directory.resolve("added"));
    Map<String, Integer> read = IndexFilesHash.of(directory.resolve("read"));
    if (!isOneUnit) {
      for (String name : List.of("documents.data", "documents.index", "index.json")) {
        assertThat(added.remove(name)).isNotEqualTo(read.remove(name));
      }
    }
    assertThat(added).isEqualTo(read).containsKeys("postings.positions", "columns.year");
  }

  @Test
  void severalThreadsAddEveryDocumentOnce() throws Exception {
    int threads = 4;
    int each = 200;
    Path made = directory.resolve("index");
    try (IndexBuilder builder = settings("index").start();
        ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> added = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int first = thread * each;
        added.add(
            pool.submit(
                () -> {
                  for (int i = first; i < first + each; i++) {
                    builder.add(document(i));
                  }
                  return null;
                }));
      }
      for (Future<?> future : added) {
        future.get();
      }
      builder.finish();
    }
    try (Index index = Index.open(made)) {
      assertThat(index.documentCount()).isEqualTo(threads * each);
      for (int thread = 0; thread < threads; thread++) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = thread * each; i < (thread + 1) * each; i++) {
          numbers.add(index.find("id-" + i).orElseThrow());
        }
        assertThat(numbers).isSorted();
      }
    }
  }

  @Test
  void luceneOpensALuceneIndex() throws IOException {
    Path made = directory.resolve("lucene");
    try (IndexBuilder builder = IndexBuilder.createLucene(made).memory(MEMORY).threads(2).start()) {
      IntStream.range(0, 30).mapToObj(IndexBuilderTest::document).forEach(d -> add(builder, d));
      assertThat(builder.finish().documents()).isEqualTo(30);
    }
    try (FSDirectory files = FSDirectory.open(made);
        DirectoryReader reader = DirectoryReader.open(files)) {
      assertThat(reader.maxDoc()).isEqualTo(30);
      assertThat(reader.leaves()).hasSize(1);
      assertThat(reader.storedFields().document(29).get("id")).isEqualTo("id-29");
    }
  }

  private static void add(IndexBuilder builder, Document document) {
    try {
      builder.add(document);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aBuilderThatIsClosedLeavesNothing() throws IOException {
    IndexBuilder builder = settings("index").start();
    builder.add(document(1));
    builder.close();
    assertThat(directory).isEmptyDirectory();
    assertThatIllegalStateException()
        .isThrownBy(() -> builder.add(document(2)))
        .withMessage("the builder was closed");
    assertThatIllegalStateException()
        .isThrownBy(builder::finish)
        .withMessage("the builder was closed");
  }

  @Test
  void aBuilderIsClosedWhileThreadsWaitToAdd() throws Exception {
    IndexBuilder builder = settings("index").threads(1).start();
    Document large = Document.of("large").contents("sorted words ".repeat(1 << 19));
    List<Throwable> failures = new ArrayList<>();
    Thread adding =
        Thread.startVirtualThread(
            () -> {
              try {
                for (int i = 0; i < 1000; i++) {
                  builder.add(large);
                }
              } catch (IllegalStateException | IOException e) {
                failures.add(e);
              }
            });
    while (adding.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    builder.close();
    adding.join();
    assertThat(failures)
        .singleElement()
        .isInstanceOf(IllegalStateException.class)
        .extracting(Throwable::getMessage)
        .isEqualTo("the builder was closed");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aBuildOfFilesThatFailsLeavesNothing() throws IOException {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> settings("index").buildFrom(directory.resolve("missing")));
    assertThat(directory).isEmptyDirectory();
    Path file = Files.writeString(directory.resolve("a.txt"), "words");
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> settings("index").buildFrom(file));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(directory).isDirectoryNotContaining(path -> !path.equals(file));
  }

  @Test
  void noDocumentCanBeAddedAtTheEnd() throws IOException {
    try (IndexBuilder builder = settings("index").start()) {
      builder.finish();
      assertThatIllegalStateException()
          .isThrownBy(() -> builder.add(document(1)))
          .withMessage("no more documents can be added");
    }
    try (Index index = Index.open(directory.resolve("index"))) {
      assertThat(index.documentCount()).isZero();
      assertThat(index.search("word", 1)).isEmpty();
    }
  }

  @Test
  void aFailureOfTheBuildComesToThoseThatAddAndFinish() throws IOException {
    try (IndexBuilder builder = settings("index").start()) {
      builder.add(document(1));
      Files.writeString(Files.createDirectory(directory.resolve("index")).resolve("note"), "mine");
      assertThatExceptionOfType(IndexException.class)
          .isThrownBy(builder::finish)
          .withMessageContaining("index");
      assertThatExceptionOfType(IndexException.class).isThrownBy(() -> builder.add(document(2)));
    }
  }

  @Test
  void anExistingIndexIsNotReplacedUnlessThatIsWanted() throws IOException {
    settings("index").start().finish();
    assertThatExceptionOfType(IndexException.class)
        .isThrownBy(() -> settings("index").start())
        .withMessageContaining("index");
    try (IndexBuilder builder = settings("index").overwrite(true).start()) {
      builder.add(document(1));
      builder.finish();
    }
    try (Index index = Index.open(directory.resolve("index"))) {
      assertThat(index.documentCount()).isEqualTo(1);
    }
  }

  @Test
  void anInterruptedThreadAddsNothing() throws IOException {
    try (IndexBuilder builder = settings("index").start()) {
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(InterruptedIOException.class)
          .isThrownBy(() -> builder.add(document(1)));
      assertThat(Thread.interrupted()).isTrue();
      builder.add(document(2));
      assertThat(builder.finish().documents()).isEqualTo(1);
    }
  }

  @Test
  void documentsThatDoNotFitAreRefusedAtOnce() throws IOException {
    try (IndexBuilder builder =
        settings("index")
            .metadata("year", MetadataType.INTEGER)
            .metadata("place", MetadataType.STRING)
            .start()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.add(Document.of("a").metadata("month", 1L)))
          .withMessage("a: the index has no metadata 'month'; it has [place, year]");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.add(Document.of("a").metadata("year", "1990")))
          .withMessage("a: the values of 'year' are of type INTEGER; got one of type STRING");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.add(Document.of("a").contents("half \ud83d")))
          .withMessage("a: the contents holds half a surrogate pair, which is not Unicode");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.add(Document.of("a").title("T").html("<p>text")))
          .withMessageStartingWith("a: an HTML page has its own title");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.add(Document.of("a").metadata("place", "é".repeat(2049))))
          .withMessage("a: the value of 'place' is longer than 4,096 bytes");
      assertThatIllegalArgumentException().isThrownBy(() -> Document.of(""));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Document.of("a").metadata("year", Double.NaN));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Document.of("a").metadata("date", Instant.MAX));
      assertThat(builder.finish().documents()).isZero();
    }
  }

  @Test
  void whatCannotBeIndexedIsCounted() throws IOException {
    BuildResult result;
    try (IndexBuilder builder = settings("index").start()) {
      builder.add(Document.of("x".repeat(40_000)).contents("its id is too long for a term"));
      builder.add(document(1));
      result = builder.finish();
    }
    assertThat(result.documents()).isEqualTo(1);
    assertThat(result.complete()).isFalse();
    assertThat(result.skipped()).hasSize(1).containsValue(1L);
  }

  @Test
  void wrongSettingsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings("index").analyzer("klingon").start());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings("index").memory(DataSize.megabytes(10)).start());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings("index").memory(DataSize.gigabytes(4000)).start())
        .withMessageContaining("start Java with a larger -Xmx");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings("index").positions(false).offsets(true).start());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings("index").metadata("a=b", MetadataType.STRING).start());
    assertThatIllegalArgumentException().isThrownBy(() -> settings("index").buildFrom());
    assertThat(directory).isEmptyDirectory();
  }
}
