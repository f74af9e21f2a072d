package io.kmodel.indexer.indexing.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;

class ExecutionTest {
  @Test
  void theCommandIsWhatFollowsTheJar() {
    String[] java = {"-Xmx1g", "-jar", "/a b/indexer.jar", "build", "a b", "-o", "index"};
    assertThat(Execution.command(java)).containsExactly("build", "a b", "-o", "index");
    assertThat(Execution.command(new String[] {"-jar", "indexer.jar"})).isEmpty();
    assertThat(Execution.command(new String[] {"-cp", "classes", "Main", "build"})).isEmpty();
  }

  @Test
  void aLongCommandIsCutOff() {
    String[] java = Collections.nCopies(500, "-jar").toArray(String[]::new);
    assertThat(Execution.command(java)).hasSize(200);
  }

  /** Rates of a resumed build count what this process has read. */
  @Test
  void whatWasReadBeforeIsNoProgressOfThisProcess() {
    BuildProgress progress = new BuildProgress();
    progress.restored(7, 700, 70);
    progress.document(100);
    assertThat(progress.documents()).isEqualTo(8);
    assertThat(progress.ownDocuments()).isEqualTo(1);
    assertThat(progress.ownBytes()).isEqualTo(100);
    progress.forget(7, 700, 70);
    assertThat(progress.documents()).isEqualTo(1);
    assertThat(progress.ownDocuments()).isEqualTo(1);
  }
}
