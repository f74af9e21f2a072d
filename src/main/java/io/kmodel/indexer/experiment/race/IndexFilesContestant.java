package io.kmodel.indexer.experiment.race;

import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.store.disk.Directories;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * What Lucene's demo {@code IndexFiles} does: one thread walks a directory and adds each file as a
 * document of path, time and text, with IndexWriter's default settings. Markup is text to it.
 */
final class IndexFilesContestant {
  private final RaceOptions options;

  IndexFilesContestant(RaceOptions options) {
    this.options = options;
  }

  RaceResult run() throws IOException {
    Path target = options.workPath().resolve("lucene");
    long documents = 0;
    long start = System.nanoTime();
    try (Analyzer analyzer = Analyzers.named(options.analyzer());
        Directory directory = FSDirectory.open(target);
        IndexWriter writer =
            new IndexWriter(
                directory,
                new IndexWriterConfig(analyzer).setOpenMode(IndexWriterConfig.OpenMode.CREATE));
        Stream<Path> files = Files.walk(options.corpusPath())) {
      for (Iterator<Path> file = files.filter(Files::isRegularFile).iterator(); file.hasNext(); ) {
        add(file.next(), writer);
        documents++;
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new RaceResult(
        "indexfiles",
        seconds,
        Measurements.cpuSeconds(),
        documents,
        RaceResult.UNKNOWN,
        RaceResult.UNKNOWN,
        RaceResult.UNKNOWN,
        RaceResult.UNKNOWN,
        Directories.bytes(target, ""),
        0,
        Measurements.peakMemoryBytes(),
        Map.of(),
        Map.of());
  }

  private static void add(Path file, IndexWriter writer) throws IOException {
    try (BufferedReader text =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      Document document = new Document();
      document.add(new KeywordField("path", file.toString(), Field.Store.YES));
      document.add(
          new LongField("modified", Files.getLastModifiedTime(file).toMillis(), Field.Store.NO));
      document.add(new TextField("contents", text));
      writer.addDocument(document);
    }
  }
}
