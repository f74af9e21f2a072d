package io.kmodel.indexer.indexing.similar;

import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.store.LittleEndian;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of {@link SignatureWriter} of all splits as one sequence of records. Offsets count from
 * the start of the first file. Memory: a buffer of 64 KiB, and some 100 bytes a file. Not
 * thread-safe.
 */
final class SignatureFiles {
  private static final int CHECK_EVERY = 1 << 10;
  private static final int TEXTS = 3;

  private final List<? extends @Nullable Path> files;
  private final List<? extends @Nullable BitSet> leftOut;
  private final Runnable heartbeat;

  /** Where each file starts, and where the last one ends. */
  private final long[] starts;

  /** The files that have records, by where they start. */
  private final NavigableMap<Long, Path> byStart = new TreeMap<>();

  private final long documents;

  /** Takes a record. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Takes the signature of a document that is compared.
     *
     * @param document number among all documents
     * @param inSplit number among those of its split
     * @param head the start of its record, valid until the method returns
     */
    void visit(long document, int split, int inSplit, long offset, byte[] head) throws IOException;
  }

  /** A document and its signature. */
  static final class Signed {
    private final Location place;
    private final byte[] signature;

    private Signed(Location place, byte[] signature) {
      this.place = place;
      this.signature = signature;
    }

    Location place() {
      return place;
    }

    /** The signature, followed by the rest of the head of the record. */
    byte[] signature() {
      return signature;
    }
  }

  /**
   * Opens files.
   *
   * @param files of the splits in order; null for a split without documents
   * @param leftOut documents of each split that are left out for another reason; null for none
   * @param heartbeat runs every {@value #CHECK_EVERY} records that are visited
   */
  SignatureFiles(
      List<? extends @Nullable Path> files,
      List<? extends @Nullable BitSet> leftOut,
      Runnable heartbeat)
      throws IOException {
    this.files = files;
    this.leftOut = leftOut;
    this.heartbeat = heartbeat;
    this.starts = new long[files.size() + 1];
    long count = 0;
    for (int split = 0; split < files.size(); split++) {
      Path file = files.get(split);
      long size = 0;
      if (file != null) {
        size = Files.size(file) - Integer.BYTES;
        try (FileChannel channel = FileChannel.open(file)) {
          count += LittleEndian.getInt(read(file, channel, size, Integer.BYTES), 0);
        }
        if (size > 0) {
          byStart.put(starts[split], file);
        }
      }
      starts[split + 1] = starts[split] + size;
    }
    this.documents = count;
  }

  /** Number of records. */
  long documents() {
    return documents;
  }

  /** Visits the documents with words that are not left out, in order. */
  void visit(Visitor visitor) throws IOException, InterruptedException {
    long document = 0;
    byte[] head = new byte[SignatureWriter.HEAD_BYTES];
    for (int split = 0; split < files.size(); split++) {
      Path file = files.get(split);
      if (file == null) {
        continue;
      }
      BitSet without = leftOut.get(split);
      long offset = starts[split];
      try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
        for (int inSplit = 0; offset < starts[split + 1]; inSplit++) {
          if (in.readNBytes(head, 0, head.length) < head.length) {
            throw new EOFException(file + " ends within a record");
          }
          if ((without == null || !without.get(inSplit)) && TextSignature.hasWords(head)) {
            visitor.visit(document, split, inSplit, offset, head);
          }
          int more = textLength(head);
          in.skipNBytes(more);
          offset += head.length + more;
          document++;
          if (document % CHECK_EVERY == 0) {
            heartbeat.run();
            if (Thread.interrupted()) {
              throw new InterruptedException("comparing documents was stopped");
            }
          }
        }
      }
    }
  }

  /** Reads single records. Keeps the file of the last one open. Not thread-safe. */
  final class Lookup implements AutoCloseable {
    private @Nullable Path file;
    private @Nullable FileChannel channel;

    /** Reads the record at an offset. */
    Signed at(long record) throws IOException {
      Map.Entry<Long, Path> entry = byStart.floorEntry(record);
      if (entry == null) {
        throw new IllegalArgumentException("no record starts at " + record);
      }
      FileChannel from = open(entry.getValue());
      long inFile = record - entry.getKey();
      byte[] head = read(entry.getValue(), from, inFile, SignatureWriter.HEAD_BYTES);
      byte[] all = read(entry.getValue(), from, inFile + head.length, textLength(head));
      String[] texts = new String[TEXTS];
      int start = 0;
      for (int i = 0; i < TEXTS; i++) {
        texts[i] = new String(all, start, length(head, i), StandardCharsets.UTF_8);
        start += length(head, i);
      }
      long offset = LittleEndian.getLong(head, TextSignature.BYTES);
      return new Signed(new Location(texts[0], offset, texts[1], texts[2]), head);
    }

    private FileChannel open(Path wanted) throws IOException {
      FileChannel before = channel;
      if (before != null && wanted.equals(file)) {
        return before;
      }
      close();
      FileChannel opened = FileChannel.open(wanted);
      file = wanted;
      channel = opened;
      return opened;
    }

    @Override
    public void close() throws IOException {
      FileChannel before = channel;
      if (before != null) {
        before.close();
      }
    }
  }

  /** Bytes of one of the texts: file, row and id. */
  private static int length(byte[] head, int text) {
    return LittleEndian.getInt(head, SignatureWriter.LENGTHS + text * Integer.BYTES);
  }

  private static int textLength(byte[] head) {
    return length(head, 0) + length(head, 1) + length(head, 2);
  }

  private static byte[] read(Path file, FileChannel channel, long offset, int length)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, offset + bytes.position()) < 0) {
        throw new EOFException(file + " ends within a record");
      }
    }
    return bytes.array();
  }
}
