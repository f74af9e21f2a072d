package io.kmodel.indexer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.SealedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Run files that were altered or truncated. */
class DamagedRunTest extends SampleRun {
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
          // The file's checksum, which only verify() checks.
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

  /** "a" is 2 times in document 0 and once in 1: once more than it has documents. */
  @Test
  void frequenciesThatAreNotWhatTheirTermClaimsAreCorrupt() throws IOException {
    try (RunWriter writer = RunWriter.create(path, ALL_DETAILS)) {
      writer.startTerm(new byte[] {1, 'a'}, 2);
      writer.docs(new int[] {0, 1}, new int[] {2, 1}, 2);
      writer.finishTerm();
      finish(writer, 2);
    }
    byte[] body = SealedFiles.body(path, RunWriter.FORMAT);
    assertThat(body).startsWith(0, 2, 1, 'a', 2, 1);
    for (byte more : new byte[] {0, 2, 100}) {
      body[5] = more;
      SealedFiles.write(path, RunWriter.FORMAT, RunWriter.VERSION, body);
      assertThatThrownBy(this::postings)
          .as("%d more than documents", more)
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("impossible frequencies");
    }
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
   * Reads everything and returns whether that threw a CorruptIndexException. No other exception is
   * allowed.
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
      // With the altered byte the field has no lengths, or there are fewer fields.
      assertThat(e.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("lengths"));
      return false;
    }
  }
}
