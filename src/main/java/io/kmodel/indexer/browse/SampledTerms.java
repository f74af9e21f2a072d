package io.kmodel.indexer.browse;

import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Lucene's terms by number, which Lucene does not keep: one walk over them notes every 1,024th, and
 * the others are counted from there. Not thread-safe; the {@link Sample} may be shared.
 */
final class SampledTerms implements TermList {
  private static final int STEP = 1024;

  private final Sample sample;
  private final @Nullable TermsEnum terms;

  /**
   * Every 1,024th term of a field. Memory: 4 to 60 bytes for each, and the terms.
   *
   * @param size the number of all terms
   */
  record Sample(List<BytesRef> terms, long size) {
    static final Sample NONE = new Sample(List.of(), 0);

    /** Walks over all terms of a field. */
    static Sample of(Terms all) throws IOException {
      List<BytesRef> sample = new ArrayList<>();
      TermsEnum terms = all.iterator();
      long size = 0;
      for (BytesRef term = terms.next(); term != null; term = terms.next()) {
        if (size % STEP == 0) {
          Interruption.requireNone();
          sample.add(BytesRef.deepCopyOf(term));
        }
        size++;
      }
      return new Sample(sample, size);
    }
  }

  /**
   * Creates a list.
   *
   * @param terms the field's terms; null if it has none
   */
  SampledTerms(Sample sample, @Nullable TermsEnum terms) {
    this.sample = sample;
    this.terms = terms;
  }

  @Override
  public long size() {
    return sample.size();
  }

  @Override
  public long below(BytesRef text) throws IOException {
    int found = Collections.binarySearch(sample.terms(), text);
    if (found >= 0) {
      return (long) found * STEP;
    }
    int before = -found - 2;
    if (before < 0) {
      return 0;
    }
    long ordinal = (long) before * STEP;
    seek(ordinal);
    do {
      if (term().compareTo(text) >= 0) {
        return ordinal;
      }
      ordinal++;
    } while (next());
    return sample.size();
  }

  @Override
  public boolean seek(long ordinal) throws IOException {
    if (ordinal < 0 || ordinal >= sample.size()) {
      return false;
    }
    open().seekCeil(sample.terms().get((int) (ordinal / STEP)));
    for (long i = ordinal % STEP; i > 0; i--) {
      open().next();
    }
    return true;
  }

  @Override
  public boolean next() throws IOException {
    return open().next() != null;
  }

  @Override
  public BytesRef term() throws IOException {
    return open().term();
  }

  @Override
  public int docFreq() throws IOException {
    return open().docFreq();
  }

  @Override
  public long totalTermFreq() throws IOException {
    return open().totalTermFreq();
  }

  private TermsEnum open() {
    if (terms == null) {
      throw new IllegalStateException("the field has no terms");
    }
    return terms;
  }
}
