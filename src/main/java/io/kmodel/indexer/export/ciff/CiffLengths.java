package io.kmodel.indexer.export.ciff;

import org.apache.lucene.util.SmallFloat;

/** Which lengths of documents a file is given. */
public enum CiffLengths {
  /** Tokens, exactly. */
  EXACT,
  /** What Lucene's norms leave of them: above 40 tokens, rounded down by up to 11 %. */
  LUCENE;

  int of(int tokens) {
    return this == EXACT ? tokens : SmallFloat.byte4ToInt(SmallFloat.intToByte4(tokens));
  }
}
