package io.kmodel.indexer.indexing;

import io.kmodel.indexer.indexing.report.BuildReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Every file of an index but its reports, by the hash of its bytes. */
public final class IndexFilesHash {
  private IndexFilesHash() {}

  public static SortedMap<String, Integer> of(Path index) throws IOException {
    SortedMap<String, Integer> files = new TreeMap<>();
    try (Stream<Path> entries = Files.list(index)) {
      for (Path file : (Iterable<Path>) entries::iterator) {
        if (!BuildReport.isReport(file)) {
          files.put(file.getFileName().toString(), Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }
}
