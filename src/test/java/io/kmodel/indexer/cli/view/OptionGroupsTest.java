package io.kmodel.indexer.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.command.Commands;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class OptionGroupsTest {
  /** A new option of build needs a group. */
  @Test
  void everyOptionOfABuildHasItsGroup() {
    CommandLine build = command("build");
    Map<String, List<OptionSpec>> groups = OptionGroups.of(build.getCommandSpec().options());
    assertThat(names(Objects.requireNonNull(groups.get(OptionGroups.OTHERS))))
        .containsExactlyInAnyOrder("--help", "--version", "--quiet", "--config", "--log");
    assertThat(groups).hasSize(8);
  }

  @Test
  void theHelpHasEachOptionOnceBelowItsHeading() {
    CommandLine build = command("build");
    String help = build.getUsageMessage();
    assertThat(help).containsSubsequence("%nInput:%n".formatted(), "--docno=", "Resources:");
    assertThat(help).doesNotContain("Read settings of options").contains("see 'indexer --help'");
    List<OptionSpec> options =
        build.getCommandSpec().options().stream().filter(option -> !option.inherited()).toList();
    for (String name : names(options)) {
      assertThat(
              help.lines().filter(line -> line.matches(" {2,6}(--?[\\w-]+, )?" + name + "\\b.*")))
          .as(name)
          .isNotEmpty();
    }
    assertThat(command("stats").getUsageMessage())
        .contains("--json", "see 'indexer --help'")
        .doesNotContain(OptionGroups.OTHERS, "Read settings of options");
    assertThat(Commands.all().getUsageMessage())
        .contains("Read settings of options", "--log=STYLE");
  }

  private static CommandLine command(String name) {
    return Objects.requireNonNull(Commands.all().getSubcommands().get(name));
  }

  private static List<String> names(List<OptionSpec> options) {
    return options.stream()
        .filter(option -> !option.hidden())
        .map(option -> Arrays.asList(option.names()).getLast())
        .toList();
  }
}
