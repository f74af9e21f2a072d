package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.order.DocumentOrder;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.store.disk.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Checks indexes that are to be merged. */
final class MergeChecks {
  /** Open files of a few parts of the merged index, and of its other files. */
  private static final int FILES_OF_PARTS = 40;

  private MergeChecks() {}

  /**
   * Requires that all indexes differ, and are apart from the output.
   *
   * @param inPlace whether the output is the first index
   */
  static void requireDifferent(List<Path> indexes, Path output, boolean inPlace)
      throws IOException {
    Set<Path> known = new HashSet<>();
    for (Path index : indexes) {
      if (!known.add(Places.real(index))) {
        throw new BuildException(index + " is given twice");
      }
      if (!(inPlace && known.size() == 1) && Places.meet(index, output)) {
        throw new BuildException(
            "the index %s and the output %s must not contain each other".formatted(index, output));
      }
    }
  }

  /** Requires that another index can be opened, with as many files as those before, and parts. */
  static void requireFiles(List<InvertedIndex> open, int all) {
    int files = open.stream().mapToInt(index -> index.metadata().files().size()).max().orElse(0);
    if (FreeFiles.count() < files + FILES_OF_PARTS) {
      throw new BuildException(
          "only %d of %d indexes can be merged at a time with the files that may be open: raise ulimit -n"
              .formatted(open.size(), all));
    }
  }

  /** Requires that two indexes have the same fields and options, so that one build makes both. */
  static void requireSame(InvertedIndex first, InvertedIndex other) {
    List<String> fields = fields(first);
    List<String> others = fields(other);
    if (!fields.equals(others)) {
      throw new BuildException(
          "%s and %s have different fields: %s; %s"
              .formatted(
                  first.directory(),
                  other.directory(),
                  without(fields, others),
                  without(others, fields)));
    }
    List<String> columns = columns(first);
    List<String> otherColumns = columns(other);
    if (!columns.equals(otherColumns)) {
      throw new BuildException(
          "%1$s and %2$s have different columns: only %1$s has %3$s; only %2$s has %4$s"
              .formatted(
                  first.directory(),
                  other.directory(),
                  without(columns, otherColumns),
                  without(otherColumns, columns)));
    }
    Map<String, String> here = new TreeMap<>(first.metadata().options());
    Map<String, String> there = new TreeMap<>(other.metadata().options());
    List<String> ofOneIndex =
        List.of(MergedOptions.FORMAT, MergedOptions.DUPLICATES, DocumentOrder.OPTION);
    ofOneIndex.forEach(here::remove);
    ofOneIndex.forEach(there::remove);
    if (!here.equals(there)) {
      throw new BuildException(
          "%s and %s were built with different options: %s; %s"
              .formatted(
                  first.directory(),
                  other.directory(),
                  without(options(here), options(there)),
                  without(options(there), options(here))));
    }
  }

  private static List<String> fields(InvertedIndex index) {
    return index.schema().fields().stream()
        .filter(field -> index.schema().findColumn(field.name()) < 0)
        .map(
            field ->
                "%s (%s%s%s)"
                    .formatted(
                        field.name(),
                        field.detail().name().toLowerCase(Locale.ROOT),
                        field.tokenized() ? "" : ", one term",
                        field.stored() ? ", stored" : ""))
        .toList();
  }

  private static List<String> columns(InvertedIndex index) {
    return index.schema().columns().stream()
        .map(
            column ->
                "%s (%s)".formatted(column.name(), column.type().name().toLowerCase(Locale.ROOT)))
        .toList();
  }

  private static List<String> options(Map<String, String> options) {
    return options.entrySet().stream()
        .map(option -> option.getKey() + " " + option.getValue())
        .toList();
  }

  /** The words that another list does not have. */
  private static String without(List<String> all, List<String> others) {
    List<String> rest = all.stream().filter(word -> !others.contains(word)).toList();
    return rest.isEmpty() ? "none" : String.join(", ", rest);
  }
}
