package io.kmodel.indexer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.AnalyzerChain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class AnalysisOptionsTest {
  @TempDir Path directory;

  @Test
  void anAnalyzerIsChosenByItsNameALanguageOrAFile() throws IOException {
    Path chain = Files.writeString(directory.resolve("chain"), "analyzer.tokenizer = whitespace\n");
    assertThat(definition()).isEqualTo(AnalysisDefinition.STANDARD);
    assertThat(definition("--analyzer", "german")).isEqualTo(AnalysisDefinition.of("german"));
    assertThat(definition("--language", "de")).isEqualTo(AnalysisDefinition.of("german"));
    assertThat(definition("--pretokenized")).isEqualTo(AnalysisDefinition.of("whitespace"));
    assertThat(definition("--analyzer-chain", chain.toString()))
        .isEqualTo(AnalyzerChain.read(chain))
        .isNotEqualTo(AnalysisDefinition.STANDARD);
  }

  @Test
  void allOfItsParametersCountTogether() throws IOException {
    Path words = Files.writeString(directory.resolve("words"), "heron # a bird\nbittern\n");
    assertThat(
            definition(
                "--analyzer=english",
                "--stemmer=krovetz",
                "--stop-words=" + words,
                "--max-token-length=20"))
        .isEqualTo(
            AnalysisDefinition.of("english")
                .withStemmer("krovetz")
                .withStopWords(ImmutableSet.of("bittern", "heron"))
                .withMaxTokenLength(20));
    assertThatThrownBy(() -> definition("--max-token-length=0"))
        .hasMessageContaining("the maximum token length must be 1 to ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--analyzer=german --language=de",
        "--analyzer=whitespace --pretokenized",
        "--analyzer=german --analyzer-chain=chain",
        "--language=de --pretokenized",
        "--language=de --analyzer-chain=chain",
        "--pretokenized --analyzer-chain=chain"
      })
  void twoChoicesExcludeEachOther(String options) {
    assertThatThrownBy(() -> definition(options.split(" ", -1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--analyzer, --language, --pretokenized and --analyzer-chain cannot be combined");
  }

  @Command
  private static final class Call {
    @Mixin private AnalysisOptions analysis = new AnalysisOptions();
  }

  private static AnalysisDefinition definition(String... arguments) throws IOException {
    Call call = new Call();
    new CommandLine(call).parseArgs(arguments);
    return call.analysis.toDefinition();
  }
}
