package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.list.PathBytes;
import io.kmodel.indexer.source.remote.ListedFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
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
  /** How URIs of files on disk begin. */
  private static final String OF_DISK = "file:";

  /** A part of a crawl without files. */
  public static final CrawlPart EMPTY = new CrawlPart(List.of(), 0, 0, Long.MAX_VALUE, 0);

  /**
   * Files of one root.
   *
   * @param root URI of the directory, or URL, that the paths are relative to
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
   * @param tag the ETag of a server's file; empty for others
   * @param elsewhere URI of a file that is not below the root, or URL; null for any other
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record ListedFile(
      byte[] path, long size, long modified, String tag, @Nullable String elsewhere) {
    /** The file's own place, if it is not below the root. */
    private @Nullable Path own(ListedFiles servers) {
      if (elsewhere == null) {
        return null;
      }
      Path place = CrawlPart.path(elsewhere);
      Instant time = FileTime.from(modified, TimeUnit.MICROSECONDS).toInstant();
      return place instanceof RemotePath remote
          ? servers.path(remote.url(), size, time, tag)
          : place;
    }
  }

  /**
   * The files of a crawl as they were listed.
   *
   * @param modified when each file was modified, in the order of the list, in microseconds since
   *     1970
   * @param tags their ETags
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Versions(long[] modified, List<String> tags) {}

  public CrawlPart {
    groups = List.copyOf(groups);
  }

  /** The files of a list, with their versions from an index on. */
  static List<Group> groups(FileList.Cursor files, Versions versions, int first) {
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
        root = text(files.root());
      }
      Path elsewhere = files.elsewhere();
      open.add(
          new ListedFile(
              Arrays.copyOf(files.path(), files.pathLength()),
              files.size(),
              versions.modified[next],
              versions.tags.get(next),
              elsewhere == null ? null : text(elsewhere)));
      next++;
    }
    addGroup(groups, root, open);
    return groups;
  }

  private static String text(Path path) {
    return path instanceof RemotePath remote ? remote.url() : path.toUri().toString();
  }

  private static Path path(String text) {
    return text.startsWith(OF_DISK) ? Path.of(URI.create(text)) : RemotePath.of(text);
  }

  private static void addGroup(List<Group> groups, String root, List<ListedFile> files) {
    if (!files.isEmpty()) {
      groups.add(new Group(root, files));
    }
  }

  /** The number of its files. */
  public int files() {
    return groups.stream().mapToInt(group -> group.files().size()).sum();
  }

  /** Names its first file, for messages. */
  public String name() {
    if (groups.isEmpty()) {
      return "an empty crawl";
    }
    ListedFile file = groups.getFirst().files.getFirst();
    return PathBytes.place(
        path(groups.getFirst().root), PathBytes.text(file.path, file.path.length));
  }

  /** A split that reads this part; its units are those of the crawl. */
  public Split split(SourceOptions options) {
    ListedFiles servers = new ListedFiles();
    FileList.Builder files = new FileList.Builder();
    for (Group group : groups) {
      Map<String, Path> elsewhere = new HashMap<>();
      for (ListedFile file : group.files) {
        Path own = file.own(servers);
        if (own != null) {
          elsewhere.put(PathBytes.text(file.path, file.path.length), own);
        }
      }
      files.startRoot(path(group.root), elsewhere);
      for (ListedFile file : group.files) {
        files.add(file.path, file.size);
      }
    }
    return Crawl.whole(files.build(), options, bytes, new Piece(from, to));
  }

  /**
   * Says how files on disk differ from those listed: size, time, or existence. Those of servers are
   * compared whenever they are read.
   *
   * @return null if they do not
   * @throws NoSuchFileException if one does not exist, perhaps on this machine alone
   */
  public @Nullable String changed() throws IOException {
    for (Group group : groups) {
      for (ListedFile file : group.files) {
        if (isOfDisk(group, file)) {
          Path place =
              file.elsewhere == null
                  ? PathBytes.resolve(path(group.root), file.path, file.path.length)
                  : path(file.elsewhere);
          String how = changed(file, place);
          if (how != null) {
            return how;
          }
        }
      }
    }
    return null;
  }

  private static boolean isOfDisk(Group group, ListedFile file) {
    return (file.elsewhere == null ? group.root : file.elsewhere).startsWith(OF_DISK);
  }

  private static @Nullable String changed(ListedFile listed, Path file) throws IOException {
    BasicFileAttributes now;
    try {
      now = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(
          file.toString(), null, "it was listed; does this machine see the same directories?");
    }
    if (now.size() != listed.size) {
      return "%s has %,d bytes, and had %,d when it was listed"
          .formatted(file, now.size(), listed.size);
    }
    return now.lastModifiedTime().to(TimeUnit.MICROSECONDS) == listed.modified
        ? null
        : "%s was modified after it was listed".formatted(file);
  }
}
