package io.kmodel.indexer.export.lucene.version;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * All that a Lucene index holds, as lines of text, and what some queries find. Loaded once for each
 * version of Lucene.
 */
public final class LuceneDigest implements Function<Path, List<String>> {
  private final List<String> lines = new ArrayList<>();
  private final List<Term> terms = new ArrayList<>();

  public LuceneDigest() {}

  @Override
  public List<String> apply(Path path) {
    lines.clear();
    try (Directory directory = new NIOFSDirectory(path);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        add(leaf.reader(), leaf.docBase);
      }
      search(new IndexSearcher(reader));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  private void add(LeafReader leaf, int base) throws IOException {
    for (FieldInfo field : leaf.getFieldInfos()) {
      lines.add(
          field.name
              + " "
              + field.getIndexOptions()
              + " "
              + field.omitsNorms()
              + " "
              + field.getDocValuesType());
      Terms of = leaf.terms(field.name);
      if (of != null) {
        lines.add(of.size() + " " + of.getSumDocFreq() + " " + of.getSumTotalTermFreq());
        add(field.name, of.iterator(), base);
      }
      NumericDocValues norms = leaf.getNormValues(field.name);
      while (norms != null && norms.nextDoc() != NumericDocValues.NO_MORE_DOCS) {
        lines.add("norm " + (base + norms.docID()) + " " + norms.longValue());
      }
      BinaryDocValues values = leaf.getBinaryDocValues(field.name);
      while (values != null && values.nextDoc() != BinaryDocValues.NO_MORE_DOCS) {
        lines.add("value " + (base + values.docID()) + " " + values.binaryValue().utf8ToString());
      }
      addColumn(leaf, field.name, base);
    }
    for (int doc = 0; doc < leaf.maxDoc(); doc++) {
      Document stored = leaf.storedFields().document(doc);
      for (IndexableField field : stored.getFields()) {
        lines.add("stored " + (base + doc) + " " + field.name() + " " + field.stringValue());
      }
    }
  }

  private void addColumn(LeafReader leaf, String field, int base) throws IOException {
    NumericDocValues numbers = leaf.getNumericDocValues(field);
    while (numbers != null && numbers.nextDoc() != NumericDocValues.NO_MORE_DOCS) {
      lines.add("number " + (base + numbers.docID()) + " " + numbers.longValue());
    }
    SortedDocValues strings = leaf.getSortedDocValues(field);
    while (strings != null && strings.nextDoc() != SortedDocValues.NO_MORE_DOCS) {
      int ord = strings.ordValue();
      lines.add("string " + (base + strings.docID()) + " " + ord + " " + strings.lookupOrd(ord));
    }
    PointValues points = leaf.getPointValues(field);
    if (points != null) {
      byte[] middle = new byte[Long.BYTES];
      middle[0] = (byte) 0x80;
      lines.add(points.size() + " points in " + points.getDocCount() + " documents");
      lines.add(points.estimatePointCount(new Below(middle)) > 0 ? "negative" : "none is negative");
      Below below = new Below(middle);
      points.intersect(below);
      below.found.stream().sorted().forEach(doc -> lines.add("negative " + (base + doc)));
    }
  }

  /** The documents with points below a value. */
  private static final class Below implements PointValues.IntersectVisitor {
    private final List<Integer> found = new ArrayList<>();
    private final byte[] end;

    Below(byte[] end) {
      this.end = end;
    }

    @Override
    public void visit(int doc) {
      found.add(doc);
    }

    @Override
    public void visit(int doc, byte[] value) {
      if (Arrays.compareUnsigned(value, end) < 0) {
        found.add(doc);
      }
    }

    @Override
    public PointValues.Relation compare(byte[] least, byte[] greatest) {
      if (Arrays.compareUnsigned(least, end) >= 0) {
        return PointValues.Relation.CELL_OUTSIDE_QUERY;
      }
      return Arrays.compareUnsigned(greatest, end) < 0
          ? PointValues.Relation.CELL_INSIDE_QUERY
          : PointValues.Relation.CELL_CROSSES_QUERY;
    }
  }

  private void add(String field, TermsEnum each, int base) throws IOException {
    for (BytesRef term = each.next(); term != null; term = each.next()) {
      terms.add(new Term(field, BytesRef.deepCopyOf(term)));
      StringBuilder line = new StringBuilder(field + " " + term);
      PostingsEnum postings = each.postings(null, PostingsEnum.ALL);
      while (postings.nextDoc() != PostingsEnum.NO_MORE_DOCS) {
        line.append(' ').append(base + postings.docID()).append('x').append(postings.freq());
        for (int i = 0; i < postings.freq(); i++) {
          line.append(',').append(postings.nextPosition());
        }
      }
      lines.add(line.toString());
    }
  }

  /** Scores of single terms and of many. */
  private void search(IndexSearcher searcher) throws IOException {
    BooleanQuery.Builder many = new BooleanQuery.Builder();
    for (int i = 0; i < terms.size(); i += 1 + terms.size() / 30) {
      many.add(new TermQuery(terms.get(i)), BooleanClause.Occur.SHOULD);
      find(searcher, new TermQuery(terms.get(i)));
    }
    find(searcher, many.build());
  }

  private void find(IndexSearcher searcher, Query query) throws IOException {
    for (ScoreDoc found : searcher.search(query, 100).scoreDocs) {
      lines.add("found " + found.doc + " " + found.score);
    }
  }
}
