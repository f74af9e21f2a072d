package io.kmodel.indexer.experiment.strings;

import io.kmodel.indexer.experiment.JavaOptions;
import io.kmodel.indexer.experiment.ManyKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes any number of words or sentences. Words are the distinct words of this program's own
 * documentation and sources, or made-up ones if these are not installed; more of them are two words
 * joined, or a word and a number. Sentences are the distinct lines, and more of them are the
 * beginning of one line and the end of another. Some strings are equal.
 */
public final class StringSource {
  /** How a string is made of the text's. */
  private enum Kind {
    WORDS,
    SENTENCES
  }

  private static final List<String> DIRECTORIES =
      List.of("corpus-samples", "docs", "kernels", "src/main");

  private static final Pattern FILE =
      Pattern.compile(".*\\.(md|html|txt|java|cu|cuh|h|cpp)", Pattern.DOTALL);

  private static final Pattern NO_LETTERS = Pattern.compile("[^A-Za-z0-9\\x80-\\xFF]+");

  private static final int LEAST_SENTENCE = 40;
  private static final int LEAST_WORDS = 1000;
  private static final int MADE_UP = 20_000;

  private static final List<String> SYLLABLES =
      List.of(
          "an", "be", "con", "de", "er", "for", "ing", "ka", "li", "men", "no", "or", "pre", "ra",
          "sti", "tion", "un", "ver", "wi", "y");

  /** Strings that one random generator makes. */
  private static final int PIECE = 1 << 14;

  private final Kind kind;
  private final List<byte[]> texts;
  private final String description;

  private StringSource(Kind kind, List<byte[]> texts, String description) {
    this.kind = kind;
    this.texts = texts;
    this.description = description;
  }

  /** Words, then sentences. */
  public static List<StringSource> all() throws IOException {
    return all(Path.of(System.getProperty(JavaOptions.HOME, "")));
  }

  /** The same from the installation in a directory. */
  public static List<StringSource> all(Path home) throws IOException {
    Set<String> words = new TreeSet<>();
    Set<String> sentences = new TreeSet<>();
    for (Path file : files(home)) {
      Files.readString(file, StandardCharsets.ISO_8859_1)
          .lines()
          .map(String::strip)
          .forEach(
              line -> {
                NO_LETTERS.splitAsStream(line).filter(word -> !word.isEmpty()).forEach(words::add);
                if (line.length() >= LEAST_SENTENCE) {
                  sentences.add(line);
                }
              });
    }
    String origin = "of this program's documentation and sources";
    if (words.size() < LEAST_WORDS || sentences.size() < LEAST_WORDS) {
      origin = "made up of syllables";
      words.clear();
      sentences.clear();
      makeUp(words, sentences);
    }
    return List.of(of(Kind.WORDS, words, origin), of(Kind.SENTENCES, sentences, origin));
  }

  private static StringSource of(Kind kind, Set<String> texts, String origin) {
    List<byte[]> bytes =
        texts.stream().map(text -> text.getBytes(StandardCharsets.ISO_8859_1)).toList();
    String name = kind.name().toLowerCase(Locale.ROOT);
    return new StringSource(
        kind, bytes, String.format(Locale.ROOT, "%,d %s %s", bytes.size(), name, origin));
  }

  private static List<Path> files(Path home) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String directory : DIRECTORIES) {
      Path folder = home.resolve(directory);
      if (Files.isDirectory(folder)) {
        try (Stream<Path> walk = Files.walk(folder)) {
          walk.filter(file -> FILE.matcher(file.toString()).matches())
              .filter(Files::isRegularFile)
              .forEach(files::add);
        }
      }
    }
    return files;
  }

  private static void makeUp(Set<String> words, Set<String> sentences) {
    SplittableRandom random = new SplittableRandom(1);
    List<String> all = new ArrayList<>();
    while (all.size() < MADE_UP) {
      StringBuilder word = new StringBuilder();
      for (int syllables = random.nextInt(2, 6); syllables > 0; syllables--) {
        word.append(SYLLABLES.get(random.nextInt(SYLLABLES.size())));
      }
      all.add(word.toString());
    }
    words.addAll(all);
    for (int i = 0; i < MADE_UP; i++) {
      List<String> sentence = new ArrayList<>();
      for (int length = random.nextInt(6, 20); length > 0; length--) {
        sentence.add(all.get(random.nextInt(MADE_UP)));
      }
      sentences.add(String.join(" ", sentence));
    }
  }

  /** The paper's name of such strings. */
  public String name() {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** What the strings are made of. */
  public String description() {
    return description;
  }

  /**
   * Makes strings, by all processors; deterministic for the same arguments and texts.
   *
   * @throws IllegalArgumentException if they have 2^31 bytes or more
   */
  public ByteStrings make(int count, long seed) {
    int pieces = Math.ceilDiv(count, PIECE);
    byte[][] made = new byte[pieces][];
    long[] starts = new long[count + 1];
    ManyKeys.forEachPiece(
        count,
        PIECE,
        (first, last) -> {
          int piece = (int) (first / PIECE);
          made[piece] = piece(piece, count, seed, starts);
        });
    long total = 0;
    for (int piece = 0; piece < pieces; piece++) {
      int end = Math.min(count, (piece + 1) * PIECE);
      for (int i = piece * PIECE; i < end; i++) {
        starts[i + 1] += total;
      }
      total += made[piece].length;
    }
    if (total > Integer.MAX_VALUE - Long.BYTES) {
      throw new IllegalArgumentException(
          "%d strings have %d bytes, which do not fit in an array".formatted(count, total));
    }
    byte[] bytes = new byte[(int) total + Long.BYTES];
    int at = 0;
    for (byte[] piece : made) {
      System.arraycopy(piece, 0, bytes, at, piece.length);
      at += piece.length;
    }
    return new ByteStrings(bytes, starts);
  }

  /** Makes one piece, and sets the ends of its strings within it. */
  private byte[] piece(int piece, int count, long seed, long[] starts) {
    SplittableRandom random = new SplittableRandom(seed + ((long) piece << Integer.SIZE));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int end = Math.min(count, (piece + 1) * PIECE);
    for (int i = piece * PIECE; i < end; i++) {
      byte[] text = texts.get(random.nextInt(texts.size()));
      byte[] other = texts.get(random.nextInt(texts.size()));
      if (random.nextInt(count) < texts.size()) {
        out.writeBytes(text);
      } else if (kind == Kind.SENTENCES) {
        int cut = random.nextInt(text.length);
        out.write(text, 0, cut);
        out.write(other, Math.min(cut, other.length), Math.max(0, other.length - cut));
      } else {
        out.writeBytes(text);
        out.writeBytes(
            random.nextBoolean()
                ? other
                : Integer.toString(random.nextInt(1000)).getBytes(StandardCharsets.US_ASCII));
      }
      starts[i + 1] = out.size();
    }
    return out.toByteArray();
  }
}
