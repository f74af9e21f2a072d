package io.kmodel.indexer.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kmodel.indexer.index.documents.StoredDocumentsReader;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.MetadataFile;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * An index of which one file holds any bytes, under checksums that are right: what it says can be,
 * or it is a CorruptIndexException. The first byte of an input says which file the others are the
 * body of.
 */
class IndexFuzzTest {
  private static final List<String> POSTINGS =
      List.of(
          IndexFiles.DOCS,
          IndexFiles.POSITIONS,
          IndexFiles.DICTIONARY,
          IndexFiles.TERM_INDEX,
          "lengths.contents");

  private static final List<String> STORED =
      List.of(IndexFiles.DOCUMENTS, IndexFiles.DOCUMENT_INDEX);

  @TempDir static Path directory;

  @BeforeAll
  static void writeIndex() throws IOException {
    sample().write(directory.resolve("index"));
  }

  /** 600 documents, and a term in half of them, whose list has blocks and a skip table. */
  static IndexModel sample() {
    IndexModel model = IndexModel.random(5, 600, 4);
    byte[] term = "long".getBytes(UTF_8);
    Random random = new Random(5);
    model.add(IndexModel.CONTENTS, term, model.randomPostings(random, IndexModel.CONTENTS, 300));
    return model;
  }

  @FuzzTest
  void postingsReadInOrderOrAsCorrupt(byte[] input) throws IOException {
    try (Altered altered = new Altered(POSTINGS, input);
        InvertedIndex index = InvertedIndex.open(altered.index)) {
      IndexWalk.sequential(index);
      for (int field = 0; field < index.schema().size(); field++) {
        IndexWalk.seekAndAdvance(index, field, input.length);
      }
      IndexWalk.lengths(index);
    } catch (CorruptIndexException e) {
      assertThat(e).hasMessageContaining(directory.toString());
    }
  }

  @FuzzTest
  void whatVerifiesReadsToItsEnd(byte[] input) throws IOException {
    try (Altered altered = new Altered(POSTINGS, input)) {
      IndexVerifier.verify(altered.index, ProgressListener.NONE);
      try (InvertedIndex index = InvertedIndex.open(altered.index)) {
        IndexWalk.sequential(index);
        for (int field = 0; field < index.schema().size(); field++) {
          IndexWalk.seekAndAdvance(index, field, 1);
        }
        IndexWalk.lengths(index);
      } catch (CorruptIndexException e) {
        throw new AssertionError("verified, but corrupt when it is read", e);
      }
    } catch (CorruptIndexException e) {
      assertThat(e).hasMessageContaining(directory.toString());
    }
  }

  @FuzzTest
  void storedTextsReadOrAreCorrupt(byte[] input) throws IOException {
    try (Altered altered = new Altered(STORED, input);
        InvertedIndex index = InvertedIndex.open(altered.index);
        StoredDocumentsReader texts = index.storedDocuments()) {
      for (int doc = 0; doc < index.documentCount(); doc += 1 + doc % 17) {
        assertThat(texts.text(doc, IndexModel.ID)).isNotNull();
        assertThat(texts.text(doc, IndexModel.TITLE)).isNotNull();
      }
      texts.verify();
    } catch (CorruptIndexException e) {
      assertThat(e).hasMessageContaining(directory.toString());
    }
  }

  @DictionaryFile(resourcePath = "metadata.dict")
  @FuzzTest
  void metadataIsThatOfAnIndexOrCorrupt(byte[] head) throws IOException {
    Path copy = Files.createTempDirectory(directory, "metadata");
    Path file = copy.resolve(IndexFiles.METADATA);
    try {
      Files.write(file, sealed(head));
      IndexMetadata metadata = MetadataFile.read(file);
      Path again = copy.resolve("again.json");
      MetadataFile.write(metadata, again);
      assertThat(MetadataFile.read(again)).isEqualTo(metadata);
      openWith(metadata);
    } catch (CorruptIndexException e) {
      assertThat(e).hasMessageContaining(directory.toString());
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(copy.resolve("again.json"));
      Files.delete(copy);
    }
  }

  /** The files of one index under the metadata of another. */
  private static void openWith(IndexMetadata metadata) throws IOException {
    if (!metadata.files().keySet().equals(IndexFiles.names(IndexModel.SCHEMA))) {
      return;
    }
    Path index = directory.resolve("index");
    Path file = index.resolve(IndexFiles.METADATA);
    byte[] whole = Files.readAllBytes(file);
    MetadataFile.write(metadata, file);
    try (InvertedIndex opened = InvertedIndex.open(index)) {
      IndexWalk.sequential(opened);
      for (int field = 0; field < opened.schema().size(); field++) {
        IndexWalk.seekAndAdvance(opened, field, 3);
      }
      IndexWalk.lengths(opened);
    } finally {
      Files.write(file, whole);
    }
  }

  /** A file of metadata that begins so. */
  static byte[] sealed(byte[] head) {
    CRC32C checksum = new CRC32C();
    checksum.update(head, 0, head.length);
    byte[] tail =
        ",\n  \"checksum\" : \"%08x\"\n}\n".formatted(checksum.getValue()).getBytes(UTF_8);
    byte[] file = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, file, head.length, tail.length);
    return file;
  }

  /** The index with one body replaced and its metadata mended, until it is closed. */
  private static final class Altered implements AutoCloseable {
    final Path index = directory.resolve("index");
    private final Path file;
    private final Path metadata = index.resolve(IndexFiles.METADATA);
    private final byte[] wholeFile;
    private final byte[] wholeMetadata;

    Altered(List<String> names, byte[] input) throws IOException {
      String name = names.get(input.length == 0 ? 0 : (input[0] & 0xFF) % names.size());
      file = index.resolve(name);
      wholeFile = Files.readAllBytes(file);
      wholeMetadata = Files.readAllBytes(metadata);
      byte[] body = input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length);
      AlteredIndex.replaceBody(index, name, body);
    }

    @Override
    public void close() throws IOException {
      Files.write(file, wholeFile);
      Files.write(metadata, wholeMetadata);
    }
  }
}
