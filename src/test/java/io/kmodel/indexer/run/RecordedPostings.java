package io.kmodel.indexer.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.PostingsConsumer;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Postings as text, one line per term: the key in hexadecimal, docFreq/totalTermFreq, and per
 * document {@code doc×freq@positions}. Three ways to get them: as a consumer, from a cursor, and
 * from documents by way of a TreeMap, which is the oracle.
 */
final class RecordedPostings implements PostingsConsumer {
  private final List<String> lines = new ArrayList<>();
  private final TreeMap<Integer, List<Integer>> list = new TreeMap<>();
  private final List<Integer> docs = new ArrayList<>();
  private final List<Integer> freqs = new ArrayList<>();
  private String key = "";
  private int positionsOf;

  List<String> lines() {
    return lines;
  }

  @Override
  public void startTerm(byte[] term, int length) {
    key = HexFormat.of().formatHex(term, 0, length);
    docs.clear();
    freqs.clear();
    list.clear();
    positionsOf = 0;
  }

  @Override
  public void docs(int[] newDocs, int[] newFreqs, int count) {
    for (int i = 0; i < count; i++) {
      docs.add(newDocs[i]);
      freqs.add(newFreqs[i]);
    }
  }

  @Override
  public void positions(int[] deltas, int count) {
    for (int i = 0; i < count; i++) {
      while (positionsOf < docs.size()
          && list.getOrDefault(docs.get(positionsOf), List.of()).size() == freqs.get(positionsOf)) {
        positionsOf++;
      }
      List<Integer> positions =
          list.computeIfAbsent(docs.get(positionsOf), doc -> new ArrayList<>());
      int last = positions.isEmpty() ? 0 : positions.getLast();
      positions.add(last + deltas[i]);
    }
  }

  @Override
  public void finishTerm() {
    TreeMap<Integer, Occurrences> occurrences = new TreeMap<>();
    for (int i = 0; i < docs.size(); i++) {
      List<Integer> positions = List.copyOf(list.getOrDefault(docs.get(i), List.of()));
      occurrences.put(docs.get(i), new Occurrences(freqs.get(i), positions));
    }
    lines.add(line(key, occurrences));
  }

  /** Reads a cursor to its end and checks its statistics against its documents. */
  static List<String> of(PostingsCursor cursor) throws IOException {
    RecordedPostings recorded = new RecordedPostings();
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int[] deltas = new int[PostingsCursor.BLOCK];
    while (cursor.nextTerm()) {
      recorded.startTerm(cursor.term(), cursor.termLength());
      for (int n; (n = cursor.nextDocs(docs, freqs)) > 0; ) {
        recorded.docs(docs, freqs, n);
        for (int m; (m = cursor.nextPositions(deltas)) > 0; ) {
          recorded.positions(deltas, m);
        }
      }
      recorded.finishTerm();
      String statistics = " " + cursor.docFreq() + "/" + cursor.totalTermFreq() + " ";
      if (!recorded.lines.getLast().contains(statistics)) {
        throw new AssertionError(statistics + " are not those of " + recorded.lines.getLast());
      }
    }
    return recorded.lines;
  }

  /** A token of a document. */
  record Token(int field, String term, int position) {
    byte[] bytes() {
      return term.getBytes(UTF_8);
    }
  }

  /** Inverts documents the plain way. */
  static List<String> oracle(Schema schema, List<List<Token>> documents) {
    TreeMap<String, TreeMap<Integer, Occurrences>> terms = new TreeMap<>();
    for (int doc = 0; doc < documents.size(); doc++) {
      for (Token token : documents.get(doc)) {
        Detail detail = schema.field(token.field).detail();
        String key =
            HexFormat.of().toHexDigits((byte) token.field)
                + HexFormat.of().formatHex(token.bytes());
        Map<Integer, Occurrences> postings = terms.computeIfAbsent(key, k -> new TreeMap<>());
        Occurrences last = postings.getOrDefault(doc, new Occurrences(0, List.of()));
        List<Integer> positions = new ArrayList<>(last.positions);
        if (detail.hasPositions()) {
          positions.add(token.position);
        }
        int freq = detail.hasFrequencies() ? last.freq + 1 : 1;
        postings.put(doc, new Occurrences(freq, positions));
      }
    }
    List<String> lines = new ArrayList<>();
    terms.forEach((key, postings) -> lines.add(line(key, postings)));
    return lines;
  }

  private record Occurrences(int freq, List<Integer> positions) {}

  private static String line(String key, Map<Integer, Occurrences> postings) {
    StringBuilder line = new StringBuilder(key);
    long total = postings.values().stream().mapToLong(Occurrences::freq).sum();
    line.append(' ').append(postings.size()).append('/').append(total).append(' ');
    postings.forEach(
        (doc, o) -> line.append(doc).append('×').append(o.freq).append('@').append(o.positions));
    return line.toString();
  }
}
