package io.kmodel.indexer.export.lucene.version;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A version of Lucene whose indexes can be written. An engine reads indexes of its Lucene and of
 * earlier ones back to the major version before. Each version but the newest needs its lucene-core
 * in the program's lib/lucene, see pom.xml.
 */
public enum LuceneVersion {
  /** The one that this program is built with. */
  NEWEST("10.6", ""),
  /** OpenSearch 3.9. */
  V10_5("10.5", "10.5.1"),
  /** Anserini 2, Pyserini 2. */
  V10_4("10.4", "10.4.0"),
  /** Late versions of Solr 9 and Elasticsearch 8. */
  V9_12("9.12", "9.12.3"),
  /** Anserini 1, late versions of Pyserini before 2. */
  V9_9("9.9", "9.9.2");

  private final String label;
  private final String release;

  LuceneVersion(String label, String release) {
    this.label = label;
    this.release = release;
  }

  /** The release of lucene-core; empty for the newest. */
  String release() {
    return release;
  }

  /**
   * The version of a name like 9.12.
   *
   * @throws IllegalArgumentException if the name is unknown; the message lists the known ones
   */
  public static LuceneVersion of(String name) {
    return Arrays.stream(values())
        .filter(version -> version.label.equals(name) || version.isRelease(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown Lucene version '%s'; known: %s".formatted(name, names())));
  }

  private boolean isRelease(String name) {
    return !release.isEmpty() && release.equals(name);
  }

  /** The names of all versions, newest first. */
  public static String names() {
    return Arrays.stream(values()).map(LuceneVersion::toString).collect(Collectors.joining(", "));
  }

  /** The name in command-line options. */
  @Override
  public String toString() {
    return label;
  }
}
