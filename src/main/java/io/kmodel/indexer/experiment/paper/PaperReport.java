package io.kmodel.indexer.experiment.paper;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;

/**
 * What a rerun of a paper's comparisons found.
 *
 * @param paper authors, title, place and year
 * @param machine where and how it ran, by name
 * @param findings sentences on claims of the paper that hold or do not hold today, from the figures
 */
public record PaperReport(
    String paper,
    Map<String, String> machine,
    List<Figure> figures,
    List<PaperTable> tables,
    List<String> findings) {
  public PaperReport {
    machine = ImmutableMap.copyOf(machine);
    figures = List.copyOf(figures);
    tables = List.copyOf(tables);
    findings = List.copyOf(findings);
  }

  /** The same with one more table. */
  public PaperReport with(PaperTable table) {
    ImmutableList<PaperTable> more =
        ImmutableList.<PaperTable>builder().addAll(tables).add(table).build();
    return new PaperReport(paper, machine, figures, more, findings);
  }
}
