package io.kmodel.indexer.browse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.browse.BrowsedIndex.FileSizes;
import io.kmodel.indexer.browse.BrowsedIndex.Segment;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.Directory;

/** Adds up the files of a Lucene index, within compound files, too. */
final class LuceneSizes {
  private final ImmutableMap.Builder<String, Long> files = ImmutableMap.builder();
  private final ImmutableList.Builder<Segment> segments = ImmutableList.builder();

  /** Bytes by the ending of the file's name. */
  private final Map<String, Long> byKind = new TreeMap<>();

  private long terms;
  private long postings;
  private long positions;

  private LuceneSizes() {}

  static FileSizes of(DirectoryReader reader) throws IOException {
    LuceneSizes sizes = new LuceneSizes();
    for (LeafReaderContext leaf : reader.leaves()) {
      if (leaf.reader() instanceof SegmentReader segment) {
        sizes.add(segment);
      }
    }
    return sizes.result();
  }

  private void add(SegmentReader reader) throws IOException {
    SegmentCommitInfo info = reader.getSegmentInfo();
    Directory directory = info.info.dir;
    for (String name : info.files()) {
      long bytes = directory.fileLength(name);
      files.put(name, bytes);
      byKind.merge(IndexFileNames.getExtension(name), bytes, Long::sum);
    }
    if (info.info.getUseCompoundFile()) {
      try (Directory parts =
          info.info.getCodec().compoundFormat().getCompoundReader(directory, info.info)) {
        for (String name : parts.listAll()) {
          byKind.merge(IndexFileNames.getExtension(name), parts.fileLength(name), Long::sum);
        }
      }
    }
    segments.add(
        new Segment(
            info.info.name,
            info.info.maxDoc(),
            info.getDelCount(),
            info.sizeInBytes(),
            info.info.getCodec().getName()));
    for (FieldInfo field : reader.getFieldInfos()) {
      Terms of = reader.terms(field.name);
      if (of != null) {
        terms += of.size();
        postings += of.getSumDocFreq();
        positions += of.hasPositions() ? of.getSumTotalTermFreq() : 0;
      }
    }
  }

  private FileSizes result() {
    return new FileSizes(
        files.buildKeepingLast(),
        segments.build(),
        ratio(8.0 * bytes("doc"), postings),
        ratio(8.0 * bytes("pos"), positions),
        ratio(1.0 * bytes("tim", "tip", "tmd"), terms));
  }

  private long bytes(String... kinds) {
    long bytes = 0;
    for (String kind : kinds) {
      bytes += byKind.getOrDefault(kind, 0L);
    }
    return bytes;
  }

  private static double ratio(double part, long whole) {
    return whole <= 0 ? 0 : part / whole;
  }
}
