package io.kmodel.indexer.experiment.paper;

import java.util.ArrayList;
import java.util.List;

/** A table of a paper with today's figures; each row has as many cells as there are columns. */
public record PaperTable(String id, String title, List<String> columns, List<List<String>> rows) {
  public PaperTable {
    columns = List.copyOf(columns);
    rows = rows.stream().<List<String>>map(List::copyOf).toList();
  }

  /** With columns of equal width, as text. */
  @Override
  public String toString() {
    List<List<String>> all = new ArrayList<>();
    all.add(columns);
    all.addAll(rows);
    StringBuilder text = new StringBuilder(title).append('\n');
    for (List<String> row : all) {
      text.append(' ');
      for (int column = 0; column < row.size(); column++) {
        text.append(' ').append(padded(row.get(column), width(all, column)));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static int width(List<List<String>> all, int column) {
    return all.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  /** Numbers stand on the right. */
  private static String padded(String cell, int width) {
    String space = " ".repeat(width - cell.length());
    boolean isNumber = !cell.isEmpty() && Character.isDigit(cell.charAt(0));
    return isNumber ? space + cell : cell + space;
  }
}
