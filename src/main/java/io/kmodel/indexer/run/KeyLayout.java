package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Schema;

/**
 * How a run's packed keys are divided: {@code termID | local docID | position}, at most {@value
 * #MAX_BITS} bits, so that a key is never negative and order by key is order by term, document and
 * position. In a run with offsets the number of a token in its document takes the position's place,
 * see {@link TokenPlaces}.
 *
 * @param termBits 1 to 31
 * @param docBits 0 to 31
 * @param positionBits 0 to 31
 */
public record KeyLayout(int termBits, int docBits, int positionBits) {
  static final int MAX_BITS = 62;

  /**
   * What nearly every positional run has. The memory of a run fills first: 4 M terms and 1 M
   * documents are more than tens of millions of keys hold, and documents of more than 1 M tokens
   * are rare enough for runs of their own.
   */
  static final KeyLayout POSITIONS = new KeyLayout(22, 20, 20);

  /** Where no field has positions. */
  static final KeyLayout NO_POSITIONS = new KeyLayout(31, 31, 0);

  /** One document as long as it likes. */
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

  /** That of nearly every run of a schema. */
  static KeyLayout usual(Schema schema) {
    return schema.fields().stream().anyMatch(field -> field.detail().hasPositions())
        ? POSITIONS
        : NO_POSITIONS;
  }

  /**
   * The narrowest for documents and positions up to these, where a key's term is known otherwise:
   * 40 bits at most, if they are those of a run.
   */
  static KeyLayout withoutTerms(int maxDoc, int maxPosition) {
    return new KeyLayout(1, width(maxDoc), width(maxPosition));
  }

  /**
   * Bytes of a key without its term where it is moved to the keys of the same term: 4, or 5 if it
   * has no room there.
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
