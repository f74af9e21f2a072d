package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermSlices;
import io.kmodel.indexer.index.TermSlices.Slice;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.MetadataFile;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.FileStore;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * A copy on disk of an index in a store, with the slices that were fetched: a sparse file for each
 * file of the index. Cells that were not fetched do not match their checksums, so no reader takes
 * their zeros for content (see {@link io.kmodel.indexer.store.OutputFile}). Not thread-safe.
 */
final class SplitCopy implements AutoCloseable {
  /** Slices are rounded to cells. */
  private static final long CELL_BYTES = InputFile.CELL_BYTES;

  /** Readers fill their buffers beyond the end of a slice. */
  private static final long READ_AHEAD_BYTES = 64 << 10;

  /** Needed as a whole to open an index, or to find anything in it. */
  private static final String WHOLE = IndexFiles.TERM_INDEX;

  private static final Set<String> OF_TERMS =
      Set.of(IndexFiles.DOCS, IndexFiles.POSITIONS, IndexFiles.DICTIONARY, IndexFiles.TERM_INDEX);

  private final Source source;
  private final InvertedIndex index;

  private SplitCopy(Source source, InvertedIndex index) {
    this.source = source;
    this.index = index;
  }

  /** The files of a URL, and the directory that they are copied to. */
  private record Source(FileStore store, String url, Path directory) {
    void fetch(String file) throws IOException {
      fetch(new Slice(file, 0, Long.MAX_VALUE));
    }

    /** Fetches slices of one file. */
    void fetch(Slice... slices) throws IOException {
      String name = slices[0].file();
      try (FileBytes bytes = store.open(url + "/" + name)) {
        for (Slice slice : slices) {
          long to = Math.min(slice.to(), bytes.size());
          StoredWork.download(bytes, slice.from(), to, directory.resolve(name));
        }
      } catch (NoSuchFileException e) {
        throw new CorruptIndexException(url + "/" + name, "file missing");
      }
    }
  }

  /**
   * Copies as much as opening the index takes.
   *
   * @param url of the index
   * @param directory an empty one
   * @throws CorruptIndexException if it is not the one that was sealed
   */
  static SplitCopy open(FileStore store, String url, SealedSplit split, Path directory)
      throws IOException {
    Source source = new Source(store, url, directory);
    source.fetch(InvertedIndex.METADATA);
    split.metadata().verify(directory);
    IndexMetadata metadata = MetadataFile.read(directory.resolve(InvertedIndex.METADATA));
    for (Map.Entry<String, IndexMetadata.FileEntry> file : metadata.files().entrySet()) {
      String name = file.getKey();
      long size = file.getValue().bytes();
      long lastCell = (InputFile.bodyEnd(size) - 1) / CELL_BYTES * CELL_BYTES;
      if (name.equals(WHOLE) || lastCell <= CELL_BYTES) {
        source.fetch(name);
      } else {
        // Checksums and the footer follow the last cell.
        source.fetch(new Slice(name, 0, CELL_BYTES), new Slice(name, lastCell, size));
      }
    }
    return new SplitCopy(source, InvertedIndex.open(directory));
  }

  InvertedIndex index() {
    return index;
  }

  /** Fetches the dictionary and the postings of a range of terms. */
  void fetch(TermRange terms) throws IOException {
    TermSlices slices = new TermSlices(index, terms.from(), terms.to());
    source.fetch(cells(slices.dictionary()));
    for (Slice slice : slices.postings()) {
      source.fetch(cells(slice));
    }
  }

  /** A slice rounded to cells, with what readers read ahead. */
  private Slice cells(Slice slice) throws IOException {
    long size = index.file(slice.file()).bytes();
    long from = slice.from() / CELL_BYTES * CELL_BYTES;
    long to = Math.ceilDiv(slice.to() + READ_AHEAD_BYTES, CELL_BYTES) * CELL_BYTES;
    return new Slice(slice.file(), from, Math.min(size, to));
  }

  /** Fetches everything but terms and postings, and the lists and reports of a build. */
  void fetchDocuments() throws IOException {
    for (String file : index.metadata().files().keySet()) {
      if (!OF_TERMS.contains(file)) {
        source.fetch(file);
      }
    }
    source.fetch(BuildReport.FILE_NAME);
    source.fetch(BuildReport.SKIPPED_FILE_NAME);
  }

  @Override
  public void close() throws IOException {
    index.close();
  }
}
