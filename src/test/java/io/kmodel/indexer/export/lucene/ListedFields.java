package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Posting;
import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Term;
import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Lists of postings in a range of documents, as Lucene's own writers pull them posting by posting.
 */
public final class ListedFields extends Fields {
  private final Schema schema;
  private final List<Term> terms;
  private final DocumentRange range;

  public ListedFields(Schema schema, List<Term> terms, DocumentRange range) {
    this.schema = schema;
    this.terms = terms.stream().filter(term -> !postings(term, range).isEmpty()).toList();
    this.range = range;
  }

  private static List<Posting> postings(Term term, DocumentRange range) {
    return term.postings().stream()
        .filter(posting -> posting.docId() >= range.from() && posting.docId() < range.to())
        .toList();
  }

  @Override
  public Iterator<String> iterator() {
    return IntStream.range(0, schema.size())
        .filter(field -> terms.stream().anyMatch(term -> term.field() == field))
        .mapToObj(field -> schema.field(field).name())
        .iterator();
  }

  @Override
  public Terms terms(String name) {
    return new ListedTerms(schema.ordinal(name));
  }

  @Override
  public int size() {
    return -1;
  }

  private final class ListedTerms extends Terms {
    private final List<Term> ofField;
    private final Detail detail;

    ListedTerms(int field) {
      this.ofField = terms.stream().filter(term -> term.field() == field).toList();
      this.detail = schema.field(field).detail();
    }

    @Override
    public TermsEnum iterator() {
      return new ListedTermsEnum(ofField);
    }

    @Override
    public boolean hasFreqs() {
      return detail.hasFrequencies();
    }

    @Override
    public boolean hasOffsets() {
      return detail.hasOffsets();
    }

    @Override
    public boolean hasPositions() {
      return detail.hasPositions();
    }

    @Override
    public boolean hasPayloads() {
      return false;
    }

    @Override
    public long size() {
      return ofField.size();
    }

    @Override
    public long getSumTotalTermFreq() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getSumDocFreq() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int getDocCount() {
      throw new UnsupportedOperationException();
    }
  }

  private final class ListedTermsEnum extends BaseTermsEnum {
    private final List<Term> ofField;
    private int at = -1;

    ListedTermsEnum(List<Term> ofField) {
      this.ofField = ofField;
    }

    @Override
    public @Nullable BytesRef next() {
      return ++at < ofField.size() ? term() : null;
    }

    @Override
    public BytesRef term() {
      String bytes = ofField.get(at).bytes();
      BytesRef term = new BytesRef(new byte[bytes.length()]);
      term.length = bytes.length();
      for (int i = 0; i < term.length; i++) {
        term.bytes[i] = (byte) bytes.charAt(i);
      }
      return term;
    }

    @Override
    public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) {
      return new ListedPostings(ListedFields.postings(ofField.get(at), range), range.from());
    }

    @Override
    public SeekStatus seekCeil(BytesRef text) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void seekExact(long ord) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long ord() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int docFreq() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long totalTermFreq() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ImpactsEnum impacts(int flags) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class ListedPostings extends PostingsEnum {
    private final List<Posting> postings;
    private final int firstDoc;
    private int at = -1;
    private int occurrence;
    private int position;
    private int start;

    ListedPostings(List<Posting> postings, int firstDoc) {
      this.postings = postings;
      this.firstDoc = firstDoc;
    }

    @Override
    public int docID() {
      if (at < 0) {
        return -1;
      }
      return at < postings.size() ? postings.get(at).docId() - firstDoc : NO_MORE_DOCS;
    }

    @Override
    public int nextDoc() {
      at++;
      occurrence = 0;
      position = 0;
      start = 0;
      return docID();
    }

    @Override
    public int advance(int target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int freq() {
      return postings.get(at).freq();
    }

    @Override
    public int nextPosition() {
      position += postings.get(at).gaps().get(occurrence);
      start += postings.get(at).startGaps().get(occurrence);
      occurrence++;
      return position;
    }

    @Override
    public int startOffset() {
      return start;
    }

    @Override
    public int endOffset() {
      return start + postings.get(at).lengths().get(occurrence - 1);
    }

    @Override
    public @Nullable BytesRef getPayload() {
      return null;
    }

    @Override
    public long cost() {
      return postings.size();
    }
  }
}
