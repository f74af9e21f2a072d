package io.kmodel.indexer.index;

import static io.kmodel.indexer.index.InvertedIndexTest.names;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.index.IndexModel.Posting;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.SealedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DamagedIndexTest {
  @Test
  void everyFlippedBitIsDetectedAndFound(@TempDir Path directory) throws IOException {
    tinyIndex().write(directory);
    long flipped = 0;
    for (String name : names(directory)) {
      Path file = directory.resolve(name);
      byte[] whole = Files.readAllBytes(file);
      for (int bit : Tier.bits(0, whole.length).toArray()) {
        byte[] damaged = whole.clone();
        damaged[bit / 8] ^= (byte) (1 << (bit % 8));
        Files.write(file, damaged);
        assertThatThrownBy(() -> IndexVerifier.verify(directory, ProgressListener.NONE))
            .as("%s, bit %d of byte %d", name, bit % 8, bit / 8)
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining(file.toString())
            .hasMessageContaining(place(name, bit / 8, whole.length));
        flipped++;
      }
      Files.write(file, whole);
    }
    assertThat(IndexVerifier.verify(directory, ProgressListener.NONE).documents()).isEqualTo(3);
    System.out.printf("%,d bits flipped, each detected with its file and place%n", flipped);
  }

  /** What an error must say of a byte that was altered: its offset, or the part that it is in. */
  static String place(String name, int at, int length) {
    if (name.equals(IndexFiles.METADATA)) {
      int tail = length - ",\n  \"checksum\" : \"01234567\"\n}\n".length();
      return at < tail ? "the byte at offset %d flipped".formatted(at) : "from offset " + tail;
    }
    int header = 4 + 1 + IndexFiles.format(name).length() + 4;
    if (at < header) {
      return at < 4 ? "starts with" : "format " + IndexFiles.format(name);
    }
    return at >= length - 8
        ? "footer has checksum"
        : at >= length - 16 ? "footer is" : "the byte at offset %d flipped".formatted(at);
  }

  @Test
  void everyTruncationIsDetectedWhenTheIndexIsOpened(@TempDir Path directory) throws IOException {
    tinyIndex().write(directory);
    long cut = 0;
    for (String name : names(directory)) {
      Path file = directory.resolve(name);
      byte[] whole = Files.readAllBytes(file);
      for (int length = 0; length < whole.length; length += Tier.pick(5, 1)) {
        Files.write(file, Arrays.copyOf(whole, length));
        assertThatThrownBy(() -> InvertedIndex.open(directory))
            .as("%s, %d bytes", name, length)
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining(file.toString());
        cut++;
      }
      Files.write(file, whole);
    }
    System.out.printf("%,d times a file cut short, each detected%n", cut);
  }

  @Test
  void aFileOfAnotherIndexIsDetectedWhenTheIndexIsOpened(@TempDir Path directory)
      throws IOException {
    Path one = directory.resolve("one");
    Path other = directory.resolve("other");
    tinyIndex().write(one);
    IndexModel.random(4, 3, 2).write(other);
    Files.delete(one.resolve(IndexFiles.DOCS));
    Files.copy(other.resolve(IndexFiles.DOCS), one.resolve(IndexFiles.DOCS));
    assertThatThrownBy(() -> InvertedIndex.open(one)).isInstanceOf(CorruptIndexException.class);
  }

  /** The checksums are right here: readers must stand on their other checks. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        IndexFiles.DOCS,
        IndexFiles.POSITIONS,
        IndexFiles.DICTIONARY,
        IndexFiles.TERM_INDEX,
        IndexFiles.DOCUMENTS,
        IndexFiles.DOCUMENT_INDEX
      })
  void readersOfDamagedFilesFailWithNothingButCorruptIndexExceptions(
      String name, @TempDir Path directory) throws IOException {
    IndexModel model = IndexModel.random(21, 1100, 40);
    model.write(directory);
    byte[] whole = SealedFiles.body(directory.resolve(name), IndexFiles.format(name));
    Random random = new Random(name.hashCode());
    int detected = 0;
    int tries = Tier.pick(40, 150);
    for (int i = 0; i < tries; i++) {
      byte[] damaged = whole.clone();
      int at = random.nextInt(whole.length);
      int n = Math.min(1 + random.nextInt(8), whole.length - at);
      for (int b = 0; b < n; b++) {
        damaged[at + b] = (byte) (random.nextBoolean() ? 0xFF : random.nextInt());
      }
      AlteredIndex.replaceBody(directory, name, damaged);
      try {
        readEverything(directory, random);
      } catch (CorruptIndexException e) {
        detected++;
      } catch (IOException | RuntimeException e) {
        fail("%d bytes altered at %d of %s".formatted(n, at, name), e);
      }
    }
    assertThat(detected).isGreaterThan(tries / 20);
  }

  private static void readEverything(Path directory, Random random) throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int[] deltas = new int[PostingsCursor.COLUMNS];
    CorruptIndexException failure = null;
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      try (PostingsCursor cursor = index.cursor()) {
        while (cursor.nextTerm()) {
          while (cursor.nextDocs(docs, freqs) > 0) {
            while (cursor.nextPositions(deltas) > 0) {
              assertThat(deltas[0]).isNotNegative();
            }
          }
        }
      } catch (CorruptIndexException e) {
        failure = e;
      }
      try {
        seekAndAdvance(index, random);
        try (StoredTexts stored = index.documents()) {
          for (int doc = 0; doc < index.documentCount(); doc += 1 + random.nextInt(40)) {
            stored.text(doc, IndexModel.TITLE);
          }
        }
      } catch (CorruptIndexException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static void seekAndAdvance(InvertedIndex index, Random random) throws IOException {
    for (int field = 0; field < index.schema().size(); field++) {
      TermCursor terms = index.terms(field);
      terms.seek(new byte[] {(byte) ('a' + random.nextInt(4))}, 0, 1);
      PostingList list = null;
      while (terms.next()) {
        list = terms.postings(list, Detail.POSITIONS);
        while (list.docId() != PostingList.END) {
          int doc = list.advance(list.docId() + 1 + random.nextInt(200));
          assertThat(doc == PostingList.END || doc < index.documentCount()).isTrue();
          if (doc != PostingList.END && index.schema().field(field).detail().hasPositions()) {
            assertThat(list.nextPosition()).isNotNegative();
          }
        }
      }
    }
  }

  /** A wrong length under a right checksum: only recounting finds it. */
  @Test
  void contentThatDisagreesWithItselfIsDetected(@TempDir Path directory) throws IOException {
    IndexModel model = tinyIndex();
    model.lengths[IndexModel.CONTENTS][1] += 5;
    model.write(directory);
    assertThatThrownBy(() -> IndexVerifier.verify(directory, ProgressListener.NONE))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("document 1 has length 7 but 2 occurrences");
  }

  /** Flips each bit of each body, mends checksum and metadata, and wants the walk to notice. */
  @Test
  void alteredPostingsUnderRightChecksumsAreMostlyDetected(@TempDir Path directory)
      throws IOException {
    tinyIndex().write(directory);
    int tried = 0;
    int detected = 0;
    for (String name :
        List.of(IndexFiles.DOCS, IndexFiles.DICTIONARY, IndexFiles.TERM_INDEX, "lengths.title")) {
      Path file = directory.resolve(name);
      Path metadata = directory.resolve(IndexFiles.METADATA);
      byte[] whole = Files.readAllBytes(file);
      byte[] json = Files.readAllBytes(metadata);
      byte[] body = SealedFiles.body(file, IndexFiles.format(name));
      for (int i = 0; i < body.length; i++) {
        byte[] damaged = body.clone();
        damaged[i] ^= (byte) (1 << (i % 8));
        AlteredIndex.replaceBody(directory, name, damaged);
        tried++;
        try {
          IndexVerifier.verify(directory, ProgressListener.NONE);
        } catch (CorruptIndexException e) {
          detected++;
        }
      }
      Files.write(file, whole);
      Files.write(metadata, json);
    }
    // A term's bytes or the order of equal counts can change and still make a sound index.
    assertThat(detected).isBetween(tried * 3 / 5, tried);
  }

  static IndexModel tinyIndex() {
    IndexModel model = new IndexModel(3);
    model.add(
        IndexModel.CONTENTS,
        "ab".getBytes(UTF_8),
        List.of(new Posting(0, 1, 4), new Posting(1, 2, 0, 300)));
    model.add(IndexModel.CONTENTS, "ac".getBytes(UTF_8), List.of(new Posting(2, 1, 9)));
    model.add(
        IndexModel.TITLE, "t".getBytes(UTF_8), List.of(new Posting(0, 1), new Posting(2, 300)));
    model.add(IndexModel.WHERE, "w".getBytes(UTF_8), List.of(new Posting(1, 2, 7, 30)));
    return model;
  }
}
