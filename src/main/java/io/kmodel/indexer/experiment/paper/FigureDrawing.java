package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.paper.Figure.Line;
import io.kmodel.indexer.experiment.paper.Figure.Point;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws a figure as SVG. Spread is a vertical stroke through its point; figures from the paper are
 * grey marks.
 */
final class FigureDrawing {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 460;

  private static final List<Color> COLORS =
      List.of(
          new Color(0x1B6CA8),
          new Color(0xC8452E),
          new Color(0x2E8B57),
          new Color(0x8A4FA3),
          new Color(0xC98A12),
          new Color(0x17808A),
          new Color(0x8C4A2F),
          new Color(0x4A4A9C));

  private static final List<Marker> MARKS =
      List.of(
          SeriesMarkers.CROSS,
          SeriesMarkers.PLUS,
          SeriesMarkers.DIAMOND,
          SeriesMarkers.SQUARE,
          SeriesMarkers.TRIANGLE_UP);

  private final XYChart chart;

  private FigureDrawing(Figure figure) {
    this.chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(figure.title())
            .xAxisTitle(figure.xAxis())
            .yAxisTitle(figure.yAxis())
            .theme(Styler.ChartTheme.Matlab)
            .build();
    chart.getStyler().setXAxisLogarithmic(figure.logX());
    chart.getStyler().setYAxisLogarithmic(figure.logY());
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    int number = 0;
    int marks = 0;
    for (Line line : figure.lines()) {
      if (line.ofThePaper()) {
        addMarks(line, MARKS.get(marks % MARKS.size()));
        marks++;
      } else if (!line.points().isEmpty()) {
        addLine(line, COLORS.get(number % COLORS.size()));
        number++;
      }
    }
  }

  /** Writes a figure that has at least one point. */
  static void write(Figure figure, OutputStream out) throws IOException {
    VectorGraphicsEncoder.saveVectorGraphic(
        new FigureDrawing(figure).chart, out, VectorGraphicsFormat.SVG);
  }

  private XYSeries add(String name, List<Point> points) {
    return chart.addSeries(
        name,
        points.stream().mapToDouble(Point::x).toArray(),
        points.stream().mapToDouble(Point::y).toArray());
  }

  private void addLine(Line line, Color color) {
    XYSeries series = add(line.name(), line.points());
    series.setLineColor(color);
    series.setMarkerColor(color);
    series.setMarker(SeriesMarkers.CIRCLE);
    List<Point> strokes = new ArrayList<>();
    for (Point point : line.points()) {
      if (point.least() < point.most()) {
        strokes.add(Point.of(point.x(), point.least()));
        strokes.add(Point.of(point.x(), point.most()));
        // Ends the stroke.
        strokes.add(Point.of(point.x(), Double.NaN));
      }
    }
    if (!strokes.isEmpty()) {
      XYSeries spread = add(line.name() + ", spread", strokes);
      spread.setShowInLegend(false);
      spread.setLineColor(color);
      spread.setLineStyle(new BasicStroke(3));
      spread.setMarker(SeriesMarkers.NONE);
    }
  }

  private void addMarks(Line line, Marker marker) {
    XYSeries marks = add(line.name() + " (paper)", line.points());
    marks.setLineColor(Color.GRAY);
    marks.setMarkerColor(Color.GRAY);
    marks.setMarker(marker);
    marks.setLineStyle(
        new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {2, 4}, 0));
  }
}
