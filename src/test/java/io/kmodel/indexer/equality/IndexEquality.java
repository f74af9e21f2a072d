package io.kmodel.indexer.equality;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/**
 * Compares two Lucene readers, whatever their segments, document by document and posting by
 * posting: fields, terms, statistics, postings, frequencies, positions, norms, doc values, stored
 * fields, seeking and skipping. The first difference is an AssertionError that says where it is.
 */
public final class IndexEquality {
  /** Of so many terms, one is sought and its list skipped through. */
  private static final int SEEK_EVERY = 7;

  private final IndexReader expected;
  private final IndexReader actual;

  private IndexEquality(IndexReader expected, IndexReader actual) {
    this.expected = expected;
    this.actual = actual;
  }

  /** Fails unless the readers hold the same documents, in the same order, indexed the same. */
  public static void assertSame(IndexReader expected, IndexReader actual) throws IOException {
    new IndexEquality(expected, actual).compare();
  }

  private void compare() throws IOException {
    same(expected.maxDoc(), actual.maxDoc(), () -> "maxDoc");
    same(expected.numDocs(), actual.numDocs(), () -> "numDocs");
    if (expected.maxDoc() == 0) {
      return; // an index without documents has no segment, and so no fields
    }
    boolean attributes = areSegments(expected) && areSegments(actual);
    Map<String, Map<String, String>> fields = fields(expected, attributes);
    same(fields, fields(actual, attributes), () -> "fields");
    for (String field : fields.keySet()) {
      compareTerms(field);
      compareNorms(field);
      compareValues(field);
    }
    compareStored();
  }

  /** What a reader of our own index cannot know is how its fields lie in Lucene's files. */
  private static boolean areSegments(IndexReader reader) {
    return reader.leaves().stream().allMatch(leaf -> leaf.reader() instanceof SegmentReader);
  }

  private static Map<String, Map<String, String>> fields(IndexReader reader, boolean attributes) {
    Map<String, Map<String, String>> fields = new TreeMap<>();
    for (FieldInfo field : FieldInfos.getMergedFieldInfos(reader)) {
      Map<String, String> description = FieldInfosEquality.described(field);
      if (!attributes) {
        description.remove("attributes");
      }
      fields.put(field.name, description);
    }
    return fields;
  }

  private void compareTerms(String field) throws IOException {
    Terms left = MultiTerms.getTerms(expected, field);
    Terms right = MultiTerms.getTerms(actual, field);
    same(left == null, right == null, () -> field + ": absence of terms");
    if (left == null || right == null) {
      return;
    }
    same(left.hasFreqs(), right.hasFreqs(), () -> field + ": hasFreqs");
    same(left.hasPositions(), right.hasPositions(), () -> field + ": hasPositions");
    same(left.hasOffsets(), right.hasOffsets(), () -> field + ": hasOffsets");
    same(left.hasPayloads(), right.hasPayloads(), () -> field + ": hasPayloads");
    same(left.getDocCount(), right.getDocCount(), () -> field + ": docCount");
    same(left.getSumDocFreq(), right.getSumDocFreq(), () -> field + ": sumDocFreq");
    same(
        left.getSumTotalTermFreq(),
        right.getSumTotalTermFreq(),
        () -> field + ": sumTotalTermFreq");
    same(left.getMin(), right.getMin(), () -> field + ": smallest term");
    same(left.getMax(), right.getMax(), () -> field + ": largest term");
    long terms = compareAllTerms(field, left.iterator(), right.iterator(), left.hasPositions());
    same(terms, size(left, terms), () -> field + ": size of the expected");
    same(terms, size(right, terms), () -> field + ": size");
    compareSeeks(field, left, right);
  }

  /** Readers of many segments do not know it. */
  private static long size(Terms terms, long known) throws IOException {
    return terms.size() == -1 ? known : terms.size();
  }

  private static long compareAllTerms(
      String field, TermsEnum left, TermsEnum right, boolean positions) throws IOException {
    long count = 0;
    PostingsEnum leftPostings = null;
    PostingsEnum rightPostings = null;
    for (BytesRef term; (term = left.next()) != null; count++) {
      Supplier<String> place = place(field, term);
      same(term, right.next(), () -> place.get() + ": next term");
      same(left.docFreq(), right.docFreq(), () -> place.get() + ": docFreq");
      same(left.totalTermFreq(), right.totalTermFreq(), () -> place.get() + ": totalTermFreq");
      leftPostings = left.postings(leftPostings, PostingsEnum.ALL);
      rightPostings = right.postings(rightPostings, PostingsEnum.ALL);
      comparePostings(place, leftPostings, rightPostings, positions);
    }
    same(null, right.next(), () -> field + ": terms after the last one");
    return count;
  }

  private static void comparePostings(
      Supplier<String> place, PostingsEnum left, PostingsEnum right, boolean positions)
      throws IOException {
    same(left.docID(), right.docID(), () -> place.get() + ": docID at first");
    int doc;
    do {
      doc = left.nextDoc();
      same(doc, right.nextDoc(), () -> place.get() + ": next document");
      if (doc != DocIdSetIterator.NO_MORE_DOCS) {
        compareDocument(place, left, right, positions);
      }
    } while (doc != DocIdSetIterator.NO_MORE_DOCS);
    same(left.docID(), right.docID(), () -> place.get() + ": docID at the end");
  }

  private static void compareDocument(
      Supplier<String> place, PostingsEnum left, PostingsEnum right, boolean positions)
      throws IOException {
    int doc = left.docID();
    same(doc, right.docID(), () -> place.get() + ": docID");
    int freq = left.freq();
    same(freq, right.freq(), () -> place.get() + ": freq in document " + doc);
    for (int i = 0; positions && i < freq; i++) {
      int n = i;
      same(
          left.nextPosition(),
          right.nextPosition(),
          () -> "%s: position %d in document %d".formatted(place.get(), n, doc));
      same(left.startOffset(), right.startOffset(), () -> place.get() + ": start offset");
      same(left.endOffset(), right.endOffset(), () -> place.get() + ": end offset");
      same(left.getPayload(), right.getPayload(), () -> place.get() + ": payload");
    }
  }

  /** Seeks terms that are there, and ones just above and below them, back to front. */
  private void compareSeeks(String field, Terms left, Terms right) throws IOException {
    List<BytesRef> targets = new ArrayList<>(List.of(new BytesRef(), new BytesRef("\u00ff")));
    TermsEnum all = left.iterator();
    long ordinal = 0;
    for (BytesRef term; (term = all.next()) != null; ) {
      if (ordinal++ % SEEK_EVERY == 0) {
        targets.add(BytesRef.deepCopyOf(term));
        targets.add(with(term, term.length + 1));
        targets.add(with(term, Math.max(0, term.length - 1)));
      }
    }
    targets.add(new BytesRef(new byte[] {(byte) 0xff, (byte) 0xff}));
    TermsEnum leftTerms = left.iterator();
    TermsEnum rightTerms = right.iterator();
    for (int i = targets.size() - 1; i >= 0; i--) {
      compareSeek(field, targets.get(i), leftTerms, rightTerms, left.hasPositions());
    }
  }

  private void compareSeek(
      String field, BytesRef target, TermsEnum left, TermsEnum right, boolean positions)
      throws IOException {
    Supplier<String> place = place(field, target);
    same(left.seekExact(target), right.seekExact(target), () -> place.get() + ": seekExact");
    TermsEnum.SeekStatus status = left.seekCeil(target);
    same(status, right.seekCeil(target), () -> place.get() + ": seekCeil");
    if (status == TermsEnum.SeekStatus.END) {
      return;
    }
    same(left.term(), right.term(), () -> place.get() + ": term after seekCeil");
    same(left.docFreq(), right.docFreq(), () -> place.get() + ": docFreq after seekCeil");
    int hash = StringHelper.murmurhash3_x86_32(target, 0);
    compareSkips(place, left, right, positions, hash);
    same(left.next(), right.next(), () -> place.get() + ": term after a seek and next");
  }

  /** Skips through a list in steps that double or start over, by the bits of a hash. */
  private void compareSkips(
      Supplier<String> place, TermsEnum left, TermsEnum right, boolean positions, int hash)
      throws IOException {
    PostingsEnum leftPostings = left.postings(null, PostingsEnum.ALL);
    PostingsEnum rightPostings = right.postings(null, PostingsEnum.ALL);
    long target = hash & 3;
    int step = 1;
    for (int i = 0; target < expected.maxDoc() + 1L; i++) {
      int doc = leftPostings.advance((int) target);
      String call = ": advance to " + target;
      same(doc, rightPostings.advance((int) target), () -> place.get() + call);
      if (doc == DocIdSetIterator.NO_MORE_DOCS) {
        return;
      }
      if ((hash >>> (i & 15) & 1) == 0) {
        compareDocument(place, leftPostings, rightPostings, positions);
      }
      step = (hash >>> (i & 31) & 1) == 0 ? 2 * step : 1;
      target = (long) doc + step;
    }
  }

  private void compareNorms(String field) throws IOException {
    NumericDocValues left = MultiDocValues.getNormValues(expected, field);
    NumericDocValues right = MultiDocValues.getNormValues(actual, field);
    same(left == null, right == null, () -> field + ": absence of norms");
    if (left == null || right == null) {
      return;
    }
    for (int docId = 0; docId < expected.maxDoc(); docId++) {
      String place = field + ": norm of document " + docId;
      boolean exists = left.advanceExact(docId);
      same(exists, right.advanceExact(docId), () -> "absence of " + place);
      if (exists) {
        same(left.longValue(), right.longValue(), () -> place);
      }
    }
    NumericDocValues leftSteps = MultiDocValues.getNormValues(expected, field);
    NumericDocValues rightSteps = MultiDocValues.getNormValues(actual, field);
    for (int doc = 0; doc != DocIdSetIterator.NO_MORE_DOCS; ) {
      doc = leftSteps.nextDoc();
      same(doc, rightSteps.nextDoc(), () -> field + ": next document with a norm");
    }
  }

  /** Values forward, then a few out of turn. */
  private void compareValues(String field) throws IOException {
    BinaryDocValues left = MultiDocValues.getBinaryValues(expected, field);
    BinaryDocValues right = MultiDocValues.getBinaryValues(actual, field);
    same(left == null, right == null, () -> field + ": absence of doc values");
    if (left == null || right == null) {
      return;
    }
    for (int doc = 0; doc != DocIdSetIterator.NO_MORE_DOCS; ) {
      doc = left.nextDoc();
      same(doc, right.nextDoc(), () -> field + ": next document with a value");
      if (doc != DocIdSetIterator.NO_MORE_DOCS) {
        String place = field + ": value of document " + doc;
        same(left.binaryValue(), right.binaryValue(), () -> place);
      }
    }
    left = Objects.requireNonNull(MultiDocValues.getBinaryValues(expected, field));
    right = Objects.requireNonNull(MultiDocValues.getBinaryValues(actual, field));
    for (int doc = 0; doc < expected.maxDoc(); doc += 1 + doc / 2) {
      String place = field + ": value of document " + doc;
      same(left.advanceExact(doc), right.advanceExact(doc), () -> "absence of " + place);
      same(left.binaryValue(), right.binaryValue(), () -> place);
    }
  }

  private void compareStored() throws IOException {
    StoredFields left = expected.storedFields();
    StoredFields right = actual.storedFields();
    for (int docId = 0; docId < expected.maxDoc(); docId++) {
      StoredValues leftValues = new StoredValues();
      StoredValues rightValues = new StoredValues();
      left.document(docId, leftValues);
      right.document(docId, rightValues);
      String place = "stored fields of document " + docId;
      same(leftValues.values, rightValues.values, () -> place);
    }
  }

  /** Name, type and value of every stored field, in their order. */
  private static final class StoredValues extends StoredFieldVisitor {
    final List<String> values = new ArrayList<>();

    @Override
    public Status needsField(FieldInfo field) {
      return Status.YES;
    }

    @Override
    public void stringField(FieldInfo field, String value) {
      values.add(field.name + ": string '" + value + "'");
    }

    @Override
    public void binaryField(FieldInfo field, byte[] value) {
      values.add(field.name + ": bytes " + new BytesRef(value));
    }

    @Override
    public void longField(FieldInfo field, long value) {
      values.add(field.name + ": long " + value);
    }
  }

  private static BytesRef with(BytesRef term, int length) {
    byte[] bytes = new byte[length];
    System.arraycopy(term.bytes, term.offset, bytes, 0, Math.min(length, term.length));
    return new BytesRef(bytes);
  }

  /** The term is read only when something has failed. */
  private static Supplier<String> place(String field, BytesRef term) {
    return () -> "field '%s', term %s".formatted(field, term.utf8ToString());
  }

  private static void same(
      @Nullable Object expected, @Nullable Object actual, Supplier<String> what) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError(
          "%s: expected %s but was %s".formatted(what.get(), expected, actual));
    }
  }

  private static void same(long expected, long actual, Supplier<String> what) {
    if (expected != actual) {
      throw new AssertionError(
          "%s: expected %d but was %d".formatted(what.get(), expected, actual));
    }
  }
}
