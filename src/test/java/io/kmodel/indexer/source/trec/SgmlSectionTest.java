package io.kmodel.indexer.source.trec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SgmlSectionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a < b > c",
        "a <",
        "<p>one<br/>two</p>",
        "a <b x='>' y=\">\" z=1>c</b>",
        "a<!-- > -->b<!-->c<!--->d<!-- --!>e",
        "<!x><?x></1>",
        "<script>if (a<b) '<!--'</script>x",
        "<script><!-- <script> </script> --></script>x",
        "<STYLE><b</style ><textarea><i</textarea>",
        "<template><template></template></template>x",
        "<titles>"
      })
  void whatLeavesNothingOpenIsAsItWas(String section) {
    assertThat(SgmlSection.closed(section)).isEqualTo(section);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a <!-- note|`a `",
        "a <x and|`a `",
        "a <b c=\"> d|`a `",
        "a <b c=\"> d <i e='> f|`a `",
        "a <!x|`a `",
        "a <?x|`a `",
        "a </1|`a `",
        "a </|a &lt;/",
        "a <script>b|`a `",
        "a <script>b</script c|`a `",
        "a <script><!-- <script> </script> b|`a `",
        "a <style>b <p>|`a `",
        "a <IFRAME>b </iframes>|`a `",
        "a <textarea>b <p>|a <textarea>b <p></textarea>",
        "a <textarea>b</textarea c|a <textarea>b</textarea>",
        "a <plaintext>b <p>|a  b &lt;p>",
        "a <template>b <template></template> c <!-- d|`a `",
        "a <noscript><p>b</noscript> c <!-- d|`a   c `",
      })
  void whatIsOpenEndsWithTheSection(String section, String closed) {
    assertThat(SgmlSection.closed(section)).isEqualTo(closed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<",
        "<a",
        "<a b=\"",
        "<!--",
        "<script>",
        "<template>",
        "</textarea",
        "<!-- -",
        "</"
      })
  @Timeout(30)
  void timeGrowsWithTheSectionAlone(String part) {
    assertThat(SgmlSection.closed(part.repeat(1_000_000))).isNotNull();
    assertThat(SgmlSection.closed("<script>" + part.repeat(1_000_000))).isEmpty();
    assertThat(SgmlSection.closed("<noscript></noscript>".repeat(100_000) + part)).isNotNull();
  }

  @Test
  void aNameMayBeInEitherCase() {
    assertThat(SgmlSection.closed("<TextArea>a")).isEqualTo("<TextArea>a</textarea>");
  }
}
