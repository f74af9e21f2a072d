package io.kmodel.indexer.export.lucene;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
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
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * Counts of a Lucene index, read through Lucene.
 *
 * @param emptyColumns columns of metadata that no document has a value for
 */
public record LuceneContent(
    int documents,
    int segments,
    ImmutableList<FieldCounts> fields,
    ImmutableList<String> emptyColumns) {
  private static final Pattern SEGMENT_FILE = IndexFileNames.CODEC_FILE_PATTERN;

  /**
   * Counts of a field.
   *
   * @param terms distinct terms; -1 with more than one segment, which would have to be merged for
   *     counting
   * @param documents documents with at least one term
   * @param postings pairs of a term and a document
   * @param tokens occurrences of terms
   */
  public record FieldCounts(Field field, long terms, long documents, long postings, long tokens) {}

  /** Distinct terms over all fields; -1 with more than one segment. */
  public long terms() {
    return segments > 1 ? -1 : fields.stream().mapToLong(FieldCounts::terms).sum();
  }

  /** Pairs of a term and a document. */
  public long postings() {
    return fields.stream().mapToLong(FieldCounts::postings).sum();
  }

  /** Occurrences of the terms of tokenized fields. */
  public long tokens() {
    return fields.stream()
        .filter(counts -> counts.field().tokenized())
        .mapToLong(FieldCounts::tokens)
        .sum();
  }

  /**
   * Opens an index with Lucene and counts its content. Reads files without mapping them if enough
   * files can be open: mapping takes Lucene longer than reading the few bytes needed.
   *
   * @param openFiles how many more files may be opened
   */
  public static LuceneContent of(Path path, Schema schema, int openFiles) throws IOException {
    try (Directory directory = directory(path, openFiles);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      ImmutableList.Builder<FieldCounts> fields = ImmutableList.builder();
      for (Field field : schema.fields()) {
        fields.add(counts(reader, field));
      }
      return new LuceneContent(
          reader.numDocs(), reader.leaves().size(), fields.build(), emptyColumns(reader, schema));
    }
  }

  private static FieldCounts counts(DirectoryReader reader, Field field) throws IOException {
    long terms = 0;
    long documents = 0;
    long postings = 0;
    long tokens = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms of = leaf.reader().terms(field.name());
      if (of != null) {
        terms += of.size();
        documents += of.getDocCount();
        postings += of.getSumDocFreq();
        tokens += of.getSumTotalTermFreq();
      }
    }
    return new FieldCounts(
        field, reader.leaves().size() > 1 ? -1 : terms, documents, postings, tokens);
  }

  private static ImmutableList<String> emptyColumns(DirectoryReader reader, Schema schema)
      throws IOException {
    ImmutableList.Builder<String> empty = ImmutableList.builder();
    for (Column column : schema.columns()) {
      boolean hasValues = false;
      for (LeafReaderContext leaf : reader.leaves()) {
        hasValues |= hasValues(leaf.reader(), column);
      }
      if (!hasValues) {
        empty.add(column.name());
      }
    }
    return empty.build();
  }

  /** Numbers and dates are also points, and strings are also terms. */
  private static boolean hasValues(LeafReader reader, Column column) throws IOException {
    if (column.type().isNumber()) {
      PointValues points = reader.getPointValues(column.name());
      return points != null && points.size() > 0;
    }
    Terms terms = reader.terms(column.name());
    return terms != null && terms.size() > 0;
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
