package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.Schema;

/**
 * The layout of a run's packed keys: {@code termID | local docID | position}, at most {@value
 * #MAX_BITS} bits, so that a key is never negative and keys order by term, document and position.
 * In a run with offsets a key has the number of the token in its document instead of the position,
 * see {@link TokenPlaces}. In a field with weights it has the weight of the term in the document.
 *
 * @param termBits 1 to 31
 * @param docBits 0 to 31
 * @param positionBits 0 to 31
 */
public record KeyLayout(int termBits, int docBits, int positionBits) {
  public static final int MAX_BITS = 62;

  /**
   * The layout of nearly every run with positions or weights. A run's memory fills up first: tens
   * of millions of keys have fewer than 4 M terms and 1 M documents. Documents of more than 1 M
   * tokens are rare and get separate runs.
   */
  static final KeyLayout POSITIONS = new KeyLayout(22, 20, 20);

  /** The layout if no field has positions or weights. */
  static final KeyLayout NO_POSITIONS = new KeyLayout(31, 31, 0);

  /** The layout for a single document of any length. */
  static final KeyLayout ONE_DOCUMENT = new KeyLayout(31, 0, 31);

  private static final int MAX_WIDTH = 31;

  public KeyLayout {
    if (termBits < 1
        || docBits < 0
        || positionBits < 0
        || Math.max(termBits, Math.max(docBits, positionBits)) > MAX_WIDTH
        || termBits + docBits + positionBits > MAX_BITS) {
      throw new IllegalArgumentException(
          "widths must be at most 31 bits each and 62 together; got %d, %d, %d"
              .formatted(termBits, docBits, positionBits));
    }
  }

  /** The layout of nearly every run of a schema. */
  static KeyLayout usual(Schema schema) {
    return schema.fields().stream()
            .anyMatch(field -> field.detail().hasPositions() || field.detail().hasImpacts())
        ? POSITIONS
        : NO_POSITIONS;
  }

  /**
   * The narrowest layout for documents and positions up to these, for keys that need no term. At
   * most 40 bits, if the maxima are those of a run.
   */
  static KeyLayout withoutTerms(int maxDoc, int maxPosition) {
    return new KeyLayout(1, width(maxDoc), width(maxPosition));
  }

  /**
   * Bytes of a key without its term, in a list of one term: 4, or 5 if its document and position do
   * not fit.
   */
  int packedBytes() {
    return termShift() <= Integer.SIZE ? Integer.BYTES : Integer.BYTES + 1;
  }

  private static int width(int max) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(max);
  }

  /** The lowest bit of the termID. */
  public int termShift() {
    return docBits + positionBits;
  }

  public int maxTerm() {
    return ones(termBits);
  }

  public int maxDoc() {
    return ones(docBits);
  }

  public int maxPosition() {
    return ones(positionBits);
  }

  /** A key; all parts within their maxima. */
  public long pack(int term, int doc, int position) {
    return (long) term << termShift() | (long) doc << positionBits | position;
  }

  public int term(long key) {
    return (int) (key >>> termShift());
  }

  public int doc(long key) {
    return (int) (key >>> positionBits) & maxDoc();
  }

  public int position(long key) {
    return (int) key & maxPosition();
  }

  private static int ones(int bits) {
    return (int) ((1L << bits) - 1);
  }
}
