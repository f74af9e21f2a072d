package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.FileListener;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.StandardInput;
import io.kmodel.indexer.source.list.DirectoryWalk;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.list.PathBytes;
import io.kmodel.indexer.source.remote.RemoteListing;
import io.kmodel.indexer.store.disk.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds the files of a crawl's roots to the list: directories, files, standard input and URLs.
 *
 * @param files receives them
 * @param hidden paths in directories of the crawl that are ignored
 * @param standardInput the copy of standard input; null for a crawl without it
 * @param remote has the URLs among the roots, in the same order
 */
record RootLister(
    FileList.Builder files,
    List<Path> hidden,
    @Nullable Path standardInput,
    SkipListener skips,
    FileListener listener,
    RemoteListing remote) {

  /**
   * Adds the files of the next root.
   *
   * @throws IOException if it does not exist or cannot be listed
   */
  void add(Path root) throws IOException {
    if (root instanceof RemotePath) {
      addRemote(remote.next());
    } else if (standardInput != null && StandardInput.is(root)) {
      addFile(root, standardInput);
    } else {
      addRoot(root);
    }
  }

  private void addRoot(Path given) throws IOException {
    if (!Files.exists(given)) {
      throw new NoSuchFileException(given.toString(), null, missing(given.toAbsolutePath()));
    }
    Path root = Files.isSymbolicLink(given) ? Places.target(given) : given.toAbsolutePath();
    if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      files.startRoot(root);
      new DirectoryWalk(files, hidden, skips, listener).walk(root);
    } else if (Files.isRegularFile(root, LinkOption.NOFOLLOW_LINKS)) {
      addFile(given.toAbsolutePath(), root);
    } else {
      Path named = given.toAbsolutePath();
      skips.skipped(Location.of(named.toString()), SkipReason.NOT_A_FILE, "pipe, socket or device");
    }
  }

  /**
   * Java decodes names before the program sees them, so a file that is not found may exist under a
   * name that is not UTF-8.
   */
  private static String missing(Path path) {
    String missing = "no such directory or file";
    return PathBytes.mayHaveLost(path.toString())
        ? missing + "; if its name is not UTF-8, pass its parent directory or a link to it"
        : missing;
  }

  /** Adds a file under the name that was given, which may be a link's. */
  private void addFile(Path named, Path file) throws IOException {
    Path parent = named.getParent();
    Path directory = parent == null ? named : parent;
    byte[] name = PathBytes.nameOf(named);
    long size = Files.size(file);
    listener.file(directory, name, size, Files.getLastModifiedTime(file));
    if (file.equals(named)) {
      files.startRoot(directory);
    } else {
      files.startRoot(directory, Map.of(PathBytes.text(name, name.length), file));
    }
    files.add(name, size);
  }

  /** Adds the files of a URL, under their names below the server or the prefix. */
  private void addRemote(RemoteListing.Listed listed) throws IOException {
    Map<String, RemotePath> paths = new HashMap<>();
    for (RemoteListing.RemoteFile file : listed.files()) {
      paths.put(PathBytes.text(file.name(), file.name().length), file.path());
    }
    files.startRoot(listed.root(), paths);
    for (RemoteListing.RemoteFile file : listed.files()) {
      listener.file(listed.root(), file.name(), file.size(), file.modified(), file.tag());
      files.add(file.name(), file.size());
    }
    for (String path : listed.leftOut()) {
      skips.skipped(Location.of(path), SkipReason.NOT_A_FILE, "object with the name of a prefix");
    }
  }
}
