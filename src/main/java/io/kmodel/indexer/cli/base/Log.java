package io.kmodel.indexer.cli.base;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kmodel.indexer.indexing.report.Json;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Writes to standard error, except for bars on a terminal: lines for people, or events for
 * machines. An event is a line of JSON that begins with {@code "time"} and {@code "event"}.
 * Thread-safe.
 */
public final class Log {
  /** The output format. */
  public enum Format {
    TEXT,
    JSON
  }

  /** The root command of a call, which has its log. */
  public interface Owner {
    /** The log of the call. */
    Log log();
  }

  private final PrintWriter err;
  private final Format format;

  public Log(PrintWriter err, Format format) {
    this.err = err;
    this.format = format;
  }

  /** The log of the call that a command belongs to. */
  public static Log of(CommandSpec command) {
    return ((Owner) command.root().userObject()).log();
  }

  /** Creates a log in a format that may not have been checked yet; an unknown format means text. */
  public static Log named(PrintWriter err, @Nullable String format) {
    boolean json = format != null && format.toUpperCase(Locale.ROOT).equals(Format.JSON.name());
    return new Log(err, json ? Format.JSON : Format.TEXT);
  }

  public boolean isJson() {
    return format == Format.JSON;
  }

  /** Writes a line in text format only. */
  public void line(String text) {
    if (!isJson()) {
      print(Visible.lines(text));
    }
  }

  /** Writes an event in JSON format only. */
  public void event(String name, Map<String, ?> members) {
    if (!isJson()) {
      return;
    }
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
    event.put("event", name);
    event.putAll(members);
    try {
      print(Json.MAPPER.writeValueAsString(event));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(name + " cannot be written as JSON", e);
    }
  }

  /** Reports something that is not a failure. */
  public void note(String message) {
    line("indexer: " + message);
    event("note", Map.of("message", message));
  }

  public void warning(String message) {
    line("indexer: warning: " + message);
    event("warning", Map.of("message", message));
  }

  /** Reports the failure that ends a command. */
  public void error(String message, int exitCode) {
    line("indexer: " + message);
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("message", message);
    members.put("exitCode", exitCode);
    event("error", members);
  }

  private synchronized void print(String line) {
    err.println(line);
    err.flush();
  }
}
