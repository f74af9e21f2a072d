package io.kmodel.indexer.experiment.paper;

import com.fasterxml.jackson.core.JacksonException;
import com.google.common.html.HtmlEscapers;
import io.kmodel.indexer.indexing.report.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a report to a directory: {@code NAME.json} with everything, {@code NAME.csv} with the
 * points of all figures, an SVG for each figure, and {@code NAME.html} with all of them.
 */
public final class PaperFiles {
  private final Path directory;
  private final String name;

  /**
   * Creates the directory if it is missing.
   *
   * @param name of the paper; names the files
   */
  public PaperFiles(Path directory, String name) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.name = name;
  }

  /**
   * Reads a report that was written as JSON.
   *
   * @throws IllegalArgumentException if the file holds something else
   */
  public static PaperReport read(Path json) throws IOException {
    byte[] bytes = Files.readAllBytes(json);
    try {
      return Json.MAPPER.readValue(bytes, PaperReport.class);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          json + " is not a report that --paper with --output wrote as JSON", e);
    }
  }

  public Path page() {
    return directory.resolve(name + ".html");
  }

  public Path json() {
    return directory.resolve(name + ".json");
  }

  /**
   * Writes all files.
   *
   * @return why the figures were not drawn, or empty if they were
   */
  public Optional<String> write(PaperReport report) throws IOException {
    Files.write(json(), Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(report));
    Files.writeString(directory.resolve(name + ".csv"), csv(report));
    List<String> drawings = new ArrayList<>();
    Optional<String> obstacle = draw(report, drawings);
    Files.writeString(page(), page(report, drawings));
    return obstacle;
  }

  static String csv(PaperReport report) {
    StringBuilder text = new StringBuilder("figure,line,paper,x axis,x,unit,median,least,most\n");
    for (Figure figure : report.figures()) {
      for (Figure.Line line : figure.lines()) {
        for (Figure.Point point : line.points()) {
          text.append(
              String.format(
                  Locale.ROOT,
                  "%s,\"%s\",%s,%s,%s,%s,%s,%s,%s\n",
                  figure.id(),
                  line.name(),
                  line.ofThePaper() ? "yes" : "no",
                  figure.xAxis(),
                  plain(point.x()),
                  figure.yAxis(),
                  plain(point.y()),
                  plain(point.least()),
                  plain(point.most())));
        }
      }
    }
    return text.toString();
  }

  /** With seven digits, and without an exponent. */
  private static String plain(double value) {
    return new BigDecimal(value).round(new MathContext(7)).stripTrailingZeros().toPlainString();
  }

  private Optional<String> draw(PaperReport report, List<String> drawings) throws IOException {
    if (ModuleLayer.boot().findModule("java.desktop").isEmpty()) {
      return Optional.of("this Java runtime has no java.desktop");
    }
    System.setProperty("java.awt.headless", "true");
    try {
      for (Figure figure : report.figures()) {
        ByteArrayOutputStream svg = new ByteArrayOutputStream();
        FigureDrawing.write(figure, svg);
        Files.write(directory.resolve(name + "-" + figure.id() + ".svg"), svg.toByteArray());
        drawings.add(svg.toString(StandardCharsets.UTF_8));
      }
      return Optional.empty();
    } catch (LinkageError | InternalError e) {
      // Java has libraries for fonts but the system may lack others that these need.
      drawings.clear();
      return Optional.of("Java cannot draw text here: " + e.getMessage());
    }
  }

  /** A page that needs no other file. */
  private static String page(PaperReport report, List<String> drawings) {
    StringBuilder page = new StringBuilder();
    page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
        .append(escaped(report.paper()))
        .append("</title><style>body{font:15px sans-serif;max-width:60em;margin:2em auto}")
        .append("td,th{padding:.15em .7em;text-align:right}td:first-child{text-align:left}")
        .append("</style></head><body>\n<h1>")
        .append(escaped(report.paper()))
        .append("</h1>\n<p>");
    for (Map.Entry<String, String> entry : report.machine().entrySet()) {
      page.append(escaped(entry.getKey() + ": " + entry.getValue())).append("<br>\n");
    }
    page.append("</p>\n<p>Points are medians of the rounds; strokes go from the least to the most.")
        .append(" Grey marks are figures of the paper, or computed from them.</p>\n");
    for (String finding : report.findings()) {
      page.append("<p>").append(escaped(finding)).append("</p>\n");
    }
    for (String drawing : drawings) {
      // Without the XML declaration and the document type, which only begin a file.
      page.append(drawing.substring(drawing.indexOf("<svg"))).append('\n');
    }
    for (PaperTable table : report.tables()) {
      page.append("<h2>").append(escaped(table.title())).append("</h2>\n<table>");
      row(page, "th", table.columns());
      table.rows().forEach(row -> row(page, "td", row));
      page.append("</table>\n");
    }
    return page.append("</body></html>\n").toString();
  }

  private static void row(StringBuilder page, String element, List<String> cells) {
    page.append("<tr>");
    for (String cell : cells) {
      page.append("<%1$s>%2$s</%1$s>".formatted(element, escaped(cell)));
    }
    page.append("</tr>\n");
  }

  private static String escaped(String text) {
    return HtmlEscapers.htmlEscaper().escape(text);
  }
}
