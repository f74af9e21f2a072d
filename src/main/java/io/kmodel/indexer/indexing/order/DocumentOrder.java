package io.kmodel.indexer.indexing.order;

import java.util.Arrays;

/** An order of the documents of an index. Memory on the heap: 8 bytes per document. Immutable. */
public final class DocumentOrder {
  /** The option of an index that names its order; an index in the order of its input has none. */
  public static final String OPTION = "order";

  /** Heap per document. */
  public static final int BYTES = 2 * Integer.BYTES;

  private final int[] olds;
  private final int[] news;

  /**
   * Creates an order.
   *
   * @param olds the documents by their present numbers, in the new order; not copied
   * @throws IllegalArgumentException if that is not a permutation
   */
  public DocumentOrder(int[] olds) {
    this.olds = olds;
    this.news = new int[olds.length];
    Arrays.fill(news, -1);
    for (int i = 0; i < olds.length; i++) {
      if (olds[i] < 0 || olds[i] >= olds.length || news[olds[i]] >= 0) {
        throw new IllegalArgumentException(
            "not a permutation of %d documents: document %d at %d"
                .formatted(olds.length, olds[i], i));
      }
      news[olds[i]] = i;
    }
  }

  /** The number of documents. */
  public int size() {
    return olds.length;
  }

  /** The present number of the document that will have the given one. */
  public int oldDoc(int newDoc) {
    return olds[newDoc];
  }

  /** The number that a document will have. */
  public int newDoc(int oldDoc) {
    return news[oldDoc];
  }

  /** Documents that get another number. */
  public int moved() {
    int moved = 0;
    for (int i = 0; i < olds.length; i++) {
      moved += olds[i] == i ? 0 : 1;
    }
    return moved;
  }
}
