package io.kmodel.indexer.search;

import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.junit.jupiter.api.io.TempDir;

/** Four documents to be searched, and an index of whichever. */
abstract class SearchedDocuments {
  static final Analyzer ANALYZER = new StandardAnalyzer();
  static final Schema FULL = Schemas.of(Detail.POSITIONS, Stored.CONTENTS);
  static final List<ParsedDocument> DOCUMENTS =
      List.of(
          new ParsedDocument("a/1.html", "Debian Policy", "A package must have a maintainer."),
          new ParsedDocument("b/2.html", "", "The maintainer builds. A package is a file."),
          new ParsedDocument("c 3.html", "Other", "Nothing of interest here."),
          new ParsedDocument("d/4.html", "Empty", ""));

  @TempDir Path directory;

  /** In place of the one before, which is to be closed. */
  final InvertedIndex index(Schema schema, List<ParsedDocument> documents) throws IOException {
    Path ours = directory.resolve("ours");
    NaiveIndex.write(ours, schema, ANALYZER, documents);
    return InvertedIndex.open(ours);
  }
}
