package io.kmodel.indexer.indexing.report;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.parse.metadata.UnreadValue;
import io.kmodel.indexer.source.JsonCounts;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.record.WellFormed;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts skipped and noted documents by reason, and keeps the first few of each. If it has a file,
 * it writes a line of JSON for each document that is skipped, truncated, noted, or archived without
 * being text:
 *
 * <pre>
 * {"document":"http://a.org/","file":"crawl/a.warc.gz","offset":5121,"reason":"too large","detail":"…"}
 * </pre>
 *
 * Document and offset are omitted if they are unknown, or if the whole file is meant. The detail
 * about a row of Parquet starts with the row. If a document or detail has more than {@value
 * #MOST_CHARS} characters, an ellipsis replaces its middle. Other records without a document are
 * only counted. Memory: the examples. Safe for many threads.
 */
public final class SkipLog implements SkipListener, AutoCloseable {
  /** The most characters of a name or detail; ids can have megabytes. */
  static final int MOST_CHARS = 500;

  /** The most examples of a reason. */
  static final int KEPT_PER_REASON = 10;

  /** A skipped document, shortened. */
  public record Skipped(String place, String detail) {
    public Skipped {
      place = cut(place);
      detail = cut(detail);
    }
  }

  private final Map<SkipReason, Long> counts = new EnumMap<>(SkipReason.class);
  private final Map<SkipReason, List<Skipped>> examples = new EnumMap<>(SkipReason.class);

  /** Numbers of metadata values that could not be read, by column and problem. */
  private final Map<String, Long> unread = new TreeMap<>();

  /** Numbers of JSON members that are not read, by name. */
  private final Map<String, Long> unused = new TreeMap<>();

  private final JsonCounts objects = new JsonCounts();

  private final @Nullable Path file;
  private final @Nullable JsonGenerator lines;
  private final SkipListener listener;

  /** A log in memory alone. */
  public SkipLog() {
    this.file = null;
    this.lines = null;
    this.listener = SkipListener.NONE;
  }

  /**
   * A log with a file, which is created.
   *
   * @param listener is told what gets a line in the file
   */
  public SkipLog(Path file, SkipListener listener) throws IOException {
    this.file = file;
    this.listener = listener;
    this.lines =
        ReportJson.FACTORY
            .createGenerator(NamingOutput.create(file), JsonEncoding.UTF8)
            .setRootValueSeparator(null);
  }

  private SkipLog(Path file) {
    this.file = file;
    this.lines = null;
    this.listener = SkipListener.NONE;
  }

  /** Restores a closed log. */
  public static SkipLog of(
      Path file,
      Map<SkipReason, Long> counts,
      Map<String, Long> unread,
      Map<String, Long> unused,
      JsonCounts objects,
      Map<SkipReason, List<Skipped>> examples) {
    SkipLog log = new SkipLog(file);
    log.counts.putAll(counts);
    log.unread.putAll(unread);
    log.unused.putAll(unused);
    log.objects.addAll(objects);
    log.examples.putAll(examples);
    return log;
  }

  @Override
  public void skipped(Location place, SkipReason reason, String detail) {
    skipped(place, reason, detail, 1);
  }

  @Override
  public synchronized void skipped(
      Location place, SkipReason reason, String detail, long documents) {
    counts.merge(reason, documents, Long::sum);
    List<Skipped> kept = examples.computeIfAbsent(reason, r -> new ArrayList<>());
    if (kept.size() < KEPT_PER_REASON) {
      kept.add(new Skipped(place.toString(), detail));
    }
    if (lines != null && isListed(reason)) {
      Location listed = new Location(place.file(), place.offset(), cut(place.document()));
      String why = cut(place.row().isEmpty() ? detail : place.row() + ": " + detail);
      listener.skipped(listed, reason, why);
      try {
        write(lines, listed, reason, why);
      } catch (IOException e) {
        throw new UncheckedIOException("%s: %s".formatted(file, e.getMessage()), e);
      }
    }
  }

  @Override
  public synchronized void unused(Map<String, Long> members) {
    members.forEach((name, count) -> unused.merge(name, count, Long::sum));
  }

  @Override
  public synchronized void objects(JsonCounts counts) {
    objects.addAll(counts);
  }

  /** Notes metadata of a document that could not be read. */
  public synchronized void unread(Location place, UnreadValue value) {
    String what = "%s: %s".formatted(value.column(), value.problem());
    unread.merge(what, 1L, Long::sum);
    skipped(place, SkipReason.UNREAD_VALUE, "%s: '%s'".formatted(what, value.value()));
  }

  /**
   * Shortens long text and replaces half characters: a parser may quote half a surrogate pair of a
   * damaged record, which JSON could not hold.
   */
  static String cut(String text) {
    if (text.length() <= MOST_CHARS) {
      return WellFormed.text(text);
    }
    int head = MOST_CHARS / 2;
    int tail = text.length() - (MOST_CHARS - 1 - head);
    if (Character.isSurrogatePair(text.charAt(head - 1), text.charAt(head))) {
      head--;
    }
    if (Character.isSurrogatePair(text.charAt(tail - 1), text.charAt(tail))) {
      tail++;
    }
    return WellFormed.text(text.substring(0, head) + "…" + text.substring(tail));
  }

  /**
   * Archived pages that are not text are listed, too: that may be a mistake, although no document
   * is missing.
   */
  private static boolean isListed(SkipReason reason) {
    return reason.kind() != SkipReason.Kind.PASSED || reason == SkipReason.NOT_TEXT;
  }

  private static void write(JsonGenerator out, Location place, SkipReason reason, String detail)
      throws IOException {
    out.writeStartObject();
    if (!place.document().isEmpty()) {
      out.writeStringField("document", place.document());
    }
    out.writeStringField("file", place.file());
    if (place.offset() >= 0) {
      out.writeNumberField("offset", place.offset());
    }
    out.writeStringField("reason", reason.label());
    out.writeStringField("detail", detail);
    out.writeEndObject();
    out.writeRaw('\n');
  }

  /** Adds the counts and examples of another log. */
  synchronized void addAll(SkipLog other) {
    other.counts().forEach((reason, count) -> counts.merge(reason, count, Long::sum));
    other.unread().forEach((what, count) -> unread.merge(what, count, Long::sum));
    unused(other.unused());
    objects(other.objects());
    other
        .examples()
        .forEach(
            (reason, more) -> {
              List<Skipped> kept = examples.computeIfAbsent(reason, r -> new ArrayList<>());
              more.stream().limit(KEPT_PER_REASON - kept.size()).forEach(kept::add);
            });
  }

  /** The file of the lines; null for a log in memory. */
  @Nullable
  public Path file() {
    return file;
  }

  /** Joins the files of closed logs, in their order, to a new one, and forces it to disk. */
  public static void join(List<Path> files, Path target) throws IOException {
    try (OutputStream out = NamingOutput.create(target)) {
      for (Path file : files) {
        Files.copy(file, out);
      }
    }
    Directories.forceContent(target);
  }

  /** Number of skipped documents. */
  public synchronized long total() {
    return total(SkipReason.Kind.LOST);
  }

  /** Number of documents with a reason of this kind. */
  synchronized long total(SkipReason.Kind kind) {
    return counts.entrySet().stream()
        .filter(e -> e.getKey().kind() == kind)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Numbers of documents by reason. */
  public synchronized Map<SkipReason, Long> counts() {
    return new EnumMap<>(counts);
  }

  /** Numbers of metadata values that could not be read, by column and problem. */
  public synchronized Map<String, Long> unread() {
    return new TreeMap<>(unread);
  }

  /** Numbers of JSON members that are not read, by name. */
  public synchronized Map<String, Long> unused() {
    return new TreeMap<>(unused);
  }

  /** How JSON objects were read. */
  public synchronized JsonCounts objects() {
    return JsonCounts.of(objects.fast(), objects.unsure());
  }

  public synchronized Map<SkipReason, List<Skipped>> examples() {
    Map<SkipReason, List<Skipped>> copy = new EnumMap<>(SkipReason.class);
    examples.forEach((reason, kept) -> copy.put(reason, List.copyOf(kept)));
    return copy;
  }

  /** Closes the file. */
  @Override
  public void close() throws IOException {
    if (lines != null) {
      lines.close();
    }
  }
}
