package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.Docno;
import java.util.regex.Pattern;

/**
 * A path without its suffix: the last dot with a letter and up to seven more letters or digits
 * after it, and a compression's suffix after that. A name that consists of suffixes stays.
 */
final class PathStem {
  private static final Pattern SUFFIX =
      Pattern.compile(
          "(?<=[^/])(?:\\.[a-z][a-z0-9]{0,7})?(?:\\.(?:gz|zst|zstd|bz2|xz|z))?$",
          Pattern.CASE_INSENSITIVE);

  private PathStem() {}

  /** The id of a file that is one document. */
  static String id(String path, Docno docno) {
    return docno == Docno.PATH_STEM ? SUFFIX.matcher(path).replaceFirst("") : path;
  }
}
