package io.kmodel.indexer.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.FaultyFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceTest {
  @TempDir Path directory;

  private final Faults faults = new Faults();

  @Test
  void workIsRejectedIfTheDiskHasTooLittleRoom() {
    Path disk = new FaultyFileSystem(faults).through(directory).resolve("new/index");
    faults.leaveFree(1000);
    assertThat(DiskSpace.free(disk)).hasValue(1000);
    assertThatThrownBy(() -> DiskSpace.CHECKED.require(disk, 1001, "an index"))
        .hasMessageContaining("an index takes about 1,001 bytes, but only 1,000 are free");
  }

  @Test
  void workIsTriedIfTheSystemCannotSayHowMuchIsFree() throws IOException {
    Path disk = new FaultyFileSystem(faults).through(directory);
    faults.hideSpace();
    assertThat(DiskSpace.free(disk)).isEmpty();
    DiskSpace.CHECKED.require(disk, Long.MAX_VALUE, "an index");
  }
}
