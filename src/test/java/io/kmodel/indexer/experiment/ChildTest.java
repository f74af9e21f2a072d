package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
@EnabledOnOs({OS.LINUX, OS.MAC})
class ChildTest {
  @TempDir Path directory;

  @Test
  void whatItPrintsAndItsExitCodeComeBack() throws IOException, InterruptedException {
    assertThat(Child.run(shell("echo done; echo why >&2; exit 3")))
        .isEqualTo(new Child.End(3, "done\n", "why\n"));
  }

  @Test
  void whatFailedIsToldInItsOwnWordsWithoutThoseOfJava() throws IOException, InterruptedException {
    String java = "echo 'Picked up JAVA_TOOL_OPTIONS: -Xmx1g' >&2; echo '[warning] x' >&2; ";
    assertThat(
            Child.run(shell(java + "echo 'indexer: heron: no such file' >&2; exit 3"))
                .failure("own"))
        .hasMessage("own failed with exit code 3: heron: no such file");
    assertThat(Child.run(shell("echo Error: no main class >&2; exit 1")).failure("own"))
        .hasMessage("own failed with exit code 1: Error: no main class");
    assertThat(Child.run(shell("echo done; exit 2")).failure("own"))
        .hasMessage("own failed with exit code 2: no error message");
  }

  @Test
  void whereJavaHasItsOptionsFromIsNoWarning() throws IOException, InterruptedException {
    String java = "echo 'Picked up JAVA_TOOL_OPTIONS: -Xmx1g'; echo 'indexer: warning: heron'";
    assertThat(Child.run(shell("{ %s; } >&2".formatted(java))).warnings())
        .isEqualTo("indexer: warning: heron" + System.lineSeparator());
  }

  /** More than a pipe takes, so that nobody waits for the other. */
  @Test
  void aProgramMaySayMuchOnEither() throws IOException, InterruptedException {
    String much = "i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done";
    Child.End end = Child.run(shell("{ %s; } >&2; %s".formatted(much, much)));
    assertThat(end.errors()).hasSize(220_000).isEqualTo(end.output());
  }

  @Test
  void aProgramThatThereIsNotIsAnError() {
    assertThatThrownBy(() -> Child.run(new ProcessBuilder(directory.resolve("no") + "")))
        .isInstanceOf(IOException.class);
  }

  /** One that ends when it is told to, and one that has to be killed. */
  @ParameterizedTest
  @ValueSource(strings = {"", "trap '' TERM; "})
  void itDoesNotOutliveTheThreadThatWaits(String first) throws Exception {
    Path started = directory.resolve("pid");
    String script = first + "echo $$ > %s.new; mv %s.new %s; while :; do sleep 0.1; done";
    AtomicReference<Throwable> end = new AtomicReference<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Child.run(shell(script.replace("%s", started.toString())));
                  } catch (Throwable e) {
                    end.set(e);
                  }
                });
    while (!Files.exists(started)) {
      Thread.sleep(10);
    }
    ProcessHandle child =
        ProcessHandle.of(Long.parseLong(Files.readString(started).strip())).orElseThrow();
    waiting.interrupt();
    assertThat(waiting.join(Duration.ofSeconds(2L * Child.STOPPING_SECONDS)))
        .as("before the command's own time to stop has ended")
        .isTrue();
    assertThat(child.isAlive()).isFalse();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
  }

  private static ProcessBuilder shell(String script) {
    return new ProcessBuilder(List.of("sh", "-c", script));
  }
}
