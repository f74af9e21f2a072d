package io.kmodel.indexer.search;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.WRITE;

import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.BufferedWriter;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run in trec_eval's format, one line {@code topic Q0 docid rank score tag} per hit. A
 * topic's hits are ranked by score, equal scores in the given order; ranks count from 1. A score
 * has as many digits as distinguish it from its neighbors, in every locale. The format cannot hold
 * white space in a docid, and a terminal would obey control characters, so both are
 * percent-encoded. Text is UTF-8.
 *
 * <p>The run has a temporary name in the same directory until {@link #commit}; closing it earlier
 * deletes it. An existing file that is not a regular one (a pipe, a terminal) is written directly.
 * So is an open file of this process, given by a name such as /dev/stdout: its target belongs to
 * someone else, so the run is appended to it. Not thread-safe.
 *
 * <pre>301 Q0 docs/policy.html 1 12.25 bm25</pre>
 */
public final class TrecRun implements AutoCloseable {
  private static final String TEMPORARY_SUFFIX = ".tmp";

  private static final int MOST_TEMPORARY = 100;
  private static final int MOST_LINKS = 40;

  /** Names of the calling process's standard output. */
  private static final Pattern STANDARD = open("stdout|fd/1", "1");

  /** Names of all open files of the calling process. */
  private static final Pattern OPEN = open("stdin|stdout|stderr|fd/[0-9]+", "[0-9]+");

  private static final Comparator<Hit> BEST_FIRST =
      Comparator.comparingDouble((Hit hit) -> -hit.score());

  private final Path target;

  /** The file written to; the target itself if that cannot be replaced. */
  private final Path written;

  private final Writer out;
  private final String tag;
  private long repeatedIds;

  /**
   * Starts a run.
   *
   * @param file created or replaced by {@link #commit}; if it is a link, its target is replaced
   * @param tag name of the run; one word
   */
  public TrecRun(Path file, String tag) throws IOException {
    requireWord("a run's tag", tag);
    this.tag = tag;
    Path open = openFile(file, OPEN);
    if (open != null) {
      this.target = open;
      this.written = open;
      this.out = writer(open, open, WRITE, APPEND);
      return;
    }
    this.target = Files.isRegularFile(file) ? file.toRealPath() : file;
    if (Files.isRegularFile(target) || !Files.exists(target)) {
      this.written = temporary(target);
      this.out = writer(target, written, WRITE);
    } else {
      this.written = target;
      this.out = writer(target, target, WRITE);
    }
  }

  /**
   * Starts a run that is written directly to a writer.
   *
   * @param out flushed on close, but not closed
   */
  public TrecRun(Writer out, String tag) {
    requireWord("a run's tag", tag);
    this.tag = tag;
    this.target = Path.of("");
    this.written = target;
    this.out =
        new FilterWriter(out) {
          @Override
          public void close() throws IOException {
            out.flush();
          }
        };
  }

  /** Whether a path is a name of this process's standard output, or a link to one. */
  public static boolean isStandardOutput(Path file) throws IOException {
    return openFile(file, STANDARD) != null;
  }

  private static Pattern open(String device, String number) {
    return Pattern.compile(
        "/dev/(%s)|/proc/(self|thread-self|%d)/(task/[0-9]+/)?fd/(%s)"
            .formatted(device, ProcessHandle.current().pid(), number));
  }

  /** Opens a file; error messages name the target instead. */
  private static Writer writer(Path target, Path file, OpenOption... how) throws IOException {
    OutputStream out = new NamingOutput(target, Files.newOutputStream(file, how));
    return new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8.newEncoder()));
  }

  /** Creates a file next to the target under an unused name, to keep existing files intact. */
  private static Path temporary(Path target) throws IOException {
    long pid = ProcessHandle.current().pid();
    for (int i = 0; ; i++) {
      String name = "%s.%d-%d%s".formatted(target.getFileName(), pid, i, TEMPORARY_SUFFIX);
      try {
        return Files.createFile(target.resolveSibling(name));
      } catch (FileAlreadyExistsException e) {
        if (i == MOST_TEMPORARY) {
          throw e;
        }
      } catch (FileSystemException e) {
        throw unmakable(target, e);
      }
    }
  }

  /** Restates a failure with the name that the user gave instead of the temporary one. */
  private static FileSystemException unmakable(Path target, FileSystemException e) {
    String file = target.toString();
    FileSystemException failure =
        switch (e) {
          case AccessDeniedException denied -> new AccessDeniedException(file);
          case NoSuchFileException missing ->
              new FileSystemException(file, null, "no such directory");
          default -> new FileSystemException(file, null, e.getReason());
        };
    failure.initCause(e);
    return failure;
  }

  /** The first path matching the pattern, following links from a path; null if none matches. */
  private static @Nullable Path openFile(Path file, Pattern names) throws IOException {
    Path at = file.toAbsolutePath();
    for (int links = 0; links < MOST_LINKS; links++) {
      if (names.matcher(at.normalize().toString()).matches()) {
        return at;
      }
      if (!Files.isSymbolicLink(at)) {
        return null;
      }
      try {
        at = at.resolveSibling(Files.readSymbolicLink(at));
      } catch (AccessDeniedException e) {
        return null; // It belongs to another user.
      }
    }
    return null;
  }

  /** Writes the hits of one topic. */
  public void write(String topic, List<Hit> hits) throws IOException {
    requireWord("a topic's id", topic);
    Set<String> ids = new HashSet<>();
    int rank = 0;
    for (Hit hit : hits.stream().sorted(BEST_FIRST).toList()) {
      rank++;
      String id = encode(hit.id());
      repeatedIds += ids.add(id) ? 0 : 1;
      out.write(topic + " Q0 " + id + " " + rank + " " + hit.score() + " " + tag + "\n");
    }
  }

  /** Lines whose docid the topic already has; trec_eval rejects a run with such lines. */
  public long repeatedIds() {
    return repeatedIds;
  }

  /** Completes the run and renames it. */
  public void commit() throws IOException {
    out.close();
    if (!written.equals(target)) {
      Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Discards the run unless it was committed. */
  @Override
  public void close() throws IOException {
    try {
      out.close();
    } finally {
      if (!written.equals(target)) {
        Files.deleteIfExists(written);
      }
    }
  }

  private static String encode(String id) {
    if (id.chars().noneMatch(TrecRun::isEncoded)) {
      return id;
    }
    StringBuilder encoded = new StringBuilder();
    id.chars()
        .forEach(
            c -> {
              if (isEncoded(c)) {
                encoded.append('%').append(hex(c >>> 4)).append(hex(c));
              } else {
                encoded.append((char) c);
              }
            });
    return encoded.toString();
  }

  /** Whether it is a space, which trec_eval separates columns by, or a control character. */
  private static boolean isEncoded(int c) {
    return c <= ' ' || c == 0x7F;
  }

  private static char hex(int nibble) {
    return Character.toUpperCase(Character.forDigit(nibble & 0xF, 16));
  }

  private static void requireWord(String what, String word) {
    if (word.isEmpty() || word.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException(what + " must be one word; got '" + word + "'");
    }
  }
}
