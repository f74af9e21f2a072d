package io.kmodel.indexer.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.SealedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFileTest {
  private static final Schema CONTENTS =
      Schema.of(List.of(new Field("contents", Detail.POSITIONS, true, false)));
  private static final Schema ALL_DETAILS =
      Schema.of(
          List.of(
              new Field("a", Detail.DOCUMENTS, false, false),
              new Field("b", Detail.FREQUENCIES, true, false),
              new Field("c", Detail.POSITIONS, true, false),
              new Field("d", Detail.OFFSETS, true, false)));

  @TempDir Path directory;
  private Path path = Path.of("");

  @BeforeEach
  void name() {
    path = directory.resolve("run-000017.postings");
  }

  /** The example of {@link RunWriter}: documents "b b" and "a". */
  @Test
  void theBytesAreThoseOfTheExample() throws IOException {
    writeExample();
    assertThat(HexFormat.ofDelimiter(" ").formatHex(SealedFiles.body(path, RunWriter.FORMAT)))
        .isEqualTo(
            String.join(
                " ",
                "00 02 00 61 01 00 03 00",
                "01 01 62 01 01 00 00 00 01",
                "02 01",
                "02 03 02 1d 01 06 1d 00 01 00 00 00",
                "1f 00 00 00 00 00 00 00"));
  }

  @Test
  void everyRangeBetweenTermsIsReadAlone() throws IOException {
    List<String> all = writeTerms(40, 3);
    List<byte[]> keys = all.stream().map(RunFileTest::key).toList();
    try (RunReader reader = RunReader.open(path)) {
      for (int from = 0; from <= keys.size(); from++) {
        for (int to = from; to <= keys.size(); to++) {
          byte[] first = from == keys.size() ? new byte[] {(byte) 255} : keys.get(from);
          byte[] end = to == keys.size() ? null : keys.get(to);
          PostingsCursor cursor = reader.cursor(first, end, 0);
          assertThat(RecordedPostings.of(cursor, ALL_DETAILS)).isEqualTo(all.subList(from, to));
          assertThat(cursor.nextTerm()).isFalse();
        }
      }
      byte[] between = Arrays.copyOf(keys.get(7), keys.get(7).length + 1);
      assertThat(RecordedPostings.of(reader.cursor(between, null, 0), ALL_DETAILS))
          .isEqualTo(all.subList(8, all.size()));
      assertThat(RecordedPostings.of(reader.cursor(null, between, 0), ALL_DETAILS))
          .isEqualTo(all.subList(0, 8));
    }
  }

  @Test
  void theSamplesCutTheRunIntoRangesOfKnownSizeThatHoldEverything() throws IOException {
    List<String> all = writeTerms(6000, 700);
    try (RunReader reader = RunReader.open(path)) {
      List<TermSample> samples = reader.samples();
      assertThat(samples.size()).isGreaterThan(5);
      assertThat(samples.getFirst().bytesBefore()).isZero();
      List<String> read = new ArrayList<>();
      for (int i = 0; i < samples.size(); i++) {
        boolean last = i + 1 == samples.size();
        byte[] to = last ? null : samples.get(i + 1).key();
        long end = last ? reader.listBytes() : samples.get(i + 1).bytesBefore();
        if (!last) {
          assertThat(end - samples.get(i).bytesBefore()).isGreaterThanOrEqualTo(1 << 16);
        }
        read.addAll(
            RecordedPostings.of(reader.cursor(samples.get(i).key(), to, 1 << 13), ALL_DETAILS));
      }
      assertThat(read).isEqualTo(all);
      SplittableRandom random = new SplittableRandom(5);
      for (int i = 0; i < 200; i++) {
        int from = random.nextInt(all.size());
        int to = random.nextInt(from, Math.min(all.size(), from + 50));
        PostingsCursor cursor = reader.cursor(key(all.get(from)), key(all.get(to)), 0);
        assertThat(RecordedPostings.of(cursor, ALL_DETAILS)).isEqualTo(all.subList(from, to));
      }
    }
  }

  @Test
  void listsTooLongForTheBufferHaveTheirStatisticsAtOnce() throws IOException {
    int documents = 150_000;
    List<String> expected;
    try (RunWriter writer = RunWriter.create(path, ALL_DETAILS)) {
      Tee tee = new Tee(writer);
      for (int field = 0; field < 4; field++) {
        tee.list(field, "long", documents, 1);
        tee.list(field, "longer", documents, 1);
        tee.list(field, "short", documents, 1000);
      }
      expected = tee.lines();
      finish(writer, documents);
    }
    assertLong(expected);
  }

  @Test
  void oneDocumentCanHaveMorePositionsThanTheBuffer() throws IOException {
    List<String> expected;
    try (RunWriter writer = RunWriter.create(path, ALL_DETAILS)) {
      RecordedPostings recorded = new RecordedPostings(ALL_DETAILS);
      int[] deltas = new int[PostingsCursor.COLUMNS];
      Arrays.fill(deltas, 3);
      for (String term : List.of("\2a", "\2b", "\3a", "\3b")) {
        byte[] key = term.getBytes(UTF_8);
        int chunks = RunWriter.BUFFER_INTS / 256 + 2;
        int[] freqs = {chunks * 256 + 10};
        writer.startTerm(key, key.length);
        recorded.startTerm(key, key.length);
        writer.docs(new int[1], freqs, 1);
        recorded.docs(new int[1], freqs, 1);
        for (int i = 0; i <= chunks; i++) {
          int n = i == 7 ? 10 : 256;
          writer.positions(deltas, n);
          recorded.positions(deltas, n);
        }
        writer.finishTerm();
        recorded.finishTerm();
      }
      expected = recorded.lines();
      finish(writer, 1);
    }
    assertLong(expected);
  }

  @Test
  void aCallerMayLeaveOffAnywhere() throws IOException {
    List<String> all = writeTerms(300, 700);
    int[] docs = new int[256];
    int[] freqs = new int[256];
    SplittableRandom random = new SplittableRandom(11);
    try (RunReader reader = RunReader.open(path);
        PostingsCursor cursor = reader.cursor(null, null, 0)) {
      for (String line : all) {
        assertThat(cursor.nextTerm()).isTrue();
        byte[] key = Arrays.copyOf(cursor.term(), cursor.termLength());
        assertThat(key).isEqualTo(key(line));
        for (int calls = random.nextInt(4); calls > 0; calls--) {
          int n = cursor.nextDocs(docs, freqs);
          if (n > 0) {
            assertThat(line).contains(docs[n - 1] + "×" + freqs[n - 1] + "@");
          }
          if (random.nextBoolean()) {
            cursor.nextPositions(new int[PostingsCursor.COLUMNS]);
          }
        }
      }
      assertThat(cursor.nextTerm()).isFalse();
      assertThat(cursor.nextDocs(docs, freqs)).isZero();
    }
  }

  @Test
  void anEmptyRunIsAFileToo() throws IOException {
    try (RunWriter writer = RunWriter.create(path, ALL_DETAILS)) {
      writer.commit(0);
    }
    try (RunReader reader = RunReader.open(path)) {
      reader.verify();
      assertThat(reader.documentCount()).isZero();
      assertThat(reader.distinctTerms()).isZero();
      assertThat(reader.tokens()).isZero();
      assertThat(reader.samples()).isEmpty();
      assertThat(reader.cursor(null, null, 0).nextTerm()).isFalse();
      assertThat(reader.cursor(new byte[] {1}, new byte[] {2}, 0).nextTerm()).isFalse();
      assertThat(reader.lengths(1).next(new int[256])).isZero();
    }
  }

  @Test
  void everyFlippedBitIsFoundByVerifyAndByReading() throws IOException {
    List<String> right = writeTerms(6, 3);
    byte[] whole = Files.readAllBytes(path);
    for (int at = 0; at < whole.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] altered = whole.clone();
        altered[at] ^= (byte) (1 << bit);
        Files.write(path, altered);
        assertThatThrownBy(this::verify)
            .as("bit %d of byte %d", bit, at)
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining("run-000017.postings");
        if (at >= whole.length - Long.BYTES) {
          // The file's checksum, which only verifying looks at.
          assertThat(postings()).isEqualTo(right);
        } else {
          assertThatThrownBy(this::postings)
              .as("bit %d of byte %d", bit, at)
              .isInstanceOf(CorruptIndexException.class)
              .hasMessageContaining("run-000017.postings");
        }
      }
    }
    System.out.printf("%,d bits of a run flipped, each detected%n", 8 * whole.length);
  }

  @Test
  void everyByteReplacedAtRandomUnderRightChecksumsReadsInOrderOrAsCorrupt() throws IOException {
    writeTerms(30, 400);
    byte[] whole = SealedFiles.body(path, RunWriter.FORMAT);
    SplittableRandom random = new SplittableRandom(3);
    int corrupt = 0;
    for (int i = 0; i < 1000; i++) {
      byte[] altered = whole.clone();
      int at = random.nextInt(whole.length);
      for (int n = random.nextInt(1, 6); n > 0 && at < whole.length; n--) {
        altered[at++] = (byte) random.nextInt();
      }
      SealedFiles.write(path, RunWriter.FORMAT, RunWriter.VERSION, altered);
      corrupt += readsAsCorrupt() ? 1 : 0;
    }
    assertThat(corrupt).isBetween(1, 999);
  }

  @Test
  void aTruncatedFileIsReported() throws IOException {
    writeTerms(6, 3);
    byte[] whole = Files.readAllBytes(path);
    for (int length = 0; length < whole.length; length++) {
      Files.write(path, Arrays.copyOf(whole, length));
      assertThatThrownBy(this::verify)
          .as("%d of %d bytes", length, whole.length)
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("run-000017.postings");
    }
  }

  @Test
  void aWriterThatIsNotCommittedLeavesNothing() throws IOException {
    try (RunWriter writer = RunWriter.create(path, CONTENTS)) {
      writer.startTerm(new byte[] {0, 'a'}, 2);
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void whatBreaksTheOrderOfCallsIsRefused() throws IOException {
    byte[] a = {0, 'a'};
    int[] one = {1};
    try (RunWriter writer = RunWriter.create(path, CONTENTS)) {
      assertThatThrownBy(() -> writer.startTerm(new byte[] {1, 'a'}, 2))
          .isInstanceOf(IllegalArgumentException.class);
      writer.startTerm(a, 2);
      assertThatThrownBy(writer::finishTerm).isInstanceOf(IllegalStateException.class);
      writer.docs(one, new int[] {2}, 1);
      writer.positions(one, 1);
      assertThatThrownBy(writer::finishTerm)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("1 positions of the last documents missing");
      assertThatThrownBy(() -> writer.positions(new int[2], 2))
          .isInstanceOf(IllegalStateException.class);
      writer.positions(one, 1);
      assertThatThrownBy(() -> writer.docs(one, one, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("document 1 with frequency 1 after document 1");
      assertThatThrownBy(() -> writer.commit(2)).isInstanceOf(IllegalStateException.class);
      writer.finishTerm();
      assertThatThrownBy(() -> writer.startTerm(a, 2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("terms must ascend; got field 0 'a' after field 0 'a'");
      writer.lengths(0, one, 1);
      assertThatThrownBy(() -> writer.startTerm(new byte[] {0, 'b'}, 2))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> writer.commit(2))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("1 lengths of field 0, expected 2");
    }
  }

  /** Writes to a run and to memory. */
  private record Tee(RunWriter writer, RecordedPostings recorded) {
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

  private void writeExample() throws IOException {
    try (RunWriter writer = RunWriter.create(path, CONTENTS)) {
      writer.startTerm(new byte[] {0, 'a'}, 2);
      writer.docs(new int[] {1}, new int[] {1}, 1);
      writer.positions(new int[] {0}, 1);
      writer.finishTerm();
      writer.startTerm(new byte[] {0, 'b'}, 2);
      writer.docs(new int[] {0}, new int[] {2}, 1);
      writer.positions(new int[] {0, 1}, 2);
      writer.finishTerm();
      writer.lengths(0, new int[] {2, 1}, 2);
      writer.commit(2);
    }
  }

  /** A run of terms in three fields with up to {@code documents} documents each. */
  private List<String> writeTerms(int terms, int documents) throws IOException {
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

  private static void finish(RunWriter writer, int documents) throws IOException {
    for (int field = 1; field < 4; field++) {
      for (int i = 0; i < documents; i++) {
        writer.lengths(field, new int[] {i % 300}, 1);
      }
    }
    writer.commit(documents);
  }

  private void assertLong(List<String> expected) throws IOException {
    try (RunReader reader = RunReader.open(path)) {
      reader.verify();
      assertThat(RecordedPostings.of(reader.cursor(null, null, 0), ALL_DETAILS).equals(expected))
          .isTrue();
      String last = expected.getLast();
      assertThat(
              RecordedPostings.of(reader.cursor(key(last), null, 0), ALL_DETAILS)
                  .getFirst()
                  .equals(last))
          .isTrue();
    }
  }

  private void verify() throws IOException {
    try (RunReader reader = RunReader.open(path)) {
      reader.verify();
    }
  }

  private List<String> postings() throws IOException {
    try (RunReader reader = RunReader.open(path)) {
      return RecordedPostings.of(reader.cursor(null, null, 0), ALL_DETAILS);
    }
  }

  /**
   * Reads all there is; whether that ended in a CorruptIndexException. Anything else may not be.
   */
  private boolean readsAsCorrupt() throws IOException {
    try (RunReader reader = RunReader.open(path)) {
      int[] docs = new int[256];
      int[] freqs = new int[256];
      int[] columns = new int[PostingsCursor.COLUMNS];
      long terms = 0;
      PostingsCursor cursor = reader.cursor(null, null, 0);
      for (; cursor.nextTerm(); terms++) {
        for (int last = -1, n; (n = cursor.nextDocs(docs, freqs)) > 0; last = docs[n - 1]) {
          assertThat(docs[0]).isGreaterThan(last);
          assertThat(docs[n - 1]).isLessThan(reader.documentCount());
          while (cursor.nextPositions(columns) > 0) {
            assertThat(Arrays.stream(columns).min().orElse(0)).isNotNegative();
          }
        }
      }
      assertThat(terms).isLessThan(Files.size(path));
      for (int field = 1; field < 4; field++) {
        LengthsReader lengths = reader.lengths(field);
        while (lengths.next(docs) > 0) {
          assertThat(Arrays.stream(docs).min().orElse(0)).isNotNegative();
        }
      }
      return false;
    } catch (CorruptIndexException e) {
      assertThat(e).hasMessageContaining("run-000017.postings");
      return true;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // The altered byte says that the field has no lengths, or that there are fewer fields.
      assertThat(e.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("lengths"));
      return false;
    }
  }

  private static byte[] key(String line) {
    return HexFormat.of().parseHex(line.substring(0, line.indexOf(' ')));
  }
}
