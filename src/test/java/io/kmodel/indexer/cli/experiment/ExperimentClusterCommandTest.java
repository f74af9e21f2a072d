package io.kmodel.indexer.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.experiment.ClusterExperiment.Run;
import org.junit.jupiter.api.Test;

/** The table of builds on a cluster; SparkIT runs the experiment. */
class ExperimentClusterCommandTest {
  @Test
  void efficiencyIsThatOfTheFirstBuildWithSpark() {
    Run alone = new Run(0, 9.5, 8, true);
    Run two = new Run(2, 10, 8.25, true);
    Run four = new Run(4, 8, 6.5, false);
    assertThat(ExperimentClusterCommand.row(alone, null))
        .isEqualTo("| one thread, without Spark | 9.5 | 8.0 |  | yes |");
    assertThat(ExperimentClusterCommand.row(two, two)).isEqualTo("| 2 | 10.0 | 8.3 | 1.00 | yes |");
    assertThat(ExperimentClusterCommand.row(four, two)).isEqualTo("| 4 | 8.0 | 6.5 | 0.63 | NO |");
  }
}
