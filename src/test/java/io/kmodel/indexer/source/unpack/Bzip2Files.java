package io.kmodel.indexer.source.unpack;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Files of bzip2, and threads that decode them. */
abstract class Bzip2Files {
  static final int EXPANSION = 1000;

  final Random random = new Random(5);
  final AtomicInteger ahead = new AtomicInteger();
  UnpackedPieces.Limited memory = new UnpackedPieces.Limited(1L << 40);
  Path path;

  /** What a test reads by itself. */
  interface Reading {
    void read(Bzip2Input in, InputBytes file) throws Exception;
  }

  @BeforeEach
  void place(@TempDir Path root) {
    path = root.resolve("a.bz2");
  }

  void reading(byte[] packed, Reading test) throws Exception {
    Files.write(path, packed);
    try (FileChannel channel = FileChannel.open(path)) {
      InputBytes file = InputBytes.of(channel);
      try (Bzip2Input in = new Bzip2Input(file, memory, EXPANSION)) {
        test.read(in, file);
      }
    }
  }

  List<Future<?>> helping(Bzip2Input in, ExecutorService threads, int helpers, AtomicBoolean done) {
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < helpers; i++) {
      all.add(
          threads.submit(
              () -> {
                while (!done.get()) {
                  if (in.decodeAhead()) {
                    ahead.incrementAndGet();
                  } else {
                    LockSupport.parkNanos(100_000);
                  }
                }
                return null;
              }));
    }
    return all;
  }

  /** Reads a file while so many threads help. */
  byte[] decode(byte[] packed, int helpers) throws Exception {
    Files.write(path, packed);
    AtomicBoolean done = new AtomicBoolean();
    try (FileChannel channel = FileChannel.open(path);
        ExecutorService threads = Executors.newFixedThreadPool(helpers)) {
      Bzip2Input in = new Bzip2Input(InputBytes.of(channel), memory, EXPANSION);
      List<Future<?>> all = helping(in, threads, helpers, done);
      try {
        return in.readAllBytes();
      } finally {
        done.set(true);
        for (Future<?> one : all) {
          one.get();
        }
        in.close();
      }
    }
  }

  byte[] words(int bytes) {
    StringBuilder words = new StringBuilder();
    while (words.length() < bytes) {
      words.append(Integer.toString(random.nextInt(50_000), 36)).append(' ');
    }
    return words.substring(0, bytes).getBytes(UTF_8);
  }

  static byte[] bzip2(byte[] content, int level) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new BZip2CompressorOutputStream(packed, level)) {
      out.write(content);
    }
    return packed.toByteArray();
  }
}
