package io.kmodel.indexer.export.lucene.version;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** Reads an index by the Lucene of a version. */
public final class VersionReader {
  private static final String DIGEST = LuceneDigest.class.getName();

  private VersionReader() {}

  /** All that it finds, see {@link LuceneDigest}. */
  @SuppressWarnings("unchecked")
  public static List<String> read(LuceneVersion version, Path index) throws Exception {
    if (version == LuceneVersion.NEWEST) {
      return new LuceneDigest().apply(index);
    }
    try (VersionLoader lucene = VersionLoader.of(version, List.of(DIGEST))) {
      Object digest = lucene.loadClass(DIGEST).getConstructor().newInstance();
      if (digest instanceof LuceneDigest) {
        throw new AssertionError("the class was not loaded for the version");
      }
      return ((Function<Path, List<String>>) digest).apply(index);
    }
  }
}
