package io.kmodel.indexer.export.ciff;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.ProgressListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protobuf's own library as the oracle: it reads our files, and writes them byte for byte. */
class CiffByProtobufTest {
  private final Descriptor header;
  private final Descriptor list;
  private final Descriptor document;

  @TempDir Path directory;
  private Path file;

  CiffByProtobufTest() throws DescriptorValidationException {
    FileDescriptorProto ciff =
        FileDescriptorProto.newBuilder()
            .setName("ciff.proto")
            .setSyntax("proto3")
            .addMessageType(
                message(
                    "Header",
                    FieldDescriptorProto.Type.TYPE_INT32,
                    FieldDescriptorProto.Type.TYPE_INT32,
                    FieldDescriptorProto.Type.TYPE_INT32,
                    FieldDescriptorProto.Type.TYPE_INT32,
                    FieldDescriptorProto.Type.TYPE_INT32,
                    FieldDescriptorProto.Type.TYPE_INT64,
                    FieldDescriptorProto.Type.TYPE_DOUBLE,
                    FieldDescriptorProto.Type.TYPE_STRING))
            .addMessageType(
                message(
                    "Posting",
                    FieldDescriptorProto.Type.TYPE_INT32,
                    FieldDescriptorProto.Type.TYPE_INT32))
            .addMessageType(
                message(
                        "PostingsList",
                        FieldDescriptorProto.Type.TYPE_STRING,
                        FieldDescriptorProto.Type.TYPE_INT64,
                        FieldDescriptorProto.Type.TYPE_INT64)
                    .toBuilder()
                    .addField(
                        FieldDescriptorProto.newBuilder()
                            .setName("f4")
                            .setNumber(4)
                            .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED)
                            .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
                            .setTypeName("Posting")))
            .addMessageType(
                message(
                    "DocRecord",
                    FieldDescriptorProto.Type.TYPE_INT32,
                    FieldDescriptorProto.Type.TYPE_STRING,
                    FieldDescriptorProto.Type.TYPE_INT32))
            .build();
    FileDescriptor types = FileDescriptor.buildFrom(ciff, new FileDescriptor[0]);
    header = types.findMessageTypeByName("Header");
    list = types.findMessageTypeByName("PostingsList");
    document = types.findMessageTypeByName("DocRecord");
  }

  /** A message with the fields f1, f2, and so on. */
  private static DescriptorProto message(String name, FieldDescriptorProto.Type... types) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    for (int i = 0; i < types.length; i++) {
      message.addField(
          FieldDescriptorProto.newBuilder()
              .setName("f" + (i + 1))
              .setNumber(i + 1)
              .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
              .setType(types[i]));
    }
    return message.build();
  }

  @BeforeEach
  void export() throws IOException {
    Path ours = directory.resolve("ours");
    file = directory.resolve("file.ciff");
    NaiveIndex.write(
        ours,
        Schemas.of(Detail.POSITIONS, Stored.IDS),
        new StandardAnalyzer(),
        SampleDocuments.random(31, 900, 60));
    try (InvertedIndex index = InvertedIndex.open(ours)) {
      CiffExporter.export(index, file, CiffExportOptions.DEFAULT, ProgressListener.NONE);
    }
  }

  @Test
  void theReferenceReadersChecksPass() throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      DynamicMessage head = read(header, in);
      assertThat(integer(head, 1)).isEqualTo(1);
      long frequencies = 0;
      for (long i = 0; i < integer(head, 2); i++) {
        DynamicMessage postings = read(list, in);
        assertThat(messages(postings)).hasSize((int) integer(postings, 2));
        long sum = messages(postings).stream().mapToLong(posting -> integer(posting, 2)).sum();
        assertThat(sum).isEqualTo(integer(postings, 3));
        frequencies += sum;
      }
      long lengths = 0;
      for (long i = 0; i < integer(head, 3); i++) {
        DynamicMessage record = read(document, in);
        assertThat(integer(record, 1)).isEqualTo(i);
        lengths += integer(record, 3);
      }
      assertThat(in.read()).isEqualTo(-1);
      assertThat(frequencies).isEqualTo(integer(head, 6)).isEqualTo(lengths).isPositive();
    }
  }

  @Test
  void protobufWritesTheSameBytes() throws IOException {
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    try (InputStream in = Files.newInputStream(file)) {
      DynamicMessage head = copy(header, in, again);
      for (long i = 0; i < integer(head, 2); i++) {
        copy(list, in, again);
      }
      for (long i = 0; i < integer(head, 3); i++) {
        copy(document, in, again);
      }
    }
    assertThat(again.toByteArray()).isEqualTo(Files.readAllBytes(file));
  }

  private static DynamicMessage copy(Descriptor type, InputStream in, OutputStream out)
      throws IOException {
    DynamicMessage message = read(type, in);
    message.writeDelimitedTo(out);
    return message;
  }

  private static DynamicMessage read(Descriptor type, InputStream in) throws IOException {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    assertThat(message.mergeDelimitedFrom(in)).isTrue();
    return message.build();
  }

  private static long integer(DynamicMessage message, int field) {
    FieldDescriptor number = message.getDescriptorForType().findFieldByNumber(field);
    return ((Number) message.getField(number)).longValue();
  }

  private static List<DynamicMessage> messages(DynamicMessage message) {
    List<DynamicMessage> postings = new ArrayList<>();
    FieldDescriptor field = message.getDescriptorForType().findFieldByNumber(4);
    for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
      postings.add((DynamicMessage) message.getRepeatedField(field, i));
    }
    return postings;
  }
}
