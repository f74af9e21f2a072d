package io.kmodel.indexer.index.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.google.common.primitives.Bytes;
import io.kmodel.indexer.index.AlteredIndex;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.InvertedIndexWriterTest;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.VariableLength;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredDocumentsTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("id", Detail.DOCUMENTS, true, true),
              new Field("none", Detail.DOCUMENTS, true, false),
              new Field("text", Detail.POSITIONS, true, true)));

  @TempDir Path directory;

  @Test
  void aBlockEndsAfter32KibibytesOfTextOrWithItsUnitAndForNoOtherReason() throws IOException {
    Path file = directory.resolve("part");
    int filling = DocumentBlock.BYTES / 4 - 3;
    try (StoredDocumentsWriter writer = new StoredDocumentsWriter(file, SCHEMA)) {
      for (int i = 0; i < 4; i++) {
        // Three bytes of lengths: a quarter of a block each.
        StoredValues.add(writer, 0, "", "x".repeat(filling));
      }
      StoredValues.add(writer, 0, "alone", "x".repeat(200_000));
      StoredValues.add(writer, 0, "a", "");
      StoredValues.add(writer, 0, "b", "");
      StoredValues.add(writer, 7, "c", "");
      StoredValues.add(writer, 8, "d", "");
      StoredValues.add(writer, 8, "e", "");
      writer.commit();
    }
    assertThat(blockSizes(file)).containsExactly(4, 1, 2, 1, 2);
  }

  /** They are compressed in pieces, without a copy. */
  @Test
  void largeValuesAreBlocksLikeOthers() throws IOException {
    Path file = directory.resolve("part");
    String large = text(17 << 20, new Random(7));
    try (StoredDocumentsWriter writer = new StoredDocumentsWriter(file, SCHEMA)) {
      StoredValues.add(writer, 0, "a", "small");
      StoredValues.add(writer, 0, "b", large);
      StoredValues.add(writer, 0, large, "after");
      StoredValues.add(writer, 0, large, large);
      StoredValues.add(writer, 0, "c", "small");
      writer.commit();
    }
    assertThat(blockSizes(file)).containsExactly(2, 1, 1, 1);
    List<String> values =
        List.of("a", "small", "b", large, large, "after", large, large, "c", "small");
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (String value : values) {
      byte[] length = new byte[VariableLength.MAX_INT_BYTES];
      expected.write(length, 0, VariableLength.putInt(length, 0, value.length()));
      expected.writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    try (InputFile in = InputFile.open(file, StoredDocumentsWriter.FORMAT, IndexFiles.VERSION)) {
      ByteReader blocks = in.reader(1 << 16);
      while (blocks.remaining() > 0) {
        blocks.readVInt();
        byte[] text = new byte[blocks.readVInt()];
        byte[] packed = new byte[blocks.readVInt()];
        blocks.readBytes(packed, 0, packed.length);
        assertThat(Zstd.getFrameContentSize(packed)).isEqualTo(text.length);
        assertThat(Zstd.decompress(text, packed)).isEqualTo(text.length);
        found.writeBytes(text);
      }
    }
    assertThat(Arrays.equals(found.toByteArray(), expected.toByteArray())).isTrue();
  }

  /** Numbers, which compress to about half. */
  private static String text(int length, Random random) {
    StringBuilder text = new StringBuilder(length + 16);
    while (text.length() < length) {
      text.append(random.nextInt()).append(' ');
    }
    return text.toString();
  }

  @Test
  void partsThatEndWithUnitsLeaveNoTrace() throws IOException {
    Path one = writeIndex("one", 1000);
    Path many = writeIndex("many", 100);
    InvertedIndexWriterTest.assertSameFiles(many, one);
    try (InvertedIndex index = InvertedIndex.open(one);
        StoredTexts reader = index.documents()) {
      for (int doc = 999; doc >= 0; doc -= 37) {
        assertThat(reader.text(doc, 2)).isEqualTo(text(doc));
        assertThat(reader.text(doc, 0)).isEqualTo("id " + doc);
      }
      assertThatThrownBy(() -> reader.text(1000, 0)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> reader.text(0, 1)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aDamagedPartIsRefused() throws IOException {
    Path part = directory.resolve("part");
    writePart(part, 0, 10);
    byte[] whole = Files.readAllBytes(part);
    whole[whole.length / 2] ^= 4;
    Files.write(part, whole);
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory.resolve("i"), SCHEMA)) {
      assertThatThrownBy(() -> writer.appendDocuments(part))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("checksum");
      assertThatThrownBy(() -> writer.finish(10, Map.of()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("an earlier append failed; the index is incomplete");
    }
  }

  @Test
  void aPartThatIsNotCommittedIsDeleted() throws IOException {
    try (StoredDocumentsWriter writer =
        new StoredDocumentsWriter(directory.resolve("part"), SCHEMA)) {
      StoredValues.add(writer, 0, "a", "b");
      assertThatThrownBy(() -> StoredValues.add(writer, 0, "a"))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(directory).isEmptyDirectory();
  }

  /**
   * Zstd's library does not look at an array of no bytes, and says so by an exception of Java's.
   */
  @Test
  void aBlockThatIsPackedInNoBytesIsCorrupt() throws IOException {
    Path index = writeIndex("one", 1000);
    // One block, of 1,000 documents and 0 bytes of text in 0 bytes; then where it ends.
    ByteBuffer entries = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    entries.putInt(0).putLong(0).putInt(1000).putLong(4);
    AlteredIndex.replaceBody(index, IndexFiles.DOCUMENT_INDEX, entries.array());
    AlteredIndex.replaceBody(index, IndexFiles.DOCUMENTS, new byte[] {(byte) 0xE8, 7, 0, 0});
    try (InvertedIndex opened = InvertedIndex.open(index);
        StoredTexts texts = opened.documents()) {
      assertThatThrownBy(() -> texts.text(5, 0))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining(IndexFiles.DOCUMENTS)
          .hasMessageContaining("block 0 holds 1000 documents in 0 bytes");
    }
  }

  @Test
  void afterABlockThatIsCorruptTheOthersAreReadAsBefore() throws IOException {
    Path index = directory.resolve("two");
    Path part = directory.resolve("part");
    writePart(part, 0, 2);
    try (InvertedIndexWriter writer = new InvertedIndexWriter(index, SCHEMA)) {
      writer.appendDocuments(part);
      for (int field = 0; field < 3; field++) {
        writer.appendLengths(field, new int[2], 2);
      }
      writer.finish(2, Map.of());
    }
    // Two blocks of one document each; the second's last value claims a byte too many.
    byte[] sound = block("\1a\2bc");
    byte[] damaged = block("\1x\2y");
    ByteBuffer entries = ByteBuffer.allocate(36).order(ByteOrder.LITTLE_ENDIAN);
    entries.putInt(0).putLong(0).putInt(1).putLong(sound.length);
    entries.putInt(2).putLong((long) sound.length + damaged.length);
    AlteredIndex.replaceBody(index, IndexFiles.DOCUMENT_INDEX, entries.array());
    AlteredIndex.replaceBody(index, IndexFiles.DOCUMENTS, Bytes.concat(sound, damaged));
    try (InvertedIndex opened = InvertedIndex.open(index);
        StoredTexts texts = opened.documents()) {
      for (int i = 0; i < 2; i++) {
        assertThat(texts.text(0, 0)).isEqualTo("a");
        assertThat(texts.text(0, 2)).isEqualTo("bc");
        assertThatThrownBy(() -> texts.text(1, 0))
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining("value 1 of block 1 has 2 bytes, but only 1 remain");
      }
    }
  }

  /** One document whose values, with their lengths, are this text. */
  private static byte[] block(String values) {
    byte[] packed = Zstd.compress(values.getBytes(StandardCharsets.US_ASCII));
    return Bytes.concat(new byte[] {1, (byte) values.length(), (byte) packed.length}, packed);
  }

  private Path writeIndex(String name, int perPart) throws IOException {
    Path target = directory.resolve(name);
    int documents = 1000;
    try (InvertedIndexWriter writer = new InvertedIndexWriter(target, SCHEMA)) {
      for (int from = 0; from < documents; from += perPart) {
        Path part = directory.resolve(name + "-" + from);
        writePart(part, from, from + perPart);
        writer.appendDocuments(part);
      }
      for (int field = 0; field < 3; field++) {
        writer.appendLengths(field, new int[documents], documents);
      }
      writer.finish(documents, Map.of());
    }
    return target;
  }

  private static void writePart(Path part, int from, int to) throws IOException {
    try (StoredDocumentsWriter writer = new StoredDocumentsWriter(part, SCHEMA)) {
      for (int doc = from; doc < to; doc++) {
        StoredValues.add(writer, doc / 50, "id " + doc, text(doc));
      }
      writer.commit();
    }
  }

  private static String text(int doc) {
    return ("text of dokument № " + doc + " 𝄞 ").repeat(doc % 90);
  }

  private static List<Integer> blockSizes(Path file) throws IOException {
    List<Integer> sizes = new ArrayList<>();
    try (InputFile in = InputFile.open(file, StoredDocumentsWriter.FORMAT, IndexFiles.VERSION)) {
      ByteReader reader = in.reader(4096);
      while (reader.remaining() > 0) {
        sizes.add(reader.readVInt());
        reader.readVInt();
        reader.skip(reader.readVInt());
      }
    }
    return sizes;
  }
}
