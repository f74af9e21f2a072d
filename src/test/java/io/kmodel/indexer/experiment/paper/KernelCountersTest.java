package io.kmodel.indexer.experiment.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class KernelCountersTest {
  /** As ncu 2025.3 prints it, with the columns between left out. */
  private static final String TABLE =
      """
      ==PROF== Connected to process 7534
      Java 25.0.3+9-LTS, 16 processors
      "ID","Kernel Name","l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",\
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",\
      "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",\
      "smsp__sass_branch_targets_threads_divergent.sum"
      "","","","sector","sector","branches"
      "0","sort_blocks_u32","130,299","524,288","524,288","0"
      "1","merge_parts_u32","1","524,288","524,290","6"
      """;

  @Test
  void theCountsOfAllKernelsAreAddedAndDividedAmongTheSorts() throws IOException {
    assertThat(KernelCounters.parse(TABLE, 2))
        .isEqualTo(new KernelCounters.Counts(1_048_577, 65_150, 3));
  }

  @Test
  void aTableWithoutCountsIsRefused() {
    assertThatThrownBy(() -> KernelCounters.parse("==ERROR== no permission\n", 1))
        .isInstanceOf(IOException.class)
        .hasMessage("ncu has counted no kernel");
    assertThatThrownBy(() -> KernelCounters.parse(TABLE.replace("130,299", "n/a"), 1))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("mem_shared.sum is not a number: 'n/a'");
  }
}
