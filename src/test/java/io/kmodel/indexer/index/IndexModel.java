package io.kmodel.indexer.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.primitives.ImmutableIntArray;
import io.kmodel.indexer.index.documents.StoredDocumentsWriter;
import io.kmodel.indexer.index.documents.StoredValues;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** What an index should hold, kept in the plainest way, and written as an index. */
public final class IndexModel {
  /** One document of a term; no positions where the field records none. */
  public record Posting(int doc, int freq, ImmutableIntArray positions) {
    public Posting(int doc, int freq, int... positions) {
      this(doc, freq, ImmutableIntArray.copyOf(positions));
    }
  }

  public static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("contents", Detail.POSITIONS, true, false),
              new Field("id", Detail.DOCUMENTS, false, true),
              new Field("tags", Detail.DOCUMENTS, true, false),
              new Field("title", Detail.FREQUENCIES, true, true),
              new Field("where", Detail.OFFSETS, true, false)));

  public static final int CONTENTS = SCHEMA.ordinal("contents");
  public static final int ID = SCHEMA.ordinal("id");
  static final int TAGS = SCHEMA.ordinal("tags");
  public static final int TITLE = SCHEMA.ordinal("title");
  public static final int WHERE = SCHEMA.ordinal("where");

  public final TreeMap<byte[], List<Posting>> terms = new TreeMap<>(Arrays::compareUnsigned);
  public final int[][] lengths;
  final int documentCount;

  /** Every document gets its id; the rest is up to the caller. */
  public IndexModel(int documentCount) {
    this.documentCount = documentCount;
    this.lengths = new int[SCHEMA.size()][documentCount];
    for (int doc = 0; doc < documentCount; doc++) {
      terms.put(key(ID, id(doc).getBytes(UTF_8)), List.of(new Posting(doc, 1)));
    }
  }

  /** Where a position's text starts, in a field that has offsets. */
  static int start(int position) {
    return position / 2;
  }

  static int end(int position) {
    return position / 2 + position % 11;
  }

  public static String id(int doc) {
    return "doc-" + doc;
  }

  public static String title(int doc) {
    return "title ü of " + doc + " ".repeat(doc % 7) + "end";
  }

  static byte[] key(int field, byte... term) {
    byte[] key = new byte[term.length + 1];
    key[0] = (byte) field;
    System.arraycopy(term, 0, key, 1, term.length);
    return key;
  }

  public void add(int field, byte[] term, List<Posting> postings) {
    if (postings.isEmpty()) {
      return;
    }
    terms.put(key(field, term), List.copyOf(postings));
    for (Posting posting : postings) {
      int before = lengths[field][posting.doc()];
      int more = SCHEMA.field(field).detail().hasFrequencies() ? posting.freq() : 1;
      lengths[field][posting.doc()] = (int) Math.min(Integer.MAX_VALUE, (long) before + more);
    }
  }

  /** Postings of random documents in a field, of a given number. */
  public List<Posting> randomPostings(Random random, int field, int docFreq) {
    List<Posting> postings = new ArrayList<>();
    int left = docFreq;
    for (int doc = 0; doc < documentCount && left > 0; doc++) {
      if (random.nextInt(documentCount - doc) < left) {
        postings.add(randomPosting(random, field, doc));
        left--;
      }
    }
    return postings;
  }

  private static Posting randomPosting(Random random, int field, int doc) {
    Detail detail = SCHEMA.field(field).detail();
    int dice = random.nextInt(1000);
    if (!detail.hasFrequencies()) {
      return new Posting(doc, 1);
    }
    if (!detail.hasPositions()) {
      int most = dice == 0 ? Integer.MAX_VALUE : dice < 200 ? 40 : 1;
      return new Posting(doc, 1 + random.nextInt(most));
    }
    int freq = dice == 0 ? 700 : dice < 10 ? 1 + random.nextInt(100) : 1 + random.nextInt(3);
    int most = dice < 5 ? Integer.MAX_VALUE : 2000;
    int[] positions = random.ints(freq, 0, most).sorted().toArray();
    return new Posting(doc, freq, positions);
  }

  /** A vocabulary with an empty term, long terms, shared prefixes and all byte values. */
  static IndexModel random(long seed, int documentCount, int termsPerField) {
    Random random = new Random(seed);
    IndexModel model = new IndexModel(documentCount);
    for (int field : new int[] {CONTENTS, TAGS, TITLE, WHERE}) {
      for (int i = 0; i < termsPerField; i++) {
        byte[] term = randomTerm(random);
        if (!model.terms.containsKey(key(field, term))) {
          int docFreq = 1 + (random.nextInt(3) == 0 ? random.nextInt(documentCount) : 0);
          model.add(field, term, model.randomPostings(random, field, docFreq));
        }
      }
    }
    return model;
  }

  private static byte[] randomTerm(Random random) {
    int dice = random.nextInt(100);
    int length = dice == 0 ? 0 : dice == 1 ? 40_000 : 1 + random.nextInt(6);
    byte[] term = new byte[length];
    random.nextBytes(term);
    for (int i = 0; i < length && dice < 80; i++) {
      term[i] = (byte) ('a' + (term[i] & 3));
    }
    return term;
  }

  /** Writes with parts of the given numbers of terms; the last part takes the rest. */
  public void write(Path directory, int... cuts) throws IOException {
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, SCHEMA)) {
      writeTerms(writer, 256, cuts);
      finish(writer, 1000, documentCount);
    }
  }

  public void writeTerms(InvertedIndexWriter writer, int chunk, int... cuts) throws IOException {
    var entries = new ArrayList<>(terms.entrySet());
    int from = 0;
    for (int i = 0; i <= cuts.length; i++) {
      int to = i < cuts.length ? Math.min(entries.size(), from + cuts[i]) : entries.size();
      try (PostingsPart part = writer.newPart()) {
        for (var entry : entries.subList(from, to)) {
          writeTerm(part, entry.getKey(), entry.getValue(), chunk);
        }
        writer.append(part);
      }
      from = to;
    }
  }

  static void writeTerm(PostingsConsumer out, byte[] key, List<Posting> postings, int chunk)
      throws IOException {
    boolean positional = SCHEMA.field(key[0]).detail().hasPositions();
    out.startTerm(key, key.length);
    int[] docs = new int[chunk];
    int[] freqs = new int[chunk];
    for (int from = 0; from < postings.size(); from += chunk) {
      List<Posting> some = postings.subList(from, Math.min(postings.size(), from + chunk));
      for (int i = 0; i < some.size(); i++) {
        docs[i] = some.get(i).doc();
        freqs[i] = some.get(i).freq();
      }
      out.docs(docs, freqs, some.size());
      if (positional) {
        writePositions(out, some, chunk);
      }
    }
    out.finishTerm();
  }

  private static void writePositions(PostingsConsumer out, List<Posting> postings, int chunk)
      throws IOException {
    int[] deltas = new int[PostingsCursor.COLUMNS];
    int n = 0;
    for (Posting posting : postings) {
      int last = 0;
      for (int position : posting.positions().asList()) {
        deltas[n] = position - last;
        deltas[PostingsCursor.STARTS + n] = start(position) - start(last);
        deltas[PostingsCursor.LENGTHS + n] = end(position) - start(position);
        n++;
        last = position;
        if (n == chunk) {
          out.positions(deltas, n);
          n = 0;
        }
      }
    }
    if (n > 0) {
      out.positions(deltas, n);
    }
  }

  /** Writes what there is besides terms, so many lengths at a time and documents a file. */
  void finish(InvertedIndexWriter writer, int lengths, int perFile) throws IOException {
    writeLengths(writer, lengths);
    writeDocuments(writer, perFile);
    writer.finish(documentCount, Map.of("analyzer", "standard"));
  }

  public void writeLengths(InvertedIndexWriter writer, int chunk) throws IOException {
    for (int field = 0; field < SCHEMA.size(); field++) {
      for (int from = 0; SCHEMA.field(field).tokenized() && from < documentCount; from += chunk) {
        int to = Math.min(documentCount, from + chunk);
        writer.appendLengths(field, Arrays.copyOfRange(lengths[field], from, to), to - from);
      }
    }
  }

  /** Writes the stored documents in files of a given number; every hundred make a unit. */
  void writeDocuments(InvertedIndexWriter writer, int perFile) throws IOException {
    for (int from = 0; from < documentCount; from += perFile) {
      Path file = Files.createTempFile("documents", ".part");
      try (StoredDocumentsWriter documents = new StoredDocumentsWriter(file, SCHEMA)) {
        for (int doc = from; doc < Math.min(documentCount, from + perFile); doc++) {
          StoredValues.add(documents, doc / 100, id(doc), title(doc));
        }
        documents.commit();
      }
      writer.appendDocuments(file);
      Files.delete(file);
    }
  }
}
