package io.kmodel.indexer.index.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.math.LongMath;

/**
 * The content of an index's {@code index.json}.
 *
 * @param statistics one per field of the schema, in the same order
 * @param columns the statistics of the schema's columns, in the same order
 * @param options the build options that affect the content, such as the analyzer
 * @param files all other files of the index, by name
 */
public record IndexMetadata(
    int formatVersion,
    Schema schema,
    int documentCount,
    ImmutableList<FieldStatistics> statistics,
    ImmutableList<ColumnStatistics> columns,
    ImmutableSortedMap<String, String> options,
    ImmutableSortedMap<String, FileEntry> files) {

  /**
   * The option that says where document lengths come from. If its value is {@value #GIVEN_LENGTHS},
   * another engine computed them, and they may differ from the number of tokens recorded here.
   */
  public static final String LENGTHS_OPTION = "lengths";

  public static final String GIVEN_LENGTHS = "given";

  /**
   * One file of an index.
   *
   * @param bytes its size, including header and footer
   * @param checksum the CRC-32C in its footer
   */
  public record FileEntry(long bytes, long checksum) {}

  public IndexMetadata {
    if (statistics.size() != schema.size()) {
      throw new IllegalArgumentException(
          "%d fields, but statistics of %d".formatted(schema.size(), statistics.size()));
    }
    if (columns.size() != schema.columns().size()) {
      throw new IllegalArgumentException(
          "%d columns, but statistics of %d".formatted(schema.columns().size(), columns.size()));
    }
    if (documentCount < 0 || documentCount == Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "an index holds 0 to 2^31 - 2 documents; got " + documentCount);
    }
    for (int field = 0; field < schema.size(); field++) {
      checkDocuments(schema.field(field), statistics.get(field), documentCount);
    }
    for (ColumnStatistics column : columns) {
      if (column.documents() > documentCount) {
        throw new IllegalArgumentException(
            "a column has values in %d of %d documents"
                .formatted(column.documents(), documentCount));
      }
    }
    IndexFiles.checkNames(schema);
    if (!files.keySet().equals(IndexFiles.names(schema))) {
      throw new IllegalArgumentException(
          "an index of these fields has the files %s; got %s"
              .formatted(IndexFiles.names(schema), files.keySet()));
    }
  }

  /** An index without columns. */
  public IndexMetadata(
      int formatVersion,
      Schema schema,
      int documentCount,
      ImmutableList<FieldStatistics> statistics,
      ImmutableSortedMap<String, String> options,
      ImmutableSortedMap<String, FileEntry> files) {
    this(formatVersion, schema, documentCount, statistics, ImmutableList.of(), options, files);
  }

  /** Scoring divides by the number of documents, so it must be positive for a field with terms. */
  private static void checkDocuments(Field field, FieldStatistics found, int documentCount) {
    if (found.documents() > documentCount || (found.documents() == 0) != (found.terms() == 0)) {
      throw new IllegalArgumentException(
          "field '%s' has %d terms in %d of %d documents"
              .formatted(field.name(), found.terms(), found.documents(), documentCount));
    }
  }

  /** Total size of the files. */
  public long bytes() {
    long bytes = 0;
    for (FileEntry file : files.values()) {
      bytes = LongMath.saturatedAdd(bytes, file.bytes());
    }
    return bytes;
  }

  /** Whether lengths may differ from the number of tokens recorded. */
  public boolean hasGivenLengths() {
    return GIVEN_LENGTHS.equals(options.get(LENGTHS_OPTION));
  }
}
