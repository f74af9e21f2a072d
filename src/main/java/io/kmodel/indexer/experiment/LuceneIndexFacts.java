package io.kmodel.indexer.experiment;

import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.store.Directories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Counts what a committed Lucene index holds, so that a race compares like with like. */
record LuceneIndexFacts(long documents, long tokens, long terms, long bytes) {
  static LuceneIndexFacts of(Path index) throws IOException {
    long tokens = 0;
    long terms = 0;
    long documents;
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      documents = reader.numDocs();
      for (LeafReaderContext leaf : reader.leaves()) {
        for (String field : List.of(Schema.ID, Schema.TITLE, Schema.CONTENTS)) {
          Terms of = leaf.reader().terms(field);
          if (of != null) {
            terms += of.size();
            tokens += field.equals(Schema.ID) ? 0 : of.getSumTotalTermFreq();
          }
        }
      }
      if (reader.leaves().size() != 1) {
        terms = -1;
      }
    }
    return new LuceneIndexFacts(documents, tokens, terms, Directories.bytes(index, ""));
  }
}
