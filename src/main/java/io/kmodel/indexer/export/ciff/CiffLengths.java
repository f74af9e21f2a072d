package io.kmodel.indexer.export.ciff;

import org.apache.lucene.util.SmallFloat;

/** Which document lengths a file contains. */
public enum CiffLengths {
  /** The exact number of tokens. */
  EXACT,
  /** Lengths as in Lucene's norms: above 40 tokens, rounded down by up to 11 %. */
  LUCENE;

  int of(int tokens) {
    return this == EXACT ? tokens : SmallFloat.byte4ToInt(SmallFloat.intToByte4(tokens));
  }
}
