package io.kmodel.indexer.experiment;

import com.google.common.collect.Streams;
import io.kmodel.indexer.build.SkipLog;
import io.kmodel.indexer.build.Workers;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.source.Crawl;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.store.Places;
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
 * Writes the text of a crawl's documents as plain text files, so that indexing can be timed without
 * parsing HTML. The title is the first line. File names are the documents' ids with ".txt"; of
 * documents with the same id one is written, whichever thread comes first, and the others are
 * skipped, as are those whose ids would be files elsewhere, or are too long for one.
 */
public final class TextExtraction {
  private static final long SPLIT_BYTES = 64L << 20;

  /** Of a file's name, and of a path, as Linux has it. */
  private static final int MAX_NAME_BYTES = 255;

  private static final int MAX_PATH_BYTES = 4095;

  private final Path target;
  private final SkipListener skips;

  /** Files that documents have taken, and whether they were made. */
  private final Map<Path, Boolean> files = new ConcurrentHashMap<>();

  private TextExtraction(Path target, SkipListener skips) {
    this.target = target;
    this.skips = skips;
  }

  /**
   * What was done.
   *
   * @param documents written
   * @param skipped how many were not, or in part, by {@link SkipReason#label}
   * @param other what else is counted of the crawl, though nothing is missing, in the same way
   */
  public record Result(
      long documents, SortedMap<String, Long> skipped, SortedMap<String, Long> other) {}

  /**
   * Extracts every document that can be read and parsed. No file that is there is written to. Where
   * it fails, or the thread is told to stop, what was written is deleted.
   *
   * @param target made where it is absent
   * @throws IllegalArgumentException if the target is anything but an empty directory, or it and
   *     the corpus are one or one inside the other; nothing was written
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
      documents = extraction.extract(wholeFiles(crawl));
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      try {
        extraction.undo(missing);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    SortedMap<String, Long> skipped = new TreeMap<>();
    SortedMap<String, Long> other = new TreeMap<>();
    skips
        .counts()
        .forEach((reason, count) -> (isLoss(reason) ? skipped : other).put(reason.label(), count));
    return new Result(documents, skipped, other);
  }

  /** A directory, if it is missing, and those above it that are. */
  private static List<Path> missing(Path directory) {
    List<Path> missing = new ArrayList<>();
    for (Path path = directory; path != null && !Files.exists(path); path = path.getParent()) {
      missing.add(path);
    }
    return missing;
  }

  /**
   * Deletes the files that were made, and the directories in which nothing is then.
   *
   * @param made directories besides those within the target
   */
  private void undo(List<Path> made) throws IOException {
    // What is in a directory before it.
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
        // Somebody else's files are there.
      }
    }
  }

  /** The directory of what is in the target. */
  private static Path above(Path path) {
    return Objects.requireNonNull(path.getParent());
  }

  /** Splits that read each file in one: two pieces of one may turn out not to fit together. */
  private static List<Split> wholeFiles(Crawl crawl) {
    List<Split> cut = crawl.splits(SPLIT_BYTES);
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

  private static void requireEmpty(Path target) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isDirectory(target)) {
      throw new IllegalArgumentException(
          "--output %s is there and is no directory; choose another name".formatted(target));
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(target)) {
      for (Path entry : entries) {
        throw new IllegalArgumentException(
            "--output %s is not empty, it holds %s; choose another directory"
                .formatted(target, entry.getFileName()));
      }
    }
  }

  /** Returns how many documents were written; nobody writes any more then. */
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
   * Where a document goes. Ids are what the crawl says, which may be any text.
   *
   * @throws MalformedDocumentException if there can be no such file in the target
   */
  private Path file(String id) throws MalformedDocumentException {
    try {
      Path file = target.resolve(id + ".txt").normalize();
      if (file.startsWith(target) && isShort(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      // As any other that is no name.
    }
    throw new MalformedDocumentException(id, "is no name of a file");
  }

  /** Whether a directory is where a file is to be, or a file where one of its directories is. */
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
