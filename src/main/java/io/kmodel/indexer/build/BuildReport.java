package io.kmodel.indexer.build;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a build did. It stands in the index as {@value #FILE_NAME}; the index's other files do not
 * depend on it.
 *
 * @param seconds from start until the index was complete, before it moved to its place
 * @param documents documents in the index
 * @param tokens occurrences of terms of the tokenized fields
 * @param distinctTerms terms over all fields, -1 where they were not counted
 * @param postings pairs of a term and a document
 * @param runs runs that were merged
 * @param sourceBytes bytes of the documents, decompressed
 * @param indexBytes bytes of the index's files
 * @param peakMemoryBytes largest resident set of the process so far, -1 where unknown
 * @param html how pages were read
 * @param skippedDocuments how many documents were left out
 * @param skipped how many, by reason
 * @param examples the first few of each reason
 * @param phases wall-clock times, one after the other
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
    long indexBytes,
    long peakMemoryBytes,
    Html html,
    long skippedDocuments,
    Map<String, Long> skipped,
    Map<String, List<String>> examples,
    List<Phase> phases,
    List<WorkDone> work) {
  public static final String FILE_NAME = "report.json";

  /**
   * How pages of HTML were read.
   *
   * @param fast without a tree
   * @param jsoup through jsoup's tree
   * @param unsure why, by reason, where the fast way was tried first
   */
  public record Html(long fast, long jsoup, Map<String, Long> unsure) {}

  /** A piece of the wall clock. */
  public record Phase(String name, double seconds) {}

  /**
   * Time that all threads together spent on one kind of work, and the bytes that came out of it.
   */
  public record WorkDone(String name, double threadSeconds, long bytes) {}

  void write(Path directory) throws IOException {
    Files.write(directory.resolve(FILE_NAME), mapper().writeValueAsBytes(this));
  }

  /** Reads the report of a finished index. */
  public static BuildReport read(Path directory) throws IOException {
    return mapper().readValue(Files.readAllBytes(directory.resolve(FILE_NAME)), BuildReport.class);
  }

  private static ObjectMapper mapper() {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  }
}
