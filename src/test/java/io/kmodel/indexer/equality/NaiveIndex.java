package io.kmodel.indexer.equality;

import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.index.columns.ColumnPartWriter;
import io.kmodel.indexer.index.documents.StoredDocumentsWriter;
import io.kmodel.indexer.index.documents.StoredValues;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.util.BytesRef;

/**
 * Makes an index of documents by the simplest means: a sorted map from term key to postings in
 * memory. Every part of the real build is left out but the writer of the index.
 */
public final class NaiveIndex {
  /** A term in one document. */
  private record Posting(int docId, List<Occurrence> occurrences) {}

  private record Occurrence(int position, int start, int end) {}

  private final Schema schema;
  private final Analyzer analyzer;
  private final Map<byte[], List<Posting>> terms = new TreeMap<>(Arrays::compareUnsigned);
  private final List<int[]> lengths = new ArrayList<>();

  private NaiveIndex(Schema schema, Analyzer analyzer) {
    this.schema = schema;
    this.analyzer = analyzer;
  }

  /** Writes an index into a directory that is absent or empty. */
  public static void write(
      Path directory, Schema schema, Analyzer analyzer, List<ParsedDocument> documents)
      throws IOException {
    NaiveIndex index = new NaiveIndex(schema, analyzer);
    for (int docId = 0; docId < documents.size(); docId++) {
      index.add(docId, documents.get(docId));
    }
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, schema)) {
      index.writeTo(writer, documents.size());
      if (schema.fields().stream().anyMatch(Field::stored)) {
        Path stored = directory.resolveSibling(directory.getFileName() + ".stored");
        index.writeStored(stored, documents);
        writer.appendDocuments(stored);
        Files.delete(stored);
      }
      if (!schema.columns().isEmpty()) {
        Path values = directory.resolveSibling(directory.getFileName() + ".columns");
        writeColumns(values, documents);
        writer.appendColumns(values);
        Files.delete(values);
      }
      writer.finish(documents.size(), Map.of());
    }
  }

  private void writeStored(Path file, List<ParsedDocument> documents) throws IOException {
    try (StoredDocumentsWriter writer = new StoredDocumentsWriter(file, schema)) {
      for (ParsedDocument document : documents) {
        StoredValues.add(writer, 0, storedTexts(document));
      }
      writer.commit();
    }
  }

  private static void writeColumns(Path file, List<ParsedDocument> documents) throws IOException {
    try (ColumnPartWriter writer = new ColumnPartWriter(file)) {
      for (ParsedDocument document : documents) {
        writer.add(document.values());
      }
      writer.commit();
    }
  }

  private void add(int docId, ParsedDocument document) throws IOException {
    int[] documentLengths = new int[schema.size()];
    for (int ordinal = 0; ordinal < schema.size(); ordinal++) {
      int column = schema.findColumn(schema.field(ordinal).name());
      if (column >= 0 && !document.values().has(column)) {
        continue;
      }
      String text =
          column >= 0 ? document.values().string(column) : text(schema.field(ordinal), document);
      if (schema.field(ordinal).tokenized()) {
        documentLengths[ordinal] = addTokens(docId, ordinal, text);
      } else {
        BytesRef term = new BytesRef(text.getBytes(StandardCharsets.UTF_8));
        addTerm(docId, ordinal, term, new Occurrence(0, 0, text.length()));
      }
    }
    lengths.add(documentLengths);
  }

  private int addTokens(int docId, int ordinal, String text) throws IOException {
    int position = -1;
    int length = 0;
    try (TokenStream tokens = analyzer.tokenStream(schema.field(ordinal).name(), text)) {
      TermToBytesRefAttribute term = tokens.addAttribute(TermToBytesRefAttribute.class);
      PositionIncrementAttribute step = tokens.addAttribute(PositionIncrementAttribute.class);
      OffsetAttribute offset = tokens.addAttribute(OffsetAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        position += step.getPositionIncrement();
        length += step.getPositionIncrement() == 0 ? 0 : 1;
        addTerm(
            docId,
            ordinal,
            term.getBytesRef(),
            new Occurrence(position, offset.startOffset(), offset.endOffset()));
      }
      tokens.end();
    }
    return length;
  }

  private void addTerm(int docId, int ordinal, BytesRef term, Occurrence occurrence) {
    byte[] key = new byte[1 + term.length];
    key[0] = (byte) ordinal;
    System.arraycopy(term.bytes, term.offset, key, 1, term.length);
    List<Posting> postings = terms.computeIfAbsent(key, absent -> new ArrayList<>());
    if (postings.isEmpty() || postings.getLast().docId() != docId) {
      postings.add(new Posting(docId, new ArrayList<>()));
    }
    postings.getLast().occurrences().add(occurrence);
  }

  private String[] storedTexts(ParsedDocument document) {
    return schema.fields().stream()
        .filter(Field::stored)
        .map(field -> text(field, document))
        .toArray(String[]::new);
  }

  private static String text(Field field, ParsedDocument document) {
    return switch (field.name()) {
      case Schema.ID -> document.id();
      case Schema.TITLE -> document.title();
      case Schema.CONTENTS -> document.contents();
      default -> throw new IllegalArgumentException("no text for " + field);
    };
  }

  private void writeTo(InvertedIndexWriter writer, int documents) throws IOException {
    try (PostingsPart part = writer.newPart()) {
      for (Map.Entry<byte[], List<Posting>> term : terms.entrySet()) {
        part.startTerm(term.getKey(), term.getKey().length);
        boolean positions = schema.field(term.getKey()[0]).detail().hasPositions();
        List<Posting> postings = term.getValue();
        for (int from = 0; from < postings.size(); from += PostingsCursor.BLOCK) {
          int to = Math.min(postings.size(), from + PostingsCursor.BLOCK);
          writeBlock(part, postings.subList(from, to), positions);
        }
        part.finishTerm();
      }
      writer.append(part);
    }
    for (int ordinal = 0; ordinal < schema.size(); ordinal++) {
      if (schema.field(ordinal).tokenized()) {
        int field = ordinal;
        int[] all = lengths.stream().mapToInt(document -> document[field]).toArray();
        writer.appendLengths(ordinal, all, documents);
      }
    }
  }

  private static void writeBlock(PostingsPart part, List<Posting> postings, boolean positions)
      throws IOException {
    int[] docs = postings.stream().mapToInt(Posting::docId).toArray();
    int[] freqs = postings.stream().mapToInt(posting -> posting.occurrences().size()).toArray();
    part.docs(docs, freqs, docs.length);
    if (!positions) {
      return;
    }
    int[] deltas = new int[PostingsCursor.COLUMNS];
    int count = 0;
    for (Posting posting : postings) {
      Occurrence last = new Occurrence(0, 0, 0);
      for (Occurrence next : posting.occurrences()) {
        if (count == PostingsCursor.BLOCK) {
          part.positions(deltas, count);
          count = 0;
        }
        deltas[count] = next.position - last.position;
        deltas[PostingsCursor.STARTS + count] = next.start - last.start;
        deltas[PostingsCursor.LENGTHS + count] = next.end - next.start;
        count++;
        last = next;
      }
    }
    if (count > 0) {
      part.positions(deltas, count);
    }
  }
}
