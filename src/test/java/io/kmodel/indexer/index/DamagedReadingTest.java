package io.kmodel.indexer.index;

import static io.kmodel.indexer.index.InvertedIndexTest.names;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.HashCode;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.MetadataFile;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.SealedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nobody has verified these indexes: what is read of them is what was written, or a
 * CorruptIndexException with the file and the place.
 */
class DamagedReadingTest {
  private static final int CELL_BYTES = 16_384;
  private static final int THREADS = Tier.pick(3, 8);
  private static final int DAMAGES = Tier.pick(1, 6);

  /** Every file but the metadata and the table of the stored documents has several cells. */
  private static final IndexModel LARGE = IndexModel.random(11, 40_000, 25);

  private static final List<byte[]> LARGE_KEYS = List.copyOf(LARGE.terms.keySet());

  @TempDir static Path shared;

  @TempDir Path directory;

  private static Path large() {
    return shared.resolve("large");
  }

  @BeforeAll
  static void writeLargeIndex() throws IOException {
    LARGE.write(large());
  }

  @Test
  void everyFlippedBitIsRefusedByAllThatReadTheFile() throws IOException {
    IndexModel tiny = DamagedIndexTest.tinyIndex();
    List<byte[]> keys = List.copyOf(tiny.terms.keySet());
    tiny.write(directory);
    Map<Door, HashCode> right = answers(directory, keys);
    long atOpening = 0;
    Map<Door, Long> refused = new EnumMap<>(Door.class);
    for (String name : names(directory)) {
      Path file = directory.resolve(name);
      byte[] whole = Files.readAllBytes(file);
      for (int bit : Tier.bits(0, whole.length).toArray()) {
        byte[] damaged = whole.clone();
        damaged[bit / 8] ^= (byte) (1 << (bit % 8));
        Files.write(file, damaged);
        String where = "%s, bit %d of byte %d".formatted(name, bit % 8, bit / 8);
        String place = DamagedIndexTest.place(name, bit / 8, whole.length);
        try (InvertedIndex index = InvertedIndex.open(directory)) {
          long before = sum(refused);
          compare(index, keys, right, refused, where, file, place);
          assertThat(sum(refused)).as("%s is read by somebody", where).isGreaterThan(before);
        } catch (CorruptIndexException e) {
          assertThat(e).as(where).hasMessageContaining(file.toString()).hasMessageContaining(place);
          atOpening++;
        }
      }
      Files.write(file, whole);
    }
    assertThat(answers(directory, keys)).isEqualTo(right);
    System.out.printf(
        "%,d flipped bits refused when an index was opened, others when it was read: %s%n",
        atOpening, refused);
  }

  /** Adds to {@code refused} the doors that refuse to answer; the others must answer rightly. */
  private static void compare(
      InvertedIndex index,
      List<byte[]> keys,
      Map<Door, HashCode> right,
      Map<Door, Long> refused,
      String where,
      Path file,
      String place)
      throws IOException {
    for (Door door : Door.values()) {
      try {
        assertThat(door.answer(index, keys)).as("%s, %s", where, door).isEqualTo(right.get(door));
      } catch (CorruptIndexException e) {
        assertThat(e)
            .as("%s, %s", where, door)
            .hasMessageContaining(file.toString())
            .hasMessageContaining(place);
        refused.merge(door, 1L, Long::sum);
      }
    }
  }

  private static long sum(Map<Door, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Map<Door, HashCode> answers(Path directory, List<byte[]> keys) throws IOException {
    Map<Door, HashCode> answers = new EnumMap<>(Door.class);
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      for (Door door : Door.values()) {
        answers.put(door, door.answer(index, keys));
      }
    }
    return answers;
  }

  @Test
  void damageAnywhereInALargeIndexNeverChangesAnAnswer() throws IOException {
    Map<Door, HashCode> right = answers(large(), LARGE_KEYS);
    Random random = new Random(12);
    for (String name : names(large())) {
      Path file = large().resolve(name);
      byte[] whole = Files.readAllBytes(file);
      Map<Door, Long> refused = new EnumMap<>(Door.class);
      int atOpening = 0;
      for (int i = 0; i < DAMAGES; i++) {
        byte[] damaged = whole.clone();
        int at = random.nextInt(whole.length);
        int bytes = Math.min(1 + random.nextInt(3), whole.length - at);
        for (int b = at; b < at + bytes; b++) {
          damaged[b] ^= (byte) (1 + random.nextInt(255));
        }
        Files.write(file, damaged);
        String where = "%s, %d bytes from %d".formatted(name, bytes, at);
        try (InvertedIndex index = InvertedIndex.open(large())) {
          long before = sum(refused);
          compare(index, LARGE_KEYS, right, refused, where, file, "checksum of bytes");
          assertThat(sum(refused)).as("%s is read by somebody", where).isGreaterThan(before);
        } catch (CorruptIndexException e) {
          assertThat(e).as(where).hasMessageContaining(file.toString());
          atOpening++;
        }
      }
      Files.write(file, whole);
      assertThat(atOpening + sum(refused)).as(name).isGreaterThanOrEqualTo(DAMAGES);
    }
  }

  @Test
  void onlyWhoReadsTheDamagedCellIsRefused() throws IOException {
    Path file = large().resolve(IndexFiles.DOCS);
    byte[] whole = Files.readAllBytes(file);
    List<HashCode> right = lists(new ArrayList<>());
    for (int cell : new int[] {0, 1, 3, SealedFiles.bodyEnd(whole.length) / CELL_BYTES}) {
      byte[] damaged = whole.clone();
      damaged[cell * CELL_BYTES + 40] ^= 1;
      Files.write(file, damaged);
      List<Integer> refused = new ArrayList<>();
      List<HashCode> found = lists(refused);
      assertThat(refused).as("lists in cell %d", cell).isNotEmpty();
      assertThat(found).hasSize(right.size());
      for (int i = 0; i < right.size(); i++) {
        assertThat(refused.contains(i) || found.get(i).equals(right.get(i))).isTrue();
      }
      // A list goes over few cells, and most are in one.
      assertThat(refused).as("lists in cell %d", cell).hasSizeLessThan(right.size() / 3);
    }
    Files.write(file, whole);
  }

  /** The list of each term but the ids, read in an index that was just opened. */
  private static List<HashCode> lists(List<Integer> refused) throws IOException {
    List<byte[]> keys = LARGE_KEYS.stream().filter(key -> key[0] != IndexModel.ID).toList();
    List<HashCode> lists = new ArrayList<>();
    for (byte[] key : keys) {
      try (InvertedIndex index = InvertedIndex.open(large())) {
        lists.add(Door.SEEK_AND_ADVANCE.answer(index, List.of(key)));
      } catch (CorruptIndexException e) {
        refused.add(lists.size());
        lists.add(HashCode.fromInt(0));
      }
    }
    return lists;
  }

  @Test
  void manyThreadsReadOneIndexThatNobodyHasRead() throws Exception {
    Map<Door, HashCode> right = answers(large(), LARGE_KEYS);
    Path file = large().resolve(IndexFiles.POSITIONS);
    byte[] whole = Files.readAllBytes(file);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      try (InvertedIndex index = InvertedIndex.open(large())) {
        for (Door door : Door.values()) {
          for (Future<HashCode> answer : threads.invokeAll(answers(door, index))) {
            assertThat(answer.get()).as("%s", door).isEqualTo(right.get(door));
          }
        }
      }
      byte[] damaged = whole.clone();
      damaged[whole.length / 2] ^= 0x10;
      Files.write(file, damaged);
      try (InvertedIndex index = InvertedIndex.open(large())) {
        for (Future<HashCode> answer : threads.invokeAll(answers(Door.NEXT, index))) {
          assertThatThrownBy(answer::get)
              .cause()
              .isInstanceOf(CorruptIndexException.class)
              .hasMessageContaining(file.toString())
              .hasMessageContaining("the byte at offset %d flipped".formatted(whole.length / 2));
        }
      }
    } finally {
      Files.write(file, whole);
    }
  }

  private static List<Callable<HashCode>> answers(Door door, InvertedIndex index) {
    List<Callable<HashCode>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      tasks.add(() -> door.answer(index, LARGE_KEYS));
    }
    return tasks;
  }

  @Test
  void anIndexOfTheFormerVersionIsRefused() throws IOException {
    DamagedIndexTest.tinyIndex().write(directory);
    Path metadata = directory.resolve(IndexFiles.METADATA);
    IndexMetadata now = MetadataFile.read(metadata);
    MetadataFile.write(
        new IndexMetadata(
            1, now.schema(), now.documentCount(), now.statistics(), now.options(), now.files()),
        metadata);
    assertThatThrownBy(() -> InvertedIndex.open(directory))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("format version 1, expected 2")
        .hasMessageContaining("build it again");
    assertThat(Files.readString(metadata, UTF_8)).contains("\"formatVersion\" : 1");
  }
}
