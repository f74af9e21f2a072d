package io.kmodel.indexer.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kmodel.indexer.build.Json;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What goes to standard error, but for bars on a terminal: lines for people, or events for
 * machines, a line of JSON each, which begins with {@code "time"} and {@code "event"}. Safe for
 * many threads.
 */
final class Log {
  /** How it is written. */
  enum Format {
    TEXT,
    JSON
  }

  private final PrintWriter err;
  private final Format format;

  Log(PrintWriter err, Format format) {
    this.err = err;
    this.format = format;
  }

  /** A log in a format that may not have been checked yet: text, if it is none. */
  static Log named(PrintWriter err, @Nullable String format) {
    boolean json = format != null && format.toUpperCase(Locale.ROOT).equals(Format.JSON.name());
    return new Log(err, json ? Format.JSON : Format.TEXT);
  }

  boolean isJson() {
    return format == Format.JSON;
  }

  /** A line for people only. */
  void line(String text) {
    if (!isJson()) {
      print(Visible.lines(text));
    }
  }

  /** Something that people are told in another way, or not at all. */
  void event(String name, Map<String, ?> members) {
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

  /** Something that people are told at once, and that is no failure. */
  void note(String message) {
    line("indexer: " + message);
    event("note", Map.of("message", message));
  }

  void warning(String message) {
    line("indexer: warning: " + message);
    event("warning", Map.of("message", message));
  }

  /** The end of a command that has failed. */
  void error(String message, int exitCode) {
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
