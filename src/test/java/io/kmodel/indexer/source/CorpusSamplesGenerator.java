package io.kmodel.indexer.source;

import io.kmodel.indexer.source.SampleResources.Language;
import io.kmodel.indexer.source.SampleResources.Theme;
import io.kmodel.indexer.source.SampleResources.Topic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the generated part of {@code corpus-samples}: the same bytes every time, but for gzip's,
 * which depend on the JDK. Run the main method with that folder as its argument after a change of
 * the resources, and commit what it writes.
 */
final class CorpusSamplesGenerator {
  private static final int PAGES_PER_THEME = 8;
  private static final int HUGE_CHARACTERS = 300_000;
  private static final int NESTED_TAGS = 2000;

  /** One grey pixel. */
  private static final String PNG =
      "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c636800"
          + "000082008177cd72b60000000049454e44ae426082";

  private final Path folder;
  private final List<Theme> themes = SampleResources.themes();

  private CorpusSamplesGenerator(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] arguments) throws IOException {
    generate(Path.of(arguments[0]));
  }

  static void generate(Path folder) throws IOException {
    CorpusSamplesGenerator generator = new CorpusSamplesGenerator(folder);
    generator.writeThemes();
    generator.writeLanguages();
    generator.writeOddities();
    generator.writeTrec();
    generator.writeFormats();
  }

  /** Two birds in every format of many documents a file. */
  private void writeFormats() throws IOException {
    String heron = "The heron stands in the shallow river and waits.";
    String tern = "The tern dives; it flies from pole to pole & back.";
    write(
        "formats/birds.jsonl",
        "{\"id\": \"jsonl-heron\", \"title\": \"Heron\", \"contents\": \"%s\"}\n".formatted(heron)
            + "{\"id\": \"jsonl-tern\", \"title\": \"Tern\", \"contents\": \"%s\"}\n"
                .formatted(tern));
    write("formats/birds.tsv", "tsv-heron\tHeron\t%s\ntsv-tern\tTern\t%s\n".formatted(heron, tern));
    write("formats/birds.trec", trec("Heron", heron) + trec("Tern", tern.replace("&", "&amp;")));
    String pages =
        warc("request", "application/http;msgtype=request", "heron", "GET /heron HTTP/1.1\r\n\r\n")
            + warc(
                "response",
                "application/http;msgtype=response",
                "heron",
                "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
                    + "<!DOCTYPE html>\n<title>Heron</title>\n<p>%s</p>\n".formatted(heron))
            + warc("conversion", "text/plain", "tern", tern + "\n");
    write("formats/birds.warc", pages);
  }

  private static String trec(String name, String text) {
    return "<DOC>\n<DOCNO> TREC-%s </DOCNO>\n<HEADLINE>%s</HEADLINE>\n<TEXT>\n%s\n</TEXT>\n</DOC>\n"
        .formatted(name.toUpperCase(Locale.ROOT), name, text);
  }

  private static String warc(String type, String media, String name, String block) {
    return "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Date: 2024-02-29T12:00:00Z\r\n".formatted(type)
        + "WARC-Record-ID: <urn:uuid:%s>\r\n"
            .formatted(UUID.nameUUIDFromBytes((type + name).getBytes(StandardCharsets.UTF_8)))
        + "WARC-Target-URI: http://birds.example/%s\r\n".formatted(name)
        + "Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
            .formatted(media, block.getBytes(StandardCharsets.UTF_8).length, block);
  }

  private void writeThemes() throws IOException {
    for (Theme theme : themes) {
      SampleProse prose = new SampleProse(theme, new Random(theme.folder().hashCode()));
      StringBuilder links = new StringBuilder("<ul>\n");
      for (int page = 1; page < PAGES_PER_THEME; page++) {
        String title = prose.heading();
        String name = "%s-%d.html".formatted(prose.noun(), page);
        write("site/" + theme.folder() + "/" + name, page(title, sections(prose, 2 + page % 3)));
        links.append("<li><a href=\"%s\">%s</a></li>\n".formatted(name, title));
      }
      links.append("</ul>\n<p>").append(String.join("</p>\n<p>", theme.facts())).append("</p>\n");
      write("site/" + theme.folder() + "/index.html", page(theme.title(), links.toString()));
    }
  }

  private void writeLanguages() throws IOException {
    for (Language language : SampleResources.languages()) {
      boolean marked = language.charset().endsWith(SampleResources.BOM);
      String name = language.charset().replace(SampleResources.BOM, "");
      String meta = marked ? "" : "<meta charset=\"" + name + "\">\n";
      String lang = language.code().equals("emoji") ? "en" : language.code();
      String text =
          "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n%s<title>%s</title>\n</head>\n<body>\n"
                  .formatted(lang, meta, language.title())
              + "<p>"
              + String.join("</p>\n<p>", language.sentences())
              + "</p>\n</body>\n</html>\n";
      byte[] bytes = encode((marked ? "\uFEFF" : "") + text, Charset.forName(name));
      write("site/languages/" + language.code() + ".html", bytes);
    }
  }

  private void writeOddities() throws IOException {
    SampleProse prose = new SampleProse(themes.get(0), new Random(5));
    write("site/odd/empty.html", "");
    write("site/odd/picture.png", HexFormat.of().parseHex(PNG));
    write("site/odd/notes.txt", "Notes\n\n" + prose.paragraph(12) + "\n");
    write(
        "site/odd/notes-utf16.txt", encode("\uFEFFZażółć gęślą jaźń\n", StandardCharsets.UTF_16LE));
    write("site/odd/invalid.txt", new byte[] {'o', 'n', 'e', ' ', (byte) 0xC3, ' ', 't', 'w', 'o'});
    write("site/odd/packed.html.gz", gzip(page("A packed page", sections(prose, 2))));
    write("site/odd/packed.txt.gz", gzip("Packed notes\n\n" + prose.paragraph(8) + "\n"));
    write("site/odd/a/b/c/d/e/f/g/h/i/j/k/deep.html", page("Deep down", sections(prose, 1)));
    write("site/odd/no-suffix", page("A page without a suffix", sections(prose, 1)));
    String nested = "<div>".repeat(NESTED_TAGS) + "the innermost heron" + "</div>".repeat(10);
    write("site/odd/nested.html", page("Nested", nested));
    StringBuilder huge = new StringBuilder();
    for (int i = 0; huge.length() < HUGE_CHARACTERS; i++) {
      huge.append(sections(new SampleProse(themes.get(i % themes.size()), new Random(i)), 4));
    }
    write("site/odd/huge.html", page("A huge page", huge.toString()));
  }

  /** Per topic three relevant documents and two others of its theme, in an order of their own. */
  private void writeTrec() throws IOException {
    record Draft(Topic topic, int grade, String text) {}
    Random random = new Random(301);
    List<Draft> drafts = new ArrayList<>();
    StringBuilder topics = new StringBuilder();
    for (Topic topic : SampleResources.topics()) {
      topics.append(trecTopic(topic));
      SampleProse prose = new SampleProse(theme(topic.theme()), random);
      List<String> answers = topic.answers();
      for (int grade : new int[] {2, 1, 1, 0, 0}) {
        List<String> parts = new ArrayList<>();
        parts.add(prose.paragraph(3));
        parts.add(String.join(" ", grade == 2 ? answers : List.of()));
        parts.add(grade == 1 ? answers.get(drafts.size() % answers.size()) : "");
        parts.add(prose.paragraph(3));
        parts.removeIf(String::isEmpty);
        drafts.add(new Draft(topic, grade, String.join("\n\n", parts)));
      }
    }
    Collections.shuffle(drafts, random);
    List<String> judgments = new ArrayList<>();
    for (int i = 0; i < drafts.size(); i++) {
      Draft draft = drafts.get(i);
      String name = "d%03d.%s".formatted(i + 1, i % 2 == 0 ? "html" : "txt");
      String paragraphs = "<p>" + draft.text.replace("\n\n", "</p>\n<p>") + "</p>\n";
      String title = new SampleProse(theme(draft.topic.theme()), random).heading();
      String text = i % 2 == 0 ? page(title, paragraphs) : title + "\n\n" + draft.text + "\n";
      write("trec/docs/" + name, text);
      judgments.add("%s 0 %s %d\n".formatted(draft.topic.number(), name, draft.grade));
    }
    Collections.sort(judgments);
    write("trec/topics.txt", topics.toString());
    write("trec/qrels.txt", String.join("", judgments));
  }

  private static String trecTopic(Topic topic) {
    return "<top>\n\n<num> Number: %s\n<title> %s\n\n<desc> Description:\n%s\n\n"
            .formatted(topic.number(), topic.title(), topic.description())
        + "<narr> Narrative:\n%s\n\n</top>\n\n".formatted(topic.narrative());
  }

  private Theme theme(String folderName) {
    return themes.stream().filter(t -> t.folder().equals(folderName)).findFirst().orElseThrow();
  }

  private static String sections(SampleProse prose, int count) {
    StringBuilder sections = new StringBuilder();
    for (int i = 0; i < count; i++) {
      sections.append("<h2>").append(prose.heading()).append("</h2>\n");
      sections.append("<p>").append(prose.paragraph(4)).append("</p>\n");
      sections.append("<p>").append(prose.paragraph(3)).append("</p>\n");
    }
    return sections.toString();
  }

  private static String page(String title, String body) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n"
            .formatted(title)
        + "</head>\n<body>\n<h1>%s</h1>\n%s</body>\n</html>\n".formatted(title, body);
  }

  /** Fails on a character that the charset lacks, where String's own methods write a '?'. */
  private static byte[] encode(String text, Charset charset) throws IOException {
    ByteBuffer bytes = charset.newEncoder().encode(CharBuffer.wrap(text));
    byte[] exact = new byte[bytes.remaining()];
    bytes.get(exact);
    return exact;
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private void write(String name, String text) throws IOException {
    write(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private void write(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.resolveSibling("."));
    Files.write(file, bytes);
  }
}
