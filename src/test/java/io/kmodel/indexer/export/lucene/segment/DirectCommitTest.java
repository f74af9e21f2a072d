package io.kmodel.indexer.export.lucene.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kmodel.indexer.export.lucene.LuceneSegment;
import io.kmodel.indexer.index.model.FormatLimitException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.StringHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** In which order files come to the disk, and what is not committed. */
@Timeout(60)
class DirectCommitTest {
  @TempDir private Path path;

  /** What was done to the files that count for whether an index is whole, in its order. */
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());

  /** Files that cannot be forced to disk yet. */
  private final AtomicInteger failures = new AtomicInteger();

  private boolean lockLost;

  private final class Recording extends FilterDirectory {
    Recording() throws IOException {
      super(FSDirectory.open(path));
    }

    @Override
    public Lock obtainLock(String name) throws IOException {
      Lock lock = super.obtainLock(name);
      return new Lock() {
        @Override
        public void close() throws IOException {
          lock.close();
        }

        @Override
        public void ensureValid() throws IOException {
          if (lockLost) {
            throw new AlreadyClosedException("somebody has deleted the lock");
          }
          lock.ensureValid();
        }
      };
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      if (failures.getAndDecrement() > 0) {
        throw new IOException("no room");
      }
      super.sync(names);
      names.forEach(name -> events.add("force " + name));
    }

    @Override
    public void syncMetaData() throws IOException {
      super.syncMetaData();
      events.add("force names");
    }

    @Override
    public void rename(String from, String to) throws IOException {
      super.rename(from, to);
      events.add("rename " + to);
    }
  }

  @Test
  void whatACommitNamesIsOnTheDiskBeforeIt() throws IOException {
    List<String> files = new ArrayList<>();
    try (Directory directory = new Recording();
        DirectCommit commit = new DirectCommit(directory, ExportCodec.BEST_SPEED)) {
      List<SegmentCommitInfo> segments = List.of(segment(commit, 1), segment(commit, 2));
      for (SegmentCommitInfo segment : segments) {
        files.addAll(segment.files());
      }
      commit.commit(segments, 2);
      long version = SegmentInfos.readLatestCommit(directory).getVersion();
      assertThat(version).as("one that has changed").isPositive();
    }
    int named = events.indexOf("rename segments_1");
    assertThat(named).isPositive();
    List<String> before = events.subList(0, named);
    assertThat(before).contains("force names");
    assertThat(before).containsAll(files.stream().map(file -> "force " + file).toList());
    assertThat(before.indexOf("force names"))
        .isGreaterThan(
            files.stream().mapToInt(file -> before.indexOf("force " + file)).max().orElseThrow());
    assertThat(documents()).isEqualTo(3);
  }

  /** It may have got there by itself since, or the system has forgotten that it did not. */
  @Test
  void aFileThatCouldNotBeForcedMeanwhileIsNotCommitted() throws IOException {
    failures.set(1);
    try (Directory directory = new Recording();
        DirectCommit commit = new DirectCommit(directory, ExportCodec.BEST_SPEED)) {
      List<SegmentCommitInfo> segments = List.of(segment(commit, 1));
      assertThatThrownBy(() -> commit.commit(segments, 1))
          .isInstanceOf(IOException.class)
          .hasMessage("cannot force files of a segment to disk: no room");
      assertThat(directory.listAll()).doesNotContain("segments_1");
    }
  }

  @Test
  void aSegmentThatIsDroppedLeavesNothing() throws IOException {
    try (Directory directory = new Recording();
        DirectCommit commit = new DirectCommit(directory, ExportCodec.BEST_SPEED)) {
      SegmentCommitInfo dropped = segment(commit, 2);
      SegmentCommitInfo kept = segment(commit, 1);
      commit.drop(dropped);
      commit.commit(List.of(kept), 1);
      assertThat(directory.listAll()).containsAll(kept.files());
      assertThat(directory.listAll()).doesNotContainAnyElementsOf(dropped.files());
    }
    assertThat(documents()).isEqualTo(1);
  }

  @Test
  void oneWritesAtATimeAndWhoHasLostItsLockCommitsNothing() throws IOException {
    try (Directory directory = new Recording()) {
      try (DirectCommit commit = new DirectCommit(directory, ExportCodec.BEST_SPEED)) {
        assertThatThrownBy(() -> new DirectCommit(directory, ExportCodec.BEST_SPEED))
            .isInstanceOf(LockObtainFailedException.class);
        List<SegmentCommitInfo> segments = List.of(segment(commit, 1));
        lockLost = true;
        assertThatThrownBy(() -> commit.commit(segments, 1))
            .isInstanceOf(AlreadyClosedException.class)
            .hasMessage("somebody has deleted the lock");
        assertThat(directory.listAll()).doesNotContain("segments_1");
      }
      new DirectCommit(directory, ExportCodec.BEST_SPEED).close();
    }
  }

  @Test
  void moreDocumentsThanLuceneHoldsAreRefused() throws IOException {
    try (Directory directory = new Recording();
        DirectCommit commit = new DirectCommit(directory, ExportCodec.BEST_SPEED)) {
      SegmentCommitInfo most = ofDocuments(directory, IndexWriter.MAX_DOCS);
      SegmentCommitInfo one = ofDocuments(directory, 1);
      assertThatThrownBy(() -> commit.commit(List.of(most, one), 1))
          .isInstanceOf(FormatLimitException.class)
          .hasMessage("Lucene holds at most 2147483519 documents; got 2147483520");
      assertThat(catchThrowable(() -> commit.commit(List.of(most), 1)))
          .as("its files are what is missing")
          .isNotNull()
          .isNotInstanceOf(FormatLimitException.class);
    }
  }

  private static SegmentCommitInfo ofDocuments(Directory directory, int documents) {
    SegmentInfo segment = LuceneSegment.info(directory, documents);
    return new SegmentCommitInfo(segment, 0, 0, -1, -1, -1, StringHelper.randomId());
  }

  private static SegmentCommitInfo segment(DirectCommit commit, int documents) throws IOException {
    try (SegmentWriter segment =
        new SegmentWriter(commit, SegmentWriterTest.SCHEMA, Executors.defaultThreadFactory())) {
      for (int i = 0; i < documents; i++) {
        SegmentWriterTest.storeOne(segment);
      }
      segment.write(
          new SegmentWriterTest.Empty(documents),
          new SegmentWriterTest.OneRange(new SegmentWriterTest.NoTerms()));
      return segment.written();
    }
  }

  private int documents() throws IOException {
    try (Directory directory = FSDirectory.open(path);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      return reader.numDocs();
    }
  }
}
