package io.kmodel.indexer.index;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.FlippedBit;
import java.io.IOException;
import java.nio.ByteBuffer;
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
 * that comes before it, so damage shows here as in every other file, and so does editing by hand.
 *
 * <pre>{@code
 * {
 *   "formatVersion" : 2,
 *   "documentCount" : 2,
 *   "fields" : [ {"name" : ..., "detail" : ..., "tokenized" : ..., "stored" : ...,
 *     "terms" : ..., "documents" : ..., "postings" : ..., "tokens" : ...} ],
 *   "options" : {"analyzer" : "standard"},
 *   "files" : {"postings.docs" : {"bytes" : 61, "checksum" : "0badcafe"}},
 *   "checksum" : "c0ffee00"
 * }
 * }</pre>
 */
final class MetadataFile {
  private static final String TAIL = ",\n  \"checksum\" : \"%s\"\n}\n";
  private static final int CHECKSUM_DIGITS = 8;
  private static final int TAIL_BYTES = TAIL.length() - 2 + CHECKSUM_DIGITS;

  private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{" + CHECKSUM_DIGITS + "}");

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
          .build();

  /** The file without its checksum. */
  private record Content(
      int formatVersion,
      int documentCount,
      List<FieldContent> fields,
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

  private record FileContent(long bytes, String checksum) {
    FileContent {
      if (bytes < 0 || checksum.length() != CHECKSUM_DIGITS) {
        throw new IllegalArgumentException(
            "a file has %d bytes and the checksum '%s'".formatted(bytes, checksum));
      }
    }
  }

  private MetadataFile() {}

  /** Writes the file under a temporary name, forces it to the disk and renames it. */
  static void write(IndexMetadata metadata, Path file) throws IOException {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
    String json = JSON.writer(printer).writeValueAsString(content(metadata));
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
      ByteBuffer bytes = ByteBuffer.wrap((head + tail).getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
    Directories.force(file);
  }

  /**
   * Reads the file.
   *
   * @throws CorruptIndexException if it is not byte for byte what was written, or of another
   *     version
   */
  static IndexMetadata read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int headBytes = bytes.length - TAIL_BYTES;
    if (headBytes < 0) {
      throw new CorruptIndexException(
          file.toString(), "file has %d bytes (truncated?)".formatted(bytes.length));
    }
    byte[] tail = TAIL.formatted(checksum(bytes, headBytes)).getBytes(StandardCharsets.UTF_8);
    if (!Arrays.equals(bytes, headBytes, bytes.length, tail, 0, tail.length)) {
      throw altered(file, bytes, headBytes);
    }
    // As a String: of bytes the library guesses the encoding.
    String json = new String(bytes, 0, headBytes, StandardCharsets.UTF_8) + '}';
    try {
      return metadata(file, JSON.readValue(json, Content.class));
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
        "checksum of bytes 0 to %d is not %08x as the %d bytes from offset %d on have it (%s)"
            .formatted(headBytes - 1, found, TAIL_BYTES, headBytes, guess));
  }

  private static Content content(IndexMetadata metadata) {
    ImmutableList.Builder<FieldContent> fields = ImmutableList.builder();
    for (int i = 0; i < metadata.schema().size(); i++) {
      Field field = metadata.schema().field(i);
      FieldStatistics s = metadata.statistics().get(i);
      fields.add(
          new FieldContent(
              field.name(),
              field.detail(),
              field.tokenized(),
              field.stored(),
              s.terms(),
              s.documents(),
              s.postings(),
              s.tokens()));
    }
    TreeMap<String, FileContent> files = new TreeMap<>();
    metadata
        .files()
        .forEach((name, f) -> files.put(name, new FileContent(f.bytes(), hex(f.checksum()))));
    return new Content(
        metadata.formatVersion(),
        metadata.documentCount(),
        fields.build(),
        new TreeMap<>(metadata.options()),
        files);
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
    ImmutableSortedMap.Builder<String, IndexMetadata.FileEntry> files =
        ImmutableSortedMap.naturalOrder();
    for (Map.Entry<String, FileContent> entry : content.files().entrySet()) {
      long checksum = HexFormat.fromHexDigitsToLong(entry.getValue().checksum());
      files.put(entry.getKey(), new IndexMetadata.FileEntry(entry.getValue().bytes(), checksum));
    }
    return new IndexMetadata(
        content.formatVersion(),
        new Schema(fields.build()),
        content.documentCount(),
        statistics.build(),
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
