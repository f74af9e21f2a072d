package io.kmodel.indexer.browse;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.browse.BrowsedIndex.Texts;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.search.QueryReader;
import io.kmodel.indexer.search.Snippets;
import io.kmodel.indexer.search.TextAnalyzers;
import io.kmodel.indexer.search.UnknownFields;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;

/** Answers queries and explains scores, both as {@code indexer search} does. Thread-safe. */
final class Searches {
  /** The last hit that can be seen. */
  private static final int MOST_HITS = 10_000;

  private static final int MOST_AT_ONCE = 100;
  private static final int AT_ONCE = 10;

  /** Characters of Unicode that stand in no text, around matches; a text cannot do harm by them. */
  private static final char OPEN = '\uFDD0';

  private static final char CLOSE = '\uFDD1';

  private final BrowsedIndex index;
  private final IndexSearcher searcher;
  private final QueryReader queries;
  private final Snippets snippets;
  private final TextAnalyzers analyzers;

  Searches(BrowsedIndex index) {
    this.index = index;
    this.searcher = searcher(index);
    searcher.setSimilarity(index.model().similarity());
    this.analyzers = index.documentAnalyzers();
    this.queries = new QueryReader(analyzers, index.searched());
    this.snippets = new Snippets(OPEN, CLOSE);
  }

  private static IndexSearcher searcher(BrowsedIndex index) {
    try {
      return index.searcher();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] search(Parameters parameters) throws IOException, RefusedRequestException {
    int size = (int) parameters.number("size", AT_ONCE, 1, MOST_AT_ONCE);
    int from = (int) parameters.number("from", 0, 0, MOST_HITS - size);
    String text = parameters.text("q");
    long start = System.nanoTime();
    Query query = queries.parse(text);
    TopDocs found = QueryReader.run(searcher, query, from + size);
    double milliseconds = (System.nanoTime() - start) / 1e6;
    return JsonAnswer.write(
        out -> {
          out.writeNumberField("found", found.totalHits.value());
          out.writeBooleanField("exact", found.totalHits.relation() == TotalHits.Relation.EQUAL_TO);
          out.writeNumberField("milliseconds", milliseconds);
          out.writeNumberField("from", from);
          out.writeNumberField("most", MOST_HITS);
          out.writeArrayFieldStart("hits");
          try (Texts texts = index.texts()) {
            for (int i = from; i < found.scoreDocs.length; i++) {
              out.writeStartObject();
              out.writeNumberField("rank", i + 1);
              hit(query, text, found.scoreDocs[i], texts, out);
              out.writeEndObject();
            }
          }
          out.writeEndArray();
          out.writeArrayFieldStart("unknownFields");
          for (String field : UnknownFields.of(query, this::isSearched)) {
            out.writeString(field);
          }
          out.writeEndArray();
        });
  }

  private boolean isSearched(String field) {
    return index.fields().stream()
        .anyMatch(known -> known.name().equals(field) && !known.records().startsWith("none"));
  }

  private void hit(Query query, String text, ScoreDoc hit, Texts texts, JsonGenerator out)
      throws IOException {
    out.writeNumberField("document", hit.doc);
    out.writeNumberField("score", hit.score);
    Names.of(texts, hit.doc).write(out);
    String contents = texts.of(hit.doc, Schema.CONTENTS);
    if (contents != null) {
      Query reading = queries.readingFor(hit.doc, text, query);
      out.writeStringField(
          "snippet", snippets.of(reading, withoutMarks(contents), analyzers.of(hit.doc)));
    }
  }

  private static String withoutMarks(String text) {
    return text.replace(OPEN, ' ').replace(CLOSE, ' ');
  }

  byte[] explain(Parameters parameters) throws IOException, RefusedRequestException {
    String text = parameters.text("q");
    int docId = (int) parameters.number("document", 0, index.reader().maxDoc() - 1L);
    Query query = queries.parseFor(docId, text);
    ScoreParts parts = ScoreParts.of(QueryReader.explain(searcher, query, docId));
    return JsonAnswer.write(parts::write);
  }
}
