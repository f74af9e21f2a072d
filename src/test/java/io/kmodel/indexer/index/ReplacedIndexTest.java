package io.kmodel.indexer.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.StagedOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An index that is replaced while it is opened: a reader gets the old one or the new one. */
class ReplacedIndexTest {
  /** Readings of an index that is replaced all the time. */
  private static final int READINGS = Tier.pick(30, 1000);

  private static final int REPLACEMENTS = READINGS / 10;

  private static final int FILES = IndexFiles.names(IndexModel.SCHEMA).size() + 1;

  @TempDir static Path indexes;
  @TempDir Path directory;
  private final Faults faults = new Faults();
  private final FaultyFileSystem system = new FaultyFileSystem(faults);
  private final AtomicBoolean happened = new AtomicBoolean();
  private static Path old = Path.of("");
  private static Path other = Path.of("");
  private Path place = Path.of("");
  private Path replacing = Path.of("");

  @BeforeAll
  static void writeIndexes() throws IOException {
    old = indexes.resolve("old");
    other = indexes.resolve("other");
    IndexModel.random(1, 40, 30).write(old);
    IndexModel.random(2, 40, 30).write(other);
  }

  @BeforeEach
  void putIndex() throws IOException {
    place = directory.resolve("index");
    byTwoRenames(false);
    replace(old);
  }

  /** The faulty file system replaces by two renames. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anIndexThatIsReplacedAfterAnyOfItsFilesWasOpenedIsReadAsAWhole(boolean inOneStep)
      throws IOException {
    byTwoRenames(!inOneStep);
    for (int k = 1; k <= FILES; k++) {
      replace(old);
      assertThat(answerReplaced(k, other))
          .as("file %d", k)
          .isEqualTo(answer(k < FILES ? other : old));
    }
    assertThat(answerReplaced(FILES + 1, other)).isEqualTo(answer(other));
    assertThat(happened).as("more files than expected").isFalse();
  }

  /** Its metadata is the same before and after, and so may be the number of its file. */
  @Test
  void anIndexThatIsReplacedAndPutBackIsReadAsAWhole() throws IOException {
    for (int k = 1; k <= FILES; k++) {
      assertThat(answerReplaced(k, other, old)).as("file %d", k).isEqualTo(answer(old));
      assertThat(happened).isTrue();
    }
  }

  @Test
  void anIndexWhoseFilesVanishBeforeAnEqualOneComesIsRead() throws IOException {
    for (int k = 1; k < FILES; k++) {
      when(
          k,
          () -> {
            Directories.deleteTree(place);
            replace(old);
          });
      assertThat(answer(system.through(place))).isEqualTo(answer(old));
      assertThat(happened).isTrue();
    }
  }

  @Test
  void anIndexThatComesWhenItsMetadataWasMissedIsRead() throws IOException {
    Path away = directory.resolve("away");
    Files.move(place, away);
    when(1, () -> Files.move(away, place));
    assertThat(answer(system.through(place))).isEqualTo(answer(old));
    assertThat(InvertedIndex.exists(place)).isTrue();
    assertThat(InvertedIndex.exists(away)).isFalse();
  }

  @Test
  void anIndexThatVanishesIsReportedAsMissing() {
    when(3, () -> Directories.deleteTree(place));
    assertThatThrownBy(() -> answer(system.through(place)))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(place.resolve(IndexFiles.METADATA).toString());
  }

  @Test
  void aFileOfAnotherIndexIsReportedAtOnce() throws IOException {
    replaceFile(IndexFiles.DICTIONARY);
    when(FILES + 2, () -> {});
    assertThatThrownBy(() -> answer(system.through(place)))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining(place.resolve(IndexFiles.DICTIONARY).toString());
    assertThat(happened).as("opened again").isFalse();
  }

  private void replaceFile(String name) throws IOException {
    Files.delete(place.resolve(name));
    Files.copy(other.resolve(name), place.resolve(name));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readersOfAnIndexThatIsReplacedAllTheTimeNeverFail(boolean inOneStep) throws Exception {
    byTwoRenames(!inOneStep);
    boolean isAlwaysThere = inOneStep && "Linux".equals(System.getProperty("os.name"));
    Set<HashCode> found = new HashSet<>();
    AtomicBoolean isReading = new AtomicBoolean(true);
    int replacements = 0;
    try (ExecutorService reader = Executors.newSingleThreadExecutor()) {
      Future<?> reading =
          reader.submit(
              () -> {
                try {
                  for (int i = 0; i < READINGS; i++) {
                    assertThat(!isAlwaysThere || Files.exists(place)).isTrue();
                    assertThat(InvertedIndex.exists(place)).isTrue();
                    found.add(answer(place));
                    IndexVerifier.verify(place, ProgressListener.NONE);
                  }
                } finally {
                  isReading.set(false);
                }
                return null;
              });
      while (isReading.get() || replacements < REPLACEMENTS) {
        replace(replacements % 2 == 0 ? other : old);
        replacements++;
      }
      reading.get();
    }
    assertThat(found).isSubsetOf(answer(old), answer(other));
    System.out.printf("%,d readings and verifications, %,d replacements%n", READINGS, replacements);
  }

  /** What a reader finds if one index after the other replaces the first at its k-th file. */
  private HashCode answerReplaced(int k, Path... indexes) throws IOException {
    when(
        k,
        () -> {
          for (Path index : indexes) {
            replace(index);
          }
        });
    return answer(system.through(place));
  }

  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  private void when(int opened, Action action) {
    happened.set(false);
    faults.atOpen(
        opened,
        () -> {
          happened.set(true);
          try {
            action.run();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void byTwoRenames(boolean whether) {
    replacing = whether ? new FaultyFileSystem(new Faults()).through(place) : place;
  }

  /** As exports, imports and builds do. */
  private void replace(Path index) throws IOException {
    try (StagedOutput output =
        new StagedOutput(replacing, replacing, StagedOutput.Names.EXPORT, there -> {})) {
      output.open();
      Files.createDirectory(output.made());
      try (Stream<Path> all = Files.list(index)) {
        for (Path file : all.toList()) {
          Files.copy(file, output.made().resolve(file.getFileName().toString()));
        }
      }
      output.publish();
    }
  }

  private static HashCode answer(Path path) throws IOException {
    Hasher answer = Hashing.murmur3_128().newHasher();
    try (InvertedIndex index = InvertedIndex.open(path)) {
      for (Door door : List.of(Door.STATISTICS, Door.CURSOR, Door.LENGTHS, Door.STORED)) {
        door.read(index, List.of(), answer);
      }
    }
    return answer.hash();
  }
}
