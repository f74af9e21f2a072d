package io.kmodel.indexer.export.lucene.plain;

import com.google.common.collect.Iterators;
import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Map;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.SlowCodecReaderWrapper;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * Makes a Lucene index through Lucene's public interface alone: IndexWriter's addIndexes of a
 * reader over our index. A segment is a range of documents; all others count as deleted. It is the
 * way to versions of Lucene for which there is no faster one, and an oracle in tests.
 */
final class PlainExport {
  private PlainExport() {}

  /**
   * Writes so many segments, or as many as there are documents.
   *
   * @param config decides how Lucene writes
   * @param userData of the commit
   */
  static void write(
      InvertedIndex index,
      Directory directory,
      int segments,
      IndexWriterConfig config,
      Map<String, String> userData)
      throws IOException {
    try (IndexLeafReader reader = new IndexLeafReader(index)) {
      write(reader, directory, segments, config, userData);
    }
  }

  /** The same of a reader, which stays open. */
  static void write(
      LeafReader reader,
      Directory directory,
      int segments,
      IndexWriterConfig config,
      Map<String, String> userData)
      throws IOException {
    config
        .setUseCompoundFile(false)
        .setMergePolicy(NoMergePolicy.INSTANCE)
        .setMergeScheduler(new SerialMergeScheduler());
    int documents = reader.maxDoc();
    int count = Math.min(segments, documents);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      writer.setLiveCommitData(userData.entrySet());
      for (int i = 0; i < count; i++) {
        DocumentRange range = DocumentRange.part(i, count, documents);
        writer.addIndexes(new RangeOf(SlowCodecReaderWrapper.wrap(reader), range));
      }
    }
  }

  /** The documents of a range. */
  private static final class RangeOf extends FilterCodecReader {
    private final DocumentRange range;

    RangeOf(CodecReader in, DocumentRange range) {
      super(in);
      this.range = range;
    }

    @Override
    public int numDocs() {
      return range.size();
    }

    @Override
    public @Nullable Bits getLiveDocs() {
      if (range.size() == in.maxDoc()) {
        return null;
      }
      return new Bits() {
        @Override
        public boolean get(int docId) {
          return docId >= range.from() && docId < range.to();
        }

        @Override
        public int length() {
          return in.maxDoc();
        }
      };
    }

    /** Does nothing: the exporter has verified the checksums of our index. */
    @Override
    public void checkIntegrity() {}

    /** Leaves out fields without terms, of which IndexWriter records nothing. */
    @Override
    public FieldsProducer getPostingsReader() {
      FieldsProducer all = in.getPostingsReader();
      return new FieldsProducer() {
        @Override
        public Iterator<String> iterator() {
          return Iterators.filter(all.iterator(), RangeOf.this::hasTerms);
        }

        @Override
        public @Nullable Terms terms(String field) throws IOException {
          return all.terms(field);
        }

        @Override
        public int size() {
          return -1;
        }

        @Override
        public void checkIntegrity() throws IOException {
          all.checkIntegrity();
        }

        @Override
        public void close() throws IOException {
          all.close();
        }
      };
    }

    private boolean hasTerms(String field) {
      try {
        Terms terms = in.terms(field);
        return terms != null && terms.iterator().next() != null;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }
}
