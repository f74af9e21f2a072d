package io.kmodel.indexer.export.lucene.version;

import io.kmodel.indexer.index.InvertedIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Writes and checks indexes by one version of Lucene. Thread-safe. */
public interface LuceneWriter {
  /**
   * Writes an index.
   *
   * @param target an empty directory
   * @param segments how many, each a range of documents; fewer where there are fewer documents;
   *     every segment reads all of the index
   * @param isSmall whether stored fields are compressed for size instead of speed
   * @param userData of the commit
   */
  void write(
      InvertedIndex index, Path target, int segments, boolean isSmall, Map<String, String> userData)
      throws IOException;

  /**
   * Writes the files of a shard of OpenSearch.
   *
   * @param target an empty directory
   * @param work an empty directory on the same disk for temporary files, which stay there
   * @param segments as in {@link #write}
   * @param userData of the commit
   */
  void writeShard(
      InvertedIndex index,
      Path target,
      Path work,
      int segments,
      Map<String, String> userData,
      ShardDocuments documents)
      throws IOException;

  /** The user data of the last commit; empty if this version finds no index that it can read. */
  Map<String, String> userData(Path index) throws IOException;

  /**
   * Checks an index by CheckIndex, in this thread. If that is interrupted, it finds a fault.
   *
   * @param level 1 for checksums, 2 for the content, 3 for slow checks, too
   * @return all that it printed if it found a fault; otherwise empty
   */
  String check(Path index, int level) throws IOException;

  /**
   * Counts the segments of an index.
   *
   * @throws IllegalStateException if it has not so many documents
   */
  int segments(Path index, int documents) throws IOException;
}
