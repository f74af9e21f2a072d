package io.kmodel.indexer.parse.metadata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.RawMetadata;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which metadata a document has. */
class MetadataReaderTest {
  private static final MetadataPlan KNOWN =
      MetadataPlan.parse(List.of("date", "host", "language", "content-type", "length"), List.of());

  private static final MetadataPlan NAMED =
      MetadataPlan.parse(
          List.of(), List.of("i=i:int", "d=d:double", "t=t:date", "s=s", "s2=s:string"));

  @ParameterizedTest
  @CsvSource({
    "http://WWW.Example.org:8080/a?b#c,www.example.org",
    "https://user:p@ss@example.org/x@y,example.org",
    "ftp://example.org,example.org",
    "http://[2001:DB8::1]:80/,[2001:db8::1]",
    "HTTP://Bücher.example/ü,bücher.example",
    "http://xn--bcher-kva.example?q=http://b,xn--bcher-kva.example",
    "http:///path,",
    "docs/a.html,",
    "urn:isbn:1,",
    "mailto:a@b,",
  })
  void theHostIsThatOfTheUrl(String url, String host) throws Exception {
    Map<String, String> values = values(KNOWN, document(ContentType.HTML, "x").withUrl(url));
    assertThat(values.get("host")).isEqualTo(host);
  }

  @Test
  void theLengthIsThatOfTheBytes() throws Exception {
    assertThat(values(KNOWN, document(ContentType.PLAIN_TEXT, "héron")))
        .isEqualTo(Map.of("length", "6", "content-type", "text/plain"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/HTML; charset=x|text/html",
        "application/xhtml+xml|application/xhtml+xml",
        "text/plain, text/html|text/plain",
        "html|text/html",
        "''|text/html",
      })
  void theContentTypeIsTheDeclaredMediaTypeElseTheFoundOne(String declared, String expected)
      throws Exception {
    RawDocument page =
        document(ContentType.HTML, "x")
            .withMetadata(new RawMetadata("", "", declared, ImmutableList.of()));
    assertThat(values(KNOWN, page)).containsEntry("content-type", expected);
  }

  @Test
  void theLanguageIsThatOfThePageThenOfItsMetaThenOfItsServer() throws Exception {
    String meta = "<meta http-equiv=Content-Language content=fr>";
    assertLanguage("<html lang=pt-BR xml:lang=es><head>" + meta, "de", "pt-br");
    assertLanguage("<html xml:lang=es><head>" + meta, "de", "es");
    assertLanguage("<html lang=''><head>" + meta, "de", "fr");
    assertLanguage("<html lang='{lang}'><head>", "de", "de");
    assertLanguage("<p>x", "DE-at", "de-at");
    assertLanguage("<p>x", "", null);
  }

  private static void assertLanguage(String page, String ofServer, @Nullable String expected)
      throws Exception {
    RawDocument document =
        document(ContentType.HTML, page)
            .withMetadata(new RawMetadata("", ofServer, "", ImmutableList.of()));
    assertThat(values(KNOWN, document).get("language")).isEqualTo(expected);
  }

  @Test
  void theDateIsThatOfTheArchiveElseThatOfThePage() throws Exception {
    String page =
        "<head><meta name=date content=2001><meta property='article:published_time'"
            + " content='2012-05-07T10:11:12+02:00'></head>";
    RawDocument document = document(ContentType.HTML, page);
    assertThat(values(KNOWN, document)).containsEntry("date", "2012-05-07T08:11:12Z");
    RawDocument archived =
        document.withMetadata(RawMetadata.of("2024-02-29T12:00:00Z", ImmutableList.of()));
    assertThat(values(KNOWN, archived)).containsEntry("date", "2024-02-29T12:00:00Z");
    RawDocument wrong = document.withMetadata(RawMetadata.of("never", ImmutableList.of()));
    assertThat(values(KNOWN, wrong)).containsEntry("date", "2012-05-07T08:11:12Z");
  }

  @Test
  void valuesHaveTheTypesOfTheirColumns() throws Exception {
    assertThat(values(NAMED, named("12", "1.5e2", "2012", " a \n b ")))
        .isEqualTo(
            Map.of("i", "12", "d", "150.0", "t", "2012-01-01T00:00:00Z", "s", "a b", "s2", "a b"));
    assertThat(values(NAMED, named("-9223372036854775808", "-.5", "1994-11-06", "")))
        .isEqualTo(Map.of("i", "-9223372036854775808", "d", "-0.5", "t", "1994-11-06T00:00:00Z"));
    assertThat(values(NAMED, named("2012.0", "7", "", "\uD800x")))
        .isEqualTo(Map.of("i", "2012", "d", "7.0", "s", "\uFFFDx", "s2", "\uFFFDx"));
  }

  @Test
  void whatCannotBeReadIsNoValueAndListed() throws Exception {
    DocumentParser parser = parser(NAMED);
    String large = "é".repeat(Column.MAX_STRING_BYTES / 2) + "x";
    assertThat(Values.of(parser.parse(named("unknown", "NaN", "3/4/12", large)))).isEmpty();
    assertThat(parser.unreadValues())
        .extracting(UnreadValue::column, UnreadValue::problem)
        .containsExactly(
            tuple("d", "not a number"),
            tuple("i", "not a whole number of 64 bits"),
            tuple("s", "longer than 4,096 bytes"),
            tuple("s2", "longer than 4,096 bytes"),
            tuple("t", "not a date"));
    assertThat(parser.unreadValues().get(1).value()).isEqualTo("unknown");
    for (String number : List.of("9223372036854775808", "1.5", "0x10", "1,000")) {
      assertThat(Values.of(parser.parse(named(number, "1f", "", "")))).isEmpty();
      assertThat(parser.unreadValues()).hasSize(2);
    }
    parser.parse(named("", "", "", ""));
    assertThat(parser.unreadValues()).isEmpty();
  }

  @Test
  void aPageHasNamedValuesInItsMetaElements() throws Exception {
    String page =
        "<!doctype html><meta name=S content='one &amp; two'><meta name=s content=three>"
            + "<meta itemprop=i content=7><meta property=d content=' '><meta property=d content=2>";
    assertThat(values(NAMED, document(ContentType.HTML, page)))
        .isEqualTo(Map.of("s", "one & two", "s2", "one & two", "i", "7", "d", "2.0"));
  }

  private static RawDocument named(String i, String d, String t, String s) {
    // In the order of the columns' names.
    return document(ContentType.PLAIN_TEXT, "x")
        .withMetadata(RawMetadata.of("", ImmutableList.of(d, i, s, t)));
  }

  private static RawDocument document(ContentType type, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return new RawDocument("id", "place", type, bytes, bytes.length, 0);
  }

  private static DocumentParser parser(MetadataPlan plan) {
    return new DocumentParser(HtmlMode.FAST, HeapGuard.UNLIMITED, FieldPlan.DEFAULT, plan);
  }

  private static Map<String, String> values(MetadataPlan plan, RawDocument document)
      throws Exception {
    return Values.of(parser(plan).parse(document));
  }
}
