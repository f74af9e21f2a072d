package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.junit.jupiter.api.io.TempDir;

/** Has an index of ours to export, into a directory of the test's. */
abstract class IndexToExport {
  @TempDir Path directory;

  final InvertedIndex index(List<ParsedDocument> documents) throws IOException {
    Path ours = directory.resolve("ours");
    NaiveIndex.write(
        ours, Schemas.of(Detail.POSITIONS, Stored.CONTENTS), new StandardAnalyzer(), documents);
    return InvertedIndex.open(ours);
  }

  /** What is only there while an index is exported. */
  final List<Path> leftovers() throws IOException {
    return list(directory).stream()
        .filter(file -> file.getFileName().toString().contains(".tmp"))
        .toList();
  }

  static final List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }
}
