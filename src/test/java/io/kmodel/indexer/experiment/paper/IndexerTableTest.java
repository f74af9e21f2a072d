package io.kmodel.indexer.experiment.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.experiment.PipelineExperiment;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexerTableTest {
  @Test
  void buildsStandBelowThoseOfThePaper() {
    PaperTable table =
        IndexerTable.of(List.of(new PipelineExperiment.Row("Index_cpu", 1.5, 0.25, 2)));
    assertThat(table.rows())
        .hasSize(4)
        .contains(
            List.of("paper, 26.21 million documents: Index_gpu+", "346.88", "1291.78", "1638.66"),
            List.of("Index_cpu", "1.50", "0.25", "2.00"));
  }
}
