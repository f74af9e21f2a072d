package io.kmodel.indexer.source.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Splitter;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.lines.TextRecord;
import io.kmodel.indexer.source.record.DamagedRecordException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is taken of objects whose members a user names. */
class NamedMembersTest {
  @TempDir Path root;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "contents=abstract | {'id':1,'abstract':'a','text':'t'} | 'a'",
        "contents=abstract | {'id':1,'abstract':['a','b',null]} | 'a\nb'",
        "contents=abstract | {'id':1,'abstract':[]} | ''",
        "contents=abstract | {'id':1,'abstract':null} | ''",
        "contents=b,a | {'id':1,'a':'x','b':'y'} | 'y\nx'",
        "contents=b,a | {'id':1,'a':'x','b':''} | 'x'",
        "contents=b,a | {'id':1,'a':'x'} | 'x'",
        "contents=a,b,c | {'id':1,'a':'x','b':'','c':[]} | 'x'",
        "contents=a.t,b.t | {'id':1,'b':[{'t':'3'},{'u':'no'},{'t':4}],'a':{'t':'1'},'t':'no'} |"
            + " '1\n"
            + "3\n"
            + "4'",
        "contents=a.t | {'id':1,'a':[[{'t':'1'}],{'t':['2','3']}]} | '1\n2\n3'",
        "contents=a.t | {'id':1,'a':[]} | ''",
        "contents=a,a.t | {'id':1,'a':['x',{'t':'y'}]} | 'x\ny'",
        "contents=a.t | {'id':1,'a.t':'flat','a':{'u':'no'}} | 'flat'",
        "contents=a | {'id':1,'a':'x','a':'y'} | 'x\\ny'",
        "contents=title,x | {'id':1,'x':'y','title':'t'} | 't\ny'",
        "contents=a | {'id':1,'a':'\\ud800'} | '\uFFFD'",
        "contents=a | {'id':1,'a':NaN,'a':true} | 'true'",
      })
  void textsAreJoinedInTheOrderThatTheyAreNamedIn(String named, String object, String text)
      throws Exception {
    TextRecord record = parse(named, object, Docno.TREC_ID);
    String found = new String(record.bytes, record.from, record.to - record.from, UTF_8);
    assertThat(found).isEqualTo(text.replace("\\n", "\n"));
  }

  @Test
  void partsThatAreNotNamedHaveTheirUsualNames() throws Exception {
    String object =
        "{'id':'no','url':'u','title':'no','headings':'h','text':'t','k':{'id':'i','name':['n','o']}}";
    TextRecord record = parse("id=k.id title=k.name", object, Docno.TREC_ID);
    assertThat(record.id).isEqualTo("i");
    assertThat(record.title).isEqualTo("n\no");
    assertThat(record.uri).isEqualTo("u");
    assertThat(record.headings).isEqualTo("h");
    assertThat(new String(record.bytes, record.from, record.to - record.from, UTF_8))
        .isEqualTo("t");
    TextRecord other = parse("url=link headings=k.name contents=text", object, Docno.TREC_ID);
    assertThat(other.id).isEqualTo("no");
    assertThat(other.title).isEqualTo("no");
    assertThat(other.uri).isEmpty();
    assertThat(other.headings).isEqualTo("n\no");
  }

  @Test
  void ofSeveralIdsTheFirstThatSaysSomethingCounts() throws Exception {
    assertThat(parse("id=doi,pmid", "{'pmid':7,'doi':'d','text':'t'}", Docno.TREC_ID).id)
        .isEqualTo("d");
    assertThat(parse("id=doi,pmid", "{'doi':null,'pmid':7,'text':'t'}", Docno.TREC_ID).id)
        .isEqualTo("7");
    assertThat(parse("id=a.b", "{'a':[{'b':1},{'b':2}],'text':'t'}", Docno.TREC_ID).id)
        .isEqualTo("1");
    assertThat(parse("id=a", "{'a':'','a':'x','a':'y','text':'t'}", Docno.TREC_ID).id)
        .isEqualTo("x");
    assertThatThrownBy(() -> parse("id=doi", "{'id':1,'text':'t'}", Docno.TREC_ID))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessage("record has no id; expected one of [doi]");
    assertThat(parse("id=doi", "{'id':1,'text':'t'}", Docno.PATH).id).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "contents=a,b.c | {'id':1,'text':'t'} | record has no text; expected one of [a, b.c]",
        "contents=b.c | {'id':1,'b':{'d':'t'}} | record has no text; expected one of [b.c]",
        "contents=a,b.c | {'id':1,'a':'x','b':'t'} | member 'b' is a value, not an object",
        "contents=a,b | {'id':1,'a':'x','b':{'c':'t'}} | member 'b' is an object, not text",
        "contents=a | {'id':1,'a':['x',{'c':'t'}]} | member 'a' is an object, not text",
        "title=a.b | {'id':1,'text':'t','a':{'b':{}}} | member 'a.b' is an object, not text",
        "id=a | {'a':[1],'text':'t'} | member 'a' is a list, not text",
        "contents=a | {'id':1,'a':'x' | not a JSON object: unexpected end of text",
        "contents=a | [1] | not a JSON object: starts with an array",
      })
  void whatIsNoTextIsNoDocumentAndIsNotLeftOutInSilence(
      String named, String object, String problem) {
    assertThatThrownBy(() -> parse(named, object, Docno.TREC_ID))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessage(problem);
  }

  /** As CORD-19 has its papers, a file each. */
  @Test
  void papersAreReadFromFilesOverSeveralLines() throws Exception {
    Files.writeString(
        root.resolve("a.json"),
        """
        {
          "paper_id": "p1",
          "metadata": {"title": "Herons", "authors": [{"first": "A"}]},
          "abstract": [],
          "body_text": [
            {"text": "One.", "cite_spans": [{"text": "no"}]},
            {"text": "Two."}
          ]
        }
        """);
    SourceOptions usual = SourceReading.format(Format.JSON);
    SourceOptions options =
        new SourceOptions(
            Format.JSON,
            usual.docno(),
            members("id=paper_id title=metadata.title contents=abstract.text,body_text.text"),
            usual.maxDocumentBytes(),
            usual.maxExpansion(),
            usual.maxNesting());
    SourceReading read = SourceReading.of(root, options);
    assertThat(read.ids()).containsExactly("p1");
    assertThat(read.texts()).containsExactly("One.\nTwo.");
    assertThat(read.skips.all()).isEmpty();
  }

  private static JsonMembers members(String named) {
    return JsonMembers.parse(Splitter.on(' ').splitToList(named));
  }

  private static TextRecord parse(String named, String object, Docno docno) throws Exception {
    byte[] json = object.replace('\'', '"').getBytes(UTF_8);
    @Nullable TextRecord record =
        JsonDocument.parser(docno, members(named)).parse(json, json.length);
    assertThat(record).isNotNull();
    return record;
  }
}
