package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A crawl on disk: every regular file below its roots is a document. Documents are in the order of
 * the roots as given, then in byte order of the paths relative to the root; what the bytes of a
 * file are decides what it is read as (see {@link ContentSniffer}), and gzip is unpacked.
 *
 * <p>The files are listed once, when the crawl is opened; nothing is read until a split is. Memory:
 * some 30 bytes a file (see {@link FileList}). Safe for many threads once open. A path that is no
 * regular file, and whatever cannot be listed or read, goes to the {@link SkipListener}.
 */
public final class Crawl {
  /** Of a document, decompressed. The text of a larger one is hardly prose. */
  public static final int DEFAULT_MAX_DOCUMENT_BYTES = 64 << 20;

  /** Arrays cannot be much larger than twice this. */
  public static final int LARGEST_MAX_DOCUMENT_BYTES = 1 << 30;

  private final FileList files;
  private final int maxDocumentBytes;

  private Crawl(FileList files, int maxDocumentBytes) {
    this.files = files;
    this.maxDocumentBytes = maxDocumentBytes;
  }

  /**
   * Lists the files of a crawl.
   *
   * @param roots directories or single files, at least one; a link given here is followed
   * @param maxDocumentBytes files that are larger, packed or unpacked, are skipped; 1 to 1 GiB
   * @param skips told of what the listing leaves out, in the caller's thread
   * @throws IOException if a root is missing or cannot be listed
   */
  public static Crawl open(List<Path> roots, int maxDocumentBytes, SkipListener skips)
      throws IOException {
    return open(roots, List.of(), maxDocumentBytes, skips);
  }

  /**
   * The same, as if some directories were not there: those that the caller itself writes.
   *
   * @param hidden directories, which need not exist
   */
  public static Crawl open(
      List<Path> roots, List<Path> hidden, int maxDocumentBytes, SkipListener skips)
      throws IOException {
    if (roots.isEmpty()) {
      throw new IllegalArgumentException("a crawl needs at least one directory or file");
    }
    if (maxDocumentBytes < 1 || maxDocumentBytes > LARGEST_MAX_DOCUMENT_BYTES) {
      throw new IllegalArgumentException(
          "maxDocumentBytes must be 1 to %d; got %d"
              .formatted(LARGEST_MAX_DOCUMENT_BYTES, maxDocumentBytes));
    }
    FileList.Builder files = new FileList.Builder();
    for (Path root : roots) {
      addRoot(files, root, hidden, skips);
    }
    return new Crawl(files.build(), maxDocumentBytes);
  }

  /** Files listed: at least as many as there will be documents. */
  public long files() {
    return files.files();
  }

  /** Bytes in the files, as listed. */
  public long bytes() {
    return files.bytes();
  }

  /**
   * Cuts the crawl into contiguous splits of whole units, in order. A split ends with the unit that
   * brings it to {@code targetBytes}; so it exceeds that by less than a unit. Splits take a few
   * words of memory each and share the list of files.
   */
  public List<Split> splits(long targetBytes) {
    if (targetBytes < 1) {
      throw new IllegalArgumentException("targetBytes must be at least 1; got " + targetBytes);
    }
    List<Split> splits = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    for (int unit = 0; unit < files.units(); unit++) {
      bytes += files.unitBytes(unit);
      if (bytes >= targetBytes || unit + 1 == files.units()) {
        splits.add(new FileSplit(files, splits.size(), from, unit + 1, bytes, maxDocumentBytes));
        from = unit + 1;
        bytes = 0;
      }
    }
    return splits;
  }

  private static void addRoot(
      FileList.Builder files, Path given, List<Path> hidden, SkipListener skips)
      throws IOException {
    if (!Files.exists(given)) {
      throw new NoSuchFileException(given.toString(), null, "no such directory or file");
    }
    Path root = Files.isSymbolicLink(given) ? given.toRealPath() : given.toAbsolutePath();
    if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      files.startRoot(root);
      new DirectoryWalk(files, hidden, skips).walk(root);
    } else if (Files.isRegularFile(root, LinkOption.NOFOLLOW_LINKS)) {
      Path parent = root.getParent();
      files.startRoot(parent == null ? root : parent);
      files.add(PathBytes.nameOf(root), Files.size(root));
    } else {
      skips.skipped(root.toString(), SkipReason.NOT_A_FILE, "pipe, socket or device");
    }
  }

  /** A range of units of the list. */
  private record FileSplit(
      FileList files, int ordinal, int fromUnit, int toUnit, long bytes, int maxDocumentBytes)
      implements Split {
    @Override
    public DocumentReader open(SkipListener skips, HeapGuard heap) {
      return new FileDocumentReader(files.cursor(fromUnit, toUnit), maxDocumentBytes, skips, heap);
    }
  }
}
