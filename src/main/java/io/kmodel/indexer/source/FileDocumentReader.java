package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads files one at a time into a buffer that it keeps. What cannot be read, is too large, does
 * not decompress or is binary goes to the skip listener.
 *
 * <p>Memory: the largest file so far and the largest decompressed one, each at most the limit of a
 * document and a little slack. Not thread-safe.
 */
final class FileDocumentReader implements DocumentReader {
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  /** Bytes asked for at a time: channels keep a native buffer as large as the largest request. */
  private static final int REQUEST_BYTES = 1 << 18;

  private static final int TOO_LARGE = -1;

  private final FileList.Cursor files;
  private final int maxDocumentBytes;
  private final SkipListener skips;
  private final GzipDecoder gzip;
  private byte[] buffer = new byte[1 << 16];

  FileDocumentReader(FileList.Cursor files, int maxDocumentBytes, SkipListener skips) {
    this.files = files;
    this.maxDocumentBytes = maxDocumentBytes;
    this.skips = skips;
    this.gzip = new GzipDecoder(maxDocumentBytes);
  }

  @Override
  public @Nullable RawDocument next() {
    while (files.next()) {
      RawDocument document = read();
      if (document != null) {
        return document;
      }
    }
    return null;
  }

  @Override
  public void close() {
    gzip.close();
  }

  private @Nullable RawDocument read() {
    Path path = PathBytes.resolve(files.root(), files.path(), files.pathLength());
    String id = PathBytes.text(files.path(), files.pathLength());
    String place = files.root().toString();
    place = place.endsWith("/") ? place + id : place + "/" + id;
    int length;
    try {
      length = readFile(path, place);
    } catch (IOException e) {
      return skip(place, SkipReason.UNREADABLE, e.toString());
    }
    if (length == TOO_LARGE) {
      return null;
    }
    if (!GzipDecoder.isGzip(buffer, length)) {
      return classify(id, place, buffer, length);
    }
    try {
      int unpacked = gzip.decode(buffer, length);
      if (unpacked == GzipDecoder.TOO_LARGE) {
        return skip(
            place,
            SkipReason.TOO_LARGE,
            "%d bytes decompress to more than the limit of %d".formatted(length, maxDocumentBytes));
      }
      return classify(id, place, gzip.bytes(), unpacked);
    } catch (ZipException e) {
      return skip(place, SkipReason.DAMAGED, String.valueOf(e.getMessage()));
    }
  }

  /** Reads a file to its end, which need not be where it was when it was listed. */
  private int readFile(Path path, String place) throws IOException {
    try (FileChannel channel = FileChannel.open(path, READ)) {
      long size = channel.size();
      int length = 0;
      while (size <= maxDocumentBytes) {
        if (length == buffer.length) {
          // One byte above the limit, so that a file that has grown past it shows.
          long wanted = Math.max(2L * length, size + 1);
          buffer = Arrays.copyOf(buffer, (int) Math.min(wanted, maxDocumentBytes + 1L));
        }
        int request = Math.min(REQUEST_BYTES, buffer.length - length);
        int n = channel.read(ByteBuffer.wrap(buffer, length, request));
        if (n < 0) {
          return length;
        }
        length += n;
        size = Math.max(size, length);
      }
      skip(
          place,
          SkipReason.TOO_LARGE,
          "file has %d bytes, the limit is %d".formatted(size, maxDocumentBytes));
      return TOO_LARGE;
    }
  }

  private @Nullable RawDocument classify(String id, String place, byte[] bytes, int length) {
    String binary = ContentSniffer.binary(bytes, length);
    if (binary != null) {
      return skip(place, SkipReason.BINARY, binary);
    }
    ContentType type = ContentSniffer.type(bytes, length, id);
    return new RawDocument(id, place, type, bytes, length, files.unit());
  }

  private @Nullable RawDocument skip(String place, SkipReason reason, String detail) {
    skips.skipped(place, reason, detail);
    return null;
  }
}
