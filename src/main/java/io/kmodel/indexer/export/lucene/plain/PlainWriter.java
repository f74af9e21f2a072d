package io.kmodel.indexer.export.lucene.plain;

import io.kmodel.indexer.export.lucene.segment.NamingDirectory;
import io.kmodel.indexer.export.lucene.version.LuceneWriter;
import io.kmodel.indexer.export.lucene.version.ShardDocuments;
import io.kmodel.indexer.index.InvertedIndex;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * Writes and checks indexes by the version of Lucene that it is loaded with. What differs between
 * versions is called by reflection. Files are not mapped: old versions do it by other means than
 * today's Java wants.
 */
public final class PlainWriter implements LuceneWriter {
  private static final int CHECKSUMS = 1;
  private static final int SLOW = 3;

  public PlainWriter() {}

  @Override
  public void write(
      InvertedIndex index, Path target, int segments, boolean isSmall, Map<String, String> userData)
      throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    if (isSmall) {
      config.setCodec(smallest(Codec.getDefault().getClass()));
    }
    try (Directory directory = directory(target)) {
      PlainExport.write(index, directory, segments, config, userData);
    }
  }

  @Override
  public void writeShard(
      InvertedIndex index,
      Path target,
      Path work,
      int segments,
      Map<String, String> userData,
      ShardDocuments documents)
      throws IOException {
    try (Directory keys = directory(work);
        Directory directory = directory(target)) {
      IndexWriterConfig config = new IndexWriterConfig();
      if (index.documentCount() == 0) {
        PlainExport.write(index, directory, segments, config, userData);
        return;
      }
      ShardKeys.write(keys, index.documentCount(), documents);
      try (DirectoryReader opened = DirectoryReader.open(keys);
          ShardReader reader =
              new ShardReader(index, opened.leaves().getFirst().reader(), documents)) {
        PlainExport.write(reader, directory, segments, config, userData);
      }
    }
  }

  private static Directory directory(Path path) throws IOException {
    return new NamingDirectory(new NIOFSDirectory(path));
  }

  /** The codec that compresses best, which is a mode of the usual one. */
  private static Codec smallest(Class<? extends Codec> usual) {
    try {
      for (Constructor<?> constructor : usual.getConstructors()) {
        Class<?>[] types = constructor.getParameterTypes();
        if (types.length == 1 && types[0].isEnum()) {
          Object mode =
              Arrays.stream(types[0].getEnumConstants())
                  .filter(constant -> constant.toString().equals("BEST_COMPRESSION"))
                  .findFirst()
                  .orElseThrow();
          return (Codec) constructor.newInstance(mode);
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalStateException(usual + " has no modes");
  }

  @Override
  public Map<String, String> userData(Path index) throws IOException {
    try (Directory directory = new NIOFSDirectory(index)) {
      return SegmentInfos.readLatestCommit(directory).getUserData();
    } catch (IndexNotFoundException
        | CorruptIndexException
        | IndexFormatTooOldException
        | IndexFormatTooNewException
        | IllegalArgumentException e) {
      // The last one: a codec of another version.
      return Map.of();
    }
  }

  @Override
  public String check(Path index, int level) throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    try (Directory directory = new NIOFSDirectory(index);
        CheckIndex check = new CheckIndex(directory);
        PrintStream print = new PrintStream(log, false, StandardCharsets.UTF_8)) {
      setLevel(check, level);
      check.setInfoStream(print);
      boolean clean = check.checkIndex().clean;
      print.flush();
      return clean ? "" : log.toString(StandardCharsets.UTF_8);
    }
  }

  /** Lucene 9.9 has two switches where later versions have levels. */
  private static void setLevel(CheckIndex check, int level) {
    try {
      for (Method method : CheckIndex.class.getMethods()) {
        switch (method.getName()) {
          case "setLevel" -> method.invoke(check, level);
          case "setChecksumsOnly" -> method.invoke(check, level == CHECKSUMS);
          case "setDoSlowChecks" -> method.invoke(check, level == SLOW);
          default -> {
            // No switch of the check.
          }
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int segments(Path index, int documents) throws IOException {
    try (Directory directory = new NIOFSDirectory(index)) {
      return segments(directory, documents);
    }
  }

  /** The same for an index in a directory. */
  public static int segments(Directory directory, int documents) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      if (reader.numDocs() != documents) {
        throw new IllegalStateException(
            "exported %d documents, but Lucene counts %d".formatted(documents, reader.numDocs()));
      }
      return reader.leaves().size();
    }
  }
}
