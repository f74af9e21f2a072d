package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.export.lucene.schema.DocumentLengths;
import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.NormsConsumer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.util.InfoStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What CheckIndex finds, and that it ends when the thread that waits for it is told to. */
@Timeout(120)
class IndexCheckTest {
  private static final Schema SCHEMA = Schemas.of(Detail.POSITIONS, Stored.CONTENTS);

  @TempDir Path directory;

  @Test
  void aFlippedBitIsFoundByChecksumsAndByAllThatReadMore() throws IOException {
    try (Directory lucene = FSDirectory.open(directory)) {
      write(lucene);
    }
    Path file = only("*.nvd");
    byte[] content = Files.readAllBytes(file);
    content[content.length / 2] ^= 1;
    Files.write(file, content);
    IndexCheck.NONE.run(directory, 2);
    for (IndexCheck check : List.of(IndexCheck.CHECKSUMS, IndexCheck.CONTENT, IndexCheck.SLOW)) {
      assertThatThrownBy(() -> check.run(directory, 2))
          .as("%s", check)
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("CheckIndex found the exported index damaged: ")
          .hasMessageContaining("checksum failed")
          .hasMessageContaining(directory.toString());
    }
  }

  /** Norms of the documents of another index, with a checksum as it should be. */
  @Test
  void whatDoesNotAgreeIsFoundByThoseThatCompareAndByNoChecksum() throws IOException {
    try (Directory lucene = FSDirectory.open(directory)) {
      write(lucene);
      SegmentCommitInfo segment = SegmentInfos.readLatestCommit(lucene).info(0);
      FieldInfos fields =
          segment
              .info
              .getCodec()
              .fieldInfosFormat()
              .read(lucene, segment.info, "", IOContext.READONCE);
      try (Directory other = new ByteBuffersDirectory()) {
        writeNorms(other, segment.info, fields);
        for (String norms : other.listAll()) {
          lucene.deleteFile(norms);
          lucene.copyFrom(other, norms, norms, IOContext.DEFAULT);
        }
      }
    }
    IndexCheck.CHECKSUMS.run(directory, 2);
    for (IndexCheck check : List.of(IndexCheck.CONTENT, IndexCheck.SLOW)) {
      assertThatThrownBy(() -> check.run(directory, 2))
          .as("%s", check)
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("has a norm value that is not zero");
    }
  }

  /** Each document is as long as if it had a term in each field, which the empty ones have not. */
  private static void writeNorms(Directory to, SegmentInfo segment, FieldInfos fields)
      throws IOException {
    SegmentWriteState state =
        new SegmentWriteState(
            InfoStream.NO_OUTPUT, to, segment, fields, /* segUpdates= */ null, IOContext.DEFAULT);
    DocumentLengths ones =
        new DocumentLengths() {
          @Override
          public int count() {
            return segment.maxDoc();
          }

          @Override
          public int length(int field, int docId) {
            return 1;
          }
        };
    try (NormsConsumer norms = segment.getCodec().normsFormat().normsConsumer(state)) {
      for (FieldInfo field : fields) {
        if (field.hasNorms()) {
          norms.addNormsField(field, new SegmentNorms(SCHEMA, ones));
        }
      }
    }
  }

  private Path only(String glob) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, glob)) {
      return files.iterator().next();
    }
  }

  private static void write(Directory lucene) throws IOException {
    ReferenceIndex.write(
        lucene, SCHEMA, new StandardAnalyzer(), SampleDocuments.random(5, 300, 40));
  }

  @Test
  void aThreadThatIsInterruptedDoesNotWaitForCheckIndexAndNothingReadsOn() throws IOException {
    try (Directory lucene = FSDirectory.open(directory)) {
      write(lucene);
      for (int threads : new int[] {1, 3}) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> IndexCheck.CONTENT.run(directory, threads))
            .isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).as("who waits further up is told, too").isTrue();
        try (Lock lock = lucene.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
          lock.ensureValid();
        }
        IndexCheck.CONTENT.run(directory, threads);
      }
    }
  }

  @Test
  void whatIsReadIsTakenAwayFromWhoReadsItWithAllClones() throws Exception {
    try (StoppableDirectory files = new StoppableDirectory(FSDirectory.open(directory))) {
      try (IndexOutput out = files.createOutput("file", IOContext.DEFAULT)) {
        out.writeBytes(new byte[1000], 1000);
      }
      try (IndexInput input = files.openInput("file", IOContext.DEFAULT);
          IndexInput once = files.openInput("file", IOContext.READONCE)) {
        IndexInput clone = input.clone();
        assertThat(clone.readByte()).isZero();
        assertThat(once.readByte()).isZero();
        FutureTask<Boolean> stop =
            new FutureTask<>(
                () -> {
                  files.stop();
                  return true;
                });
        Thread.ofPlatform().start(stop);
        assertThat(stop.get()).isTrue();
        assertThatThrownBy(input::readByte).isInstanceOf(AlreadyClosedException.class);
        assertThatThrownBy(clone::readByte).isInstanceOf(AlreadyClosedException.class);
        assertThatThrownBy(() -> files.openInput("file", IOContext.DEFAULT))
            .isInstanceOf(AlreadyClosedException.class)
            .hasMessage("reading was stopped before file");
      }
    }
  }
}
