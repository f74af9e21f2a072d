package io.kmodel.indexer.browse;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.index.model.TermDistribution;
import io.kmodel.indexer.index.verify.CorpusCount;
import io.kmodel.indexer.index.verify.CorpusStatistics;
import io.kmodel.indexer.index.verify.CorpusStatistics.LongList;
import io.kmodel.indexer.index.verify.CorpusStatistics.PowerLaw;
import io.kmodel.indexer.index.verify.CorpusStatistics.Rank;
import io.kmodel.indexer.index.verify.CorpusStatistics.Vocabulary;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/**
 * The statistics of a field's text: those of {@code indexer stats}, and how long lists and
 * documents are. They take one walk over all terms and the starts of their lists, and one over the
 * lengths, at the first request for the field. Thread-safe.
 */
final class Survey {
  private final BrowsedIndex index;
  private final Map<String, byte[]> done = new HashMap<>();

  Survey(BrowsedIndex index) {
    this.index = index;
  }

  /** Requests that come while a field is surveyed wait, so that none is surveyed twice. */
  byte[] statistics(Parameters parameters) throws IOException, RefusedRequestException {
    String field = parameters.text("field");
    synchronized (done) {
      byte[] known = done.get(field);
      if (known == null) {
        known = survey(field);
        done.put(field, known);
      }
      return known;
    }
  }

  private byte[] survey(String field) throws IOException, RefusedRequestException {
    CorpusCount.Lengths lengths =
        index.fields().stream().anyMatch(known -> known.name().equals(field))
            ? index.lengths(field)
            : null;
    if (lengths == null) {
      throw new RefusedRequestException(
          "statistics need a text field with lengths, which '%s' is not".formatted(field));
    }
    int documents = index.reader().maxDoc();
    CorpusCount count = new CorpusCount(documents);
    TermDistribution distribution = new TermDistribution();
    Terms terms = MultiTerms.getTerms(index.reader(), field);
    if (terms != null) {
      count(terms.iterator(), count, distribution);
    }
    LengthHistogram histogram = new LengthHistogram();
    CorpusStatistics statistics =
        count.statistics(
            field,
            docId -> {
              int length = lengths.of(docId);
              histogram.add(length);
              return length;
            });
    return JsonAnswer.write(
        out -> {
          write(statistics, out);
          numbers("byDocuments", distribution.byDocuments(), out);
          numbers("byOccurrences", distribution.byOccurrences(), out);
          out.writeBooleanField("exactLengths", index.hasExactLengths());
          histogram.write(out);
        });
  }

  private static void count(TermsEnum terms, CorpusCount count, TermDistribution distribution)
      throws IOException {
    PostingsEnum list = null;
    for (BytesRef term = terms.next(); term != null; term = terms.next()) {
      Interruption.requireNone();
      list = terms.postings(list, PostingsEnum.NONE);
      int firstDoc = list.nextDoc();
      int docFreq = terms.docFreq();
      long occurrences = terms.totalTermFreq();
      count.add(term.bytes, term.offset, term.length, firstDoc, docFreq, occurrences);
      distribution.add(docFreq, occurrences);
    }
  }

  private static void write(CorpusStatistics statistics, JsonGenerator out) throws IOException {
    out.writeStringField("field", statistics.field());
    out.writeNumberField("postings", statistics.postings());
    out.writeNumberField("tokens", statistics.tokens());
    out.writeArrayFieldStart("vocabulary");
    for (Vocabulary point : statistics.vocabulary()) {
      out.writeArray(new long[] {point.documents(), point.tokens(), point.terms()}, 0, 3);
    }
    out.writeEndArray();
    law("heaps", statistics.heaps(), out);
    out.writeArrayFieldStart("ranks");
    for (Rank rank : statistics.ranks()) {
      out.writeArray(new long[] {rank.rank(), rank.frequency()}, 0, 2);
    }
    out.writeEndArray();
    law("zipf", statistics.zipf(), out);
    out.writeArrayFieldStart("longest");
    for (LongList list : statistics.longest()) {
      out.writeStartObject();
      out.writeStringField("term", list.term());
      out.writeNumberField("documents", list.documents());
      out.writeNumberField("occurrences", list.occurrences());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  /** Left out if there are too few points to fit it to; JSON has no NaN. */
  private static void law(String name, PowerLaw law, JsonGenerator out) throws IOException {
    if (!Double.isNaN(law.exponent())) {
      out.writeObjectFieldStart(name);
      out.writeNumberField("factor", law.factor());
      out.writeNumberField("exponent", law.exponent());
      out.writeEndObject();
    }
  }

  private static void numbers(String name, long[] values, JsonGenerator out) throws IOException {
    out.writeFieldName(name);
    out.writeArray(values, 0, values.length);
  }
}
