package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.list.PathBytes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A contiguous part of a crawl as plain values, so that another process can read it: files, or the
 * records of one file that start between two offsets. Made by {@link Crawl#parts}.
 *
 * @param groups its files in order
 * @param bytes in the file system, as listed
 * @param from offset in the only file, 0 for its start
 * @param to end offset, exclusive; {@link Long#MAX_VALUE} for the end
 * @param piecesAfter how many parts after this one are other pieces of the same file
 */
public record CrawlPart(List<Group> groups, long bytes, long from, long to, int piecesAfter) {
  /** A part of a crawl without files. */
  public static final CrawlPart EMPTY = new CrawlPart(List.of(), 0, 0, Long.MAX_VALUE, 0);

  /**
   * Files of one root.
   *
   * @param root URI of the directory that the paths are relative to
   */
  public record Group(String root, List<ListedFile> files) {
    public Group {
      files = List.copyOf(files);
    }
  }

  /**
   * A file.
   *
   * @param path names separated by slashes, in the file system's bytes
   * @param size bytes as listed
   * @param modified when it was modified, in microseconds since 1970
   * @param elsewhere URI of a file that is not below the root; null for any other
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record ListedFile(byte[] path, long size, long modified, @Nullable String elsewhere) {
    private Path place(Path root) {
      return elsewhere == null
          ? PathBytes.resolve(root, path, path.length)
          : Path.of(URI.create(elsewhere));
    }
  }

  public CrawlPart {
    groups = List.copyOf(groups);
  }

  /** The files of a list, with their times from an index on. */
  static List<Group> groups(FileList.Cursor files, long[] modified, int first) {
    List<Group> groups = new ArrayList<>();
    List<ListedFile> open = new ArrayList<>();
    String root = "";
    int number = -1;
    int next = first;
    while (files.next()) {
      if (files.rootNumber() != number) {
        addGroup(groups, root, open);
        open = new ArrayList<>();
        number = files.rootNumber();
        root = files.root().toUri().toString();
      }
      Path elsewhere = files.elsewhere();
      open.add(
          new ListedFile(
              Arrays.copyOf(files.path(), files.pathLength()),
              files.size(),
              modified[next++],
              elsewhere == null ? null : elsewhere.toUri().toString()));
    }
    addGroup(groups, root, open);
    return groups;
  }

  private static void addGroup(List<Group> groups, String root, List<ListedFile> files) {
    if (!files.isEmpty()) {
      groups.add(new Group(root, files));
    }
  }

  /** Names its first file, for messages. */
  public String name() {
    return groups.isEmpty()
        ? "an empty crawl"
        : groups
            .getFirst()
            .files
            .getFirst()
            .place(Path.of(URI.create(groups.getFirst().root)))
            .toString();
  }

  /** A split that reads this part; its units are those of the crawl. */
  public Split split(SourceOptions options) {
    FileList.Builder files = new FileList.Builder();
    for (Group group : groups) {
      Map<String, Path> elsewhere = new HashMap<>();
      for (ListedFile file : group.files) {
        if (file.elsewhere != null) {
          elsewhere.put(
              PathBytes.text(file.path, file.path.length), Path.of(URI.create(file.elsewhere)));
        }
      }
      files.startRoot(Path.of(URI.create(group.root)), elsewhere);
      for (ListedFile file : group.files) {
        files.add(file.path, file.size);
      }
    }
    return Crawl.whole(files.build(), options, bytes, new Piece(from, to));
  }

  /**
   * Says how the files differ from those listed: size, time, or existence.
   *
   * @return null if they do not
   */
  public @Nullable String changed() throws IOException {
    for (Group group : groups) {
      Path root = Path.of(URI.create(group.root));
      for (ListedFile file : group.files) {
        String how = changed(file, file.place(root));
        if (how != null) {
          return how;
        }
      }
    }
    return null;
  }

  private static @Nullable String changed(ListedFile listed, Path file) throws IOException {
    try {
      BasicFileAttributes now =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (now.size() != listed.size) {
        return "%s has %,d bytes, and had %,d when it was listed"
            .formatted(file, now.size(), listed.size);
      }
      return now.lastModifiedTime().to(TimeUnit.MICROSECONDS) == listed.modified
          ? null
          : "%s was modified after it was listed".formatted(file);
    } catch (NoSuchFileException e) {
      return file + " is missing, although it was listed; does every executor see it?";
    }
  }
}
