package io.kmodel.indexer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import io.kmodel.indexer.search.Topic.Part;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics as test collections and other engines have them, and files that are none. */
class TopicFormatsTest {
  private static final Topic FIRST = new Topic("1", "flood plain", "", "");

  @TempDir Path directory;

  @Test
  void emptyElementsHaveNoText() throws IOException {
    assertThat(
            Topics.read(
                write(
                    """
                    <DOC><DOCNO>1</DOCNO><dateline/>flood <hr> plain</DOC>
                    <DOC><DOCNO>2</DOCNO><title/>its text</DOC>
                    """)))
        .containsExactly(FIRST, new Topic("2", "its text", "", ""));
    assertThat(Topics.read(write("<top><num>1</num><title></title></top>")))
        .containsExactly(new Topic("1", "", "", ""));
    assertThat(Topics.read(write("<topics>\n</topics>"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<topics><topic number=\"1\"><title>flood plain</title></topic></topics>",
        "<topics><topic><number>1</number><query>flood plain</query></topic></topics>",
        "<topic number=\"1\">flood plain</topic>",
        "<topic number='1'>\n  flood <i>plain</i>\n</topic>",
        "<topics><topic id=\"1\" type=\"a\"><title>flood plain</title></topic></topics>",
        "<TOPIC><NUM>0001</NUM><TITLE>flood plain</TITLE></TOPIC>",
        "<topics>\n<top lang='en'><num>1</num><title>flood plain</title></top></topics>",
        "<top><num> Number: 1 </num><query> flood plain </query><querytime> x </querytime></top>",
        "<top><num> 1 </num><EN-title> flood plain </EN-title></top>",
        "<DOC>\n<DOCNO> 1 </DOCNO>\nflood plain\n</DOC>",
        "<DOC><DOCNO>1</DOCNO><TEXT>flood plain</TEXT></DOC>",
        "<queries><query id=\"1\">flood plain</query></queries>",
        "<parameters><query><number>1</number><text>flood plain</text></query></parameters>",
        "<?xml version='1.0'?><!-- <topic number='9'>x</topic> --><t><topic number=1>flood plain</t>",
        "1:flood plain",
        "1: flood plain\n",
        "1 flood plain",
        "\n  1   flood plain\r\n"
      })
  void aTopicIsReadInTheFormsOfOtherPrograms(String text) throws IOException {
    assertThat(Topics.read(write(text))).containsExactly(FIRST);
  }

  @Test
  void theTopicsOfAFileAreToldApart() throws IOException {
    assertThat(
            Topics.read(
                write(
                    """
                    <topics>
                    <top lang='en'>
                    <num>26</num>
                    <title>Singur land dispute</title>
                    <desc>The land &amp; protests.</desc>
                    <narr>Relevant: <b>all</b> of it.</narr>
                    </top>
                    <top lang='en'><num>27</num><title>second</title></top>
                    </topics>
                    """)))
        .containsExactly(
            new Topic("26", "Singur land dispute", "The land & protests.", "Relevant: all of it."),
            new Topic("27", "second", "", ""));
    assertThat(
            Topics.read(write("<top><num> Number: MB111 </num><query> water shortages </query>")))
        .containsExactly(new Topic("MB111", "water shortages", "", ""));
    assertThat(Topics.read(write("201:first: with a colon\n\nq-2:second\n")))
        .containsExactly(
            new Topic("201", "first: with a colon", "", ""), new Topic("q-2", "second", "", ""));
    assertThat(Topics.read(write("1 first: query\n2\tsecond\n")))
        .containsExactly(new Topic("1", "first: query", "", ""), new Topic("2", "second", "", ""));
    assertThat(Topics.read(write("<topic number=\"1\">a<x>not this</x> b</topic>")))
        .containsExactly(new Topic("1", "a b", "", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flood plain\nriver",
        "title:river",
        "<inex><inex_topic topic_id='1'><title>flood plain</title></inex_topic></inex>",
        "<html><body><p>1 flood plain</p></body></html>",
        "<topic number='1'><disease>x</disease><gene>y</gene></topic>",
        "<top><num>1</num><words>flood plain</words></top>"
      })
  void anotherFormatIsRefused(String text) throws IOException {
    Path file = write(text);
    assertThatThrownBy(() -> Topics.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining("unknown topic format (")
        .hasMessageContaining("known are TREC's <top>");
  }

  @Test
  void theRefusalSaysWhatTheFileHas() throws IOException {
    Path lines = write("\nflood plain\n");
    assertThatThrownBy(() -> Topics.read(lines))
        .hasMessageContaining(": line 2: unknown topic format (got 'flood plain')");
    Path mixed = write("2020 election\nriver bank\n");
    assertThatThrownBy(() -> Topics.read(mixed))
        .hasMessageEndingWith(": line 2: expected 'id query', got 'river bank'");
    Path medical = write("<topic number='1'><disease>x</disease><gene>y</gene></topic>");
    assertThatThrownBy(() -> Topics.read(medical))
        .hasMessageContaining("(<topic> with <disease>, <gene>)");
    Path nameless = write("<topic><disease>x</disease></topic>");
    assertThatThrownBy(() -> Topics.read(nameless))
        .hasMessageContaining("unknown topic format (<topic> with <disease>)");
    Path indri = write("<parameters><query><number>1</number><text>#combine(a b)</text></query>");
    assertThatThrownBy(() -> Topics.read(indri))
        .hasMessageEndingWith("topic 1: Indri's query language is not read: #combine(a b)");
  }

  /** The byte was the end of a term: caf. */
  @Test
  void theEncodingOfAnXmlDeclarationCounts() throws IOException {
    String xml = "<topics><topic number=\"1\"><title>caf\u00e9</title></topic></topics>";
    String declared = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n" + xml;
    Topic cafe = new Topic("1", "caf\u00e9", "", "");
    assertThat(Topics.read(write(declared, StandardCharsets.ISO_8859_1))).containsExactly(cafe);
    assertThat(Topics.read(write(xml, StandardCharsets.UTF_8))).containsExactly(cafe);
    assertThat(Topics.read(write("\uFEFF" + xml, StandardCharsets.UTF_16LE))).containsExactly(cafe);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1\tx\n2\tcaf\u00e9\n", "<top><num>2\n<title>caf\u00e9</top>"})
  void bytesThatAreNotUtf8AreAnErrorWithTheLine(String text) throws IOException {
    Path file = write(text, StandardCharsets.ISO_8859_1);
    int at = text.indexOf('\u00e9');
    assertThatThrownBy(() -> Topics.read(file))
        .isInstanceOf(IOException.class)
        .hasMessage(
            file
                + ": line 2: invalid UTF-8 at byte "
                + at
                + ": E9; name the file's charset by --topics-encoding, such as windows-1252");
    assertThat(Topics.read(file, Charset.forName("windows-1252")).getLast())
        .isEqualTo(new Topic("2", "caf\u00e9", "", ""));
  }

  @Test
  void aMarkTellsMoreThanTheOption() throws IOException {
    byte[] text = "1\tcaf\u00e9\n".getBytes(StandardCharsets.UTF_8);
    Path file = directory.resolve("marked");
    Files.write(file, Bytes.concat(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}, text));
    assertThat(Topics.read(file, StandardCharsets.ISO_8859_1))
        .containsExactly(new Topic("1", "caf\u00e9", "", ""));
  }

  @Test
  void aTopicOfReplacementCharactersIsNotAnswered() throws IOException {
    List<Topic> topics = Topics.read(write("1\t\uFFFD\uFFFD\uFFFD a\n2\tcaf\uFFFD\n"));
    assertThatThrownBy(() -> topics.getFirst().query(List.of(Part.TITLE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("U+FFFD")
        .hasMessageContaining("--topics-encoding");
    assertThat(topics.getLast().query(List.of(Part.TITLE))).isEqualTo("caf\uFFFD");
  }

  private Path write(String text) throws IOException {
    return write(text, StandardCharsets.UTF_8);
  }

  private Path write(String text, Charset charset) throws IOException {
    Path file = Files.createTempFile(directory, "topics", ".txt");
    return Files.writeString(file, text, charset);
  }
}
