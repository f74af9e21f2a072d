package io.kmodel.indexer.index.model;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.hash.Hashing;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.FlippedBit;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.NamingInput;
import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Writes and reads {@code index.json}. Its last member is the CRC-32C of all bytes before the comma
 * that precedes it, so damage and manual edits are detected.
 *
 * <pre>{@code
 * {
 *   "formatVersion" : 2,
 *   "documentCount" : 2,
 *   "fields" : [ {"name" : ..., "detail" : ..., "tokenized" : ..., "stored" : ...,
 *     "terms" : ..., "documents" : ..., "postings" : ..., "tokens" : ...} ],
 *   "columns" : [ {"name" : ..., "type" : "DATE", "documents" : 2, "least" : ...,
 *     "greatest" : ...} ],
 *   "options" : {"analyzer" : "standard"},
 *   "files" : {"postings.docs" : {"bytes" : 61, "checksum" : "0badcafe"}},
 *   "checksum" : "c0ffee00"
 * }
 * }</pre>
 *
 * An index without columns has no member {@code columns}. Least and greatest values are as in
 * {@link ColumnStatistics}.
 */
public final class MetadataFile {
  private static final String TAIL = ",\n  \"checksum\" : \"%s\"\n}\n";
  private static final int CHECKSUM_DIGITS = 8;
  private static final int TAIL_BYTES = TAIL.length() - 2 + CHECKSUM_DIGITS;

  /** The member that an index without columns does not have. */
  private static final String COLUMNS = "columns";

  private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{" + CHECKSUM_DIGITS + "}");

  /** The JSON parser, created lazily since many processes never read. */
  private static final class Reading {
    private static final ObjectMapper JSON =
        JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
            .build();
  }

  /** The file's members without the checksum. */
  private record Content(
      int formatVersion,
      int documentCount,
      List<FieldContent> fields,
      List<ColumnContent> columns,
      TreeMap<String, String> options,
      TreeMap<String, FileContent> files) {}

  private record FieldContent(
      String name,
      Detail detail,
      boolean tokenized,
      boolean stored,
      long terms,
      int documents,
      long postings,
      long tokens) {}

  private record ColumnContent(
      String name, ColumnType type, int documents, long least, long greatest) {}

  private record FileContent(long bytes, String checksum) {
    IndexMetadata.FileEntry entry() {
      if (bytes < 0 || checksum.length() != CHECKSUM_DIGITS) {
        throw new IllegalArgumentException(
            "file entry has %d bytes and checksum '%s'".formatted(bytes, checksum));
      }
      return new IndexMetadata.FileEntry(bytes, HexFormat.fromHexDigitsToLong(checksum));
    }
  }

  private MetadataFile() {}

  /** Writes the file under a temporary name, forces it to disk and renames it. */
  public static void write(IndexMetadata metadata, Path file) throws IOException {
    String json = json(metadata);
    String head = json.substring(0, json.lastIndexOf('}')).stripTrailing();
    byte[] headBytes = head.getBytes(StandardCharsets.UTF_8);
    String tail = TAIL.formatted(checksum(headBytes, headBytes.length));
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      new NamingOutput(temporary, Channels.newOutputStream(channel))
          .write((head + tail).getBytes(StandardCharsets.UTF_8));
      channel.force(true);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
    Directories.force(file);
  }

  /**
   * Identifies an index: half a SHA-256, in hex, over its metadata, which has the checksums of all
   * files. Equal indexes have equal digests.
   */
  public static String digest(IndexMetadata metadata) {
    try {
      String digest =
          Hashing.sha256().hashString(json(metadata), StandardCharsets.UTF_8).toString();
      return digest.substring(0, digest.length() / 2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the file.
   *
   * @throws CorruptIndexException if its bytes are not those written, or its version differs
   */
  public static IndexMetadata read(Path file) throws IOException {
    return parse(file, NamingInput.readAll(file));
  }

  /**
   * The same with bytes that were read before.
   *
   * @param file named in exceptions
   */
  public static IndexMetadata parse(Path file, byte[] bytes) throws CorruptIndexException {
    int headBytes = bytes.length - TAIL_BYTES;
    if (headBytes < 0) {
      throw new CorruptIndexException(
          file.toString(), "file has %d bytes (truncated?)".formatted(bytes.length));
    }
    byte[] tail = TAIL.formatted(checksum(bytes, headBytes)).getBytes(StandardCharsets.UTF_8);
    if (!Arrays.equals(bytes, headBytes, bytes.length, tail, 0, tail.length)) {
      throw altered(file, bytes, headBytes);
    }
    // As a String, because the library guesses the encoding of bytes.
    String json = new String(bytes, 0, headBytes, StandardCharsets.UTF_8) + '}';
    try {
      JsonNode members = Reading.JSON.readTree(json);
      if (members instanceof ObjectNode object && !object.has(COLUMNS)) {
        object.putArray(COLUMNS);
      }
      return metadata(file, Reading.JSON.treeToValue(members, Content.class));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new CorruptIndexException(file.toString(), "not an index's metadata", e);
    }
  }

  private static CorruptIndexException altered(Path file, byte[] bytes, int headBytes) {
    long found = HexFormat.fromHexDigitsToLong(checksum(bytes, headBytes));
    int digits = bytes.length - TAIL_BYTES + TAIL.indexOf('%');
    String stored = new String(bytes, digits, CHECKSUM_DIGITS, StandardCharsets.ISO_8859_1);
    String guess = "file altered or truncated?";
    if (DIGITS.matcher(stored).matches()) {
      guess = FlippedBit.describe(found, HexFormat.fromHexDigitsToLong(stored), headBytes);
    }
    return new CorruptIndexException(
        file.toString(),
        "bytes 0 to %d have checksum %08x, which the %d bytes from offset %d do not match (%s)"
            .formatted(headBytes - 1, found, TAIL_BYTES, headBytes, guess));
  }

  /**
   * Writes the members of {@link Content} one by one; data binding would take Java 30 ms at the end
   * of a build.
   */
  private static String json(IndexMetadata metadata) throws IOException {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    StringWriter json = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(json)) {
      out.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter));
      out.writeStartObject();
      out.writeNumberField("formatVersion", metadata.formatVersion());
      out.writeNumberField("documentCount", metadata.documentCount());
      out.writeArrayFieldStart("fields");
      for (int i = 0; i < metadata.schema().size(); i++) {
        write(metadata.schema().field(i), metadata.statistics().get(i), out);
      }
      out.writeEndArray();
      writeColumns(metadata, out);
      out.writeObjectFieldStart("options");
      for (Map.Entry<String, String> option : metadata.options().entrySet()) {
        out.writeStringField(option.getKey(), option.getValue());
      }
      out.writeEndObject();
      out.writeObjectFieldStart("files");
      for (Map.Entry<String, IndexMetadata.FileEntry> file : metadata.files().entrySet()) {
        out.writeObjectFieldStart(file.getKey());
        out.writeNumberField("bytes", file.getValue().bytes());
        out.writeStringField("checksum", hex(file.getValue().checksum()));
        out.writeEndObject();
      }
      out.writeEndObject();
      out.writeEndObject();
    }
    return json.toString();
  }

  private static void write(Field field, FieldStatistics statistics, JsonGenerator out)
      throws IOException {
    out.writeStartObject();
    out.writeStringField("name", field.name());
    out.writeStringField("detail", field.detail().name());
    out.writeBooleanField("tokenized", field.tokenized());
    out.writeBooleanField("stored", field.stored());
    out.writeNumberField("terms", statistics.terms());
    out.writeNumberField("documents", statistics.documents());
    out.writeNumberField("postings", statistics.postings());
    out.writeNumberField("tokens", statistics.tokens());
    out.writeEndObject();
  }

  private static void writeColumns(IndexMetadata metadata, JsonGenerator out) throws IOException {
    ImmutableList<Column> columns = metadata.schema().columns();
    if (columns.isEmpty()) {
      return;
    }
    out.writeArrayFieldStart(COLUMNS);
    for (int i = 0; i < columns.size(); i++) {
      ColumnStatistics statistics = metadata.columns().get(i);
      out.writeStartObject();
      out.writeStringField("name", columns.get(i).name());
      out.writeStringField("type", columns.get(i).type().name());
      out.writeNumberField("documents", statistics.documents());
      out.writeNumberField("least", statistics.least());
      out.writeNumberField("greatest", statistics.greatest());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static IndexMetadata metadata(Path file, Content content) throws CorruptIndexException {
    if (content.formatVersion() != IndexFiles.VERSION) {
      throw new CorruptIndexException(
          file.toString(),
          "format version %d, expected %d (made by another version of indexer: build it again)"
              .formatted(content.formatVersion(), IndexFiles.VERSION));
    }
    ImmutableList.Builder<Field> fields = ImmutableList.builder();
    ImmutableList.Builder<FieldStatistics> statistics = ImmutableList.builder();
    for (FieldContent f : content.fields()) {
      fields.add(new Field(f.name(), f.detail(), f.tokenized(), f.stored()));
      statistics.add(new FieldStatistics(f.terms(), f.documents(), f.postings(), f.tokens()));
    }
    ImmutableList.Builder<Column> columns = ImmutableList.builder();
    ImmutableList.Builder<ColumnStatistics> ofColumns = ImmutableList.builder();
    for (ColumnContent column : content.columns()) {
      columns.add(new Column(column.name(), column.type()));
      ofColumns.add(new ColumnStatistics(column.documents(), column.least(), column.greatest()));
    }
    ImmutableSortedMap.Builder<String, IndexMetadata.FileEntry> files =
        ImmutableSortedMap.naturalOrder();
    content.files().forEach((name, of) -> files.put(name, of.entry()));
    return new IndexMetadata(
        content.formatVersion(),
        new Schema(fields.build(), columns.build()),
        content.documentCount(),
        statistics.build(),
        ofColumns.build(),
        ImmutableSortedMap.copyOf(content.options()),
        files.buildOrThrow());
  }

  private static String checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return hex(checksum.getValue());
  }

  private static String hex(long checksum) {
    return HexFormat.of().toHexDigits(checksum, CHECKSUM_DIGITS);
  }
}
