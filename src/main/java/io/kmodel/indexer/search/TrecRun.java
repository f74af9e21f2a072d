package io.kmodel.indexer.search;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.WRITE;

import io.kmodel.indexer.store.NamingOutput;
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
 * Writes a run as trec_eval reads it: {@code topic Q0 docid rank score tag}, a line each. Hits of a
 * topic are ranked by score, equal scores by docId; ranks count from 1; a score is written with as
 * many digits as tell it from its neighbours, in every locale alike. White space in a docid, which
 * the format has no room for, is percent-encoded. Text is UTF-8. The run has a temporary name
 * beside its own until {@link #commit}; closed before that, it leaves nothing. What is there but no
 * regular file (a pipe, a terminal) is written to directly, and so is what the process has open, by
 * a name such as /dev/stdout: a file that it leads to is somebody else's, and gets the run at its
 * end. Not thread-safe.
 *
 * <pre>301 Q0 docs/policy.html 1 12.25 bm25</pre>
 */
public final class TrecRun implements AutoCloseable {
  private static final String TEMPORARY_SUFFIX = ".tmp";

  private static final int MOST_TEMPORARY = 100;
  private static final int MOST_LINKS = 40;

  /** What the system calls the standard output of the process that asks. */
  private static final Pattern STANDARD = open("stdout|fd/1", "1");

  /** The same of all that it has open. */
  private static final Pattern OPEN = open("stdin|stdout|stderr|fd/[0-9]+", "[0-9]+");

  private static final Comparator<Hit> ORDER =
      Comparator.comparingDouble((Hit hit) -> -hit.score()).thenComparingInt(Hit::docId);

  private final Path target;

  /** What is written to; the target itself where that cannot be replaced. */
  private final Path written;

  private final Writer out;
  private final String tag;
  private long repeatedIds;

  /**
   * Starts a run.
   *
   * @param file replaced by {@link #commit} where there is one; a link stays, its file is replaced
   * @param tag names the run; one word
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
   * Starts a run that is written somewhere at once.
   *
   * @param out is flushed, and stays open
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

  /** Whether a path is one of the names of this process's standard output, or a link to one. */
  public static boolean isStandardOutput(Path file) throws IOException {
    return openFile(file, STANDARD) != null;
  }

  private static Pattern open(String device, String number) {
    return Pattern.compile(
        "/dev/(%s)|/proc/(self|thread-self|%d)/(task/[0-9]+/)?fd/(%s)"
            .formatted(device, ProcessHandle.current().pid(), number));
  }

  /** Writes to a file whose failures are said to be the target's. */
  private static Writer writer(Path target, Path file, OpenOption... how) throws IOException {
    OutputStream out = new NamingOutput(target, Files.newOutputStream(file, how));
    return new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8.newEncoder()));
  }

  /** Makes a file beside another, whose name nothing has: what is called so may be somebody's. */
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

  /** The same failure by the name that was asked for; nobody knows the temporary one. */
  private static FileSystemException unmakable(Path target, FileSystemException e) {
    String file = target.toString();
    FileSystemException failure =
        switch (e) {
          case AccessDeniedException denied -> new AccessDeniedException(file);
          case NoSuchFileException missing ->
              new FileSystemException(file, null, "there is no such directory");
          default -> new FileSystemException(file, null, e.getReason());
        };
    failure.initCause(e);
    return failure;
  }

  /** The first of such names, of a path and what links lead to; null if there is none. */
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
        return null; // another user's
      }
    }
    return null;
  }

  /** Writes the hits of one topic. */
  public void write(String topic, List<Hit> hits) throws IOException {
    requireWord("a topic's id", topic);
    Set<String> ids = new HashSet<>();
    int rank = 0;
    for (Hit hit : hits.stream().sorted(ORDER).toList()) {
      rank++;
      String id = encode(hit.id());
      repeatedIds += ids.add(id) ? 0 : 1;
      out.write(topic + " Q0 " + id + " " + rank + " " + hit.score() + " " + tag + "\n");
    }
  }

  /** Lines written with a docid that their topic has had before; trec_eval refuses such a run. */
  public long repeatedIds() {
    return repeatedIds;
  }

  /** Ends the run and gives it its name. */
  public void commit() throws IOException {
    out.close();
    if (!written.equals(target)) {
      Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Gives the run up unless it was committed. */
  @Override
  public void close() throws IOException {
    out.close();
    if (!written.equals(target)) {
      Files.deleteIfExists(written);
    }
  }

  private static String encode(String id) {
    if (id.chars().noneMatch(TrecRun::isSpace)) {
      return id;
    }
    StringBuilder encoded = new StringBuilder();
    id.chars()
        .forEach(
            c -> {
              if (isSpace(c)) {
                encoded.append('%').append(hex(c >>> 4)).append(hex(c));
              } else {
                encoded.append((char) c);
              }
            });
    return encoded.toString();
  }

  /** What C's isspace is true of, which is what trec_eval separates columns by. */
  private static boolean isSpace(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
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
