package io.kmodel.indexer.export.lucene.segment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.export.lucene.LuceneSegment;
import io.kmodel.indexer.export.lucene.schema.LuceneFields;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.document.DocumentStoredFieldVisitor;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** All that is stored arrives, and of it the ids are kept. */
class StoredFieldsWithIdsTest {
  private static final FieldInfos FIELDS =
      new LuceneFields(
              Schema.of(
                  List.of(
                      new Field("id", Detail.DOCUMENTS, false, true),
                      new Field("title", Detail.POSITIONS, true, true))))
          .infos();

  @Test
  void valuesOfAllTypesAreHandedOnAndTextsOfTheFieldWithDocValuesKept() throws IOException {
    FieldInfo title = FIELDS.fieldInfo("title");
    try (Directory directory = new ByteBuffersDirectory();
        IdSpool ids = new IdSpool(directory, "_0", IOContext.DEFAULT)) {
      SegmentInfo segment = LuceneSegment.info(directory, 2);
      try (StoredFieldsWriter out = writer(directory, segment, ids)) {
        out.startDocument();
        out.writeField(FIELDS.fieldInfo("id"), "a");
        out.writeField(title, "not an id");
        out.writeField(title, 1);
        out.writeField(title, 1L << 40);
        out.finishDocument();
        out.startDocument();
        out.writeField(title, 0.5F);
        out.writeField(title, 0.1);
        out.writeField(title, new BytesRef("bytes"));
        out.writeField(FIELDS.fieldInfo("id"), "b");
        out.finishDocument();
        assertThat(out.ramBytesUsed()).isPositive();
        out.finish(2);
      }
      assertThat(stored(directory, segment, 0))
          .containsExactly("id=a", "title=not an id", "title=1", "title=1099511627776");
      assertThat(stored(directory, segment, 1))
          .containsExactly("title=0.5", "title=0.1", "title=bytes", "id=b");
      // Closing the writer has sealed the spool.
      BinaryDocValues values = ids.values();
      assertThat(values.nextDoc()).isZero();
      assertThat(values.binaryValue().utf8ToString()).isEqualTo("a");
      assertThat(values.nextDoc()).isOne();
      assertThat(values.binaryValue().utf8ToString()).isEqualTo("b");
      assertThat(values.nextDoc()).isEqualTo(BinaryDocValues.NO_MORE_DOCS);
    }
  }

  private static StoredFieldsWriter writer(Directory directory, SegmentInfo segment, IdSpool ids)
      throws IOException {
    return new StoredFieldsWithIds(
        Codec.getDefault().storedFieldsFormat().fieldsWriter(directory, segment, IOContext.DEFAULT),
        ids);
  }

  private static List<String> stored(Directory directory, SegmentInfo segment, int document)
      throws IOException {
    try (StoredFieldsReader reader =
        Codec.getDefault()
            .storedFieldsFormat()
            .fieldsReader(directory, segment, FIELDS, IOContext.DEFAULT)) {
      DocumentStoredFieldVisitor visitor = new DocumentStoredFieldVisitor();
      reader.document(document, visitor);
      return visitor.getDocument().getFields().stream()
          .map(field -> field.name() + "=" + text(field))
          .toList();
    }
  }

  private static String text(IndexableField field) {
    BytesRef bytes = field.binaryValue();
    return bytes == null
        ? field.stringValue()
        : new String(bytes.bytes, bytes.offset, bytes.length, UTF_8);
  }
}
