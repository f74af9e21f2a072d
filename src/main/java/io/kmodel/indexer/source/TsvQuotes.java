package io.kmodel.indexer.source;

/** What quotation marks around a field of tab-separated values mean. */
public enum TsvQuotes {
  /** As {@link #YES} in a list whose first line names its columns, else as {@link #NO}. */
  AUTO,
  /** They enclose the field, as in CSV: a tab or a line feed within them is text. */
  YES,
  /** They are characters of the field. */
  NO;

  /**
   * Whether fields may be quoted.
   *
   * @param hasHeader whether the list's first line names its columns
   */
  public boolean apply(boolean hasHeader) {
    return this == YES || (this == AUTO && hasHeader);
  }
}
