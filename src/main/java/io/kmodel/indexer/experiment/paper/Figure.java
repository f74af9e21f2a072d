package io.kmodel.indexer.experiment.paper;

import java.util.List;

/**
 * A figure of a paper with today's measurements.
 *
 * @param id names its files
 * @param logX whether the horizontal axis is logarithmic; the vertical one likewise
 */
public record Figure(
    String id,
    String title,
    String xAxis,
    String yAxis,
    boolean logX,
    boolean logY,
    List<Line> lines) {
  public Figure {
    lines = List.copyOf(lines);
  }

  /**
   * One line, or the paper's marks.
   *
   * @param ofThePaper whether these are figures that the paper's text gives
   */
  public record Line(String name, boolean ofThePaper, List<Point> points) {
    public Line {
      points = List.copyOf(points);
    }

    /** The value at a place of the horizontal axis, NaN if no point is there. */
    double at(double x) {
      return points.stream()
          .filter(point -> point.x() == x)
          .mapToDouble(Point::y)
          .findFirst()
          .orElse(Double.NaN);
    }
  }

  /**
   * A median with its spread.
   *
   * @param least the smallest value, at most y
   */
  public record Point(double x, double y, double least, double most) {
    /** A value without a spread. */
    static Point of(double x, double y) {
      return new Point(x, y, y, y);
    }
  }

  /** The measured line of a name. */
  Line line(String name) {
    return lines.stream()
        .filter(line -> line.name().equals(name) && !line.ofThePaper())
        .findFirst()
        .orElse(new Line(name, false, List.of()));
  }
}
