package io.kmodel.indexer.source;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The words and sentences that the sample collections are made of, read from the test resources.
 */
final class SampleResources {
  /** A subject of pages: word lists with the common ones first, and whole sentences. */
  record Theme(String folder, String title, Map<String, List<String>> words, List<String> facts) {
    List<String> words(String kind) {
      return words.getOrDefault(kind, List.of());
    }
  }

  /** A page in one language; the charset may end in {@value #BOM}. */
  record Language(String code, String charset, String title, List<String> sentences) {}

  record Topic(
      String number,
      String theme,
      String title,
      String description,
      String narrative,
      List<String> answers) {}

  static final String BOM = "+BOM";

  private static final Splitter BAR = Splitter.on('|').trimResults();

  private SampleResources() {}

  static List<Theme> themes() {
    List<Theme> themes = new ArrayList<>();
    for (Block block : blocks("themes.txt", "theme")) {
      Map<String, List<String>> words = new HashMap<>();
      for (String kind : List.of("noun", "adjective", "intransitive", "transitive")) {
        words.put(kind, Splitter.on(' ').splitToList(block.one(kind)));
      }
      words.put("place", BAR.splitToList(block.one("place")));
      themes.add(new Theme(block.head(0), block.head(1), words, block.all("fact")));
    }
    return themes;
  }

  static List<Language> languages() {
    List<Language> languages = new ArrayList<>();
    for (Block block : blocks("languages.txt", "language")) {
      List<String> sentences = block.lines.subList(1, block.lines.size());
      languages.add(new Language(block.head(0), block.head(1), block.head(2), sentences));
    }
    return languages;
  }

  static List<Topic> topics() {
    List<Topic> topics = new ArrayList<>();
    for (Block block : blocks("topics.txt", "topic")) {
      topics.add(
          new Topic(
              block.head(0),
              block.head(1),
              block.head(2),
              block.one("desc"),
              block.one("narr"),
              block.all("answer")));
    }
    return topics;
  }

  /** Lines that belong together; the first one names them. */
  private record Block(List<String> lines) {
    String head(int part) {
      String head = lines.get(0);
      return BAR.splitToList(head.substring(head.indexOf(' ') + 1)).get(part);
    }

    List<String> all(String kind) {
      return lines.stream()
          .filter(line -> line.startsWith(kind + " "))
          .map(line -> line.substring(kind.length() + 1))
          .toList();
    }

    String one(String kind) {
      return all(kind).get(0);
    }
  }

  private static List<Block> blocks(String file, String start) {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (String line : Splitter.on('\n').omitEmptyStrings().split(read(file))) {
      if (line.startsWith("#")) {
        continue;
      }
      if (line.startsWith(start + " ")) {
        lines = new ArrayList<>();
        blocks.add(new Block(lines));
      }
      lines.add(line);
    }
    return blocks;
  }

  private static String read(String file) {
    try (@Nullable InputStream in =
        SampleResources.class.getResourceAsStream("/corpus-samples/" + file)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
