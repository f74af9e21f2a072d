package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.PipelineExperiment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Table 2 of Capannini et al., with Figure 8 A: the indexers of Figure 7, timed on one corpus. The
 * paper's row is that of its largest collection.
 */
public final class IndexerTable {
  private static final String PAPER = "paper, 26.21 million documents: ";

  private static final List<PipelineExperiment.Row> OF_THE_PAPER =
      List.of(
          new PipelineExperiment.Row(PAPER + "Index_cpu", 1676.82, 1089.26, 1676.82 + 1089.26),
          new PipelineExperiment.Row(PAPER + "Index_gpu", 456.49, 1291.78, 456.49 + 1291.78),
          new PipelineExperiment.Row(PAPER + "Index_gpu+", 346.88, 1291.78, 346.88 + 1291.78));

  private IndexerTable() {}

  /** The table of today's builds, below the paper's. */
  public static PaperTable of(List<PipelineExperiment.Row> builds) {
    List<List<String>> rows = new ArrayList<>();
    OF_THE_PAPER.forEach(row -> rows.add(cells(row)));
    builds.forEach(row -> rows.add(cells(row)));
    return new PaperTable(
        "table-2",
        "Table 2 and Figure 8 A: seconds of a build; Index_inv makes runs of text on the GPU",
        List.of("indexer", "parse and sort", "merge", "all"),
        rows);
  }

  private static List<String> cells(PipelineExperiment.Row row) {
    return List.of(
        row.indexer(), seconds(row.parseAndSort()), seconds(row.merge()), seconds(row.total()));
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.2f", seconds);
  }
}
