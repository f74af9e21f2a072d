package io.kmodel.indexer.experiment.strings;

/** A sorter of strings in a race. */
public interface StringContestant extends AutoCloseable {
  /**
   * How long a sort took.
   *
   * @param sort seconds of the sort itself
   * @param withCopies seconds with the copies to a device and back, if there are any
   */
  record Seconds(double sort, double withCopies) {}

  String name();

  /** Takes strings over, outside the time. */
  void load(ByteStrings strings);

  Seconds sort();

  /** The numbers of the strings, sorted. */
  int[] order();

  @Override
  default void close() {}
}
