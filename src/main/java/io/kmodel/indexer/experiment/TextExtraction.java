package io.kmodel.indexer.experiment;

import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.source.Crawl;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the text of a crawl's documents as plain text files, so that indexing can be timed without
 * parsing HTML. The title is the first line. File names are the documents' ids with ".txt".
 */
public final class TextExtraction {
  private static final long SPLIT_BYTES = 64L << 20;

  private TextExtraction() {}

  /** Returns how many documents were written. */
  public static long extract(Path corpus, Path target) throws IOException {
    Crawl crawl = Crawl.open(List.of(corpus), Crawl.DEFAULT_MAX_DOCUMENT_BYTES, SkipListener.NONE);
    return crawl.splits(SPLIT_BYTES).parallelStream()
        .mapToLong(split -> extractUnchecked(split, target))
        .sum();
  }

  private static long extractUnchecked(Split split, Path target) {
    try {
      return extract(split, target);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted in " + split, e);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static long extract(Split split, Path target) throws IOException, InterruptedException {
    DocumentParser parser = new DocumentParser();
    long count = 0;
    try (DocumentReader reader = split.open(SkipListener.NONE)) {
      for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
        ParsedDocument document;
        try {
          document = parser.parse(raw);
        } catch (MalformedDocumentException e) {
          continue;
        }
        Path file = target.resolve(document.id() + ".txt");
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, document.title() + "\n" + document.contents() + "\n");
        count++;
      }
    }
    return count;
  }
}
