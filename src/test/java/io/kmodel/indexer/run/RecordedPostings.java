package io.kmodel.indexer.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Postings as text, one line per term: the key in hexadecimal, docFreq/totalTermFreq, and per
 * document {@code doc×freq@positions}, a position with offsets as {@code 7:30-35}. They come from
 * being a consumer, from a cursor, or from documents by way of a TreeMap, which is the oracle.
 */
final class RecordedPostings implements PostingsConsumer {
  private final List<String> lines = new ArrayList<>();
  private final @Nullable Schema schema;
  private final TreeMap<Integer, List<Place>> list = new TreeMap<>();
  private final List<Integer> docs = new ArrayList<>();
  private final List<Integer> freqs = new ArrayList<>();
  private String key = "";
  private int positionsOf;
  private boolean offsets;

  /** For fields without offsets. */
  RecordedPostings() {
    this.schema = null;
  }

  /** For the fields of a schema. */
  RecordedPostings(Schema schema) {
    this.schema = schema;
  }

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
    offsets = schema != null && schema.field(term[0] & 0xFF).detail().hasOffsets();
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
      List<Place> places = list.computeIfAbsent(docs.get(positionsOf), doc -> new ArrayList<>());
      Place last = places.isEmpty() ? new Place(0, 0, 0) : places.getLast();
      int start = offsets ? last.start + deltas[PostingsCursor.STARTS + i] : 0;
      int end = offsets ? start + deltas[PostingsCursor.LENGTHS + i] : 0;
      places.add(new Place(last.position + deltas[i], start, end));
    }
  }

  @Override
  public void finishTerm() {
    TreeMap<Integer, Occurrences> occurrences = new TreeMap<>();
    for (int i = 0; i < docs.size(); i++) {
      List<Place> places = List.copyOf(list.getOrDefault(docs.get(i), List.of()));
      occurrences.put(docs.get(i), new Occurrences(freqs.get(i), places));
    }
    lines.add(line(key, occurrences, offsets));
  }

  /** Reads a cursor to its end and checks its statistics against its documents. */
  static List<String> of(PostingsCursor cursor) throws IOException {
    return of(cursor, new RecordedPostings());
  }

  /** The same for the fields of a schema. */
  static List<String> of(PostingsCursor cursor, Schema schema) throws IOException {
    return of(cursor, new RecordedPostings(schema));
  }

  private static List<String> of(PostingsCursor cursor, RecordedPostings recorded)
      throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int[] deltas = new int[PostingsCursor.COLUMNS];
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

  /** The place of a token in a document. */
  private record Place(int position, int start, int end) {}

  /** A token of a document. */
  record Token(int field, String term, int position) {
    /** Starts do not descend with positions, lengths vary. */
    int start() {
      return position + position / 2;
    }

    int end() {
      return start() + term.length() % 5;
    }

    byte[] bytes() {
      return term.getBytes(UTF_8);
    }
  }

  /** Inverts documents in the simplest way. */
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
        List<Place> places = new ArrayList<>(last.places);
        if (detail.hasPositions()) {
          places.add(new Place(token.position, token.start(), token.end()));
        }
        int freq = detail.hasFrequencies() ? last.freq + 1 : 1;
        postings.put(doc, new Occurrences(freq, places));
      }
    }
    List<String> lines = new ArrayList<>();
    terms.forEach(
        (key, postings) -> {
          int field = HexFormat.fromHexDigits(key, 0, 2);
          lines.add(line(key, postings, schema.field(field).detail().hasOffsets()));
        });
    return lines;
  }

  private record Occurrences(int freq, List<Place> places) {
    List<String> text(boolean offsets) {
      return places.stream()
          .map(p -> offsets ? p.position + ":" + p.start + "-" + p.end : "" + p.position)
          .toList();
    }
  }

  private static String line(String key, Map<Integer, Occurrences> postings, boolean offsets) {
    StringBuilder line = new StringBuilder(key);
    long total = postings.values().stream().mapToLong(Occurrences::freq).sum();
    line.append(' ').append(postings.size()).append('/').append(total).append(' ');
    postings.forEach(
        (doc, o) ->
            line.append(doc).append('×').append(o.freq).append('@').append(o.text(offsets)));
    return line.toString();
  }
}
