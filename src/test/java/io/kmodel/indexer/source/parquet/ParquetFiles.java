package io.kmodel.indexer.source.parquet;

import com.github.luben.zstd.Zstd;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.ByteArrayInputStream;
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
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.xerial.snappy.Snappy;

/**
 * Writes and reads Parquet files with Apache's library.
 *
 * @param schema the fields of its message type
 * @param version of the data pages and their encodings
 * @param groupRows most rows of a row group
 * @param pageRows most rows of a page
 * @param dictionary whether columns may have dictionaries
 * @param checksums whether pages have checksums
 */
public record ParquetFiles(
    String schema,
    CompressionCodecName codec,
    WriterVersion version,
    int groupRows,
    int pageRows,
    boolean dictionary,
    boolean checksums) {
  /** Strings for the usual parts of a document. */
  static final String USUAL =
      "optional binary id (STRING); optional binary url (STRING);"
          + " optional binary title (STRING); optional binary text (STRING);";

  /** The length of a footer, and the magic number. */
  private static final int END_BYTES = 8;

  /** After so many rows the writer looks how large the page is. */
  private static final int CHECKED_ROWS = 100;

  /** Files as the library's users mostly have them. */
  public static ParquetFiles of(String schema) {
    return new ParquetFiles(
        schema,
        CompressionCodecName.SNAPPY,
        WriterVersion.PARQUET_1_0,
        Integer.MAX_VALUE,
        20_000,
        true,
        true);
  }

  public ParquetFiles with(CompressionCodecName other) {
    return new ParquetFiles(schema, other, version, groupRows, pageRows, dictionary, checksums);
  }

  public ParquetFiles with(int rowsOfGroup, int rowsOfPage) {
    return new ParquetFiles(schema, codec, version, rowsOfGroup, rowsOfPage, dictionary, checksums);
  }

  public ParquetFiles with(WriterVersion other, boolean hasDictionary) {
    return new ParquetFiles(schema, codec, other, groupRows, pageRows, hasDictionary, checksums);
  }

  ParquetFiles withoutChecksums() {
    return new ParquetFiles(
        schema, codec, version, groupRows, pageRows, dictionary, /* checksums= */ false);
  }

  /** Writes rows, each filled by a function. */
  public void write(Path file, List<Consumer<Group>> rows) throws IOException {
    MessageType type = MessageTypeParser.parseMessageType("message row {" + schema + "}");
    SimpleGroupFactory groups = new SimpleGroupFactory(type);
    Files.deleteIfExists(file);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(type)
            .withCodecFactory(new Codecs())
            .withCompressionCodec(codec)
            .withWriterVersion(version)
            .withRowGroupRowCountLimit(groupRows)
            .withPageRowCountLimit(pageRows)
            .withMinRowCountForPageSizeCheck(Math.min(pageRows, CHECKED_ROWS))
            .withMaxRowCountForPageSizeCheck(Math.min(pageRows, CHECKED_ROWS))
            .withDictionaryEncoding(dictionary)
            .withPageWriteChecksumEnabled(checksums)
            .build()) {
      for (Consumer<Group> row : rows) {
        Group group = groups.newGroup();
        row.accept(group);
        writer.write(group);
      }
    }
  }

  /**
   * Writes rows with a string in each column: its name and the number of the row. Returns the file.
   */
  Path writeStrings(Path file, int rows) throws IOException {
    List<Consumer<Group>> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      int row = i;
      all.add(
          group ->
              group
                  .getType()
                  .getFields()
                  .forEach(field -> group.append(field.getName(), field.getName() + " " + row)));
    }
    write(file, all);
    return file;
  }

  /** The footer of a file, changed, behind other data and before the end of a file. */
  static byte[] withFooter(byte[] data, byte[] file, Consumer<FileMetaData> change)
      throws IOException {
    int start = data(file).length;
    FileMetaData footer =
        Util.readFileMetaData(new ByteArrayInputStream(file, start, file.length - start));
    change.accept(footer);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(data);
    Util.writeFileMetaData(footer, out);
    int length = out.size() - data.length;
    out.writeBytes(
        ByteBuffer.allocate(END_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(length)
            .put("PAR1".getBytes(StandardCharsets.US_ASCII))
            .array());
    return out.toByteArray();
  }

  /** The bytes of a file before its footer. */
  static byte[] data(byte[] file) {
    int footerBytes =
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - END_BYTES);
    return Arrays.copyOf(file, file.length - END_BYTES - footerBytes);
  }

  /** Reads all rows. */
  static List<Group> read(Path file) throws IOException {
    List<Group> rows = new ArrayList<>();
    try (ParquetReader<Group> reader = new Reading(file).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static final class Reading extends ParquetReader.Builder<Group> {
    Reading(Path file) {
      super(new LocalInputFile(file), new PlainParquetConfiguration());
      withCodecFactory(new Codecs());
    }

    @Override
    protected ReadSupport<Group> getReadSupport() {
      return new GroupReadSupport();
    }
  }

  /** The usual codecs without Hadoop's. */
  private static final class Codecs implements CompressionCodecFactory {
    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName name) {
      return new Compressor(name);
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
      return new Decompressor(name);
    }

    @Override
    public void release() {}
  }

  private static byte[] bytes(BytesInput input) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    input.writeAllTo(bytes);
    return bytes.toByteArray();
  }

  private record Compressor(CompressionCodecName name)
      implements CompressionCodecFactory.BytesInputCompressor {
    @Override
    public BytesInput compress(BytesInput plain) throws IOException {
      byte[] bytes = bytes(plain);
      return switch (name) {
        case SNAPPY -> BytesInput.from(Snappy.compress(bytes));
        case ZSTD -> {
          ZstdLibrary.load();
          yield BytesInput.from(Zstd.compress(bytes));
        }
        case GZIP -> {
          ByteArrayOutputStream packed = new ByteArrayOutputStream();
          try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
          }
          yield BytesInput.from(packed.toByteArray());
        }
        default -> BytesInput.from(bytes);
      };
    }

    @Override
    public CompressionCodecName getCodecName() {
      return name;
    }

    @Override
    public void release() {}
  }

  private record Decompressor(CompressionCodecName name)
      implements CompressionCodecFactory.BytesInputDecompressor {
    @Override
    public BytesInput decompress(BytesInput packed, int size) throws IOException {
      byte[] bytes = bytes(packed);
      return switch (name) {
        case SNAPPY -> BytesInput.from(Snappy.uncompress(bytes));
        case ZSTD -> {
          ZstdLibrary.load();
          yield BytesInput.from(Zstd.decompress(bytes, size));
        }
        case GZIP -> {
          try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            yield BytesInput.from(in.readAllBytes());
          }
        }
        default -> BytesInput.from(bytes);
      };
    }

    @Override
    public void decompress(ByteBuffer packed, int packedSize, ByteBuffer plain, int size)
        throws IOException {
      byte[] bytes = new byte[packedSize];
      packed.get(bytes);
      plain.put(bytes(decompress(BytesInput.from(bytes), size)));
    }

    @Override
    public void release() {}
  }
}
