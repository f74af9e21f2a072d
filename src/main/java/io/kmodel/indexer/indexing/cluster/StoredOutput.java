package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.MetadataFile;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.FileStore;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The place of an index in a store, which is made on the driver's disk and uploaded. */
final class StoredOutput {
  private final String url;
  private final FileStore store;
  private final boolean overwrite;

  /**
   * A place.
   *
   * @param url without a slash at its end, see {@link #normalized}
   * @param overwrite whether an index that is there may be replaced
   */
  StoredOutput(String url, FileStore store, boolean overwrite) {
    this.url = url;
    this.store = store;
    this.overwrite = overwrite;
  }

  /** A URL without slashes at its end. */
  static String normalized(String url) {
    int end = url.length();
    while (url.charAt(end - 1) == '/') {
      end--;
    }
    return url.substring(0, end);
  }

  /**
   * Requires that input and output are apart: the build replaces one and reads the other.
   *
   * @throws BuildException if one contains the other
   */
  void requireApart(List<Path> inputs) {
    for (Path input : inputs) {
      String from = input instanceof RemotePath remote ? normalized(remote.url()) : "";
      if (!from.isEmpty()
          && (from.equals(url) || from.startsWith(url + "/") || url.startsWith(from + "/"))) {
        throw new BuildException(
            "the input %s and the output %s must not contain each other".formatted(input, url));
      }
    }
  }

  /**
   * Requires that there is nothing, or an index that may be replaced.
   *
   * @throws BuildException if there is anything else
   */
  void requireFree() throws IOException {
    List<FileStore.Entry> files = store.files(url);
    if (!files.isEmpty() && !overwrite) {
      throw new BuildException(
          "%s exists already; replace it with --overwrite, or name another output".formatted(url));
    }
    if (!files.isEmpty() && !isIndex(files)) {
      throw new BuildException(
          "%s has other files than those of an index and is not replaced".formatted(url));
    }
  }

  private boolean isIndex(List<FileStore.Entry> files) throws IOException {
    byte[] content = read(InvertedIndex.METADATA);
    if (content == null) {
      return false;
    }
    try {
      IndexMetadata metadata = MetadataFile.parse(Path.of(InvertedIndex.METADATA), content);
      return files.stream()
          .allMatch(file -> InvertedIndex.has(metadata, file.text(), BuildReport.FILE_NAMES));
    } catch (CorruptIndexException e) {
      return false;
    }
  }

  /** A small file of the output; null if it does not exist. */
  byte @Nullable [] read(String name) throws IOException {
    return store.read(url + "/" + name);
  }

  /**
   * Uploads an index and gives it its name.
   *
   * @param part a URL that holds it until then
   */
  void publish(Path made, String part) throws IOException {
    store.delete(part);
    StoredWork.uploadAll(made, part, store);
    requireFree();
    // An index that is replaced, or an empty directory.
    store.delete(url);
    store.move(part, url);
  }
}
