package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.store.disk.Places;
import io.kmodel.indexer.store.disk.StagedOutput;
import io.kmodel.indexer.store.disk.StagedOutput.Names;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The directory that an index is exported to: absent, empty, or one that may be replaced. The index
 * is made in {@code DIRECTORY.exporting} (see {@link StagedOutput}). A link is refused.
 */
public final class TargetDirectory {
  private TargetDirectory() {}

  /** A directory that must be absent or empty. */
  public static StagedOutput absentOrEmpty(Path path) throws IOException {
    return replacing(path, directory -> false);
  }

  /** A directory that must be absent or empty, or that may be replaced. */
  public static StagedOutput replacing(Path path, Replaceable replaceable) throws IOException {
    return new StagedOutput(
        path, Places.realAbove(path), Names.EXPORT, there -> require(there, path, replaceable));
  }

  private static void require(Path there, Path named, Replaceable replaceable) throws IOException {
    if (!Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isDirectory(there, LinkOption.NOFOLLOW_LINKS)) {
      throw occupied(named, "the target of an export must be absent or an empty directory");
    }
    Path entry;
    try (Stream<Path> entries = Files.list(there)) {
      entry = entries.findFirst().orElse(null);
    }
    if (entry != null && !replaceable.test(there)) {
      throw occupied(
          named,
          "the target of an export must be absent or empty; it holds " + entry.getFileName());
    }
  }

  private static FileAlreadyExistsException occupied(Path named, String reason) {
    return new FileAlreadyExistsException(named.toString(), null, reason);
  }
}
