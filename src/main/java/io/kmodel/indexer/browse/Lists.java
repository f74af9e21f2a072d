package io.kmodel.indexer.browse;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.browse.BrowsedIndex.BrowsedField;
import io.kmodel.indexer.browse.BrowsedIndex.Texts;
import io.kmodel.indexer.index.verify.CorpusCount;
import java.io.IOException;
import org.apache.lucene.index.MultiBits;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/** Pages of terms and of postings. Thread-safe. */
final class Lists {
  private static final int MOST_TERMS = 1000;
  private static final int TERMS = 100;
  private static final int MOST_POSTINGS = 200;
  private static final int POSTINGS = 50;

  /** Positions shown of a document. */
  private static final int MOST_POSITIONS = 200;

  private final BrowsedIndex index;

  Lists(BrowsedIndex index) {
    this.index = index;
  }

  /** The terms with a prefix, from one of them on, counted from 0. */
  byte[] terms(Parameters parameters) throws IOException, RefusedRequestException {
    TermList terms = index.terms(parameters.text("field"));
    BytesRef prefix = new BytesRef(parameters.textOrEmpty("prefix"));
    int size = (int) parameters.number("size", TERMS, 1, MOST_TERMS);
    long from = parameters.number("from", 0, 0, Long.MAX_VALUE / 2);
    long first = prefix.length == 0 ? 0 : terms.below(prefix);
    long end = terms.end(prefix);
    return JsonAnswer.write(
        out -> {
          out.writeNumberField("total", end - first);
          out.writeNumberField("from", from);
          out.writeArrayFieldStart("terms");
          long last = Math.min(end, first + from + size);
          boolean more = first + from < last && terms.seek(first + from);
          for (long at = first + from; more; more = ++at < last && terms.next()) {
            out.writeStartObject();
            JsonAnswer.term(terms.term(), out);
            out.writeNumberField("documents", terms.docFreq());
            out.writeNumberField("occurrences", terms.totalTermFreq());
            out.writeEndObject();
          }
          out.writeEndArray();
        });
  }

  /** A term's documents, from one of them on, counted from 0. */
  byte[] postings(Parameters parameters) throws IOException, RefusedRequestException {
    String name = parameters.text("field");
    BrowsedField field = field(name);
    BytesRef term = parameters.term();
    int size = (int) parameters.number("size", POSTINGS, 1, MOST_POSTINGS);
    long from = parameters.number("from", 0, 0, Integer.MAX_VALUE);
    Terms all = MultiTerms.getTerms(index.reader(), name);
    TermsEnum terms = all == null ? null : all.iterator();
    if (terms == null || !terms.seekExact(term)) {
      throw new RefusedRequestException(
          404, "'%s' is not a term of %s".formatted(JsonAnswer.name(term), name));
    }
    return JsonAnswer.write(
        out -> {
          out.writeNumberField("documents", terms.docFreq());
          out.writeNumberField("occurrences", terms.totalTermFreq());
          out.writeBooleanField("isVector", field.isVector());
          out.writeBooleanField("hasPositions", field.hasPositions());
          out.writeBooleanField("exactLengths", index.hasExactLengths());
          out.writeNumberField("from", from);
          out.writeArrayFieldStart("postings");
          int first = document(terms, from);
          if (first != PostingsEnum.NO_MORE_DOCS) {
            rows(field, terms, first, size, out);
          }
          out.writeEndArray();
        });
  }

  /** The field of a name, which must exist. */
  private BrowsedField field(String name) throws RefusedRequestException {
    for (BrowsedField field : index.fields()) {
      if (field.name().equals(name)) {
        return field;
      }
    }
    throw new RefusedRequestException("the index has no field '%s'".formatted(name));
  }

  /** The document at a place in the list. Counts documents alone, which reads no positions. */
  private static int document(TermsEnum terms, long place) throws IOException {
    if (place >= terms.docFreq()) {
      return PostingsEnum.NO_MORE_DOCS;
    }
    PostingsEnum list = terms.postings(null, PostingsEnum.NONE);
    int docId = list.nextDoc();
    for (long i = 0; i < place; i++) {
      docId = list.nextDoc();
    }
    return docId;
  }

  private void rows(BrowsedField field, TermsEnum terms, int first, int size, JsonGenerator out)
      throws IOException {
    PostingsEnum list = terms.postings(null, PostingsEnum.OFFSETS);
    CorpusCount.Lengths lengths = index.lengths(field.name());
    Bits live = MultiBits.getLiveDocs(index.reader());
    try (Texts texts = index.texts()) {
      int docId = list.advance(first);
      for (int i = 0; i < size && docId != PostingsEnum.NO_MORE_DOCS; i++) {
        out.writeStartObject();
        out.writeNumberField("document", docId);
        if (live != null && !live.get(docId)) {
          out.writeBooleanField("deleted", true);
        }
        Names.of(texts, docId).write(out);
        if (lengths != null) {
          out.writeNumberField("length", lengths.of(docId));
        }
        row(field, list, out);
        out.writeEndObject();
        docId = list.nextDoc();
      }
    }
  }

  private static void row(BrowsedField field, PostingsEnum list, JsonGenerator out)
      throws IOException {
    out.writeNumberField(field.isVector() ? "weight" : "occurrences", list.freq());
    if (field.hasPositions()) {
      int shown = Math.min(MOST_POSITIONS, list.freq());
      out.writeArrayFieldStart("positions");
      for (int i = 0; i < shown; i++) {
        out.writeNumber(list.nextPosition());
      }
      out.writeEndArray();
    }
  }
}
