package io.kmodel.indexer.experiment;

import com.google.common.collect.Streams;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.store.disk.Places;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes the text of a crawl's documents to plain text files, so that indexing can be timed without
 * HTML parsing. The title is the first line. A file's name is the document's id with ".txt". Of
 * documents with the same id, one is written, depending on thread timing, and the others are
 * skipped. Documents are also skipped if their ids refer to files outside the target or are too
 * long for a file name.
 */
public final class TextExtraction {
  private static final long SPLIT_BYTES = 64L << 20;

  /** Limits of a file name and of a path on Linux. */
  private static final int MAX_NAME_BYTES = 255;

  private static final int MAX_PATH_BYTES = 4095;

  private final Path target;
  private final SkipListener skips;

  /** Files claimed by documents, and whether they were created. */
  private final Map<Path, Boolean> files = new ConcurrentHashMap<>();

  private TextExtraction(Path target, SkipListener skips) {
    this.target = target;
    this.skips = skips;
  }

  /**
   * The result of an extraction.
   *
   * @param documents number of documents written
   * @param skipped number of documents skipped or truncated, by {@link SkipReason#label}
   * @param other number of other findings in the crawl that lose no text, by label
   */
  public record Result(
      long documents, SortedMap<String, Long> skipped, SortedMap<String, Long> other) {}

  /**
   * Extracts every document that can be read and parsed, without writing to any existing file. If
   * the extraction fails or the thread is interrupted, files already written are deleted.
   *
   * @param target created if it does not exist
   * @throws IllegalArgumentException if the target is anything but an empty directory, or overlaps
   *     the corpus; nothing was written
   */
  public static Result extract(Path corpus, Path target) throws IOException, InterruptedException {
    WorkPlace.requireApart(corpus, "--output", target);
    requireEmpty(target);
    SkipLog skips = new SkipLog();
    TextExtraction extraction = new TextExtraction(Places.real(target), skips);
    Crawl crawl = Crawl.open(List.of(corpus), SourceOptions.DEFAULT_MAX_DOCUMENT_BYTES, skips);
    List<Path> missing = missing(extraction.target);
    long documents;
    try {
      Files.createDirectories(extraction.target);
      documents = extraction.extract(wholeFiles(crawl, SPLIT_BYTES));
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      try {
        extraction.undo(missing);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    return result(documents, skips);
  }

  static Result result(long documents, SkipLog skips) {
    SortedMap<String, Long> skipped = new TreeMap<>();
    SortedMap<String, Long> other = new TreeMap<>();
    skips
        .counts()
        .forEach((reason, count) -> (isLoss(reason) ? skipped : other).put(reason.label(), count));
    return new Result(documents, skipped, other);
  }

  /** A directory and its parents, as far as they do not exist. */
  private static List<Path> missing(Path directory) {
    List<Path> missing = new ArrayList<>();
    for (Path path = directory; path != null && !Files.exists(path); path = path.getParent()) {
      missing.add(path);
    }
    return missing;
  }

  /**
   * Deletes the files that were created, and directories that are empty afterwards.
   *
   * @param made directories created, apart from those within the target
   */
  private void undo(List<Path> made) throws IOException {
    // Reverse order, so that a directory's content is deleted before it.
    Set<Path> directories = new TreeSet<>(Comparator.<Path>reverseOrder());
    directories.addAll(made);
    for (Map.Entry<Path, Boolean> file : files.entrySet()) {
      if (file.getValue()) {
        Files.deleteIfExists(file.getKey());
      }
      for (Path above = above(file.getKey()); !above.equals(target); above = above(above)) {
        directories.add(above);
      }
    }
    for (Path directory : directories) {
      try {
        Files.deleteIfExists(directory);
      } catch (DirectoryNotEmptyException e) {
        // It contains files of others.
      }
    }
  }

  /** The parent directory of a path in the target. */
  private static Path above(Path path) {
    return Objects.requireNonNull(path.getParent());
  }

  /** Splits of whole files, because pieces of a file may turn out not to fit together. */
  static List<Split> wholeFiles(Crawl crawl, long splitBytes) {
    List<Split> cut = crawl.splits(splitBytes);
    List<Split> whole = new ArrayList<>();
    for (int i = 0; i < cut.size(); i += 1 + cut.get(i).piecesAfter()) {
      Split split = cut.get(i);
      whole.add(split.piecesAfter() == 0 ? split : split.withRest());
    }
    return whole;
  }

  private static boolean isLoss(SkipReason reason) {
    return reason.kind() == SkipReason.Kind.LOST || reason.kind() == SkipReason.Kind.IN_PART;
  }

  /** Checks that a directory is absent or empty. */
  static void requireEmpty(Path target) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isDirectory(target)) {
      throw new IllegalArgumentException(
          "--output %s exists and is not a directory; choose another name".formatted(target));
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(target)) {
      for (Path entry : entries) {
        throw new IllegalArgumentException(
            "--output %s is not empty: it contains %s; choose another directory"
                .formatted(target, entry.getFileName()));
      }
    }
  }

  /** Returns the number of documents written, when all threads have ended. */
  private long extract(List<Split> splits) throws IOException, InterruptedException {
    List<Callable<Long>> tasks = new ArrayList<>();
    for (Split split : splits) {
      tasks.add(() -> extract(split));
    }
    try (Workers workers = new Workers("extract", Runtime.getRuntime().availableProcessors())) {
      return workers.runAll(tasks).stream().mapToLong(Long::longValue).sum();
    }
  }

  private long extract(Split split) throws IOException, InterruptedException {
    DocumentParser parser = new DocumentParser();
    long count = 0;
    try (DocumentReader reader = split.open(skips)) {
      for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
        ParsedDocument document;
        Path file;
        try {
          document = parser.parse(raw);
          file = file(document.id());
        } catch (MalformedDocumentException e) {
          skips.skipped(raw.place(), e.reason(), String.valueOf(e.getMessage()));
          continue;
        }
        if (files.putIfAbsent(file, false) != null) {
          skips.skipped(raw.place(), SkipReason.DUPLICATE, document.id());
          continue;
        }
        try {
          Files.createDirectories(above(file));
          write(file, document.title() + "\n" + document.contents() + "\n");
          count++;
        } catch (FileSystemException e) {
          if (!isTaken(file)) {
            throw e;
          }
          skips.skipped(
              raw.place(),
              SkipReason.UNPARSABLE,
              document.id() + ": a file and a directory have this name");
        }
      }
    }
    return count;
  }

  private void write(Path file, String text) throws IOException {
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      files.put(file, true);
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * The file of a document. Ids come from the crawl and may be any text.
   *
   * @throws MalformedDocumentException if the target cannot hold such a file
   */
  private Path file(String id) throws MalformedDocumentException {
    try {
      Path file = target.resolve(id + ".txt").normalize();
      if (file.startsWith(target) && isShort(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      // Handled like any other invalid name.
    }
    throw new MalformedDocumentException(id, "not a valid file name");
  }

  /** Whether the file's path is a directory, or a regular file is where it needs a directory. */
  private boolean isTaken(Path file) {
    for (Path above = file.getParent();
        above != null && !above.equals(target);
        above = above.getParent()) {
      if (Files.isRegularFile(above)) {
        return true;
      }
    }
    return Files.isDirectory(file);
  }

  private boolean isShort(Path file) {
    return bytes(file) <= MAX_PATH_BYTES
        && Streams.stream(target.relativize(file)).allMatch(name -> bytes(name) <= MAX_NAME_BYTES);
  }

  private static int bytes(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length;
  }
}
