package io.kmodel.indexer.experiment;

import io.kmodel.indexer.build.SkipLog;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.source.Crawl;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Writes the text of a crawl's documents as plain text files, so that indexing can be timed without
 * parsing HTML. The title is the first line. File names are the documents' ids with ".txt".
 */
public final class TextExtraction {
  private static final long SPLIT_BYTES = 64L << 20;

  private TextExtraction() {}

  /**
   * What was done.
   *
   * @param documents written
   * @param skipped how many were not, by {@link SkipReason#label}
   */
  public record Result(long documents, SortedMap<String, Long> skipped) {}

  /** Extracts every document that can be read and parsed. */
  public static Result extract(Path corpus, Path target) throws IOException {
    SkipLog skips = new SkipLog();
    Crawl crawl = Crawl.open(List.of(corpus), Crawl.DEFAULT_MAX_DOCUMENT_BYTES, skips);
    long documents;
    try {
      documents =
          crawl.splits(SPLIT_BYTES).parallelStream()
              .mapToLong(split -> extractUnchecked(split, target, skips))
              .sum();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    SortedMap<String, Long> skipped = new TreeMap<>();
    skips.counts().forEach((reason, count) -> skipped.put(reason.label(), count));
    return new Result(documents, skipped);
  }

  private static long extractUnchecked(Split split, Path target, SkipListener skips) {
    try {
      return extract(split, target, skips);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted in " + split, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long extract(Split split, Path target, SkipListener skips)
      throws IOException, InterruptedException {
    DocumentParser parser = new DocumentParser();
    long count = 0;
    try (DocumentReader reader = split.open(skips)) {
      for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
        ParsedDocument document;
        try {
          document = parser.parse(raw);
        } catch (MalformedDocumentException e) {
          skips.skipped(raw.place(), e.reason(), String.valueOf(e.getMessage()));
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
