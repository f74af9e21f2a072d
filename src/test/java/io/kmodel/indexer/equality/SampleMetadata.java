package io.kmodel.indexer.equality;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.parse.ParsedDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Metadata for documents: columns of each type, some full, some sparse, one without values. */
public final class SampleMetadata {
  /** In order of their names. */
  public static final ImmutableList<Column> COLUMNS =
      ImmutableList.of(
          new Column("always", ColumnType.INT),
          new Column("date", ColumnType.DATE),
          new Column("host", ColumnType.STRING),
          new Column("language", ColumnType.STRING),
          new Column("never", ColumnType.STRING),
          new Column("nothing", ColumnType.INT),
          new Column("score", ColumnType.DOUBLE),
          new Column("size", ColumnType.INT),
          new Column("unique", ColumnType.STRING));

  private static final double[] ODD = {
    -0.0, 0.0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.MIN_VALUE, -1.5
  };

  private SampleMetadata() {}

  /** The same documents with metadata. */
  public static List<ParsedDocument> with(List<ParsedDocument> documents, long seed) {
    Random random = new Random(seed);
    List<ParsedDocument> result = new ArrayList<>();
    for (ParsedDocument document : documents) {
      ColumnValues values = new ColumnValues(COLUMNS);
      fill(values, result.size(), random);
      result.add(document.withValues(values));
    }
    return result;
  }

  /** Sets the values of a document. */
  public static void fill(ColumnValues values, int number, Random random) {
    values.clear();
    values.set(0, number % 7 - 3L);
    if (random.nextInt(3) > 0) {
      values.set(1, 1_600_000_000_000L + random.nextInt(1 << 30) * 100L);
    }
    if (random.nextInt(10) > 0) {
      values.set(2, "h\u00E9" + (int) Math.exp(5 * random.nextDouble()) + ".example");
    }
    if (random.nextInt(50) == 0) {
      values.set(3, random.nextBoolean() ? "" : "\uD83D\uDE00\uFFFD");
    }
    if (random.nextInt(4) > 0) {
      double score = random.nextBoolean() ? random.nextGaussian() : ODD[random.nextInt(6)];
      values.set(6, ColumnType.sortable(score));
    }
    if (random.nextInt(4) > 0) {
      boolean isExtreme = random.nextInt(20) == 0;
      values.set(7, isExtreme ? Long.MIN_VALUE + random.nextInt(2) : random.nextInt(1000));
    }
    values.set(8, Long.toString(number * 7919L % 104_729, 36));
  }
}
