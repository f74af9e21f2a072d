package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory that the driver and all executors see under the same path. */
final class SharedDirectory extends Workspace {
  private static final String PART = ".part";

  private final Path directory;

  SharedDirectory(Path directory) {
    this.directory = directory;
  }

  @Override
  String place() {
    return directory.toString();
  }

  @Override
  Path local() {
    return directory;
  }

  @Override
  void create() throws IOException {
    Files.createDirectories(directory.resolve(SPLITS));
    Files.createDirectories(directory.resolve(RANGES));
    Files.createDirectories(directory.resolve(SHARDS));
  }

  @Override
  void delete(String name) throws IOException {
    Directories.deleteTree(directory.resolve(name));
  }

  @Override
  void write(String name, byte[] content) throws IOException {
    Path file = directory.resolve(name);
    Path part = file.resolveSibling(file.getFileName() + PART);
    Files.createDirectories(file.getParent());
    Files.write(part, content);
    Directories.forceContent(part);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    Directories.force(file);
  }

  @Override
  byte @Nullable [] read(String name) throws IOException {
    try {
      return Files.readAllBytes(directory.resolve(name));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  Map<String, byte[]> readAll(String name) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    Path small = directory.resolve(name);
    if (Files.isDirectory(small)) {
      try (Stream<Path> files = Files.list(small)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          if (!file.toString().endsWith(PART)) {
            contents.put(file.getFileName().toString(), Files.readAllBytes(file));
          }
        }
      }
    }
    return contents;
  }

  @Override
  Map<String, Instant> attempts(String kind) throws IOException {
    Map<String, Instant> attempts = new TreeMap<>();
    Path parent = directory.resolve(kind);
    if (Files.isDirectory(parent)) {
      try (Stream<Path> all = Files.list(parent)) {
        for (Path attempt : (Iterable<Path>) all::iterator) {
          Instant change = lastChange(attempt);
          if (change != null) {
            attempts.put(attempt.getFileName().toString(), change);
          }
        }
      }
    }
    return attempts;
  }

  /**
   * When a directory or a file in it was changed; null if it does not exist any more, since tasks
   * that fail delete theirs.
   */
  private static @Nullable Instant lastChange(Path attempt) throws IOException {
    List<Instant> changes = new ArrayList<>();
    Files.walkFileTree(
        attempt,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path at, BasicFileAttributes attributes) {
            return visitFile(at, attributes);
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            changes.add(attributes.lastModifiedTime().toInstant());
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    return changes.isEmpty() ? null : Collections.max(changes);
  }

  @Override
  void save(String name) throws IOException {
    Directories.forceContent(directory.resolve(name));
  }

  @Override
  void restore(String name) {}

  @Override
  Path begin(String kind, String attempt) throws IOException {
    Path parent = directory.resolve(kind);
    if (!Files.isDirectory(parent)) {
      throw new NotDirectoryException(
          parent + " (the build has ended, or this machine does not see its directory)");
    }
    return parent.resolve(attempt);
  }

  @Override
  void keep(Path made, String kind, String attempt) {}

  @Override
  OpenSplit open(SealedSplit split) throws IOException {
    Path place = splitDirectory(split);
    split.metadata().verify(place);
    return new Open(InvertedIndex.open(place));
  }

  @Override
  boolean isSound(SealedSplit split) throws IOException {
    try (OpenSplit open = open(split)) {
      open.index().verifyChecksums();
      BuildReport.read(splitDirectory(split));
      return Files.exists(splitDirectory(split).resolve(BuildReport.SKIPPED_FILE_NAME));
    } catch (CorruptIndexException | NoSuchFileException e) {
      return false;
    }
  }

  private record Open(InvertedIndex index) implements OpenSplit {
    @Override
    public void need(TermRange terms) {}

    @Override
    public void close() throws IOException {
      index.close();
    }
  }

  @Override
  Path splitDirectory(SealedSplit split) {
    return directory.resolve(SPLITS).resolve(split.name());
  }

  @Override
  Path withoutPostings(SealedSplit split) {
    return splitDirectory(split);
  }

  @Override
  Path files(SealedRange range) {
    return directory.resolve(RANGES).resolve(range.name());
  }

  @Override
  long leastRangeBytes() {
    return 16 << 10;
  }

  @Override
  IOException damaged(CorruptIndexException e) {
    return new IOException(e.getMessage() + "; the same command with --resume makes it again", e);
  }

  @Override
  void release(Path copy) {}
}
