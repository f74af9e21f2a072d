package io.kmodel.indexer.source.warc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The records of ARC files, as archives have them. */
class ArcRecordsTest {
  @TempDir Path root;

  @Test
  void arcFilesAreRead() throws Exception {
    String version =
        "1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n";
    String page = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>An old page</p>";
    String file =
        arc("filedesc://IA-001102.arc 0.0.0.0 19960923142103 text/plain", version)
            + arc("dns:a.org 127.0.0.1 19961104142103 text/dns", "20000101\na.org. 3600 IN A")
            + arc("http://a.org:80/index.html 127.10.100.2 19961104142103 text/html", page)
            + arc("http://a.org:80/two 127.10.100.2 19961104142103 text/html", page + "!");
    byte[] bytes = file.getBytes(ISO_8859_1);
    for (byte[] form : List.of(bytes, Warcs.gzip(bytes))) {
      write("a.arc", form);
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).containsExactly("http://a.org:80/index.html", "http://a.org:80/two");
      assertThat(read.texts()).containsExactly("<p>An old page</p>", "<p>An old page</p>!");
      assertThat(read.reasons()).containsExactly(SkipReason.METADATA, SkipReason.NOT_TEXT);
    }
  }

  /** The line, as ISO-8859-1, but for the length; the URI that is read. */
  static Stream<Arguments> arcLines() {
    return Stream.of(
        arguments("http://a.org/ 127.0.0.1 19961104142103 text/html", "http://a.org/"),
        arguments("http://a.org/ 0.0.0.0 19961104142103 text/html", "http://a.org/"),
        arguments("http://a.org/ - 20080101000000 text/html", "http://a.org/"),
        arguments("http://a.org/ 2001:db8::7 20080101000000 text/html", "http://a.org/"),
        arguments("http://a.org/ ::ffff:10.0.0.1 20080101000000 text/html", "http://a.org/"),
        arguments("http://a.org/ [::1] 20080101000000 text/html", "http://a.org/"),
        arguments("HTTP://A.org/X 127.0.0.1 19961104142103 text/html", "HTTP://A.org/X"),
        arguments(
            "http://a.org/my page 1 1.2.3.4 19961104142103 text/html", "http://a.org/my page 1"),
        arguments(
            "http://a.org/log - 20080101 .html 1.2.3.4 20090101000000 text/html",
            "http://a.org/log - 20080101 .html"),
        arguments(
            "http://a.org/1.2.3.4 20080101000000 - 20090101000000 text/html",
            "http://a.org/1.2.3.4 20080101000000"),
        arguments("http://a.org/ 1.2.3.4 20090101000000 no-type", "http://a.org/"),
        arguments("http://a.org/ 1.2.3.4 20090101000000 ", "http://a.org/"),
        arguments("http://a.org/ 1.2.3.4 20090101000000", "http://a.org/"),
        arguments("http://a.org/ 1.2.3.4 20090101000000 text/html; charset=x y", "http://a.org/"),
        arguments("http://a.org/ 1.2.3.4 20090101000000 text/html, a/b", "http://a.org/"),
        arguments("http://a.org/ 1.2.3.4 200901010000 text/html", "http://a.org/"),
        arguments(
            "http://a.org/ 1.2.3.4 19961104142103 text/html 200 - - 12345678 a.arc",
            "http://a.org/"),
        arguments(
            "http://a.org/a b - 19961104142103 text/html;x=1 2 302 ab01 http://b.org/c 9 a.arc",
            "http://a.org/a b"),
        arguments(
            "http://a.org/caf\u00C3\u00A9 1.2.3.4 20090101000000 text/html",
            "http://a.org/caf\u00E9"),
        arguments(
            "http://a.org/caf\u00E9 1.2.3.4 20090101000000 text/html", "http://a.org/caf\u00E9"),
        arguments("ftp://a.org/x 1.2.3.4 20090101000000 text/html", "ftp://a.org/x"));
  }

  @ParameterizedTest
  @MethodSource("arcLines")
  void linesOfArcFilesAreReadAsArchivesHaveThem(String line, String uri) throws Exception {
    String version = arc("filedesc://a.arc 0.0.0.0 19960923142103 text/plain", "1 1 x\n\n");
    String last = arc("http://a.org/last 1.2.3.4 19961104142103 text/html", "<p>last");
    String record = arc(line, "HTTP/1.0 200 OK\r\n\r\n<p>this");
    for (String end : List.of("\n", "\r\n", " \n")) {
      String withEnd = record.replaceFirst("\n", end);
      // Behind damage, a record has to be found by its line.
      for (String before : List.of("", "http://a.org/damaged\n")) {
        byte[] file = (version + before + withEnd + last).getBytes(ISO_8859_1);
        byte[] members =
            Warcs.concat(
                Warcs.gzip((version + before).getBytes(ISO_8859_1)),
                Warcs.gzip(withEnd.getBytes(ISO_8859_1)),
                Warcs.gzip(last.getBytes(ISO_8859_1)));
        for (byte[] form : List.of(file, Warcs.gzip(file), members)) {
          write("a.arc", form);
          SourceReading read = SourceReading.of(root);
          assertThat(read.ids()).containsExactly(uri, "http://a.org/last");
          assertThat(read.texts()).containsExactly("<p>this", "<p>last");
          assertThat(read.reasons())
              .filteredOn(reason -> reason.kind() == SkipReason.Kind.LOST)
              .hasSize(before.isEmpty() ? 0 : 1);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a.org/ 1.2.3.4 19961104142103 text/html x",
        "http://a.org/ 1.2.3.4 19961104142103 text/html -5",
        "http://a.org/ 1.2.3.4 19961104142103 text/html 9999999999999999999",
        "http://a.org/ 1.2.3.4 1996 text/html 7",
        "http://a.org/ somewhere 19961104142103 text/html 7",
        "http://a.org/ 19961104142103 text/html 7",
        "a.org/ 1.2.3.4 19961104142103 text/html 7",
        "http://a.org/ 7",
        "http://a.org/",
        "\u0000\u0000\u0000"
      })
  void linesOfArcFilesThatMakeNoSenseAreDamage(String line) throws Exception {
    String one = arc("http://a.org/1 1.2.3.4 19961104142103 text/html", "<p>one");
    String two = arc("http://a.org/2 1.2.3.4 19961104142103 text/html", "<p>two");
    byte[] file = (one + line + "\n<p>body\n" + two).getBytes(ISO_8859_1);
    for (byte[] form : List.of(file, Warcs.gzip(file))) {
      write("a.arc", form);
      SourceReading read = SourceReading.of(root, SourceReading.format(Format.ARC));
      assertThat(read.ids()).containsExactly("http://a.org/1", "http://a.org/2");
      assertThat(read.skips.only().reason()).isEqualTo(SkipReason.DAMAGED_RECORD);
      assertThat(read.skips.only().place()).endsWith("a.arc at byte " + one.length());
      assertThat(read.skips.only().detail()).startsWith("no record header: ");
    }
  }

  @Test
  void capitalsDoNotMakeDocumentsOfWhatIsAboutTheArchive() throws Exception {
    String file =
        arc("filedesc://a.arc 0.0.0.0 19960923142103 text/plain", "1 1 x\n\n")
            + arc("DNS:a.org - 19961104142103 text/dns", "a.org. 3600 IN A")
            + arc("FileDesc://b.arc 0.0.0.0 19960923142103 text/plain", "1 1 x\n\n")
            + arc("http://a.org/d 1.2.3.4 19961104142103 alexa/dat", "some words")
            + arc("http://a.org/e - 19961104142103 alexa/dat", "");
    write("a.arc", file.getBytes(ISO_8859_1));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).isEmpty();
    assertThat(read.reasons())
        .containsExactly(
            SkipReason.METADATA,
            SkipReason.NOT_TEXT,
            SkipReason.METADATA,
            SkipReason.NOT_TEXT,
            SkipReason.NOT_TEXT);
  }

  @Test
  void aFileClippedAnywhereGivesAllRecordsBeforeAndOneReason() throws Exception {
    String one = arc("http://a.org/1 1.2.3.4 19961104142103 text/html", "<p>one");
    String two = arc("http://a.org/2 1.2.3.4 19961104142103 text/html", "<p>two");
    byte[] file = (one + two).getBytes(ISO_8859_1);
    byte[] first = Warcs.gzip(one.getBytes(ISO_8859_1));
    byte[] packed = Warcs.concat(first, Warcs.gzip(two.getBytes(ISO_8859_1)));
    for (int length = one.length() + 1; length < file.length - 1; length++) {
      SourceReading read = clipped(file, length);
      assertThat(read.reasons()).containsExactly(SkipReason.DAMAGED_RECORD);
      assertThat(read.skips.only().place()).endsWith("a.arc at byte " + one.length());
      assertThat(read.skips.only().detail()).startsWith("the file ends ");
    }
    for (int length = first.length + 1; length < packed.length; length++) {
      assertThat(clipped(packed, length).reasons()).containsExactly(SkipReason.DAMAGED);
    }
  }

  private SourceReading clipped(byte[] file, int length) throws Exception {
    write("a.arc", Arrays.copyOf(file, length));
    SourceReading read = SourceReading.of(root, SourceReading.format(Format.ARC));
    assertThat(read.ids()).containsExactly("http://a.org/1");
    return read;
  }

  private static String arc(String header, String body) {
    return "%s %d\n%s\n".formatted(header, body.length(), body);
  }

  private void write(String name, byte[] bytes) throws IOException {
    Files.write(root.resolve(name), bytes);
  }
}
