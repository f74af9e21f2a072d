package io.kmodel.indexer.store;

import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.NamingInput;
import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * An append-only file of lines with one checksum each. Lines survive a crash of the machine once
 * {@link #force} has returned. Reading ends at the first line that is incomplete or altered.
 *
 * <pre>
 * line := checksum:hex{8} ' ' text '\n'       CRC-32C of the text in UTF-8; no line feed in the text
 * </pre>
 *
 * Example: the line "a" is {@code c1d04330 a}. Memory: all lines while reading. Not thread-safe.
 */
public final class Journal implements AutoCloseable {
  private static final int CHECKSUM_DIGITS = 8;

  private final Path path;
  private final FileChannel channel;

  private Journal(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** The valid lines; empty if the file does not exist. */
  public static List<String> read(Path path) throws IOException {
    List<String> lines = new ArrayList<>();
    if (Files.exists(path)) {
      wholeBytes(NamingInput.readAll(path), lines);
    }
    return lines;
  }

  /** Opens a journal for appending, and truncates it after its last valid line. */
  public static Journal open(Path path) throws IOException {
    long whole = Files.exists(path) ? wholeBytes(NamingInput.readAll(path), new ArrayList<>()) : 0;
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      channel.truncate(whole);
      channel.position(whole);
      Directories.force(path);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return new Journal(path, channel);
  }

  /** Appends a line. If this fails or the process ends, part of the line may have been written. */
  public void append(String text) throws IOException {
    if (text.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("a journal line must not contain a line feed: " + text);
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    String sum = checksum(utf8, 0, utf8.length);
    ByteBuffer line = ByteBuffer.allocate(CHECKSUM_DIGITS + 1 + utf8.length + 1);
    line.put(sum.getBytes(StandardCharsets.US_ASCII)).put((byte) ' ').put(utf8).put((byte) '\n');
    line.flip();
    // Read the position now, because interrupting the thread closes the channel.
    long before = channel.position();
    try {
      while (line.hasRemaining()) {
        channel.write(line);
      }
    } catch (IOException e) {
      throw NamingOutput.failure(path, e, before + line.position());
    }
  }

  public void force() throws IOException {
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return path.toString();
  }

  /** Adds the valid lines and returns the offset after the last one. */
  private static int wholeBytes(byte[] bytes, List<String> lines) {
    int start = 0;
    for (int end = 0; end < bytes.length; end++) {
      if (bytes[end] == '\n') {
        int text = start + CHECKSUM_DIGITS + 1;
        if (text > end || !isChecksum(bytes, start, checksum(bytes, text, end - text))) {
          return start;
        }
        lines.add(new String(bytes, text, end - text, StandardCharsets.UTF_8));
        start = end + 1;
      }
    }
    return start;
  }

  private static boolean isChecksum(byte[] bytes, int at, String expected) {
    String found = new String(bytes, at, CHECKSUM_DIGITS, StandardCharsets.US_ASCII);
    return found.equals(expected) && bytes[at + CHECKSUM_DIGITS] == ' ';
  }

  private static String checksum(byte[] bytes, int from, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, from, length);
    return "%08x".formatted(checksum.getValue());
  }
}
