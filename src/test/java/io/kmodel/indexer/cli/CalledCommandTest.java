package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.command.Commands;
import io.kmodel.indexer.cli.command.RootCommand;
import io.kmodel.indexer.cli.option.Setting;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A call makes the command that it names, which is the same as where all are made. */
class CalledCommandTest {
  @Test
  void commandsHaveTheNamesThatTheyAreCalledBy() {
    CommandLine all = Commands.all();
    assertThat(all.getSubcommands().keySet()).hasSize(20).isEqualTo(Commands.names());
    for (String name : Commands.names()) {
      Object command = command(all, name).getCommandSpec().userObject();
      assertThat(command.getClass().getAnnotation(CommandLine.Command.class).name())
          .isEqualTo(name);
    }
  }

  @Test
  void aCommandIsTheSameWithoutTheOthers() {
    CommandLine all = Commands.all();
    for (String name : Commands.names()) {
      assertSame(command(Commands.of(name, "anything"), name), command(all, name));
      for (String sub : command(all, name).getSubcommands().keySet()) {
        assertSame(command(Commands.of(name, sub), name, sub), command(all, name, sub));
      }
    }
  }

  @Test
  void onlyWhatIsCalledIsMade() {
    assertThat(Commands.of("build", "crawl").getSubcommands()).containsOnlyKeys("build");
    CommandLine experiment = command(Commands.of("experiment", "sort"), "experiment");
    assertThat(experiment.getSubcommands()).containsOnlyKeys("sort");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "help sort",
        "--log json build",
        "--config sort experiment build",
        "nonsense sort",
        "@arguments sort"
      })
  void allAreMadeWhereTheCommandIsNotTheFirstWord(String call) {
    String[] arguments = call.isEmpty() ? new String[0] : call.split(" ", -1);
    CommandLine program = Commands.of(arguments);
    assertThat(program.getSubcommands().keySet()).isEqualTo(Commands.names());
    assertThat(command(program, "experiment").getSubcommands().keySet())
        .isEqualTo(command(Commands.all(), "experiment").getSubcommands().keySet())
        .hasSize(8);
  }

  private static void assertSame(CommandLine actual, CommandLine expected) {
    assertThat(actual.getUsageMessage()).isEqualTo(expected.getUsageMessage());
    assertThat(keys(actual)).isEqualTo(keys(expected));
    assertThat(actual.isCaseInsensitiveEnumValuesAllowed()).isTrue();
    assertThat(actual.getCommandSpec().version())
        .containsExactly(new RootCommand.Version().getVersion());
    assertThat(actual.getCommandSpec().findOption("--log")).isNotNull();
  }

  private static List<String> keys(CommandLine command) {
    return Setting.allOf(command).stream().map(Setting::key).toList();
  }

  private static CommandLine command(CommandLine program, String... names) {
    CommandLine command = program;
    for (String name : names) {
      command = Objects.requireNonNull(command.getSubcommands().get(name), name);
    }
    return command;
  }
}
