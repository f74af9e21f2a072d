package io.kmodel.indexer.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnalysisDefinitionTest {
  @TempDir Path directory;

  @Test
  void whatIsAsUsualIsNotWrittenDown() {
    AnalysisDefinition english = AnalysisDefinition.of("english");
    assertThat(english.withStemmer("krovetz").withStemmer("porter").withMaxTokenLength(255))
        .isEqualTo(english);
    Map<String, String> options = new TreeMap<>();
    IndexAnalysis.of(english).addTo(options);
    assertThat(options).containsExactly(Map.entry("analyzer", "english"));
  }

  @Test
  void itIsReadBackFromTheOptionsOfAnIndex() {
    IndexAnalysis analysis =
        IndexAnalysis.of(
                AnalysisDefinition.of("english")
                    .withStemmer("none")
                    .withStopWords(ImmutableSet.of("of", "The"))
                    .withMaxTokenLength(20))
            .with("title", AnalysisDefinition.of("de").withStopWords(ImmutableSet.of()));
    Map<String, String> options = new TreeMap<>(Map.of("store", "contents"));
    analysis.addTo(options);
    assertThat(options)
        .containsEntry("analyzer.stop-words", "The of")
        .containsEntry("field.title.analyzer", "german")
        .containsEntry("field.title.analyzer.stop-words", "");
    assertThat(IndexAnalysis.from(options)).isEqualTo(analysis);
    assertThat(options.keySet().stream().filter(IndexAnalysis::isOption))
        .hasSize(options.size() - 1);
    assertThat(analysis.general())
        .hasToString("english, tokens split after 20 characters, no stemmer, 2 custom stop words");
  }

  @Test
  void optionsOfAnotherIndexAreRefused() {
    assertThatThrownBy(() -> IndexAnalysis.from(Map.of("store", "id")))
        .hasMessage("the index does not say which analyzer it was built with");
    assertThatThrownBy(
            () ->
                IndexAnalysis.from(Map.of("analyzer", "english", "analyzer.mood", "x"))
                    .newAnalyzer())
        .hasMessage(
            "the analyzer 'english' has no parameter 'mood';"
                + " it has max-token-length, stemmer, stop-words");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "10923"})
  void aLongestTokenThatCannotBeIsRefusedInTheOptionsOfAnIndexToo(String length) {
    Map<String, String> options =
        Map.of("analyzer", "english", "analyzer.max-token-length", length);
    assertThatThrownBy(() -> IndexAnalysis.from(options).newAnalyzer())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the maximum token length must be 1 to 10922 characters; got " + length);
  }

  @Test
  void whatAnAnalyzerCannotDoIsRefused() {
    AnalysisDefinition german = AnalysisDefinition.of("german");
    assertThatThrownBy(() -> german.withStemmer("porter"))
        .hasMessage("the analyzer 'german' has no parameter 'stemmer'; it has stop-words");
    assertThatThrownBy(() -> german.withMaxTokenLength(3))
        .hasMessageContaining("has no parameter 'max-token-length'");
    assertThatThrownBy(
            () -> AnalysisDefinition.of("whitespace").withStopWords(ImmutableSet.of("a")))
        .hasMessageContaining("has no parameter 'stop-words'");
    assertThatThrownBy(() -> AnalysisDefinition.of("english").withStemmer("lovins"))
        .hasMessage("unknown stemmer 'lovins'; known: porter, krovetz and none");
    assertThatThrownBy(() -> AnalysisDefinition.STANDARD.withMaxTokenLength(10_923))
        .hasMessage("the maximum token length must be 1 to 10922 characters; got 10923");
  }

  @Test
  void aFileOfStopWordsHasAWordALine() throws IOException {
    Path file = directory.resolve("stop.txt");
    Files.writeString(file, "# comment\n the # first\n\nof\r\n");
    assertThat(StopWords.read(file)).containsExactly("the", "of");
    Files.write(file, new byte[] {'a', (byte) 0xFF});
    assertThatThrownBy(() -> StopWords.read(file)).hasMessage(file + " is not UTF-8");
    Files.writeString(file, "the\nof the\n");
    assertThatThrownBy(() -> StopWords.read(file))
        .hasMessage(file + ": line 2: expected one word but was 'of the'");
  }

  @Test
  void aByteOrderMarkIsNoPartOfADefinition() throws IOException {
    Path stop = Files.writeString(directory.resolve("stop.txt"), "\uFEFFhello\nworld\n");
    assertThat(StopWords.read(stop)).containsExactly("hello", "world");
    Path chain = directory.resolve("chain.properties");
    Files.writeString(
        chain,
        "\uFEFFanalyzer.tokenizer=standard\nanalyzer.filter.1=stop(words=stop.txt,format=wordset)");
    AnalysisDefinition definition = AnalyzerChain.read(chain);
    assertThat(definition.parameters())
        .containsKey("tokenizer")
        .containsEntry("file.stop.txt", "hello\nworld\n");
  }

  /** Ten comes after two: words are in lower case when stop words are looked for. */
  @Test
  void filtersOfAChainAreInTheOrderOfTheirNumbers() throws IOException {
    Path chain = directory.resolve("chain.properties");
    Files.writeString(
        chain,
        "analyzer.tokenizer=standard\nanalyzer.filter.10=stop\nanalyzer.filter.2=lowercase\n");
    List<String> words = new ArrayList<>();
    try (Analyzer analyzer = AnalyzerChain.read(chain).newAnalyzer();
        TokenStream tokens = analyzer.tokenStream("contents", "The Heron")) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        words.add(term.toString());
      }
      tokens.end();
    }
    assertThat(words).containsExactly("heron");
  }

  @Test
  void aBackslashOfAChainIsWrittenTwice() throws IOException {
    Path chain = directory.resolve("chain.properties");
    Files.writeString(chain, "analyzer.tokenizer=pattern(pattern=\"\\\\s+\")");
    assertThat(AnalyzerChain.read(chain).parameters())
        .containsEntry("tokenizer", "pattern(pattern=\"\\s+\")");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "analyzer.filter.1=lowercase | analyzer.tokenizer is missing",
        "analyzer.tokenizer=standart | analyzer.tokenizer: Lucene has no 'standart'; did you mean"
            + " 'standard'?",
        "analyzer.tokenizer=foo | analyzer.tokenizer: Lucene has no 'foo'",
        "analyzer.tokenizer=standard(max=3) | analyzer.tokenizer: standard: Unknown parameters:"
            + " {max=3}",
        "analyzer.tokenizer=standard( | expected name(parameter=value, ...) but was 'standard('",
        "analyzer.tokenizer=standard(a=1 b=2) | expected parameter=value, ... but was",
        "analyzer.tokenizer=standard(a=1,a=2) | 'a' is given twice",
        "analyzer.tokenizer=standard;analyzer.filter.1=lowercase;analyzer.filter.1=porterStem |"
            + " 'analyzer.filter.1' is given twice",
        "analyzer.tokenizer=standard;analyzer.tokenizer=standard | 'analyzer.tokenizer' is given"
            + " twice",
        "analyzer.tokeniser=standard | unknown property 'analyzer.tokeniser'; known: ",
        "analyzer.tokenizer=standard;analyzer.filter.1=stop(words=no.txt) | analyzer.filter.1:"
            + " stop: there is no file DIRECTORY/no.txt",
        "analyzer.tokenizer=whitespace;analyzer.filter.1=delimitedTermFrequency | sets term"
            + " frequencies",
        "analyzer.tokenizer=whitespace;analyzer.filter.1=delimitedPayload(encoder=float) | payloads"
      })
  void aChainThatIsNoneIsRefusedWithTheReason(String lines, String message) throws IOException {
    Path file = Files.writeString(directory.resolve("chain.properties"), lines.replace(';', '\n'));
    assertThatThrownBy(() -> AnalyzerChain.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(message.replace("DIRECTORY", directory.toString()));
  }
}
