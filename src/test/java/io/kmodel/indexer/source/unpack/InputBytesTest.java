package io.kmodel.indexer.source.unpack;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.FileBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the end of a file is found, where it moves. */
class InputBytesTest {
  @Test
  void theEndIsAskedForOnceAndNoReadComesAfterIt() throws IOException {
    ChangingFile file = new ChangingFile(1000, 1000);
    InputBytes in = InputBytes.of(file);
    assertThat(in.fill(2000)).isFalse();
    assertThat(in.endsHere()).isTrue();
    assertThat(in.fill(2000)).isFalse();
    assertThat(file.calls).containsExactly("read 0", "size");
  }

  @Test
  void whatAFileGrowsByAfterAReadIsRead() throws IOException {
    ChangingFile file = new ChangingFile(1000, 1500);
    InputBytes in = InputBytes.of(file);
    assertThat(in.fill(1400)).isTrue();
    assertThat(in.available()).isEqualTo(1500);
    assertThat(in.endsHere()).isTrue();
    assertThat(file.calls).containsExactly("read 0", "size", "read 1000", "size");
  }

  @Test
  void aFileThatHasGrownDoesNotEndWhereItWasReadTo() throws IOException {
    ChangingFile file = new ChangingFile(1000, 1500);
    InputBytes in = InputBytes.of(file);
    assertThat(in.fill(900)).isTrue();
    assertThat(in.available()).isEqualTo(1000);
    assertThat(in.endsHere()).isFalse();
  }

  @Test
  void aFileThatIsCutAfterAReadDoesNotEndWhereThatEnded() throws IOException {
    ChangingFile file = new ChangingFile(1000, 500);
    InputBytes in = InputBytes.of(file);
    assertThat(in.fill(1001)).isFalse();
    assertThat(in.available()).isEqualTo(1000);
    assertThat(in.endsHere()).isFalse();
  }

  @Test
  void aFileThatSaysItIsEmptyIsReadUntilAReadGivesNothing() throws IOException {
    ChangingFile file = new ChangingFile(1000, 1000);
    file.says = 0;
    InputBytes in = InputBytes.of(file);
    assertThat(in.readAllBytes()).hasSize(1000);
    assertThat(file.calls).containsExactly("read 0", "size", "read 1000");
  }

  @Test
  void aFullWindowIsNoEnd() throws IOException {
    int window = InputBytes.WINDOW_BYTES;
    ChangingFile file = new ChangingFile(window, window);
    InputBytes in = InputBytes.of(file);
    assertThat(in.fill(window)).isTrue();
    assertThat(file.calls).containsExactly("read 0");
    in.advance(window);
    assertThat(in.fill()).isFalse();
    assertThat(file.calls).containsExactly("read 0", "read " + window);
  }

  @Test
  void aFileThatEndsWhereItsSizeWasSeenIsNotAskedForIt() throws IOException {
    ChangingFile file = new ChangingFile(1000, 1000);
    InputBytes in = InputBytes.of(FileBytes.of(file), new byte[InputBytes.WINDOW_BYTES], 1000);
    assertThat(in.fill(2000)).isFalse();
    assertThat(in.endsHere()).isTrue();
    assertThat(file.calls).containsExactly("read 0");
  }

  @Test
  void aFileOfAnotherSizeThanWasSeenIsReadToItsEnd() throws IOException {
    for (long seen : new long[] {0, 999, 1001}) {
      ChangingFile file = new ChangingFile(1000, 1500);
      InputBytes in = InputBytes.of(FileBytes.of(file), new byte[InputBytes.WINDOW_BYTES], seen);
      assertThat(in.readAllBytes()).hasSize(1500);
      assertThat(in.endsHere()).isTrue();
      assertThat(file.calls).containsExactly("read 0", "size", "read 1000", "size");
    }
  }

  /** Of one length for the first read, and of another one from then on. */
  private static final class ChangingFile extends FileChannel {
    private final List<String> calls = new ArrayList<>();
    private final int after;
    private int length;
    private long says = -1;

    ChangingFile(int before, int after) {
      this.length = before;
      this.after = after;
    }

    @Override
    public int read(ByteBuffer to, long position) {
      calls.add("read " + position);
      int n = Math.min(to.remaining(), length - Math.toIntExact(position));
      length = after;
      if (n <= 0) {
        return -1;
      }
      to.put(new byte[n]);
      return n;
    }

    @Override
    public long size() {
      calls.add("size");
      return says < 0 ? length : says;
    }

    @Override
    public int read(ByteBuffer to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseChannel() {}
  }
}
