package io.kmodel.indexer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.NearDuplicates;
import io.kmodel.indexer.indexing.options.NearDuplicates.Policy;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.TsvQuotes;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class SourceArgumentsTest {
  @Test
  void withoutOptionsTheDefaultsCount() {
    SourceArguments arguments = parse();
    assertThat(arguments.toOptions()).isEqualTo(SourceOptions.DEFAULT);
    assertThat(arguments.duplicates()).isEqualTo(Duplicates.KEEP);
    assertThat(arguments.nearDuplicates()).isEqualTo(NearDuplicates.KEEP);
  }

  @Test
  void optionsAreReadInLowerCaseAndWithHyphens() {
    SourceArguments arguments =
        parse(
            "--format=wet",
            "--docno=record-id",
            "--tsv-quotes=no",
            "--duplicates=error",
            "--near-duplicates=skip",
            "--near-duplicate-similarity=0.75",
            "--max-document=2m",
            "--max-expansion=50",
            "--max-nesting=20");
    assertThat(arguments.toOptions())
        .isEqualTo(
            new SourceOptions(Format.WET, Docno.RECORD_ID, JsonMembers.USUAL, 2 << 20, 50, 20)
                .withQuotes(TsvQuotes.NO));
    assertThat(arguments.duplicates()).isEqualTo(Duplicates.ERROR);
    assertThat(arguments.nearDuplicates()).isEqualTo(new NearDuplicates(Policy.SKIP, 0.75));
  }

  @Test
  void membersOfJsonAreNamedForFilesThatAreSaidToHaveThem() {
    for (String format : new String[] {"jsonl", "json", "beir"}) {
      assertThat(
              parse(
                      "--format",
                      format,
                      "--json-members=id=doi;url=u",
                      "--json-members=contents=a,b.c")
                  .toOptions()
                  .json())
          .hasToString("contents=a,b.c;id=doi;url=u");
    }
    assertThatThrownBy(() -> parse("--json-members=id=doi").toOptions())
        .hasMessage(
            "--json-members is for JSON and Parquet: also give --format jsonl, json, beir, vectors"
                + " or parquet");
    assertThatThrownBy(() -> parse("--format=json", "--json-members=doi").toOptions())
        .hasMessageStartingWith("--json-members: JSON members must be given as in ");
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThatThrownBy(() -> parse("--docno=name"))
        .hasMessageContaining(
            "expected one of [uri, record-id, trec-id, path, path-stem] but was 'name'");
    assertThatThrownBy(() -> parse("--format=pdf")).hasMessageContaining("'pdf'");
    assertThatThrownBy(() -> parse("--max-document=2g").toOptions())
        .hasMessage("--max-document must be 1 to 536870912; got 2147483648");
    assertThat(parse("--max-document=512m").toOptions().maxDocumentBytes()).isEqualTo(1 << 29);
    assertThatThrownBy(() -> parse("--max-expansion=0").toOptions())
        .hasMessage("maxExpansion must be at least 1; got 0");
    assertThatThrownBy(() -> parse("--near-duplicate-similarity=0.5").nearDuplicates())
        .hasMessage(
            "--near-duplicate-similarity: the threshold of near duplicates must be 0.6 to 1; got 0.5");
    for (String keep : List.of("--near-duplicates=keep", "--format=auto")) {
      assertThatThrownBy(() -> parse(keep, "--near-duplicate-similarity=0.8").nearDuplicates())
          .hasMessage("--near-duplicate-similarity needs --near-duplicates report or skip");
    }
    assertThatThrownBy(() -> parse("--max-nesting=513").toOptions())
        .hasMessage("maxNesting must be 16 to 512; got 513");
  }

  @Command
  private static final class Call {
    @Mixin private SourceArguments source = new SourceArguments();
  }

  private static SourceArguments parse(String... arguments) {
    Call call = new Call();
    new CommandLine(call).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
    return call.source;
  }
}
