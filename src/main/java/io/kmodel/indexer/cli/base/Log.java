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
 * Writes to standard error: lines for people, or events for machines. An event is a line of JSON
 * that begins with {@code "time"} and {@code "event"}. On a terminal, a status line can stand below
 * the lines. It is drawn with escape sequences only: a library that takes over the terminal, such
 * as JLine, also takes over Ctrl-C. Thread-safe.
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

  private static final String ERASE = "\r\033[K";

  private final PrintWriter err;
  private final Format format;

  /** The status line that is shown; empty if none is. */
  private String status = "";

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

  /**
   * Shows a status line on a terminal. It replaces the previous one and stays below all lines.
   *
   * @param text the line; empty removes it
   */
  public synchronized void status(String text) {
    if (!isJson()) {
      err.print(erasure() + drawing(text));
      err.flush();
      status = text;
    }
  }

  private synchronized void print(String line) {
    err.print(erasure() + line + System.lineSeparator() + drawing(status));
    err.flush();
  }

  private String erasure() {
    return status.isEmpty() ? "" : ERASE;
  }

  /** Longer text ends at the right margin, at any width of the window, instead of wrapping. */
  private static String drawing(String text) {
    return text.isEmpty() ? "" : "\033[?7l" + text + "\033[?7h";
  }
}
