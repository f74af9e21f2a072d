package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SlowCodecReaderWrapper;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LuceneExporterTest extends IndexToExport {
  @Test
  void theResultSaysWhatWasWritten() throws IOException {
    try (InvertedIndex index = index(SampleDocuments.random(5, 100, 20))) {
      Path target = directory.resolve("lucene");
      ExportResult result =
          LuceneExporter.export(index, target, new ExportOptions(4, 2, IndexCheck.CONTENT));
      assertThat(result.documents()).isEqualTo(100);
      assertThat(result.segments()).isEqualTo(4);
      assertThat(result.check()).isEqualTo(IndexCheck.CONTENT);
      assertThat(result.terms())
          .isEqualTo(
              index.statistics(0).terms()
                  + index.statistics(1).terms()
                  + index.statistics(2).terms());
      long bytes = 0;
      for (Path file : list(target)) {
        bytes += Files.size(file);
        assertThat(file.toString()).doesNotEndWith(".cfs");
      }
      assertThat(result.bytes()).isEqualTo(bytes);
      assertThat(result.writeSeconds()).isPositive();
      assertThat(result.checkSeconds()).isPositive();
    }
  }

  @Test
  void theIndexIsOneOfThisVersionOfLucene() throws IOException {
    try (InvertedIndex index = index(SampleDocuments.awkward())) {
      Path target = directory.resolve("lucene");
      LuceneExporter.export(index, target, new ExportOptions(2, 1, IndexCheck.NONE));
      try (Directory lucene = FSDirectory.open(target)) {
        SegmentInfos infos = SegmentInfos.readLatestCommit(lucene);
        assertThat(infos.getIndexCreatedVersionMajor()).isEqualTo(versionByLucene());
        assertThat(infos.size()).isEqualTo(2);
      }
    }
  }

  private int versionByLucene() throws IOException {
    try (Directory lucene = FSDirectory.open(directory.resolve("by-lucene"))) {
      new IndexWriter(lucene, new IndexWriterConfig()).close();
      return SegmentInfos.readLatestCommit(lucene).getIndexCreatedVersionMajor();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anIndexWithoutDocumentsIsExported(IndexCheck check) throws IOException {
    try (InvertedIndex index = index(List.of())) {
      Path target = directory.resolve("lucene");
      ExportResult result = LuceneExporter.export(index, target, new ExportOptions(3, 2, check));
      assertThat(result.segments()).isZero();
      try (Directory lucene = FSDirectory.open(target);
          DirectoryReader reader = DirectoryReader.open(lucene)) {
        assertThat(reader.maxDoc()).isZero();
      }
    }
  }

  @Test
  void storedFieldsAreCompressedBetterWhereAsked() throws IOException {
    try (InvertedIndex index = index(SampleDocuments.random(9, 2000, 60))) {
      long fast = storedBytes(index, ExportCodec.BEST_SPEED);
      long small = storedBytes(index, ExportCodec.BEST_COMPRESSION);
      assertThat(small).isPositive().isLessThan(fast * 9 / 10);
    }
  }

  private long storedBytes(InvertedIndex index, ExportCodec codec) throws IOException {
    Path target = directory.resolve(codec.toString());
    LuceneExporter.export(
        index, target, new ExportOptions(1, 1, IndexCheck.CONTENT, codec, LuceneVersion.NEWEST));
    long bytes = 0;
    for (Path file : list(target)) {
      bytes += file.toString().endsWith(".fdt") ? Files.size(file) : 0;
    }
    return bytes;
  }

  @Test
  void progressEndsAtAllPostings() throws IOException {
    try (InvertedIndex index = index(SampleDocuments.random(8, 500, 40))) {
      AtomicLong most = new AtomicLong();
      AtomicLong all = new AtomicLong();
      LuceneExporter.export(
          index,
          directory.resolve("lucene"),
          new ExportOptions(3, 2, IndexCheck.NONE),
          (done, total) -> {
            most.accumulateAndGet(done, Math::max);
            all.set(total);
          });
      assertThat(most.get()).isEqualTo(all.get()).isPositive();
    }
  }

  @Test
  void idsHaveDocValuesAndTheirSpoolIsGone() throws IOException {
    try (InvertedIndex index = index(SampleDocuments.awkward())) {
      Path target = directory.resolve("lucene");
      LuceneExporter.export(index, target, new ExportOptions(2, 2, IndexCheck.CONTENT));
      assertThat(list(target)).noneMatch(file -> file.toString().endsWith(".tmp"));
      try (Directory lucene = FSDirectory.open(target);
          DirectoryReader reader = DirectoryReader.open(lucene)) {
        BinaryDocValues ids = MultiDocValues.getBinaryValues(reader, "id");
        for (ParsedDocument document : SampleDocuments.awkward()) {
          assertThat(ids.nextDoc()).isNotEqualTo(DocIdSetIterator.NO_MORE_DOCS);
          assertThat(ids.binaryValue().utf8ToString()).isEqualTo(document.id());
        }
      }
    }
  }

  @Test
  void aTermThatIsTooLongForLuceneIsRefusedBeforeAnythingIsWritten() throws IOException {
    String id = "i".repeat(IndexWriter.MAX_TERM_LENGTH + 1);
    try (InvertedIndex index = index(List.of(new ParsedDocument(id, "", "")))) {
      Path target = directory.resolve("lucene");
      assertThatThrownBy(() -> LuceneExporter.export(index, target, ExportOptions.DEFAULT))
          .isInstanceOf(FormatLimitException.class)
          .hasMessageContaining("field 'id': Lucene's terms have at most 32766 bytes")
          .hasMessageContaining("got one of 32767");
      assertThat(target).doesNotExist();
      assertThat(leftovers()).isEmpty();
    }
  }

  @Test
  void aTermAsLongAsLuceneAllowsIsExported() throws IOException {
    String id = "i".repeat(IndexWriter.MAX_TERM_LENGTH);
    try (InvertedIndex index = index(List.of(new ParsedDocument(id, "", "")))) {
      ExportResult result =
          LuceneExporter.export(index, directory.resolve("lucene"), ExportOptions.DEFAULT);
      assertThat(result.terms()).isEqualTo(1);
    }
  }

  @Test
  void anExportOfADamagedIndexFailsAndLeavesNothing() throws IOException {
    index(SampleDocuments.awkward()).close();
    Path documents = directory.resolve("ours/documents.data");
    byte[] bytes = Files.readAllBytes(documents);
    Arrays.fill(bytes, bytes.length / 4, bytes.length / 2, (byte) 0x55);
    Files.write(documents, bytes);
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("ours"))) {
      Path target = directory.resolve("lucene");
      assertThatThrownBy(
              () -> LuceneExporter.export(index, target, new ExportOptions(3, 2, IndexCheck.NONE)))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("documents.data: checksum of bytes ");
      assertThat(target).doesNotExist();
      assertThat(leftovers()).isEmpty();
    }
  }

  /** A bit that nothing but the checksum of all the file knows of: no reader comes by it. */
  @Test
  void whatIsExportedWasVerifiedBefore() throws IOException {
    try (InvertedIndex index = index(SampleDocuments.random(5, 100, 20))) {
      Path docs = directory.resolve("ours").resolve("postings.docs");
      byte[] bytes = Files.readAllBytes(docs);
      bytes[bytes.length - 8] ^= 1;
      Files.write(docs, bytes);
      Path target = directory.resolve("lucene");
      ExportOptions options = new ExportOptions(2, 1, IndexCheck.NONE);
      assertThatThrownBy(() -> LuceneExporter.export(index, target, options))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("postings.docs");
      assertThat(target).doesNotExist();
    }
  }

  @Test
  void aDamagedIndexIsFoundByTheCheck() throws IOException {
    try (InvertedIndex index = index(SampleDocuments.awkward())) {
      Path target = Files.createDirectory(directory.resolve("lucene"));
      try (Directory lucene = FSDirectory.open(target);
          IndexWriter writer = new IndexWriter(lucene, new IndexWriterConfig());
          IndexLeafReader reader = new IndexLeafReader(index)) {
        writer.addIndexes(new WithWrongNorms(SlowCodecReaderWrapper.wrap(reader)));
      }
      IndexCheck.CHECKSUMS.run(target, 1);
      assertThatThrownBy(() -> IndexCheck.CONTENT.run(target, 1))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("CheckIndex found the exported index damaged: ")
          .hasMessageContaining("norm value that is not zero");
    }
  }

  @Test
  void optionsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new ExportOptions(0, 1, IndexCheck.NONE))
        .hasMessage("segments must be 1 to 4096; got 0");
    assertThatThrownBy(() -> new ExportOptions(1, 0, IndexCheck.NONE))
        .hasMessage("threads must be at least 1; got 0");
  }

  /** Gives every document a norm of a document with terms. */
  private static final class WithWrongNorms extends FilterCodecReader {
    WithWrongNorms(CodecReader in) {
      super(in);
    }

    @Override
    public NormsProducer getNormsReader() {
      NormsProducer norms = in.getNormsReader();
      return new NormsProducer() {
        @Override
        public NumericDocValues getNorms(FieldInfo field) throws IOException {
          return new PositiveNorms(norms.getNorms(field));
        }

        @Override
        public void checkIntegrity() {}

        @Override
        public void close() {}
      };
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

  /** The same documents with norms of at least 1. */
  private static final class PositiveNorms extends NumericDocValues {
    private final NumericDocValues in;

    PositiveNorms(NumericDocValues in) {
      this.in = in;
    }

    @Override
    public long longValue() throws IOException {
      return Math.max(1, in.longValue());
    }

    @Override
    public boolean advanceExact(int target) throws IOException {
      return in.advanceExact(target);
    }

    @Override
    public int docID() {
      return in.docID();
    }

    @Override
    public int nextDoc() throws IOException {
      return in.nextDoc();
    }

    @Override
    public int advance(int target) throws IOException {
      return in.advance(target);
    }

    @Override
    public long cost() {
      return in.cost();
    }
  }
}
