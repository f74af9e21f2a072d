package io.kmodel.indexer.equality;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;

/**
 * Makes queries for an index out of its own terms, and phrases out of the texts of some of its
 * documents: terms, phrases exact and sloppy, booleans, prefixes, ranges.
 */
final class RandomQueries {
  private static final int MAX_TERMS = 4000;
  private static final int TEXTS = 12;
  private static final BooleanClause.Occur[] OCCURS = {
    BooleanClause.Occur.MUST,
    BooleanClause.Occur.SHOULD,
    BooleanClause.Occur.SHOULD,
    BooleanClause.Occur.MUST_NOT
  };

  private final Random random;

  /** A sample, evenly spread over each field. */
  private final List<Term> terms = new ArrayList<>();

  /** The terms of some documents' fields, by position. */
  private final List<List<Term>> texts = new ArrayList<>();

  RandomQueries(IndexReader reader, Random random) throws IOException {
    this.random = random;
    for (FieldInfo field : FieldInfos.getMergedFieldInfos(reader)) {
      Terms all = MultiTerms.getTerms(reader, field.name);
      if (all != null) {
        sampleTerms(field.name, all);
        if (field.getIndexOptions() == IndexOptions.DOCS_AND_FREQS_AND_POSITIONS) {
          for (int i = 0; i < TEXTS; i++) {
            readText(field.name, all, random.nextInt(reader.maxDoc()));
          }
        }
      }
    }
  }

  boolean isEmpty() {
    return terms.isEmpty();
  }

  Query next() {
    return switch (random.nextInt(8)) {
      case 0 -> new TermQuery(term());
      case 1 -> phrase(0);
      case 2 -> phrase(1 + random.nextInt(5));
      case 3, 4 -> bool(2);
      case 5 -> prefix(MultiTermQuery.CONSTANT_SCORE_REWRITE);
      case 6 -> prefix(new MultiTermQuery.TopTermsScoringBooleanQueryRewrite(50));
      default -> range();
    };
  }

  private void sampleTerms(String field, Terms all) throws IOException {
    List<Term> sample = new ArrayList<>();
    TermsEnum each = all.iterator();
    int seen = 0;
    for (BytesRef term; (term = each.next()) != null; seen++) {
      int place = seen < MAX_TERMS ? seen : random.nextInt(seen + 1);
      if (place < sample.size()) {
        sample.set(place, new Term(field, BytesRef.deepCopyOf(term)));
      } else if (place < MAX_TERMS) {
        sample.add(new Term(field, BytesRef.deepCopyOf(term)));
      }
    }
    terms.addAll(sample);
  }

  private void readText(String field, Terms all, int docId) throws IOException {
    SortedMap<Integer, Term> text = new TreeMap<>();
    TermsEnum each = all.iterator();
    PostingsEnum postings = null;
    for (BytesRef term; (term = each.next()) != null; ) {
      postings = each.postings(postings, PostingsEnum.POSITIONS);
      if (postings.advance(docId) == docId) {
        for (int i = postings.freq(); i > 0; i--) {
          text.put(postings.nextPosition(), new Term(field, BytesRef.deepCopyOf(term)));
        }
      }
    }
    if (text.size() > 1) {
      texts.add(List.copyOf(text.values()));
    }
  }

  private Term term() {
    return terms.get(random.nextInt(terms.size()));
  }

  /** Neighbours of a text; with slop, sometimes out of order or with one left out. */
  private Query phrase(int slop) {
    if (texts.isEmpty()) {
      return new TermQuery(term());
    }
    List<Term> text = texts.get(random.nextInt(texts.size()));
    int length = Math.min(text.size(), 2 + random.nextInt(3));
    int from = random.nextInt(text.size() - length + 1);
    List<Term> words = new ArrayList<>(text.subList(from, from + length));
    if (slop > 0 && random.nextBoolean()) {
      words.add(words.removeFirst());
    }
    PhraseQuery.Builder phrase = new PhraseQuery.Builder().setSlop(slop);
    words.forEach(phrase::add);
    return phrase.build();
  }

  private Query bool(int depth) {
    BooleanQuery.Builder bool = new BooleanQuery.Builder();
    int clauses = 2 + random.nextInt(4);
    for (int i = 0; i < clauses; i++) {
      Query clause =
          depth > 0 && random.nextInt(6) == 0
              ? bool(depth - 1)
              : random.nextInt(5) == 0 ? phrase(0) : new TermQuery(term());
      bool.add(
          random.nextInt(4) == 0 ? new BoostQuery(clause, 1 + random.nextInt(3)) : clause,
          OCCURS[random.nextInt(OCCURS.length)]);
    }
    return bool.build();
  }

  private Query prefix(MultiTermQuery.RewriteMethod rewrite) {
    Term term = term();
    BytesRef bytes = term.bytes();
    int length = Math.min(bytes.length, 1 + random.nextInt(4));
    return new PrefixQuery(
        new Term(term.field(), new BytesRef(bytes.bytes, bytes.offset, length)), rewrite);
  }

  private Query range() {
    Term from = term();
    Term to = term();
    return new TermRangeQuery(
        from.field(), from.bytes(), to.bytes(), random.nextBoolean(), random.nextBoolean());
  }
}
