package io.kmodel.indexer.search;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

  private static final int MOST_LINKS = 40;
  private static final Path DEVICES = Path.of("/dev");
  private static final Path PROCESSES = Path.of("/proc");

  /** What the system calls the standard output of the process that asks, whatever its number. */
  private static final Pattern STANDARD = Pattern.compile("/dev/stdout|/(dev|proc/[^/]+)/fd/1");

  private static final Comparator<Hit> ORDER =
      Comparator.comparingDouble((Hit hit) -> -hit.score()).thenComparingInt(Hit::docId);

  private final Path target;

  /** What is written to; the target itself where that cannot be replaced. */
  private final Path written;

  private final BufferedWriter out;
  private final boolean standard;
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
    Path open = openFile(file);
    this.standard = open != null && STANDARD.matcher(open.toString()).matches();
    if (open != null) {
      this.target = open;
      this.written = open;
      this.out = writer(standard ? standardOutput() : Files.newOutputStream(open, WRITE, APPEND));
      return;
    }
    this.target = Files.isRegularFile(file) ? file.toRealPath() : file;
    if (Files.isRegularFile(target) || !Files.exists(target)) {
      this.written = target.resolveSibling(temporaryName(target));
      this.out = writer(Files.newOutputStream(written, CREATE_NEW, WRITE));
    } else {
      this.written = target;
      this.out = writer(Files.newOutputStream(target, WRITE));
    }
  }

  private static BufferedWriter writer(OutputStream stream) {
    return new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
  }

  /** No other process's, and no file that somebody has called so. */
  private static String temporaryName(Path target) {
    return "%s.%d%s"
        .formatted(target.getFileName(), ProcessHandle.current().pid(), TEMPORARY_SUFFIX);
  }

  /** The name by which the system lets the process reach what it has open; null if it is none. */
  private static @Nullable Path openFile(Path file) throws IOException {
    Path at = file.toAbsolutePath().normalize();
    for (int links = 0; links < MOST_LINKS && Files.isSymbolicLink(at); links++) {
      if (at.startsWith(DEVICES) || at.startsWith(PROCESSES)) {
        return at;
      }
      at = at.resolveSibling(Files.readSymbolicLink(at)).normalize();
    }
    return null;
  }

  /** Closing the run leaves it open. */
  private static OutputStream standardOutput() {
    return new FilterOutputStream(new FileOutputStream(FileDescriptor.out)) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        out.flush();
      }
    };
  }

  /** Whether it is written to standard output, where nothing else should be then. */
  public boolean isStandardOutput() {
    return standard;
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
