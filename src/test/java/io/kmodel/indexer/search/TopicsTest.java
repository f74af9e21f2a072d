package io.kmodel.indexer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Bytes;
import io.kmodel.indexer.search.Topic.Part;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicsTest {
  @TempDir Path directory;

  @Test
  void trecTopicsAreReadWithoutClosingTags() throws IOException {
    Path file =
        write(
            """
            <top>

            <num> Number: 301
            <title> International Organized
            Crime

            <desc> Description:
            Identify organizations that participate in
            international criminal activity.

            <narr> Narrative:
            A relevant document must as a minimum identify it.

            </top>

            <top>
            <num> Number: 302
            <title> Poliomyelitis and Post-Polio
            <desc> Description:
            Is it "under control"?
            </top>
            """);
    assertThat(Topics.read(file))
        .containsExactly(
            new Topic(
                "301",
                "International Organized Crime",
                "Identify organizations that participate in international criminal activity.",
                "A relevant document must as a minimum identify it."),
            new Topic("302", "Poliomyelitis and Post-Polio", "Is it \"under control\"?", ""));
  }

  @Test
  void closedTagsUpperCaseOldLabelsAndOtherFieldsAreUnderstood() throws IOException {
    Path file =
        write(
            "junk before <TOP><head> Tipster Topic Description\r\n<NUM>Number:  051</NUM>\r\n"
                + "<dom> Domain: International Economics\r\n<TITLE>Topic:  1 < 2: Airbus"
                + " Subsidies</TITLE>\r\n<DESC>Description: why?</DESC></TOP>\r\n"
                + "<top><num>MB007<title>q<desc></top>");
    assertThat(Topics.read(file))
        .containsExactly(
            new Topic("51", "1 < 2: Airbus Subsidies", "why?", ""),
            new Topic("MB007", "q", "", ""));
  }

  @Test
  void ofAPartThatIsThereTwiceTheFirstCounts() throws IOException {
    Path file = write("<top><num>1<title>first<title>second<desc>d</desc><desc>e</desc></top>");
    assertThat(Topics.read(file)).containsExactly(new Topic("1", "first", "d", ""));
  }

  /** Zeros are dropped of numbers alone, as judgements have 1 for 01, but 01a for 01a. */
  @Test
  void anIdThatIsNoNumberKeepsItsZeros() throws IOException {
    assertThat(Topics.read(write("<top><num>01a<title>q<top><num>00<title>r")))
        .extracting(Topic::id)
        .containsExactly("01a", "0");
  }

  @Test
  void topicsOfWebTracksAreReadWithoutTheirSubtopics() throws IOException {
    Path file =
        write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <webtrack2009>
            <topic number="01" type="faceted">
              <query>AT&amp;T &quot;family&quot;
                tree</query>
              <description>Who &lt;are&gt; they &amp;amp; why?</description>
              <subtopic number="1" type="nav">Not this.</subtopic>
            </topic>
            <topic type='x' number='2'><query>q</query><question>not this</question>
              <narrative>n</narrative></topic>
            </webtrack2009>
            """);
    assertThat(Topics.read(file))
        .containsExactly(
            new Topic("1", "AT&T \"family\" tree", "Who <are> they &amp; why?", ""),
            new Topic("2", "q", "", "n"));
  }

  @Test
  void xmlIsReadAsXml() throws IOException {
    Path file =
        write(
            """
            <topics>
            <!-- <topic number="9"><query>not this</query></topic> -->
            <TOPIC number="1"><query lang="en"><![CDATA[pocono & <river>]]></query>
              <description>don&#39;t&#x27;s &amp;amp; a &nbsp; bare & that</description></TOPIC>
            <topic number="2">
              <query>not closed
              <description>nor this
            </topic>
            </topics>
            """);
    assertThat(Topics.read(file))
        .containsExactly(
            new Topic("1", "pocono & <river>", "don't's &amp; a bare & that", ""),
            new Topic("2", "not closed", "nor this", ""));
  }

  @Test
  void noWordOfAQueryIsLostForWhatIsNoXml() throws IOException {
    Path file =
        write(
            """
            <topics>
            <topic number="1"><query>if a<b then c < d</query></topic>
            <topic number="2"><query>a <b>bold</b> word <![CDATA[a < $1]]></query>
            <topic number="3"><description>no query</description>
            <topic number="4"><query>the last</query></topic>
            </topics>
            """);
    assertThat(Topics.read(file))
        .containsExactly(
            new Topic("1", "if a<b then c < d", "", ""),
            new Topic("2", "a bold word a < $1", "", ""),
            new Topic("3", "", "no query", ""),
            new Topic("4", "the last", "", ""));
  }

  @Test
  void aJsonTopicWithoutAQueryIsThereToBeNamed() throws IOException {
    Path file =
        write(
            """
            {"id": "1", "query": ""}
            {"id": "2", "narrative": "only that"}
            """);
    assertThat(Topics.read(file))
        .containsExactly(new Topic("1", "", "", ""), new Topic("2", "", "", "only that"));
  }

  @Test
  void aQueryIsMadeOfThePartsThatThereAre() throws IOException {
    Topic topic = new Topic("7", "a title", "", "a narrative");
    assertThat(topic.query(List.of(Part.TITLE))).isEqualTo("a title");
    assertThat(topic.query(List.of(Part.NARR, Part.DESC, Part.TITLE)))
        .isEqualTo("a narrative a title");
    assertThatThrownBy(() -> topic.query(List.of(Part.DESC)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("it has no desc");
    Topic empty = new Topic("8", "", "", "");
    assertThatThrownBy(() -> empty.query(List.of(Part.TITLE, Part.NARR)))
        .hasMessage("it has no title and no narr");
  }

  @Test
  void topicsInLinesAreReadWithBlankLinesAndAByteOrderMark() throws IOException {
    Path file = write("\uFEFF1\tfirst  query\r\n\r\nq-2\tsecond\tstill second\n");
    assertThat(Topics.read(file))
        .containsExactly(
            new Topic("1", "first query", "", ""), new Topic("q-2", "second still second", "", ""));
  }

  @Test
  void topicsInJsonAreReadWhateverTheirMembersAreCalled() throws IOException {
    Path file =
        write(
            """
            {"id": 7, "title": "a  query\\nof two lines", "description": "longer", "narrative": "most"}

            {"_id": "PLAIN-2", "text": "a \\"second\\" one", "metadata": {"url": "x"}}
            {"qid": "q3", "query": "third", "title": "not this"}
            """);
    assertThat(Topics.read(file))
        .containsExactly(
            new Topic("7", "a query of two lines", "longer", "most"),
            new Topic("PLAIN-2", "a \"second\" one", "", ""),
            new Topic("q3", "third", "", ""));
  }

  @Test
  void aTopicInJsonMayBeAVector() throws IOException {
    Path file = write("{\"qid\": 3, \"vector\": {\"##ing\": 2.5, \"a b\": 1, \"zero\": 0}}\n");
    assertThat(Topics.read(file))
        .containsExactly(new Topic("3", "", "", "", ImmutableMap.of("##ing", 2.5f, "a b", 1f)));
    Path negative = write("{\"qid\": 3, \"vector\": {\"x\": -1}}\n");
    assertThatThrownBy(() -> Topics.read(negative))
        .hasMessageEndingWith("line 1: the weight of 'x' is not a number of at least 0: -1");
  }

  @Test
  void aTopicInJsonMayHaveADescriptionAlone() throws IOException {
    assertThat(Topics.read(write("{\"id\": 4, \"description\": \"only described\"}\n")))
        .containsExactly(new Topic("4", "", "only described", ""));
  }

  @Test
  void aGzippedFileIsReadWhateverItIsCalled() throws IOException {
    Path plain = write("1\ta query\n");
    Path packed = Files.write(directory.resolve("topics"), gzip("1\ta query\n"));
    assertThat(Topics.read(packed)).isEqualTo(Topics.read(plain));
    Path two =
        Files.write(directory.resolve("two.gz"), Bytes.concat(gzip("1\ta\n"), gzip("2\tb\n")));
    assertThat(Topics.read(two)).extracting(Topic::id).containsExactly("1", "2");
  }

  @Test
  void aGzippedFileThatIsDamagedIsReported() throws IOException {
    byte[] packed = gzip("1\ta query\n");
    Path cut = Files.write(directory.resolve("cut"), Arrays.copyOf(packed, packed.length - 9));
    assertThatThrownBy(() -> Topics.read(cut))
        .hasMessage(cut + ": damaged gzip: unexpected end of gzip data (truncated?)");
    packed[packed.length - 8] ^= 1;
    Path altered = Files.write(directory.resolve("altered"), packed);
    assertThatThrownBy(() -> Topics.read(altered))
        .hasMessageStartingWith(altered + ": damaged gzip: ");
    byte[] two = Bytes.concat(gzip("1\ta query\n"), new byte[] {0x1F, (byte) 0x8B, 9});
    Path second = Files.write(directory.resolve("second"), two);
    assertThatThrownBy(() -> Topics.read(second))
        .hasMessage(second + ": damaged gzip: data after the last gzip member");
    Path magic = Files.write(directory.resolve("magic"), new byte[] {0x1F, (byte) 0x8B});
    assertThatThrownBy(() -> Topics.read(magic)).hasMessageStartingWith(magic + ": damaged gzip: ");
  }

  private static byte[] gzip(String text) throws IOException {
    return Warcs.gzip(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void jsonThatIsNoTopicIsReportedWithItsLine() throws IOException {
    Path broken = write("{\"id\": 1, \"query\": \"a\"}\n{\"id\": 2,\n");
    assertThatThrownBy(() -> Topics.read(broken)).hasMessageContaining("line 2: not a JSON object");
    Path closed = write("{\"id\": [1}\n");
    assertThatThrownBy(() -> Topics.read(closed))
        .hasMessageEndingWith("expected ']' (for Array starting at column 8)");
    Path wordless = write("{\"id\": 1, \"words\": \"a\"}\n");
    assertThatThrownBy(() -> Topics.read(wordless))
        .hasMessageContaining("line 1: no query; expected one of the members [query, title");
    Path nameless = write("{\"query\": \"a\"}\n");
    assertThatThrownBy(() -> Topics.read(nameless))
        .hasMessageEndingWith("line 1: a topic's id must be one word; got ''");
  }

  @Test
  void aLineWithoutATabIsReportedWithItsNumber() throws IOException {
    Path file = write("1\ta\nno tab\n");
    assertThatThrownBy(() -> Topics.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("line 2: expected id<TAB>query, got 'no tab'");
  }

  @Test
  void topicsThatCannotBeUsedAreReported() throws IOException {
    Path unnumbered = write("<top><title>t</top>");
    assertThatThrownBy(() -> Topics.read(unnumbered))
        .hasMessageEndingWith("topic 1: a topic's id must be one word; got ''");
    Path twice = write("1\ta\n1\tb\n");
    assertThatThrownBy(() -> Topics.read(twice)).hasMessageEndingWith("duplicate topic id '1'");
    assertThat(Topics.read(write("\n"))).isEmpty();
  }

  private Path write(String text) throws IOException {
    Path file = Files.createTempFile(directory, "topics", ".txt");
    return Files.writeString(file, text, StandardCharsets.UTF_8);
  }
}
