package io.kmodel.indexer.index.model;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of one document, by the index of the column in a list of columns. One object serves
 * many documents, one after the other. Not thread-safe.
 */
public final class ColumnValues {
  private final ImmutableList<Column> columns;
  private final @Nullable String[] strings;
  private final long[] numbers;
  private final boolean[] there;

  public ColumnValues(ImmutableList<Column> columns) {
    this.columns = columns;
    this.strings = new @Nullable String[columns.size()];
    this.numbers = new long[columns.size()];
    this.there = new boolean[columns.size()];
  }

  public ImmutableList<Column> columns() {
    return columns;
  }

  /** Clears all values. */
  public void clear() {
    Arrays.fill(there, false);
    Arrays.fill(strings, null);
  }

  /**
   * Sets the value of a column of strings: well-formed, at most {@link Column#MAX_STRING_BYTES}.
   */
  public void set(int column, String value) {
    strings[column] = value;
    there[column] = true;
  }

  /** Sets the value of a column of numbers, in the form that {@link ColumnType} describes. */
  public void set(int column, long value) {
    numbers[column] = value;
    there[column] = true;
  }

  /** Whether the document has a value there. */
  public boolean has(int column) {
    return there[column];
  }

  /** The value of a column of numbers, which must be there. */
  public long number(int column) {
    requireValue(column);
    return numbers[column];
  }

  /** The value of a column of strings, which must be there. */
  public String string(int column) {
    requireValue(column);
    String value = strings[column];
    if (value == null) {
      throw new IllegalArgumentException(
          "column '%s' has numbers".formatted(columns.get(column).name()));
    }
    return value;
  }

  private void requireValue(int column) {
    if (!there[column]) {
      throw new IllegalArgumentException(
          "the document has no value in column '%s'".formatted(columns.get(column).name()));
    }
  }

  /** A copy that stays as it is. */
  public ColumnValues copy() {
    ColumnValues copy = new ColumnValues(columns);
    System.arraycopy(strings, 0, copy.strings, 0, strings.length);
    System.arraycopy(numbers, 0, copy.numbers, 0, numbers.length);
    System.arraycopy(there, 0, copy.there, 0, there.length);
    return copy;
  }
}
