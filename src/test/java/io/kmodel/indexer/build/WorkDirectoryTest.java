package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which order an index gets its name; the rest of it is tested by builds. */
class WorkDirectoryTest {
  @TempDir Path directory;

  /** Or the machine may come back with a directory under the name, and some of its files. */
  @ParameterizedTest
  @CsvSource({"1, index.building/index, false", "2, '', true"})
  void anIndexHasItsNameWhenItsFilesHaveTheirs(int force, String forced, boolean named)
      throws IOException {
    Faults faults = new Faults();
    Path output = directory.resolve("index");
    try (WorkDirectory work =
        WorkDirectory.create(new FaultyFileSystem(faults).through(output), null)) {
      Files.createDirectories(work.index());
      faults.fail(Kind.FORCE, force);
      assertThatThrownBy(work::publish)
          .hasMessage("injected: FORCE of %s failed", directory.resolve(forced));
      assertThat(Files.exists(output)).isEqualTo(named);
    }
  }
}
