package io.kmodel.indexer.source.remote;

import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.FileStore;
import io.kmodel.indexer.source.RemotePath;
import java.io.IOException;
import java.time.Instant;

/** Opens files of servers that another process has listed. Thread-safe. */
public final class ListedFiles {
  private final Web web = new Web(Patience.USUAL);

  /**
   * A URL that opens the version of the file that was listed.
   *
   * @param tag the ETag as listed; may be empty
   */
  public RemotePath path(String url, long size, Instant modified, String tag) {
    RemotePath path = RemotePath.of(url);
    return path.opening(() -> open(path, size, modified, tag));
  }

  private FileBytes open(RemotePath path, long size, Instant modified, String tag)
      throws IOException {
    FileStore store = path.isOfWeb() || path.isS3() ? null : FileStore.of(path.url());
    if (store != null) {
      return store.open(path.url(), size, modified);
    }
    Address address =
        path.isS3() ? S3.ofProcess().object(path.bucket(), path.key()) : WebAddress.of(path);
    RemoteObject now = RemoteObject.of(address, web);
    // A listing may tell times more exactly than the header of a file.
    boolean isSame = tag.isEmpty() ? now.modified().equals(modified) : now.tag().equals(tag);
    if (now.size() != size || !isSame) {
      throw new RemoteFileException(address, "the file has changed since it was listed");
    }
    return new RemoteBytes(now, web);
  }
}
