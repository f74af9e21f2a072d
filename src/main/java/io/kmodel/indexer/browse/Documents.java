package io.kmodel.indexer.browse;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.browse.BrowsedIndex.BrowsedField;
import io.kmodel.indexer.browse.BrowsedIndex.StoredValue;
import io.kmodel.indexer.browse.BrowsedIndex.Texts;
import io.kmodel.indexer.index.verify.CorpusCount;
import io.kmodel.indexer.search.TextAnalyzers;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.index.MultiBits;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/** A document: its stored values, columns and lengths, and its terms. Thread-safe. */
final class Documents {
  /** Characters shown of a stored text. */
  private static final int MOST_CHARACTERS = 1 << 20;

  /** Distinct terms shown of a document. */
  private static final int MOST_WORDS = 20_000;

  private final BrowsedIndex index;
  private final TextAnalyzers analyzers;

  Documents(BrowsedIndex index) {
    this.index = index;
    this.analyzers = index.documentAnalyzers();
  }

  private int docId(Parameters parameters) throws RefusedRequestException {
    int documents = index.reader().maxDoc();
    if (documents == 0) {
      throw new RefusedRequestException(404, "the index has no documents");
    }
    return (int) parameters.number("document", 0, documents - 1L);
  }

  byte[] document(Parameters parameters) throws IOException, RefusedRequestException {
    int docId = docId(parameters);
    return JsonAnswer.write(
        out -> {
          out.writeNumberField("document", docId);
          out.writeNumberField("documents", index.reader().maxDoc());
          Bits live = MultiBits.getLiveDocs(index.reader());
          out.writeBooleanField("deleted", live != null && !live.get(docId));
          try (Texts texts = index.texts()) {
            Names.of(texts, docId).write(out);
          }
          out.writeArrayFieldStart("stored");
          for (StoredValue value : index.stored(docId)) {
            stored(value, out);
          }
          out.writeEndArray();
          out.writeObjectFieldStart("columns");
          for (Map.Entry<String, String> column : index.columns(docId).entrySet()) {
            out.writeStringField(column.getKey(), column.getValue());
          }
          out.writeEndObject();
          out.writeBooleanField("exactLengths", index.hasExactLengths());
          out.writeObjectFieldStart("lengths");
          for (BrowsedField field : index.fields()) {
            CorpusCount.Lengths lengths = index.lengths(field.name());
            if (lengths != null) {
              out.writeNumberField(field.name(), lengths.of(docId));
            }
          }
          out.writeEndObject();
        });
  }

  private static void stored(StoredValue value, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("field", value.field());
    out.writeNumberField("characters", value.text().length());
    out.writeStringField("text", start(value.text()));
    out.writeEndObject();
  }

  /** The first characters of a text, without half of a surrogate pair. */
  private static String start(String text) {
    if (text.length() <= MOST_CHARACTERS) {
      return text;
    }
    boolean splitsPair = Character.isLowSurrogate(text.charAt(MOST_CHARACTERS));
    return text.substring(0, splitsPair ? MOST_CHARACTERS - 1 : MOST_CHARACTERS);
  }

  /**
   * The terms of a document's field. The stored text is analyzed, and every term is looked up: its
   * frequency is that of the postings list. Terms that the document does not have in the index are
   * counted; there are some if the index was made with another analyzer or of another text.
   */
  byte[] words(Parameters parameters) throws IOException, RefusedRequestException {
    int docId = docId(parameters);
    String field = parameters.text("field");
    String text;
    try (Texts texts = index.texts()) {
      text = texts.of(docId, field);
    }
    if (text == null) {
      throw new RefusedRequestException(
          404, "the index does not store '%s', so its terms cannot be listed".formatted(field));
    }
    Set<BytesRef> words = analyze(docId, field, start(text));
    Terms all = MultiTerms.getTerms(index.reader(), field);
    TermsEnum terms = all == null ? null : all.iterator();
    return JsonAnswer.write(
        out -> {
          long occurrences = 0;
          int present = 0;
          out.writeArrayFieldStart("terms");
          for (BytesRef word : words) {
            int frequency = terms == null ? 0 : frequency(terms, word, docId);
            occurrences += frequency;
            present += frequency > 0 ? 1 : 0;
            if (terms != null && frequency > 0 && present <= MOST_WORDS) {
              out.writeStartObject();
              JsonAnswer.term(word, out);
              out.writeNumberField("occurrences", frequency);
              out.writeNumberField("documents", terms.docFreq());
              out.writeEndObject();
            }
          }
          out.writeEndArray();
          out.writeNumberField("distinct", present);
          out.writeNumberField("occurrences", occurrences);
          out.writeNumberField("absent", words.size() - present);
          out.writeBooleanField("isCut", text.length() > MOST_CHARACTERS || present > MOST_WORDS);
        });
  }

  private Set<BytesRef> analyze(int docId, String field, String text) throws IOException {
    Set<BytesRef> words = new TreeSet<>();
    try (TokenStream tokens = analyzers.of(docId).tokenStream(field, text)) {
      TermToBytesRefAttribute term = tokens.addAttribute(TermToBytesRefAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        words.add(BytesRef.deepCopyOf(term.getBytesRef()));
      }
      tokens.end();
    }
    return words;
  }

  /** How often a document has a term; 0 if not at all. */
  private static int frequency(TermsEnum terms, BytesRef term, int docId) throws IOException {
    if (!terms.seekExact(term)) {
      return 0;
    }
    PostingsEnum list = terms.postings(null, PostingsEnum.FREQS);
    return list.advance(docId) == docId ? list.freq() : 0;
  }
}
