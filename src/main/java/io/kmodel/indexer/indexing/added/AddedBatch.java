package io.kmodel.indexer.indexing.added;

import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Documents that one thread reads, once: whole units. Filled by one thread, then read by another.
 */
final class AddedBatch implements Split {
  private record Numbered(AddedDocument document, long unit) {}

  private final int ordinal;
  private final LongConsumer released;
  private List<Numbered> documents = new ArrayList<>();
  private long heapBytes;

  /**
   * An empty batch.
   *
   * @param released gets its {@link #heapBytes} when it is read
   */
  AddedBatch(int ordinal, LongConsumer released) {
    this.ordinal = ordinal;
    this.released = released;
  }

  void add(AddedDocument document, long unit) {
    documents.add(new Numbered(document, unit));
    heapBytes += document.heapBytes();
  }

  boolean isEmpty() {
    return documents.isEmpty();
  }

  long heapBytes() {
    return heapBytes;
  }

  @Override
  public int ordinal() {
    return ordinal;
  }

  @Override
  public String borders() {
    return Integer.toString(ordinal);
  }

  @Override
  public long bytes() {
    return heapBytes;
  }

  @Override
  public void claim() {}

  @Override
  public void release() {}

  @Override
  public DocumentReader open(SkipListener skips, HeapGuard heap) {
    List<Numbered> all = documents;
    documents = List.of();
    return new Reader(all);
  }

  @Override
  public int piecesAfter() {
    return 0;
  }

  @Override
  public Split withRest() {
    return this;
  }

  @Override
  public Split alone() {
    return this;
  }

  private final class Reader implements DocumentReader {
    private final List<Numbered> all;
    private int next;
    private long passed;

    Reader(List<Numbered> all) {
      this.all = all;
    }

    @Override
    public @Nullable RawDocument next() {
      if (next == all.size()) {
        return null;
      }
      Numbered current = all.get(next++);
      passed += current.document().heapBytes();
      return current.document().raw(current.unit());
    }

    @Override
    public String format() {
      return "added";
    }

    @Override
    public long passedBytes() {
      return passed;
    }

    @Override
    public boolean missedBorder() {
      return false;
    }

    @Override
    public void close() {
      released.accept(heapBytes);
    }
  }
}
