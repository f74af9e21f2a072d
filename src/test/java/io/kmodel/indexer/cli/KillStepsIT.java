package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Program.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The program is killed at every step by which it keeps finished work, and continues with {@code
 * --resume} to the bytes of an undisturbed build.
 */
@Timeout(600)
class KillStepsIT extends KilledBuild {
  @Test
  void aBuildThatIsKilledAtEveryStepIsGoneOnWithToTheSameBytes()
      throws IOException, InterruptedException {
    Ended old =
        program.run(
            List.of(), "build", "corpus-samples/trec/docs", "--output", output.toString(), "-q");
    assertThat(old.exitCode()).as(old.err()).isEqualTo(ExitCode.OK);
    SortedMap<String, Integer> before = Corpus.files(output);
    List<String> steps = new ArrayList<>();
    for (String step :
        List.of(
            "SPLIT_READ",
            "SPLIT_READ:3",
            "FORCED",
            "WRITTEN",
            "SEALED",
            "RUNS_MERGED",
            "RANGE_MERGED",
            "RANGE_MERGED:2",
            "ALL_MERGED",
            "ASSEMBLED",
            "MOVED_OUT -Dindexer.exchange=false",
            "MOVED_OUT",
            "PUBLISHED",
            "FORGOTTEN")) {
      Ended ended =
          program.run(
              List.of(("-Dindexer.end-at=" + step).split(" ")),
              Corpus.arguments(corpus, output, "--overwrite"));
      assertThat(ended.exitCode()).as("%s: %s", step, ended.err()).isEqualTo(KILLED);
      steps.add(step);
      boolean isThere = Files.exists(output);
      assertThat(isThere).as(step).isEqualTo(!step.endsWith("exchange=false"));
      if (isThere) {
        boolean isNew = step.equals("PUBLISHED") || step.equals("FORGOTTEN");
        assertThat(Corpus.files(output)).as(step).isEqualTo(isNew ? expected : before);
      }
    }
    System.out.printf("killed at %s; the same index%n", steps);
  }
}
