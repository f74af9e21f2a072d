package io.kmodel.indexer.index;

import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.MetadataFile;
import io.kmodel.indexer.store.SealedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;

/** Indexes with other content than was written, under checksums that are right. */
public final class AlteredIndex {
  private AlteredIndex() {}

  /** Gives a file of an index another body, and mends the metadata. */
  public static void replaceBody(Path index, String name, byte[] body) throws IOException {
    Path file = index.resolve(name);
    Path metadata = index.resolve(IndexFiles.METADATA);
    long checksum = SealedFiles.write(file, IndexFiles.format(name), IndexFiles.VERSION, body);
    IndexMetadata before = MetadataFile.read(metadata);
    TreeMap<String, IndexMetadata.FileEntry> files = new TreeMap<>(before.files());
    files.put(name, new IndexMetadata.FileEntry(Files.size(file), checksum));
    MetadataFile.write(
        new IndexMetadata(
            before.formatVersion(),
            before.schema(),
            before.documentCount(),
            before.statistics(),
            before.options(),
            ImmutableSortedMap.copyOf(files)),
        metadata);
  }
}
