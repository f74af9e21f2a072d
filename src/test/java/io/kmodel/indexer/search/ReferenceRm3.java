package io.kmodel.indexer.search;

import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;

/**
 * RM3 by the formula, in double precision, on an index of Lucene: P(w) = weight * P(w | query) + (1
 * - weight) * sum over documents of P(w | document) * score.
 */
record ReferenceRm3(IndexSearcher lucene, Analyzer analyzer, int terms, int documents, double own) {
  Map<String, Double> expand(Map<String, Integer> query) throws IOException {
    Map<String, Double> boosts = new TreeMap<>();
    query.forEach((word, count) -> boosts.put(word, (double) count));
    Map<String, Double> model = new TreeMap<>();
    for (ScoreDoc hit : lucene.search(query(boosts), documents).scoreDocs) {
      Map<String, Double> counts = best(wordsOf(hit.doc));
      double total = sum(counts);
      counts.forEach((word, count) -> model.merge(word, hit.score * count / total, Double::sum));
    }
    Map<String, Double> kept = best(model);
    Set<String> all = new HashSet<>(query.keySet());
    all.addAll(kept.keySet());
    return all.stream()
        .collect(
            Collectors.toMap(
                word -> word,
                word ->
                    own * boosts.getOrDefault(word, 0.0) / sum(boosts)
                        + (1 - own) * kept.getOrDefault(word, 0.0) / Math.max(1e-300, sum(kept))));
  }

  /** The best of an expanded query. */
  ScoreDoc[] search(Map<String, Double> expanded, int top) throws IOException {
    return lucene.search(query(expanded), top).scoreDocs;
  }

  private static Query query(Map<String, Double> boosts) {
    BooleanQuery.Builder words = new BooleanQuery.Builder();
    boosts.forEach(
        (word, boost) ->
            words.add(
                new BoostQuery(new TermQuery(new Term(Schema.CONTENTS, word)), boost.floatValue()),
                BooleanClause.Occur.SHOULD));
    return words.build();
  }

  private Map<String, Double> wordsOf(int document) throws IOException {
    List<String> tokens = new ArrayList<>();
    String text = lucene.storedFields().document(document).get("raw");
    try (TokenStream stream = analyzer.tokenStream(Schema.CONTENTS, text)) {
      CharTermAttribute token = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        tokens.add(token.toString());
      }
      stream.end();
    }
    Map<String, Double> counts = new TreeMap<>();
    for (String token : tokens) {
      int documents = lucene.getIndexReader().docFreq(new Term(Schema.CONTENTS, token));
      if (token.matches("[a-z0-9]{2,20}") && 10 * documents <= lucene.getIndexReader().numDocs()) {
        counts.merge(token, 1.0, Double::sum);
      }
    }
    return counts;
  }

  private Map<String, Double> best(Map<String, Double> weights) {
    return weights.entrySet().stream()
        .sorted(
            Comparator.comparingDouble((Map.Entry<String, Double> entry) -> -entry.getValue())
                .thenComparing(Map.Entry::getKey))
        .limit(terms)
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, Map.Entry::getValue, Double::sum, LinkedHashMap::new));
  }

  private static double sum(Map<String, Double> weights) {
    return weights.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
