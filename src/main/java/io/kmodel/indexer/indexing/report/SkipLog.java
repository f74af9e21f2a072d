package io.kmodel.indexer.indexing.report;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.record.WellFormed;
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
import org.jspecify.annotations.Nullable;

/**
 * Counts what was left out or is to be noted, by reason, and keeps the first few of each. With a
 * file, every document that was left out, is there in part, is noted, or is archived and no text
 * also gets a line of JSON in it:
 *
 * <pre>
 * {"document":"http://a.org/","file":"crawl/a.warc.gz","offset":5121,"reason":"too large","detail":"…"}
 * </pre>
 *
 * where document and offset are left out if they are unknown, or the whole file is meant. Of a
 * document and a detail of more than {@value #MOST_CHARS} characters the middle is left out, and an
 * ellipsis stands for it. Other records that hold no document are counted only. Memory: the few
 * examples, each no longer than that. Safe for many threads.
 */
public final class SkipLog implements SkipListener, AutoCloseable {
  /** Of an id, which may have megabytes, or what names one. */
  static final int MOST_CHARS = 500;

  private static final int KEPT_PER_REASON = 10;

  /** One document that was left out, in few characters. */
  public record Skipped(String place, String detail) {
    public Skipped {
      place = cut(place);
      detail = cut(detail);
    }
  }

  private final Map<SkipReason, Long> counts = new EnumMap<>(SkipReason.class);
  private final Map<SkipReason, List<Skipped>> examples = new EnumMap<>(SkipReason.class);
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

  /** A log that was closed, as it was. */
  public static SkipLog of(
      Path file, Map<SkipReason, Long> counts, Map<SkipReason, List<Skipped>> examples) {
    SkipLog log = new SkipLog(file);
    log.counts.putAll(counts);
    log.examples.putAll(examples);
    return log;
  }

  @Override
  public synchronized void skipped(Location place, SkipReason reason, String detail) {
    counts.merge(reason, 1L, Long::sum);
    List<Skipped> kept = examples.computeIfAbsent(reason, r -> new ArrayList<>());
    if (kept.size() < KEPT_PER_REASON) {
      kept.add(new Skipped(place.toString(), detail));
    }
    if (lines != null && isListed(reason)) {
      Location listed = new Location(place.file(), place.offset(), cut(place.document()));
      String why = cut(detail);
      listener.skipped(listed, reason, why);
      try {
        write(lines, listed, reason, why);
      } catch (IOException e) {
        throw new UncheckedIOException("%s: %s".formatted(file, e.getMessage()), e);
      }
    }
  }

  /**
   * Without the middle of what is long, and with whole characters only: what a parser says of a
   * damaged record may hold half of one, and neither the lines nor a report could be written then.
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

  /** Pages that are no text are listed, though no document is missing: it might be an error. */
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

  /** Adds what another log has counted. */
  synchronized void addAll(SkipLog other) {
    other.counts().forEach((reason, count) -> counts.merge(reason, count, Long::sum));
    other
        .examples()
        .forEach(
            (reason, more) -> {
              List<Skipped> kept = examples.computeIfAbsent(reason, r -> new ArrayList<>());
              more.stream().limit(KEPT_PER_REASON - kept.size()).forEach(kept::add);
            });
  }

  /** Where the lines are; null for a log in memory alone. */
  @Nullable
  public Path file() {
    return file;
  }

  /** Appends the lines of a closed log. */
  void copyTo(OutputStream out) throws IOException {
    if (file != null) {
      Files.copy(file, out);
    }
  }

  /** Documents that are missing. */
  public synchronized long total() {
    return total(SkipReason.Kind.LOST);
  }

  /** How many, of a kind. */
  synchronized long total(SkipReason.Kind kind) {
    return counts.entrySet().stream()
        .filter(e -> e.getKey().kind() == kind)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** How many, by reason. */
  public synchronized Map<SkipReason, Long> counts() {
    return new EnumMap<>(counts);
  }

  public synchronized Map<SkipReason, List<Skipped>> examples() {
    Map<SkipReason, List<Skipped>> copy = new EnumMap<>(SkipReason.class);
    examples.forEach((reason, kept) -> copy.put(reason, List.copyOf(kept)));
    return copy;
  }

  /** Ends the file. */
  @Override
  public void close() throws IOException {
    if (lines != null) {
      lines.close();
    }
  }
}
