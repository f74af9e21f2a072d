package io.kmodel.indexer.export.lucene.segment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.export.lucene.LuceneSegment;
import io.kmodel.indexer.export.lucene.schema.LuceneFields;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The files are those that Lucene's codec writes from the same strings. */
class StoredTextsWriterTest {
  private static final FieldInfos FIELDS =
      new LuceneFields(
              Schema.of(
                  List.of(
                      new Field("id", Detail.DOCUMENTS, false, true),
                      new Field("title", Detail.POSITIONS, true, true))))
          .infos();

  /** More documents than a block of Lucene's index of chunks has; many take several chunks. */
  private static final int DOCUMENTS = 3000;

  @ParameterizedTest
  @EnumSource
  void filesEqualThoseOfLucene(ExportCodec codec) throws IOException {
    List<String> texts = texts();
    try (Directory expected = new ByteBuffersDirectory();
        Directory written = new ByteBuffersDirectory();
        IdSpool ids = new IdSpool(written, "_0", IOContext.DEFAULT)) {
      SegmentInfo segment = LuceneSegment.info(expected, DOCUMENTS);
      writeByLucene(codec, expected, segment, texts);
      String mode = segment.getAttribute("Lucene90StoredFieldsFormat.mode");
      try (StoredTextsWriter out = new StoredTextsWriter(written, segment, codec, ids)) {
        for (int doc = 0; doc < DOCUMENTS; doc++) {
          out.startDocument();
          write(out, FIELDS.fieldInfo("id"), Integer.toString(doc));
          write(out, FIELDS.fieldInfo("title"), texts.get(doc));
          out.finishDocument();
        }
        out.finish(DOCUMENTS);
      }
      assertThat(segment.getAttribute("Lucene90StoredFieldsFormat.mode")).isEqualTo(mode);
      assertThat(expected.listAll()).hasSize(3);
      for (String name : expected.listAll()) {
        assertThat(Arrays.equals(bytes(written, name), bytes(expected, name))).as(name).isTrue();
      }
      BinaryDocValues values = ids.values();
      for (int doc = 0; doc < DOCUMENTS; doc++) {
        assertThat(values.nextDoc()).isEqualTo(doc);
        assertThat(values.binaryValue().utf8ToString()).isEqualTo(Integer.toString(doc));
      }
    }
  }

  /** Empty, of lengths about which a length takes another byte, and longer than several chunks. */
  private static List<String> texts() {
    Random random = new Random(3);
    List<String> texts =
        new ArrayList<>(List.of("", "é漢😀", "x".repeat(127), "x".repeat(128), "é".repeat(8192)));
    for (int length : List.of(81_914, 163_840, 491_520, 1_300_000)) {
      texts.add(text(random, length));
    }
    while (texts.size() < DOCUMENTS) {
      texts.add(text(random, random.nextInt(1000)));
    }
    return texts;
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append(
          random.nextInt(9) == 0 ? "é漢😀 " : Integer.toString(random.nextInt(900), 36) + " ");
    }
    return text.toString();
  }

  private static void write(StoredTextsWriter out, FieldInfo field, String text)
      throws IOException {
    byte[] utf8 = ("-" + text + "-").getBytes(UTF_8);
    out.text(field, utf8, 1, utf8.length - 2);
  }

  private static void writeByLucene(
      ExportCodec codec, Directory directory, SegmentInfo segment, List<String> texts)
      throws IOException {
    try (StoredFieldsWriter out =
        codec.codec().storedFieldsFormat().fieldsWriter(directory, segment, IOContext.DEFAULT)) {
      for (int doc = 0; doc < DOCUMENTS; doc++) {
        out.startDocument();
        out.writeField(FIELDS.fieldInfo("id"), Integer.toString(doc));
        out.writeField(FIELDS.fieldInfo("title"), texts.get(doc));
        out.finishDocument();
      }
      out.finish(DOCUMENTS);
    }
  }

  private static byte[] bytes(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      byte[] bytes = new byte[Math.toIntExact(in.length())];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }
}
