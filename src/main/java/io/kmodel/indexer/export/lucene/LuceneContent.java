package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * Counts of a Lucene index, read through Lucene.
 *
 * @param terms distinct terms over all fields; -1 with more than one segment, which would have to
 *     be merged for counting
 * @param postings pairs of a term and a document
 * @param tokens occurrences of the terms of tokenized fields
 */
public record LuceneContent(int documents, int segments, long terms, long postings, long tokens) {

  private static final Pattern SEGMENT_FILE = IndexFileNames.CODEC_FILE_PATTERN;

  /**
   * Opens an index with Lucene and counts its content. Reads files without mapping them if enough
   * files can be open: mapping takes Lucene longer than reading the few bytes needed.
   *
   * @param openFiles how many more files may be opened
   */
  public static LuceneContent of(Path path, Schema schema, int openFiles) throws IOException {
    try (Directory directory = directory(path, openFiles);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      long terms = 0;
      long postings = 0;
      long tokens = 0;
      for (LeafReaderContext leaf : reader.leaves()) {
        for (Field field : schema.fields()) {
          Terms of = leaf.reader().terms(field.name());
          if (of != null) {
            terms += of.size();
            postings += of.getSumDocFreq();
            tokens += field.tokenized() ? of.getSumTotalTermFreq() : 0;
          }
        }
      }
      int segments = reader.leaves().size();
      return new LuceneContent(
          reader.numDocs(), segments, segments > 1 ? -1 : terms, postings, tokens);
    }
  }

  private static Directory directory(Path path, int openFiles) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      // Mapped files are only open briefly.
      return files.count() > openFiles ? new MMapDirectory(path) : new NIOFSDirectory(path);
    }
  }

  /** The file of an index's last commit, whose content is unique to the index. */
  public static Path commitFile(Path path) throws IOException {
    try (Directory directory = new NIOFSDirectory(path)) {
      return path.resolve(String.valueOf(SegmentInfos.getLastCommitSegmentsFileName(directory)));
    }
  }

  /**
   * Whether a directory holds a Lucene index and nothing else.
   *
   * @param others names of further files that may exist
   */
  public static boolean isIndex(Path path, Set<String> others) throws IOException {
    boolean commit = false;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        String name = String.valueOf(entry.getFileName());
        boolean isCommit = name.startsWith(IndexFileNames.SEGMENTS + "_");
        boolean known =
            isCommit
                || SEGMENT_FILE.matcher(name).matches()
                || name.equals(IndexWriter.WRITE_LOCK_NAME)
                || others.contains(name);
        if (!known || !Files.isRegularFile(entry)) {
          return false;
        }
        commit |= isCommit;
      }
    }
    return commit;
  }
}
