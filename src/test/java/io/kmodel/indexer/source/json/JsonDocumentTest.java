package io.kmodel.indexer.source.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.lines.TextRecord;
import io.kmodel.indexer.source.record.DamagedRecordException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken of the objects that collections have, by the names of their members. */
class JsonDocumentTest {
  @TempDir Path root;

  /** A passage of MS MARCO says which document it is of, ir_datasets which document it is. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'pid':'p7','passage':'t','spans':'(0,3)','docid':'d2'} | p7",
        "{'docid':'d2','passage':'t','pid':'p7'} | p7",
        "{'docid':'d2#1','segment':'t'} | d2#1",
        "{'doc_id':'d3','text':'t'} | d3",
        "{'text':'t','docno':'d4'} | d4",
        "{'docno':'d4','text':'t','_id':'d5'} | d5",
        "{'ClueWeb22-ID':'c6','Clean-Text':'t'} | c6",
        "{'id':null,'docid':'d8','text':'t'} | d8",
        "{'id':'','docid':'d9','text':'t'} | d9",
        "{'docid':'d9','id':'','text':'t'} | d9",
      })
  void theIdIsTheCollectionsOwn(String object, String id) throws Exception {
    assertThat(parse(object).id).isEqualTo(id);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'id':1,'text':['one','two']} | 'one\ntwo'",
        "{'id':1,'text':[]} | ''",
        "{'id':1,'text':null,'title':'a'} | ''",
        "{'id':1,'text':null,'body':'b'} | 'b'",
        "{'id':1,'body':'b','text':null} | 'b'",
        "{'id':1,'body':'b','text':''} | 'b'",
        "{'id':1,'text':'','body':'b'} | 'b'",
        "{'id':1,'text':''} | ''",
        "{'id':1,'contents':[],'text':'t'} | 't'",
        "{'id':1,'text':'t','contents':['']} | 't'",
        "{'id':1,'body':'b','text':NaN} | 'b'",
        "{'id':1,'contents':[{'content':'c'}],'text':'t'} | 't'",
        "{'id':1,'rank':NaN,'text':'t','score':-Infinity} | 't'",
      })
  void aTextIsOneOrAListOfThem(String object, String text) throws Exception {
    TextRecord record = parse(object);
    String found = new String(record.bytes, record.from, record.to - record.from, UTF_8);
    assertThat(found).isEqualTo(text.replace("\\n", "\n"));
  }

  @Test
  void headingsStandBesideTheText() throws Exception {
    assertThat(parse("{'docid':'d','title':'t','headings':'h\\ni','body':'b'}").headings)
        .isEqualTo("h\ni");
    assertThat(parse("{'docid':'d','headings':['h','i'],'body':'b'}").headings).isEqualTo("h\ni");
    assertThat(parse("{'docid':'d','body':'b'}").headings).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'id':1,'contents':[{'content':'c'}]} | member 'contents' is neither a text nor a list of"
            + " texts",
        "{'id':1,'text':{'a':['b']}} | member 'text' is neither a text nor a list of texts",
        "{'id':1,'title':'a'} | record has no text; expected one of [contents, text, body, passage,"
            + " segment, Clean-Text]",
      })
  void whatHasNoTextSaysWhy(String object, String problem) {
    assertThatThrownBy(() -> parse(object))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessage(problem);
  }

  @Test
  void anIdIsWantedWhereDocumentsAreKnownByIt() throws Exception {
    String object = "{'url':'http://a','text':'t'}";
    for (Docno docno : new Docno[] {Docno.TREC_ID, Docno.RECORD_ID}) {
      assertThatThrownBy(() -> parse(object, docno))
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageStartingWith("record has no id; expected one of [id, _id, pid, ");
    }
    assertThat(parse(object, Docno.URI).uri).isEqualTo("http://a");
    assertThat(parse(object, Docno.PATH).id).isEmpty();
    assertThatThrownBy(() -> parse("{'url':'','text':'t'}", Docno.URI))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageStartingWith("record has no id; expected one of [id, _id, pid, ");
  }

  @Test
  void ofMembersOfOneNameTheLastCounts() throws Exception {
    TextRecord record =
        parse("{'id':1,'contents':[{'type':'tweet','content':'c'}],'contents':'a & b','id':2}");
    assertThat(record.id).isEqualTo("2");
    assertThat(record.type).isEqualTo(ContentType.PLAIN_TEXT);
    assertThat(new String(record.bytes, record.from, record.to - record.from, UTF_8))
        .isEqualTo("a & b");
  }

  /** As KILT's. */
  @Test
  void aListOfRecordsWhoseTextsAreListsIsTold() throws Exception {
    String line = "{\"_id\": \"%d\", \"text\": [\"a\", \"b\"], \"links\": [{\"a\": [1]}]}\n";
    Files.writeString(root.resolve("kilt.json"), line.formatted(1) + line.formatted(2));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "2");
    assertThat(read.texts()).containsOnly("a\nb");
  }

  /** As the Washington Post's, whose lines are longer than what is looked at. */
  @Test
  void anArticleIsAPageOfItsTitleAndItsTextualParts() throws Exception {
    String line =
        "{'id':'b2e8','article_url':'http://w/','title':'A & <b>','author':'n','contents':["
            + "null,{'content':'Colleges','mime':'text/plain','type':'kicker'},null,{'content':'One"
            + " <i>two</i>','subtype':'paragraph','type':'sanitized_html'},"
            + "{'type':'image','fullcaption':{'content':'no'}},"
            + "{'content':'THREE','type':'tweet'},{'content':null,'type':'sanitized_html'}],'type':'article'}";
    String object = line.replace("THREE", "three ".repeat(2_000)).replace('\'', '"');
    Files.writeString(root.resolve("post.jl"), object + "\n" + object + "\n");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("b2e8", "b2e8");
    assertThat(read.docs).extracting(SourceReading.Doc::type).containsOnly(ContentType.HTML);
    assertThat(read.texts())
        .containsOnly(
            "<!doctype html><title>A &amp; &lt;b></title><body>One <i>two</i>\n"
                + "three ".repeat(2_000));
    assertThat(read.skips.all()).isEmpty();
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.URI)).ids())
        .containsExactly("http://w/", "http://w/");
  }

  @Test
  void objectsThatAreNoPartsOfAnArticleAreNoText() throws Exception {
    for (String text :
        new String[] {
          "[{'a':1}]",
          "[{'type':1,'content':'c'}]",
          "['a',{'a':1}]",
          "['a',{'a':1},null]",
          "[{'type':'tweet','content':'c'}]"
        }) {
      assertThatThrownBy(() -> parse("{'id':1,'text':" + text + "}"))
          .hasMessage("member 'text' is neither a text nor a list of texts");
    }
    assertThatThrownBy(() -> parse("{'id':1,'contents':[{'type':'paragraph','content':'c'}]}"))
        .hasMessage("member 'contents' is neither a text nor a list of texts");
    assertThatThrownBy(
            () -> parse("{'id':1,'contents':[{'type':'tweet','content':'c'},{'content':'d'}]}"))
        .hasMessage("member 'contents' is neither a text nor a list of texts");
    assertThatThrownBy(() -> parse("{'id':['a','b'],'text':'t'}"))
        .hasMessageStartingWith("record has no id; expected one of ");
    assertThat(parse("{'id':1,'text':'t','body':[{'type':'tweet','content':'c'}]}").type)
        .isEqualTo(ContentType.PLAIN_TEXT);
    assertThat(parse("{'id':1,'body':[{'type':'tweet','content':'c'}],'text':'t'}").type)
        .isEqualTo(ContentType.PLAIN_TEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u00C0\u0080", "\u00E0\u0080\u00AF", "\u00F4\u0090\u0080\u0080"})
  void bytesThatOnlyJacksonTakesForUtf8AreNoText(String bytes) {
    assertNotUtf8("{\"id\":1,\"text\":\"a%s\"}".formatted(bytes).getBytes(ISO_8859_1));
  }

  @Test
  void otherTextsThanUtf8AreNoObjects() {
    String object = "{\"id\":1,\"text\":\"a\"}";
    assertNotUtf8(object.getBytes(UTF_16LE));
    assertNotUtf8(object.getBytes(UTF_16BE));
    assertNotUtf8(("\uFEFF" + object).getBytes(UTF_16LE));
    byte[] cut = "{\"id\":1,\"text\":\"a\u00E9".getBytes(UTF_8);
    assertDamaged(Arrays.copyOf(cut, cut.length - 1), "not a JSON object: unexpected end of text");
  }

  private static void assertNotUtf8(byte[] json) {
    assertDamaged(json, "not a JSON object: invalid UTF-8");
  }

  private static void assertDamaged(byte[] json, String message) {
    assertThatThrownBy(
            () -> JsonDocument.parser(Docno.TREC_ID, JsonMembers.USUAL).parse(json, json.length))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessage(message);
  }

  private static TextRecord parse(String object) throws Exception {
    return parse(object, Docno.TREC_ID);
  }

  private static TextRecord parse(String object, Docno docno) throws Exception {
    byte[] json = object.replace('\'', '"').getBytes(UTF_8);
    @Nullable TextRecord record =
        JsonDocument.parser(docno, JsonMembers.USUAL).parse(json, json.length);
    assertThat(record).isNotNull();
    return record;
  }
}
