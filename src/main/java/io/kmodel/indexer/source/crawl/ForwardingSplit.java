package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.Split;
import java.io.IOException;

/** Passes all calls on to another split; the base of splits that change some of them. */
public abstract class ForwardingSplit implements Split {
  private final Split to;

  /** Passes calls on to this split. */
  protected ForwardingSplit(Split to) {
    this.to = to;
  }

  @Override
  public int ordinal() {
    return to.ordinal();
  }

  @Override
  public String borders() {
    return to.borders();
  }

  @Override
  public long bytes() {
    return to.bytes();
  }

  @Override
  public void claim() {
    to.claim();
  }

  @Override
  public void release() throws IOException {
    to.release();
  }

  @Override
  public DocumentReader open(SkipListener skips, HeapGuard heap) throws IOException {
    return to.open(skips, heap);
  }

  @Override
  public int piecesAfter() {
    return to.piecesAfter();
  }

  @Override
  public Split withRest() {
    return to.withRest();
  }

  @Override
  public Split alone() {
    return to.alone();
  }
}
