package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.Detail;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** CheckIndex ends when the thread that waits for it is told to. */
@Timeout(120)
class IndexCheckTest {
  @TempDir Path directory;

  @Test
  void aThreadThatIsInterruptedDoesNotWaitForCheckIndexAndNothingReadsOn() throws IOException {
    try (Directory lucene = FSDirectory.open(directory)) {
      ReferenceIndex.write(
          lucene,
          Schemas.of(Detail.POSITIONS, Stored.CONTENTS),
          new StandardAnalyzer(),
          SampleDocuments.random(5, 300, 40));
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
