package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.faults.OpenDescriptors;
import io.kmodel.indexer.store.disk.DirectoryLock;
import io.kmodel.indexer.store.disk.ForeignDirectoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that nobody reads any more, or that were refused, are neither open nor mapped. */
class GivenUpFilesTest {
  private static final String FORMAT = "test";

  /** Linux has a line there for each part of memory. */
  private static final Path MAPS = Path.of("/proc/self/maps");

  @TempDir Path temporary;
  private Path file = Path.of("");

  @BeforeEach
  void writeFile() throws IOException {
    assumeTrue(Files.isReadable(MAPS));
    file = temporary.toRealPath().resolve("file");
    try (OutputFile out = OutputFile.create(file, FORMAT, 1)) {
      out.writeInt(42);
      out.commitUnforced();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileIsOpenUntilItIsClosed(boolean map) throws IOException {
    InputFile in = open(map, 1);
    assertThat(isOpen(file)).isTrue();
    assertThat(isMapped(file)).isEqualTo(map);
    in.close();
    assertThat(isOpen(file)).isFalse();
    assertThat(isMapped(file)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileThatIsRefusedIsNotKept(boolean map) throws IOException {
    assertThatThrownBy(() -> open(map, 2)).isInstanceOf(CorruptIndexException.class);
    byte[] altered = Files.readAllBytes(file);
    altered[altered.length - OutputFile.FOOTER_BYTES] ^= 1;
    Files.write(file, altered);
    assertThatThrownBy(() -> open(map, 1)).hasMessageContaining("footer is 0x");
    assertThat(isOpen(file)).isFalse();
    assertThat(isMapped(file)).isFalse();
  }

  @Test
  void aLockThatIsRefusedIsNotKept() throws IOException {
    Path lock = Files.writeString(file.resolveSibling("lock"), "of somebody else");
    Files.delete(file);
    assertThatThrownBy(() -> DirectoryLock.take(lock.resolveSibling(""), Set.of()))
        .isInstanceOf(ForeignDirectoryException.class)
        .hasMessageContaining("its file 'lock' belongs to another program");
    assertThat(isOpen(lock)).isFalse();
  }

  @Test
  void aJournalWhoseDirectoryCannotBeForcedIsNotKept() throws IOException {
    Faults faults = new Faults();
    Path journal = file.resolveSibling("journal");
    faults.fail(Kind.FORCE, 1);
    assertThatThrownBy(() -> Journal.open(new FaultyFileSystem(faults).through(journal)))
        .hasMessageContaining("injected");
    assertThat(journal).exists();
    assertThat(isOpen(journal)).isFalse();
  }

  private InputFile open(boolean map, int version) throws IOException {
    return map ? InputFile.map(file, FORMAT, version) : InputFile.open(file, FORMAT, version);
  }

  private static boolean isOpen(Path path) throws IOException {
    return OpenDescriptors.all().containsValue(path);
  }

  private static boolean isMapped(Path path) throws IOException {
    try (Stream<String> maps = Files.lines(MAPS)) {
      return maps.anyMatch(line -> line.endsWith(path.toString()));
    }
  }
}
