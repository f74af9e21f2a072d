package io.kmodel.indexer.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.SealedFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/**
 * Arbitrary bytes as the body of a run file with a valid checksum give possible postings or a
 * CorruptIndexException.
 */
class RunFileFuzzTest {
  @TempDir Path directory;

  @FuzzTest
  void aRunFileReadsInOrderOrAsCorrupt(byte[] body) throws IOException {
    Path path = directory.resolve("run");
    SealedFiles.write(path, RunWriter.FORMAT, RunWriter.VERSION, body);
    try (RunReader reader = RunReader.open(path)) {
      reader.verify();
      long terms = walk(reader, reader.cursor(null, null, 0), body.length);
      assertThat(terms).isLessThanOrEqualTo(body.length);
      for (TermSample sample : reader.samples()) {
        walk(reader, reader.cursor(sample.key(), null, 0), body.length);
        reader.cursor(null, sample.key(), 0).nextTerm();
      }
    } catch (CorruptIndexException e) {
      assertThat(e).hasMessageContaining(path.toString());
    }
  }

  @FuzzTest
  void theLengthsOfARunFileReadInOrderOrAsCorrupt(byte[] body) throws IOException {
    Path path = directory.resolve("run");
    SealedFiles.write(path, RunWriter.FORMAT, RunWriter.VERSION, body);
    int[] lengths = new int[PostingsCursor.BLOCK];
    try (RunReader reader = RunReader.open(path)) {
      LengthsReader in = reader.lengths(0);
      long documents = 0;
      for (int n = in.next(lengths); n > 0; n = in.next(lengths)) {
        for (int i = 0; i < n; i++) {
          assertThat(lengths[i]).isNotNegative();
        }
        documents += n;
      }
      assertThat(documents).isEqualTo(reader.documentCount());
    } catch (CorruptIndexException e) {
      assertThat(e).hasMessageContaining(path.toString());
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessage("field 0 has no lengths");
    }
  }

  private static long walk(RunReader reader, PostingsCursor cursor, int most) throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    long terms = 0;
    for (; cursor.nextTerm(); terms++) {
      long left = cursor.docFreq();
      int last = -1;
      for (int n = cursor.nextDocs(docs, freqs); n > 0; n = cursor.nextDocs(docs, freqs)) {
        for (int i = 0; i < n; i++) {
          assertThat(docs[i]).isGreaterThan(last);
          assertThat(freqs[i]).isPositive();
          last = docs[i];
        }
        left -= n;
        while (cursor.nextPositions(freqs) > 0) {
          assertThat(freqs[0]).isNotNegative();
        }
      }
      assertThat(last).isLessThan(reader.documentCount());
      assertThat(left).isZero();
      assertThat(cursor.termLength()).isLessThanOrEqualTo(most);
    }
    return terms;
  }
}
