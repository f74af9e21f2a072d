package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.detect.FileFormat;
import io.kmodel.indexer.source.record.ContentSniffer;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.Records;
import io.kmodel.indexer.source.unpack.Compression;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A file that is one document, decompressed. Memory: the document. Not thread-safe. */
final class WholeFile implements Records {
  private final RecordFile file;
  private final String path;
  private final Location place;
  private final FileFormat format;
  private final long size;
  private boolean done;

  /**
   * Reads a file.
   *
   * @param path of the file below the given directory
   * @param id of the document
   * @param format of one document
   * @param size bytes in the file system
   */
  WholeFile(RecordFile file, String path, String id, FileFormat format, long size) {
    this.file = file;
    this.path = path;
    this.place = file.place(-1, id);
    this.format = format;
    this.size = size;
  }

  private @Nullable String perhapsRecords(RecordInput input) throws IOException {
    boolean isAll = !input.fill(ContentSniffer.WINDOW_BYTES + 1);
    int length = Math.min(input.available(), ContentSniffer.WINDOW_BYTES);
    byte[] start = Arrays.copyOfRange(input.array(), input.at(), input.at() + length);
    ContentType type = format.type(start, length, path);
    return format.perhapsRecords(type, start, length, isAll, path);
  }

  @Override
  public @Nullable RawDocument next() throws IOException, InterruptedException {
    if (done) {
      return null;
    }
    done = true;
    RecordInput input = file.input();
    input.fill(ContentSniffer.WINDOW_BYTES);
    String binary = ContentSniffer.binary(input.array(), input.at(), input.available());
    if (binary != null) {
      file.skip(place, SkipReason.BINARY, binary);
      return null;
    }
    String records = perhapsRecords(input);
    String hint = records == null ? "" : "; it " + records;
    DocumentBuffer buffer = file.buffer();
    buffer.clearForFile();
    boolean packed = input.compression() != Compression.NONE;
    if (!packed && !buffer.reserve(size)) {
      file.skip(place, SkipReason.TOO_LARGE, "file has " + buffer.problem() + hint);
      return null;
    }
    if (!buffer.readAll(input::readSome)) {
      String what = packed ? "%d bytes decompress to ".formatted(size) : "file has grown: ";
      file.skip(place, SkipReason.TOO_LARGE, what + buffer.problem() + hint);
      return null;
    }
    if (!packed && buffer.length < size) {
      file.skip(
          place,
          SkipReason.UNREADABLE,
          "file has changed: %d of %d bytes could be read".formatted(buffer.length, size));
      return null;
    }
    if (records != null) {
      file.skip(place, SkipReason.PERHAPS_RECORDS, records);
    }
    return RawDocument.of(
            place,
            format.type(buffer.bytes, buffer.length, path),
            buffer.bytes,
            buffer.length,
            file.unitAt(-1))
        .withUrl(path);
  }
}
