package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermSlices;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.MetadataFile;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.FileStore;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A copy on disk of an index in a store, with the slices that were fetched: a sparse file for each
 * file of the index. Cells that were not fetched do not match their checksums, so no reader takes
 * their zeros for content (see {@link io.kmodel.indexer.store.OutputFile}). Not thread-safe.
 */
final class SplitCopy implements AutoCloseable {
  /** The unit of checksums; slices are rounded to it. */
  private static final long CELL_BYTES = 16 << 10;

  /** Readers fill their buffers beyond the end of a slice. */
  private static final long READ_AHEAD_BYTES = 64 << 10;

  /** A cell's checksum takes 4 bytes, so a file's end with all of them is some 1/4,096 of it. */
  private static final long CELLS_SHARE = 4000;

  /** More than the footer has. */
  private static final long FOOTER_BYTES = 64;

  /** Needed as a whole to open an index, or to find anything in it. */
  private static final String WHOLE = IndexFiles.TERM_INDEX;

  private static final Set<String> OF_TERMS =
      Set.of(IndexFiles.DOCS, IndexFiles.POSITIONS, IndexFiles.DICTIONARY, IndexFiles.TERM_INDEX);

  private final FileStore store;
  private final String url;
  private final Path directory;
  private final InvertedIndex index;

  private SplitCopy(FileStore store, String url, Path directory, InvertedIndex index) {
    this.store = store;
    this.url = url;
    this.directory = directory;
    this.index = index;
  }

  /**
   * Copies as much as opening the index takes.
   *
   * @param url of the index
   * @param directory an empty one
   * @throws io.kmodel.indexer.store.CorruptIndexException if it is not the one that was sealed
   */
  static SplitCopy open(FileStore store, String url, SealedSplit split, Path directory)
      throws IOException {
    fetch(store, url, InvertedIndex.METADATA, 0, Long.MAX_VALUE, directory);
    split.metadata().verify(directory);
    IndexMetadata metadata = MetadataFile.read(directory.resolve(InvertedIndex.METADATA));
    for (Map.Entry<String, IndexMetadata.FileEntry> file : metadata.files().entrySet()) {
      long size = file.getValue().bytes();
      long ends = size / CELLS_SHARE + CELL_BYTES + FOOTER_BYTES;
      if (file.getKey().equals(WHOLE) || size <= ends + CELL_BYTES) {
        fetch(store, url, file.getKey(), 0, size, directory);
      } else {
        fetch(store, url, file.getKey(), 0, CELL_BYTES, directory);
        fetch(store, url, file.getKey(), size - ends, size, directory);
      }
    }
    return new SplitCopy(store, url, directory, InvertedIndex.open(directory));
  }

  InvertedIndex index() {
    return index;
  }

  /** Fetches the dictionary and the postings of a range of terms. */
  void fetch(TermRange terms) throws IOException {
    TermSlices slices = new TermSlices(index, terms.from(), terms.to());
    fetch(slices.dictionary());
    for (TermSlices.Slice slice : slices.postings()) {
      fetch(slice);
    }
  }

  /** Fetches everything but terms and postings, and the lists and reports of a build. */
  void fetchDocuments() throws IOException {
    for (Map.Entry<String, IndexMetadata.FileEntry> file : index.metadata().files().entrySet()) {
      if (!OF_TERMS.contains(file.getKey())) {
        fetch(store, url, file.getKey(), 0, file.getValue().bytes(), directory);
      }
    }
    for (String name : List.of(BuildReport.FILE_NAME, BuildReport.SKIPPED_FILE_NAME)) {
      fetch(store, url, name, 0, Long.MAX_VALUE, directory);
    }
  }

  private void fetch(TermSlices.Slice slice) throws IOException {
    long size = index.file(slice.file()).bytes();
    long from = slice.from() / CELL_BYTES * CELL_BYTES;
    long to = Math.ceilDiv(slice.to() + READ_AHEAD_BYTES, CELL_BYTES) * CELL_BYTES;
    fetch(store, url, slice.file(), from, Math.min(size, to), directory);
  }

  private static void fetch(
      FileStore store, String url, String name, long from, long to, Path directory)
      throws IOException {
    try (FileBytes bytes = store.open(url + "/" + name)) {
      StoredWork.download(bytes, from, Math.min(to, bytes.size()), directory.resolve(name));
    } catch (NoSuchFileException e) {
      throw new CorruptIndexException(url + "/" + name, "file missing");
    }
  }

  @Override
  public void close() throws IOException {
    index.close();
  }
}
