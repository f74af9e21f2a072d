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
    assertThat(Child.run(shell("echo done; exit 3"))).isEqualTo(new Child.End(3, "done\n"));
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
