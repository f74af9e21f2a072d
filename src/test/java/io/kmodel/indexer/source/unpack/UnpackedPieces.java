package io.kmodel.indexer.source.unpack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import io.kmodel.indexer.source.AheadMemory;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.list.FileList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** Large packed files of lines, read by several threads: what their tests share. */
public abstract class UnpackedPieces {
  public static final long TARGET = 3 << 20;

  /** Enough for a file of 8 MiB when it is packed, of text like this. */
  public static final int LINES = 9_000;

  private static byte @Nullable [] gzipped;

  @TempDir public Path root;
  public final Random random = new Random(7);
  public AheadMemory ahead = AheadMemory.UNLIMITED;
  public int threads = 4;

  public List<SourceReading> read(Docno docno, long fullBytes) throws Exception {
    return read(splits(docno, fullBytes));
  }

  public List<Split> splits(Docno docno, long fullBytes) throws IOException {
    SourceOptions options = SourceReading.docno(docno);
    return Crawl.open(List.of(root), List.of(), options, SkipListener.NONE).splits(fullBytes);
  }

  /** By several threads, each of which takes the next. */
  public List<SourceReading> read(List<Split> splits) throws Exception {
    List<SourceReading> readings = new ArrayList<>();
    for (int i = 0; i < splits.size(); i++) {
      readings.add(new SourceReading(room()));
    }
    int[] next = new int[1];
    Callable<Void> work =
        () -> {
          while (true) {
            int split;
            synchronized (next) {
              split = next[0]++;
              if (split >= splits.size()) {
                return null;
              }
              splits.get(split).claim();
            }
            readings.get(split).read(splits.get(split));
          }
        };
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<Void>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(workers.submit(work));
      }
      for (Future<Void> one : all) {
        one.get();
      }
    }
    for (Split split : splits) {
      split.release();
    }
    return readings;
  }

  public HeapGuard room() {
    return HeapGuard.unlimited(DecoderGuard.ALONE, ahead);
  }

  public static SourceReading join(List<SourceReading> readings) {
    SourceReading all = new SourceReading();
    for (SourceReading one : readings) {
      all.docs.addAll(one.docs);
      all.places.addAll(one.places);
      one.skips.all().forEach(s -> all.skips.skipped(Location.of(s.place()), s.reason(), s.detail()));
      all.missedBorders += one.missedBorders;
    }
    return all;
  }

  public static final class Limited implements AheadMemory {
    private final long limit;
    volatile long taken;
    volatile long most;

    public Limited(long limit) {
      this.limit = limit;
    }

    @Override
    public synchronized boolean take(long bytes, long left) {
      if (taken + bytes + left > limit) {
        return false;
      }
      taken += bytes;
      most = Math.max(most, taken);
      return true;
    }

    @Override
    public synchronized void giveBack(long bytes) {
      taken -= bytes;
    }
  }

  /** A file of one gzip member, the same for all tests. */
  public static synchronized byte[] gzippedLines() throws IOException {
    byte[] made = gzipped;
    if (made == null) {
      made = gzip(lines(LINES, new Random(7)));
      gzipped = made;
    }
    return made;
  }

  public byte[] lines(int count) {
    return lines(count, random);
  }

  private static byte[] lines(int count, Random random) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      lines.writeBytes(line(Integer.toString(i), random.nextInt(3000), random));
    }
    return lines.toByteArray();
  }

  public byte[] line(String id, int length) {
    return line(id, length, random);
  }

  private static byte[] line(String id, int length, Random random) {
    byte[] text = new byte[length * 3 / 4];
    random.nextBytes(text);
    String words = Base64.getEncoder().encodeToString(text);
    return "{\"id\": \"%s\", \"text\": \"%s\"}\n".formatted(id, words).getBytes(UTF_8);
  }

  public void write(String name, byte[] bytes) throws IOException {
    assertThat(bytes).hasSizeGreaterThanOrEqualTo((int) FileList.LARGE_BYTES);
    Files.write(root.resolve(name), bytes);
  }

  public static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out =
        new GZIPOutputStream(packed) {
          {
            def.setLevel(Deflater.BEST_SPEED);
          }
        }) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  public static byte[] bzip2(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new BZip2CompressorOutputStream(packed, 1)) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  public static byte[] zstd(byte[] content, int longWindow) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZstdOutputStream out = new ZstdOutputStream(packed, 1)) {
      out.setChecksum(true);
      if (longWindow > 0) {
        out.setLong(longWindow);
      }
      out.write(content);
    }
    return packed.toByteArray();
  }
}
