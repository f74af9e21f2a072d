package io.kmodel.indexer.source.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Makes random JSON objects of all that {@link ObjectScanner} reads or leaves to Jackson: members
 * with usual names and others, lists and objects within each other, strings with escapes, and
 * values that Jackson refuses.
 */
final class RandomObjects {
  private static final List<String> NAMES =
      List.of(
          "id",
          "doi",
          "docid",
          "contents",
          "text",
          "title",
          "url",
          "a",
          "a.b",
          "b",
          "c",
          "date",
          "language",
          "vector",
          "caf\u00E9",
          "other",
          "");

  private static final List<String> STRINGS =
      List.of(
          "\"\"",
          "\"plain words of a text, longer than sixteen bytes\"",
          "\"caf\u00E9 \u4E00\u4E01\u4E02 \uD83D\uDE00\"",
          "\"a line\\nand another one \\u00e9\\ud83d\\ude00 \\\\ \\/ \\\"\"",
          "\"\\u0440\\u0443\\u0441\\u0441\\u043a\\u0438\\u0439 \u0440\u0443\u0441\"",
          "\" 2020-01-02 \"");

  private static final List<String> SCALARS =
      List.of(
          "7",
          "-12",
          "0",
          "null",
          "true",
          "false",
          "NaN",
          "Infinity",
          "-Infinity",
          "1.50",
          "-0.0",
          "2E5",
          "1e999",
          "1e-7",
          "12345678901234567890",
          "007",
          "-",
          "1.",
          ".5",
          "+1",
          "nul",
          "\"half \\ud83d\"",
          "\"half \\ude00\\ud83d x\"",
          "\"\\x\"",
          "\"\\u12G4\"",
          "\"a\tb\"",
          "\"\u007F\uFFFF\uFEFF\"");

  private final Random random;

  RandomObjects(Random random) {
    this.random = random;
  }

  /**
   * An object with all members that a document needs, by several names.
   *
   * @param hasVector whether it starts with a vector
   */
  String object(boolean hasVector) {
    String members = members(0);
    return (hasVector ? "{\"vector\":%s,".formatted(vector()) : "{") + members.substring(1);
  }

  /** Overwrites one to three bytes. */
  void damage(byte[] object) {
    for (int damage = 1 + random.nextInt(3); damage > 0; damage--) {
      object[random.nextInt(object.length)] =
          (byte) "\"\\{}[]:,u0e.- \u0001x\u00FF\u00C3\u00807".charAt(random.nextInt(20));
    }
  }

  /** A value that is a list or an object now and then, less often the deeper it is. */
  private String value(int depth) {
    int kind = random.nextInt(16 + 8 * depth);
    if (kind < 2) {
      return members(depth + 1);
    }
    if (kind < 5) {
      List<String> items = new ArrayList<>();
      boolean isPlain = random.nextBoolean();
      for (int i = random.nextInt(4); i > 0; i--) {
        items.add(isPlain ? STRINGS.get(random.nextInt(STRINGS.size())) : value(depth + 1));
      }
      return "[" + String.join(random.nextBoolean() ? "," : " , ", items) + "]";
    }
    // Plain values more often, so that many objects are read by bytes.
    int scalars = random.nextInt(4) == 0 ? SCALARS.size() : 6;
    return random.nextInt(3) == 0
        ? SCALARS.get(random.nextInt(scalars))
        : STRINGS.get(random.nextInt(STRINGS.size()));
  }

  /** A vector whose terms may have escapes, and whose weights may be refused. */
  private String vector() {
    List<String> entries = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String term = STRINGS.get(random.nextInt(STRINGS.size()));
      String weight =
          random.nextInt(8) == 0
              ? SCALARS.get(random.nextInt(SCALARS.size()))
              : List.of("7", "0", "12", "1.0", "5e1", "2.50e+2").get(random.nextInt(6));
      entries.add((random.nextBoolean() ? "\"a\"" : term) + " : " + weight);
    }
    return "{" + String.join(",", entries) + "}";
  }

  private String members(int depth) {
    List<String> members = new ArrayList<>();
    String blank = random.nextInt(4) == 0 ? " \t\r\n".substring(random.nextInt(4)) : "";
    for (int i = random.nextInt(6); i > 0; i--) {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      String colon = blank + ":" + blank;
      members.add(blank + "\"" + name + "\"" + colon + value(depth) + blank);
    }
    if (depth == 0) {
      members.add("\"id\":\"d1\"");
      members.add("\"doi\":\"d2\"");
      members.add("\"contents\":\"text\"");
      members.add("\"b\":\"text of b\"");
      Collections.shuffle(members, random);
    }
    return "{" + String.join(",", members) + "}";
  }
}
