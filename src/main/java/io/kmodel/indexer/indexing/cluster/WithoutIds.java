package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.ForwardingSplit;
import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A split without the documents whose ids earlier splits have. They are skipped as duplicates.
 * Memory: the ids.
 */
final class WithoutIds extends ForwardingSplit {
  private final Set<String> ids;

  WithoutIds(Split split, Set<String> ids) {
    super(split);
    this.ids = ids;
  }

  /** The content of a file of ids. */
  static byte[] content(Collection<String> ids) throws IOException {
    return Json.MAPPER.writeValueAsBytes(ids);
  }

  /** The ids of a file's content. */
  static Set<String> ids(byte[] content) throws IOException {
    return Set.of(Json.MAPPER.readValue(content, String[].class));
  }

  @Override
  public DocumentReader open(SkipListener skips, HeapGuard heap) throws IOException {
    return new Reader(super.open(skips, heap), skips, heap);
  }

  @Override
  public Split withRest() {
    return new WithoutIds(super.withRest(), ids);
  }

  @Override
  public Split alone() {
    return new WithoutIds(super.alone(), ids);
  }

  private final class Reader implements DocumentReader {
    private final DocumentReader reader;
    private final SkipListener skips;
    private final HeapGuard heap;

    Reader(DocumentReader reader, SkipListener skips, HeapGuard heap) {
      this.reader = reader;
      this.skips = skips;
      this.heap = heap;
    }

    @Override
    public @Nullable RawDocument next() throws IOException, InterruptedException {
      RawDocument document = reader.next();
      while (document != null && ids.contains(document.id())) {
        skips.skipped(document.place(), SkipReason.DUPLICATE, "an earlier document has this id");
        heap.release();
        document = reader.next();
      }
      return document;
    }

    @Override
    public String format() {
      return reader.format();
    }

    @Override
    public long passedBytes() {
      return reader.passedBytes();
    }

    @Override
    public boolean missedBorder() {
      return reader.missedBorder();
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
