package io.kmodel.indexer.parse;

import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.html.TreeHeap;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import java.util.function.BooleanSupplier;

/** Reserves the heap that documents need before they are parsed. For one thread. */
final class DocumentHeap {
  /**
   * The heap per byte of a document for its bytes, title and contents. Readers of records reserve
   * it; of whole files they reserve what text in UTF-8 needs.
   */
  private static final int USUAL_PER_BYTE = HeapGuard.USUAL_PER_BYTE;

  /** The heap per byte for each further text: a buffer, and the stored text. */
  private static final int TEXT_PER_BYTE = 6;

  private final HeapGuard guard;
  private final FieldPlan plan;

  DocumentHeap(HeapGuard guard, FieldPlan plan) {
    this.guard = guard;
    this.plan = plan;
  }

  /**
   * Reserves the heap for a document without a tree.
   *
   * @param isUsedInPlace whether the document's bytes are its text; asked if the heap is short
   */
  void reserve(RawDocument document, BooleanSupplier isUsedInPlace)
      throws MalformedDocumentException, InterruptedException {
    long needed = bytes(USUAL_PER_BYTE, document);
    if (needed > guard.freeBytes() && isUsedInPlace.getAsBoolean()) {
      needed = bytes(guard.heapPerTextByte(), document);
    }
    if (!guard.reserve(needed)) {
      throw MalformedDocumentException.tooLarge(
          document.place().toString(),
          "%d bytes need up to %d MiB with the texts of all fields, more than the heap for a document; %s"
              .formatted(document.length(), needed >> 20, guard.advice(needed)));
    }
  }

  /** Reserves the heap for a page's tree and for the copies made with it. */
  void reserveForTree(RawDocument document, long bytesOfCopies)
      throws MalformedDocumentException, InterruptedException {
    long needed = bytes(TreeHeap.PER_BYTE, document) + bytesOfCopies;
    if (!guard.reserve(needed)) {
      throw refused(document, "HTML need", needed, needed);
    }
  }

  /**
   * Reserves the heap for a document and the tree of a part of it.
   *
   * @return false if the document may never take so much
   */
  boolean reserveForTreeOfPart(RawDocument document, long treeBytes) throws InterruptedException {
    return guard.reserve(bytes(USUAL_PER_BYTE, document) + treeBytes);
  }

  /** The exception for XML of which a part needs a tree that was refused. */
  MalformedDocumentException refused(RawDocument document, long treeBytes) {
    long needed = bytes(USUAL_PER_BYTE, document) + treeBytes;
    return refused(document, "XML hold HTML that needs", treeBytes, needed);
  }

  private MalformedDocumentException refused(
      RawDocument document, String need, long treeBytes, long needed) {
    return MalformedDocumentException.tooLarge(
        document.place().toString(),
        "%d bytes of %s a tree of up to %d MiB, more than the heap for a document; %s"
            .formatted(document.length(), need, treeBytes >> 20, guard.advice(needed)));
  }

  /**
   * The exception for a document whose tree did not fit although its heap was reserved.
   *
   * @param need what needs the tree, with its verb
   */
  static MalformedDocumentException exhausted(RawDocument document, String need) {
    return MalformedDocumentException.tooLarge(
        document.place().toString(),
        "%d bytes of %s a tree that does not fit into the heap; raise --memory"
            .formatted(document.length(), need));
  }

  /** Returns the heap that a document needs with all its texts. */
  private long bytes(int perByte, RawDocument document) {
    return (perByte + (long) TEXT_PER_BYTE * plan.furtherTexts()) * document.length();
  }
}
