package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.build.Duplicates;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SourceOptions;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SourceArgumentsTest {
  @Test
  void withoutOptionsTheDefaultsCount() {
    SourceArguments arguments = parse();
    assertThat(arguments.toOptions()).isEqualTo(SourceOptions.DEFAULT);
    assertThat(arguments.duplicates()).isEqualTo(Duplicates.KEEP);
  }

  @Test
  void optionsAreReadInLowerCaseAndWithHyphens() {
    SourceArguments arguments =
        parse(
            "--format=wet",
            "--docno=record-id",
            "--duplicates=error",
            "--max-document=2m",
            "--max-expansion=50",
            "--max-nesting=20");
    assertThat(arguments.toOptions())
        .isEqualTo(
            new SourceOptions(Format.WET, Docno.RECORD_ID, JsonMembers.USUAL, 2 << 20, 50, 20));
    assertThat(arguments.duplicates()).isEqualTo(Duplicates.ERROR);
  }

  @Test
  void membersOfJsonAreNamedForFilesThatAreSaidToHaveThem() {
    SourceArguments arguments =
        parse("--format=jsonl", "--json=id=doi", "--json", "contents=abstract,body.text");
    assertThat(arguments.toOptions().json()).hasToString("contents=abstract,body.text id=doi");
    assertThatThrownBy(() -> parse("--json=id=doi").toOptions())
        .hasMessage("--json is for files of JSON: give --format jsonl, or --format json, too");
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThatThrownBy(() -> parse("--docno=name"))
        .hasMessageContaining("expected one of [uri, record-id, trec-id, path] but was 'name'");
    assertThatThrownBy(() -> parse("--format=pdf")).hasMessageContaining("'pdf'");
    assertThatThrownBy(() -> parse("--max-document=2g").toOptions())
        .hasMessage("--max-document must be 1 to 1073741824; got 2147483648");
    assertThatThrownBy(() -> parse("--max-expansion=0").toOptions())
        .hasMessage("maxExpansion must be at least 1; got 0");
    assertThatThrownBy(() -> parse("--max-nesting=513").toOptions())
        .hasMessage("maxNesting must be 16 to 512; got 513");
  }

  private static SourceArguments parse(String... arguments) {
    SourceArguments source = new SourceArguments();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("source", CommandLine.Model.CommandSpec.forAnnotatedObject(source)))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(arguments);
    return source;
  }
}
