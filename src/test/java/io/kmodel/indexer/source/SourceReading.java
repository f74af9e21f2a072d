package io.kmodel.indexer.source;

import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads crawls as the build does, and keeps what it got. */
public final class SourceReading {
  /** A document, copied out of its reader. */
  public record Doc(
      String id, ContentType type, String title, String charset, String text, long unit) {}

  public final List<Doc> docs = new ArrayList<>();
  public final List<Location> places = new ArrayList<>();
  public final RecordedSkips skips = new RecordedSkips();

  private final HeapGuard heap;

  /** Splits that did not end where the next one starts. */
  public int missedBorders;

  public SourceReading() {
    this(HeapGuard.UNLIMITED);
  }

  public SourceReading(HeapGuard heap) {
    this.heap = heap;
  }

  public static SourceReading of(Path root) throws IOException, InterruptedException {
    return of(root, SourceOptions.DEFAULT);
  }

  public static SourceReading of(Path root, SourceOptions options)
      throws IOException, InterruptedException {
    return of(root, options, Long.MAX_VALUE);
  }

  public static SourceReading of(Path root, SourceOptions options, long fullBytes)
      throws IOException, InterruptedException {
    SourceReading reading = new SourceReading();
    reading.read(Crawl.open(List.of(root), List.of(), options, reading.skips), fullBytes);
    return reading;
  }

  public static SourceReading of(Path root, HeapGuard heap)
      throws IOException, InterruptedException {
    SourceReading reading = new SourceReading(heap);
    reading.read(
        Crawl.open(List.of(root), List.of(), SourceOptions.DEFAULT, reading.skips), Long.MAX_VALUE);
    return reading;
  }

  public static SourceOptions docno(Docno docno) {
    SourceOptions usual = SourceOptions.DEFAULT;
    return new SourceOptions(Format.AUTO, docno, usual.maxDocumentBytes(), usual.maxExpansion());
  }

  public static SourceOptions format(Format format) {
    SourceOptions usual = SourceOptions.DEFAULT;
    return new SourceOptions(format, usual.docno(), usual.maxDocumentBytes(), usual.maxExpansion());
  }

  void read(Crawl crawl, long fullBytes) throws IOException, InterruptedException {
    for (Split split : crawl.splits(fullBytes)) {
      read(split);
    }
  }

  public void read(Split split) throws IOException, InterruptedException {
    try (DocumentReader reader = split.open(skips, heap)) {
      for (RawDocument d = reader.next(); d != null; d = reader.next()) {
        String text = new String(d.bytes(), 0, d.length(), StandardCharsets.UTF_8);
        docs.add(new Doc(d.id(), d.type(), d.title(), d.charset(), text, d.unit()));
        places.add(d.place());
      }
      missedBorders += reader.missedBorder() ? 1 : 0;
    }
  }

  public List<String> ids() {
    return docs.stream().map(Doc::id).toList();
  }

  public List<String> texts() {
    return docs.stream().map(Doc::text).toList();
  }

  public List<SkipReason> reasons() {
    return skips.all().stream().map(RecordedSkips.Skip::reason).toList();
  }
}
