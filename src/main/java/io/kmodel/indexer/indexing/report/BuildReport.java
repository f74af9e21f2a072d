package io.kmodel.indexer.indexing.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kmodel.indexer.sort.SortReport;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.NamingInput;
import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a build did. It stands in the index as {@value #FILE_NAME}; the index's other files do not
 * depend on it.
 *
 * @param seconds from start until the index was complete, before it moved to its place
 * @param documents documents in the index
 * @param tokens occurrences of terms of the tokenized fields
 * @param distinctTerms terms over all fields, -1 where they were not counted
 * @param postings pairs of a term and a document, -1 where they were not counted
 * @param runs runs that were merged
 * @param sourceBytes bytes of the documents, decompressed
 * @param sources what files the documents came from, by format and compression
 * @param indexBytes bytes of the index's files
 * @param peakMemoryBytes largest resident set of the process so far, -1 where unknown
 * @param html how pages were read
 * @param sorting where runs were sorted
 * @param sharedIds documents with an id that an earlier one has, -1 where that is not known
 * @param skippedDocuments how many documents were left out
 * @param skipped how many, by reason
 * @param keptInPart documents of which a part could not be decoded
 * @param noted documents with all of their text that can be read, by what is odd about them
 * @param passedOver what the crawl holds besides documents, by kind
 * @param examples the first few of each reason
 * @param oneCore the longest stretch in which at most one core was busy
 * @param phases wall-clock times, one after the other; "scan" ends when there is something to
 *     parse, which may be before the whole crawl is listed, and devices that were asked for are
 *     open
 * @param work thread times, side by side
 */
public record BuildReport(
    String output,
    Map<String, String> options,
    double seconds,
    long documents,
    long tokens,
    long distinctTerms,
    long postings,
    int runs,
    long sourceBytes,
    Map<String, Source> sources,
    long indexBytes,
    long peakMemoryBytes,
    Html html,
    Sorting sorting,
    long sharedIds,
    long skippedDocuments,
    Map<String, Long> skipped,
    long keptInPart,
    Map<String, Long> noted,
    Map<String, Long> passedOver,
    Map<String, List<String>> examples,
    Stretch oneCore,
    List<Phase> phases,
    List<WorkDone> work) {
  public static final String FILE_NAME = "report.json";

  /** What was left out, a line of JSON each (see {@link SkipLog}). */
  public static final String SKIPPED_FILE_NAME = "skipped.jsonl";

  /** What stands in an index besides its own files. */
  public static final Set<String> FILE_NAMES =
      Set.of(FILE_NAME, SKIPPED_FILE_NAME, ReportPage.FILE_NAME);

  /** Whether a file of an index is one that depends on more than the documents and options. */
  public static boolean isReport(Path file) {
    return file.endsWith(FILE_NAME) || file.endsWith(ReportPage.FILE_NAME);
  }

  /** Whether all that the crawl holds is in the index. */
  public boolean complete() {
    return skippedDocuments == 0 && keptInPart == 0;
  }

  /**
   * Documents of files of one format.
   *
   * @param bytes decompressed
   */
  public record Source(long documents, long bytes) {
    public static final Source NONE = new Source(0, 0);

    Source plus(Source other) {
      return new Source(documents + other.documents, bytes + other.bytes);
    }
  }

  /**
   * How pages of HTML were read.
   *
   * @param fast without a tree
   * @param jsoup through jsoup's tree
   * @param unsure why, by reason, where the fast way was tried first
   */
  public record Html(long fast, long jsoup, Map<String, Long> unsure) {}

  /**
   * How runs were put in order.
   *
   * @param device what was asked for
   * @param pipeline whether threads went on parsing meanwhile
   * @param threadSeconds what parsing threads spent sorting, or waiting for a device to sort; where
   *     the CPU counts keys in place of that, those of runs that are kept or written are moved in
   *     the time of that work
   * @param stage who has sorted how many runs
   */
  public record Sorting(String device, String pipeline, double threadSeconds, SortReport stage) {
    static final Sorting NONE = new Sorting("", "", 0, new SortReport(List.of(), 0, Map.of(), 0));
  }

  /** A stretch of time, in seconds since the start; of no length if there is none. */
  public record Stretch(double fromSeconds, double toSeconds) {
    public double seconds() {
      return toSeconds - fromSeconds;
    }
  }

  /** A piece of the wall clock. */
  public record Phase(String name, double seconds) {}

  /**
   * Time that all threads together spent on one kind of work, and the bytes that came out of it.
   */
  public record WorkDone(String name, double threadSeconds, long bytes) {}

  void write(Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    NamingOutput.write(file, ReportJson.of(this).getBytes(StandardCharsets.UTF_8));
    Directories.forceContent(file);
  }

  /**
   * Reads the report of a finished index.
   *
   * @throws CorruptIndexException if it is none
   */
  public static BuildReport read(Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    try {
      return Json.MAPPER.readValue(NamingInput.readAll(file), BuildReport.class);
    } catch (JsonProcessingException e) {
      throw new CorruptIndexException(
          file.toString(), "is no report of a build: " + e.getOriginalMessage(), e);
    }
  }
}
