package io.kmodel.indexer.inversion;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.export.lucene.postings.PackedLists;
import io.kmodel.indexer.export.lucene.postings.PostingsRanges;
import io.kmodel.indexer.export.lucene.schema.DocumentLengths;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.segment.SegmentWriter;
import io.kmodel.indexer.export.lucene.segment.SegmentedIndex;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.run.RunMemory;
import io.kmodel.indexer.sort.SortStages;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Segments of lists that a device has packed are, byte for byte, those that the CPU encodes. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
@Timeout(300)
class PackedTextTest {
  /** The files of Lucene's postings and norms, which have no times in them. */
  private static final List<String> KINDS =
      List.of("doc", "pos", "psm", "tim", "tip", "tmd", "nvd", "nvm");

  private static final int ID_BYTES = 16;
  private static final int FOOTER_BYTES = 16;

  private final StubDriver driver;
  @TempDir Path directory;

  PackedTextTest(StubDriver driver) {
    this.driver = driver;
  }

  private InversionStage stage(InvertedFields fields, int blockBytes) {
    return Blocks.stage(driver, fields, blockBytes, ListForm.LUCENE, Duration.ofSeconds(60));
  }

  private void assertSame(int fields, List<List<String>> documents) throws Exception {
    assertSame(Blocks.fields(fields), documents);
  }

  private void assertSame(InvertedFields fields, List<List<String>> documents) throws Exception {
    Schema schema = Blocks.schema(fields.size());
    try (InversionStage stage = stage(fields, 1 << Tier.pick(20, 22))) {
      TextBlock block = stage.newBlock();
      Blocks.fill(block, documents);
      try (InvertedText actual = stage.invert(block);
          InvertedText expected = PlainInversion.invert(block, schema, fields)) {
        assertThat(stage.report().cpuReasons()).isEmpty();
        PackedLists packed = actual.packed();
        assertThat(packed).isNotNull();
        assertThat(((PackedText) actual).check()).isEmpty();
        Path gpu = write("gpu", schema, block, actual);
        Path cpu = write("cpu", schema, block, expected);
        assertThat(files(gpu)).isEqualTo(files(cpu)).hasSizeGreaterThan(5);
      }
      block.close();
    }
    assertThat(driver.kept()).isZero();
  }

  private Path write(String name, Schema schema, TextBlock block, InvertedText text)
      throws IOException {
    Path path = Files.createTempDirectory(directory, name);
    try (SegmentedIndex index =
            new SegmentedIndex(path, schema, ExportCodec.BEST_SPEED, Thread::new);
        RunBuilder others = new RunBuilder(schema, RunMemory.MIN_BYTES)) {
      SegmentWriter segment = index.newSegment();
      for (int doc = 0; doc < block.documents(); doc++) {
        segment.startDocument();
        segment.finishDocument();
      }
      others.sort(SortStages.onCpu());
      DocumentLengths lengths = new Lengths(block.documents(), text);
      PackedLists packed = text.packed();
      if (packed != null) {
        segment.write(lengths, others.cursor(), packed);
      } else {
        segment.write(lengths, PostingsRanges.single(text.cursor(schema)));
      }
      index.commit(List.of(segment), 1);
    }
    return path;
  }

  private record Lengths(int count, InvertedText text) implements DocumentLengths {
    @Override
    public int length(int field, int docId) {
      return text.length(field, docId);
    }
  }

  /** The bytes of each file without what depends on the segment's random ID. */
  private static Map<String, String> files(Path index) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(index)) {
      for (Path file : all.toList()) {
        String name = file.getFileName().toString();
        if (KINDS.contains(name.substring(name.lastIndexOf('.') + 1))) {
          byte[] bytes = Files.readAllBytes(file);
          // The header: a magic number, the codec's name behind its length, the version, the ID.
          int at = 2 * Integer.BYTES + 1 + bytes[Integer.BYTES];
          String id = text(Arrays.copyOfRange(bytes, at, at + ID_BYTES));
          String rest = text(Arrays.copyOf(bytes, bytes.length - FOOTER_BYTES)).replace(id, "");
          files.put(name, rest.length() + " bytes, hash " + rest.hashCode());
        }
      }
    }
    return files;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String words(Random random, int most, int vocabulary) {
    StringBuilder text = new StringBuilder();
    for (int word = random.nextInt(most); word > 0; word--) {
      int number = random.nextInt(1 + random.nextInt(vocabulary));
      text.append(number % 7 == 0 ? "Internationalization" : "caf\u00E9")
          .append(number)
          .append(' ');
    }
    return text.toString();
  }

  @Test
  void textsOfSeveralFields() throws Exception {
    for (int fields : new int[] {1, 3}) {
      Random random = new Random(fields);
      List<List<String>> documents = new ArrayList<>();
      for (int doc = 0; doc < Tier.pick(200, 2000); doc++) {
        documents.add(
            IntStream.range(0, fields).mapToObj(field -> words(random, 60, 400)).toList());
      }
      assertSame(fields, documents);
    }
  }

  @Test
  void textsOfStemsAndWords() throws Exception {
    List<String> some =
        List.of("the", "of", "connect", "connected", "connections", "dog's", "x", "relational");
    Random random = new Random(4);
    List<List<String>> documents = new ArrayList<>();
    for (int doc = 0; doc < Tier.pick(600, 6000); doc++) {
      StringBuilder text = new StringBuilder();
      for (int word = random.nextInt(20); word > 0; word--) {
        text.append(some.get(random.nextInt(some.size()))).append(' ');
      }
      documents.add(List.of(text + "caf\u00E9s" + doc % 70, text.toString()));
    }
    assertSame(Blocks.english(2), documents);
  }

  /** Enough documents for a group of blocks, in each of which a term is dense, rare or repeated. */
  @Test
  void listsOfManyBlocks() throws Exception {
    Random random = new Random(9);
    List<List<String>> documents = new ArrayList<>();
    for (int doc = 0; doc < Tier.pick(8500, 40_000); doc++) {
      String text = doc < 8300 || doc % 2 == 0 ? "a " : "";
      text += "b ".repeat(random.nextInt(40) == 0 ? random.nextInt(30) : random.nextInt(2));
      documents.add(List.of(text + (doc % 20 == 0 ? "c" : doc % 301 == 0 ? "d e d" : "f")));
    }
    assertSame(1, documents);
  }

  @Test
  void oneLongDocument() throws Exception {
    assertSame(
        1, List.of(List.of(""), List.of("x y x ".repeat(700) + "z ".repeat(300)), List.of("x")));
  }

  /** Each byte that a reader needs: of lists, of records and of lengths; not those of impacts. */
  @Test
  void changesOfListsAreNoticed() throws Exception {
    try (InversionStage stage = stage(Blocks.fields(1), 1 << 16)) {
      TextBlock block = stage.newBlock();
      List<List<String>> documents = new ArrayList<>();
      for (int doc = 0; doc < 300; doc++) {
        documents.add(List.of("a " + "b ".repeat(doc % 5) + (doc % 3 == 0 ? "c d" + doc : "")));
      }
      Blocks.fill(block, documents);
      PackedText text = (PackedText) stage.invert(block);
      assertThat(text.check()).isEmpty();
      assertNoticed(text, text.positions(), 1, 0);
      assertNoticed(text, text.lengths(), Integer.BYTES, 0);
      for (int at : new int[] {16, 24, 32, 36, 52}) {
        assertNoticed(text, text.records(), PackedText.TERM_BYTES, at);
      }
      // Behind the head and the impacts of the first block, the one of 'a'.
      MemorySegment docs = text.docs();
      assertNoticed(text, docs.asSlice(docs.byteSize() / 2), 1, 0);
      assertThat(text.check()).isEmpty();
      block.close();
    }
  }

  private static void assertNoticed(PackedText text, MemorySegment memory, long step, long first) {
    for (long at = first; at < memory.byteSize(); at += step) {
      byte before = memory.get(ValueLayout.JAVA_BYTE, at);
      memory.set(ValueLayout.JAVA_BYTE, at, (byte) (before ^ 1));
      assertThat(text.check()).as("byte %d of %d", at, memory.byteSize()).isNotEmpty();
      memory.set(ValueLayout.JAVA_BYTE, at, before);
    }
  }

  /** The sum of the positions is the same, but two of them are equal. */
  @Test
  void equalPositionsAreNoticed() throws Exception {
    try (InversionStage stage = stage(Blocks.fields(1), 1 << 14)) {
      TextBlock block = stage.newBlock();
      Blocks.fill(block, List.of(List.of("x x"), List.of("x x")));
      PackedText text = (PackedText) stage.invert(block);
      assertThat(text.positions().toArray(ValueLayout.JAVA_BYTE)).containsExactly(0, 1, 0, 1);
      assertThat(text.check()).isEmpty();
      text.positions().set(ValueLayout.JAVA_BYTE, 1, (byte) 0);
      text.positions().set(ValueLayout.JAVA_BYTE, 3, (byte) 2);
      assertThat(text.check()).isEqualTo("a damaged list");
      block.close();
    }
  }

  private void assertEmpty(InvertedFields fields, String... documents) throws Exception {
    try (InversionStage stage = stage(fields, 1 << 14)) {
      TextBlock block = stage.newBlock();
      Blocks.fill(block, Stream.of(documents).map(List::of).toList());
      try (InvertedText text = stage.invert(block)) {
        assertThat(text.byDevice()).isTrue();
        assertThat(text.tokens()).isZero();
        assertThat(text.length(0, 0)).isZero();
        PackedLists packed = text.packed();
        assertThat(packed != null && packed.nextTerm()).isFalse();
      }
      block.close();
    }
  }

  @Test
  void aBlockOfStopWords() throws Exception {
    assertEmpty(Blocks.english(1), "the of", "and");
  }

  @Test
  void aBlockWithoutWords() throws Exception {
    assertEmpty(Blocks.fields(1), ". . .", "!");
  }
}
