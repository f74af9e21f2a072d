package io.kmodel.indexer.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.SealedFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Writes run files and reads them completely and in part. */
class RunFileTest extends SampleRun {
  private static final Schema CONTENTS =
      Schema.of(List.of(new Field("contents", Detail.POSITIONS, true, false)));

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

  private void assertLong(List<String> expected) throws IOException {
    try (RunReader reader = RunReader.open(path)) {
      reader.verify();
      assertThat(RecordedPostings.of(reader.cursor(null, null, 0), ALL_DETAILS).equals(expected))
          .isTrue();
      for (int i = 0; i < expected.size(); i++) {
        byte[] next = i + 1 == expected.size() ? null : key(expected.get(i + 1));
        List<String> alone =
            RecordedPostings.of(reader.cursor(key(expected.get(i)), next, 0), ALL_DETAILS);
        assertThat(alone.equals(expected.subList(i, i + 1))).as("list %d alone", i).isTrue();
      }
    }
  }

  private static byte[] key(String line) {
    return HexFormat.of().parseHex(line.substring(0, line.indexOf(' ')));
  }
}
