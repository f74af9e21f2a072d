package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.build.BuildReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineExperimentTest {
  @TempDir Path directory;
  private Path expected;
  private Path actual;

  @BeforeEach
  void makeTwoThatAreTheSame() throws IOException {
    expected = Files.createDirectory(directory.resolve("expected"));
    actual = Files.createDirectory(directory.resolve("actual"));
    for (Path index : new Path[] {expected, actual}) {
      Files.writeString(index.resolve("terms"), "a b c");
      Files.writeString(index.resolve("postings"), "1 2 3");
      Files.writeString(index.resolve(BuildReport.FILE_NAME), index.toString());
    }
  }

  @Test
  void reportsMayDiffer() {
    assertThatCode(this::requireSame).doesNotThrowAnyException();
  }

  @Test
  void anotherByteEndsTheExperiment() throws IOException {
    Files.writeString(actual.resolve("terms"), "a b d");
    assertThatThrownBy(this::requireSame)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Index_gpu: terms is not the same as Index_cpu's");
  }

  @Test
  void aFileTooManyEndsTheExperiment() throws IOException {
    Files.writeString(actual.resolve("terms.tmp"), "a");
    assertThatThrownBy(this::requireSame)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Index_gpu: expected Index_cpu's files, [postings, terms];"
                + " got [postings, terms, terms.tmp]");
  }

  @Test
  void aFileThatIsMissingEndsTheExperiment() throws IOException {
    Files.delete(actual.resolve("terms"));
    assertThatThrownBy(this::requireSame)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Index_gpu: expected Index_cpu's files, [postings, terms]; got [postings]");
  }

  @Test
  void theCorpusIsNotDeleted() {
    PipelineExperiment.Setting setting =
        new PipelineExperiment.Setting(expected, directory, 1, 1000L << 20, "gpu");
    assertThatThrownBy(() -> new PipelineExperiment(setting, 1, line -> {}).run(false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--work " + directory);
    assertThat(expected.resolve("terms")).hasContent("a b c");
  }

  private void requireSame() throws IOException {
    PipelineExperiment.requireSame("Index_gpu", expected, actual);
  }
}
