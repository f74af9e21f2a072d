package io.kmodel.indexer.indexing.journal;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.FileListener;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The files that a build started with, so that a resumed build can check whether they are the same.
 * The list is written, and later compared, while the crawl is listed; nothing of it stays in
 * memory.
 *
 * <pre>
 * body := file* 00
 * file := root:vint shared:vint rest:vint byte* size:vlong modified:u64 tag:vint byte*
 *         root counts from 1; the path is the first {@code shared} bytes of the previous one and
 *         {@code rest} more; modified in microseconds since 1970; the tag is the ETag of a
 *         server's file, empty for others
 * </pre>
 *
 * Example: the first root's only file "a", of 5 bytes and from 1970, is {@code 01 00 01 61 05},
 * nine times {@code 00}, and {@code 00}.
 */
public abstract sealed class InputList implements FileListener, AutoCloseable {
  private static final String FORMAT = "build.input";
  private static final int VERSION = 3;
  private static final int BUFFER_BYTES = 1 << 16;

  /** One file. */
  private static final class Entry {
    int root;
    byte[] path = {};
    long size;
    long modified;
    String tag = "";

    int compareTo(Entry other) {
      return root != other.root
          ? Integer.compare(root, other.root)
          : Arrays.compareUnsigned(path, other.path);
    }
  }

  private @Nullable Path root;
  private int roots;
  private long files;
  private long bytes;
  private long newest;
  private final Hasher digest = Hashing.sha256().newHasher();

  private InputList() {}

  /** Writes the list. */
  public static InputList write(Path file) throws IOException {
    return new Written(OutputFile.create(file, FORMAT, VERSION));
  }

  /**
   * Compares the crawl with a list.
   *
   * @throws BuildException if the list is damaged, and later, if the files differ
   */
  public static InputList compare(Path file) throws IOException {
    try {
      InputFile before = InputFile.open(file, FORMAT, VERSION);
      try {
        before.verify();
        return new Compared(before);
      } catch (IOException e) {
        before.close();
        throw e;
      }
    } catch (CorruptIndexException | NoSuchFileException e) {
      throw new BuildException(
          "the list of files of the interrupted build is damaged: %s; start over with --restart"
              .formatted(e.getMessage()));
    }
  }

  @Override
  public void file(Path below, byte[] path, long size, FileTime modified) throws IOException {
    file(below, path, size, modified, "");
  }

  @Override
  public void file(Path below, byte[] path, long size, FileTime modified, String tag)
      throws IOException {
    if (!below.equals(root)) {
      root = below;
      roots++;
    }
    Entry entry = new Entry();
    entry.root = roots;
    entry.path = path;
    entry.size = size;
    entry.modified = modified.to(TimeUnit.MICROSECONDS);
    entry.tag = tag;
    files++;
    bytes += size;
    newest = Math.max(newest, entry.modified);
    digest
        .putInt(entry.root)
        .putInt(path.length)
        .putBytes(path)
        .putLong(size)
        .putLong(entry.modified)
        .putString(tag, StandardCharsets.UTF_8);
    next(entry);
  }

  /** Summarizes the files; called once, after {@link #end}. */
  public BuildReport.Input summary() {
    return new BuildReport.Input(files, bytes, newest, digest.hash().toString());
  }

  abstract void next(Entry entry) throws IOException;

  /** Called when all files were listed. */
  public abstract void end() throws IOException;

  @Override
  public abstract void close() throws IOException;

  private static final class Written extends InputList {
    private final OutputFile out;
    private byte[] last = {};

    Written(OutputFile out) {
      this.out = out;
    }

    @Override
    void next(Entry entry) throws IOException {
      int mismatch = Arrays.mismatch(last, entry.path);
      int shared = mismatch < 0 ? entry.path.length : mismatch;
      out.writeVInt(entry.root);
      out.writeVInt(shared);
      out.writeVInt(entry.path.length - shared);
      out.writeBytes(entry.path, shared, entry.path.length - shared);
      out.writeVLong(entry.size);
      out.writeLong(entry.modified);
      byte[] tag = entry.tag.getBytes(StandardCharsets.UTF_8);
      out.writeVInt(tag.length);
      out.writeBytes(tag, 0, tag.length);
      last = entry.path;
    }

    @Override
    public void end() throws IOException {
      out.writeVInt(0);
      out.commitUnforced();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  private static final class Compared extends InputList {
    private final InputFile file;
    private final ByteReader in;
    private @Nullable Entry before = new Entry();

    Compared(InputFile file) throws IOException {
      this.file = file;
      this.in = file.reader(BUFFER_BYTES);
    }

    @Override
    void next(Entry now) throws IOException {
      Entry was = read();
      if (was == null || now.compareTo(was) < 0) {
        throw changed(name(now) + " is new");
      }
      if (now.compareTo(was) > 0) {
        throw changed(name(was) + " is missing");
      }
      if (now.size != was.size) {
        throw changed("%s has %,d bytes, and had %,d".formatted(name(now), now.size, was.size));
      }
      if (now.modified != was.modified) {
        throw changed(
            "%s was changed on %s, and before that on %s"
                .formatted(name(now), time(now.modified), time(was.modified)));
      }
      if (!now.tag.equals(was.tag)) {
        throw changed(
            "%s has the ETag %s on its server, and had %s".formatted(name(now), now.tag, was.tag));
      }
    }

    @Override
    public void end() throws IOException {
      Entry was = read();
      if (was != null) {
        throw changed(name(was) + " is missing");
      }
    }

    private static BuildException changed(String how) {
      return new BuildException(
          "the input has changed since the interrupted build: "
              + how
              + "; start over with --restart");
    }

    private static String name(Entry entry) {
      return new String(entry.path, StandardCharsets.UTF_8);
    }

    private static FileTime time(long micros) {
      return FileTime.from(micros, TimeUnit.MICROSECONDS);
    }

    /** The next entry; null at the end. */
    private @Nullable Entry read() throws IOException {
      Entry last = before;
      if (last == null) {
        return null;
      }
      Entry entry = new Entry();
      entry.root = in.readVInt();
      if (entry.root == 0) {
        before = null;
        return null;
      }
      int shared = in.readVInt();
      int rest = in.readVInt();
      if (shared < 0 || shared > last.path.length || rest < 0 || rest > in.remaining()) {
        throw in.corrupt("impossible path before offset " + in.position());
      }
      entry.path = Arrays.copyOf(last.path, shared + rest);
      in.readBytes(entry.path, shared, rest);
      entry.size = in.readVLong();
      entry.modified = in.readLong();
      int tagLength = in.readVInt();
      if (tagLength < 0 || tagLength > in.remaining()) {
        throw in.corrupt("impossible tag before offset " + in.position());
      }
      byte[] tag = new byte[tagLength];
      in.readBytes(tag, 0, tagLength);
      entry.tag = new String(tag, StandardCharsets.UTF_8);
      before = entry;
      return entry;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
