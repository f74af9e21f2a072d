package io.kmodel.indexer.indexing.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.model.TopTerms;
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
import org.jspecify.annotations.Nullable;

/**
 * What a build did. Written into the index as {@value #FILE_NAME}; the other files of the index do
 * not depend on it.
 *
 * @param seconds from the start until the index was complete, before it moved to its name
 * @param documents documents in the index
 * @param tokens occurrences of terms of the tokenized fields
 * @param distinctTerms terms over all fields, -1 if they were not counted
 * @param postings pairs of a term and a document, -1 if they were not counted
 * @param runs runs that were merged
 * @param sourceBytes bytes of the documents, decompressed
 * @param sources documents by the format and compression of their files
 * @param indexBytes bytes of the files of the index
 * @param peakMemoryBytes largest resident set of the process so far, -1 if unknown
 * @param html how pages were read
 * @param json how JSON objects were read
 * @param sorting where runs were sorted
 * @param sharedIds documents with the id of an earlier one, -1 if unknown
 * @param skippedDocuments number of skipped documents
 * @param skipped the same by reason
 * @param keptInPart documents of which a part could not be decoded
 * @param noted documents that are complete but unusual, by reason
 * @param passedOver other contents of the crawl, by kind
 * @param unusedMembers members of JSON objects that were not read, by name
 * @param emptyColumns columns of metadata that no document has a value for
 * @param examples the first few of each reason
 * @param oneCore the longest time in which at most one core was busy
 * @param phases wall-clock times, one after the other, beginning with "standard input" if that was
 *     copied; "scan" ends when the first split can be read and requested devices are open, which
 *     may be before the whole crawl is listed
 * @param work thread times, side by side
 * @param fields statistics of the fields; empty if they were not counted
 * @param topTerms the terms that most documents have, those first; empty if they were not counted
 * @param files the files of the index, without reports, in order of their names
 * @param execution where and how the build ran; null in reports of earlier versions
 * @param origin what the index was made of; null if unknown, as in reports of earlier versions
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
    JsonObjects json,
    Sorting sorting,
    long sharedIds,
    long skippedDocuments,
    Map<String, Long> skipped,
    long keptInPart,
    Map<String, Long> noted,
    Map<String, Long> passedOver,
    Map<String, Long> unusedMembers,
    List<String> emptyColumns,
    Map<String, List<String>> examples,
    Stretch oneCore,
    List<Phase> phases,
    List<WorkDone> work,
    List<FieldFigures> fields,
    List<TopTerm> topTerms,
    List<FileSize> files,
    @Nullable Execution execution,
    @Nullable Origin origin) {
  public static final String FILE_NAME = "report.json";

  /** Skipped documents, a line of JSON each (see {@link SkipLog}). */
  public static final String SKIPPED_FILE_NAME = "skipped.jsonl";

  /** Files of reports that an index may contain. */
  public static final Set<String> FILE_NAMES =
      Set.of(FILE_NAME, SKIPPED_FILE_NAME, ReportPage.FILE_NAME);

  public BuildReport {
    json = json == null ? JsonObjects.NONE : json;
    unusedMembers = unusedMembers == null ? Map.of() : unusedMembers;
    emptyColumns = emptyColumns == null ? List.of() : emptyColumns;
    fields = fields == null ? List.of() : fields;
    topTerms = topTerms == null ? List.of() : topTerms;
    files = files == null ? List.of() : files;
  }

  /** Whether a file of an index depends on more than the documents and options. */
  public static boolean isReport(Path file) {
    return file.endsWith(FILE_NAME) || file.endsWith(ReportPage.FILE_NAME);
  }

  /** Whether the index is one of Lucene. */
  public boolean ofLucene() {
    return files.stream().anyMatch(file -> file.name().startsWith("segments_"));
  }

  /** Whether no document is missing or truncated. */
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
   * @param fast by the tree-less reader
   * @param jsoup by jsoup
   * @param unsure reasons for jsoup after the tree-less reader was tried
   */
  public record Html(long fast, long jsoup, Map<String, Long> unsure) {}

  /**
   * How JSON objects were read.
   *
   * @param fast by their bytes
   * @param jackson by Jackson
   * @param unsure reasons for Jackson
   */
  public record JsonObjects(long fast, long jackson, Map<String, Long> unsure) {
    public static final JsonObjects NONE = new JsonObjects(0, 0, Map.of());
  }

  /**
   * How runs were put in order.
   *
   * @param device what was asked for
   * @param pipeline what devices did, and whether threads parsed meanwhile
   * @param threadSeconds time that parsing threads spent sorting, or waiting for a device. If the
   *     CPU counts keys instead, moving those of kept or written runs is part of the time for
   *     keeping or writing
   * @param stage numbers of runs by what sorted them
   */
  public record Sorting(String device, String pipeline, double threadSeconds, SortReport stage) {
    static final Sorting NONE = new Sorting("", "", 0, new SortReport(List.of(), 0, Map.of(), 0));
  }

  /** An interval in seconds since the start; empty if there is none. */
  public record Stretch(double fromSeconds, double toSeconds) {
    public double seconds() {
      return toSeconds - fromSeconds;
    }
  }

  /**
   * The statistics of a field.
   *
   * @param terms distinct terms; -1 if they were not counted
   * @param documents documents with at least one
   * @param postings pairs of both
   * @param tokens occurrences of terms
   */
  public record FieldFigures(String name, long terms, long documents, long postings, long tokens) {
    public static FieldFigures of(String name, FieldStatistics field) {
      return new FieldFigures(
          name, field.terms(), field.documents(), field.postings(), field.tokens());
    }
  }

  /** A term, with the number of its documents and of its occurrences in them. */
  public record TopTerm(String field, String term, long documents, long occurrences) {
    public static TopTerm of(TopTerms.Top top, Schema schema) {
      return new TopTerm(
          schema.field(top.field()).name(), top.term(), top.documents(), top.occurrences());
    }
  }

  /** A file of the index. */
  public record FileSize(String name, long bytes) {}

  /** A piece of the wall clock. */
  public record Phase(String name, double seconds) {}

  /**
   * What an index was made of. A build with the same origin would make the same index.
   *
   * @param options all options that decide the contents, by name
   * @param input the files that were read
   */
  public record Origin(Map<String, String> options, Input input) {}

  /**
   * The files of a crawl, told apart by path, size and modification time.
   *
   * @param bytes their sizes together, as they are on disk
   * @param newest when the newest was modified, in microseconds since 1970; 0 without files
   * @param digest SHA-256 over all of them in order
   */
  public record Input(long files, long bytes, long newest, String digest) {}

  /** Time of all threads together for one kind of work, and the bytes that it produced. */
  public record WorkDone(String name, double threadSeconds, long bytes) {}

  void write(Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    NamingOutput.write(file, ReportJson.of(this).getBytes(StandardCharsets.UTF_8));
    Directories.forceContent(file);
  }

  /**
   * Reads the report of a finished index.
   *
   * @throws CorruptIndexException if the file is not a report
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
