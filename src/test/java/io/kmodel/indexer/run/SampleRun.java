package io.kmodel.indexer.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A run file with fields of all details, and its content, shared by tests. */
abstract class SampleRun {
  static final Schema ALL_DETAILS =
      Schema.of(
          List.of(
              new Field("a", Detail.DOCUMENTS, false, false),
              new Field("b", Detail.FREQUENCIES, true, false),
              new Field("c", Detail.POSITIONS, true, false),
              new Field("d", Detail.OFFSETS, true, false)));

  @TempDir Path directory;
  Path path = Path.of("");

  @BeforeEach
  void name() {
    path = directory.resolve("run-000017.postings");
  }

  /** A run of terms in three fields with up to {@code documents} documents each. */
  List<String> writeTerms(int terms, int documents) throws IOException {
    try (RunWriter writer = RunWriter.create(path, ALL_DETAILS)) {
      Tee tee = new Tee(writer);
      for (int field = 0; field < 4; field++) {
        for (int i = 0; i < terms / 4; i++) {
          int step = i % 11 == 0 ? 1 : 1 + i % documents;
          tee.list(field, "term%05d".formatted(i * 7), documents, step);
        }
      }
      finish(writer, documents);
      return tee.lines();
    }
  }

  static void finish(RunWriter writer, int documents) throws IOException {
    for (int field = 1; field < 4; field++) {
      for (int i = 0; i < documents; i++) {
        writer.lengths(field, new int[] {i % 300}, 1);
      }
    }
    writer.commit(documents);
  }

  /** Writes to a run and to memory. */
  record Tee(RunWriter writer, RecordedPostings recorded) {
    Tee(RunWriter writer) {
      this(writer, new RecordedPostings(ALL_DETAILS));
    }

    List<String> lines() {
      return recorded.lines().stream().sorted().toList();
    }

    void list(int field, String term, int documents, int step) throws IOException {
      byte[] key = ((char) field + term).getBytes(UTF_8);
      writer.startTerm(key, key.length);
      recorded.startTerm(key, key.length);
      int[] docs = new int[256];
      int[] freqs = new int[256];
      int[] deltas = new int[PostingsCursor.COLUMNS];
      for (int doc = 0; doc < documents; ) {
        int n = 0;
        for (; n < 256 && doc < documents; doc += step) {
          docs[n] = doc;
          freqs[n++] = field == 0 ? 1 : 1 + doc % 2;
        }
        writer.docs(docs, freqs, n);
        recorded.docs(docs, freqs, n);
        for (int i = 0; i < n && field >= 2; i++) {
          deltas[0] = docs[i] % 1000;
          deltas[1] = docs[i] % 7;
          deltas[PostingsCursor.STARTS] = docs[i] % 300;
          deltas[PostingsCursor.STARTS + 1] = docs[i] % 3;
          deltas[PostingsCursor.LENGTHS] = docs[i] % 5;
          deltas[PostingsCursor.LENGTHS + 1] = docs[i] % 70_000;
          writer.positions(deltas, freqs[i]);
          recorded.positions(deltas, freqs[i]);
        }
      }
      writer.finishTerm();
      recorded.finishTerm();
    }
  }
}
