package io.kmodel.indexer.source;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL among the paths of a crawl: {@code https://…}, {@code http://…}, {@code s3://bucket/key},
 * or a prefix of keys, {@code s3://bucket/prefix/}.
 *
 * <p>It is a path only so that it can have a place in a list of paths. It has no parts, and the
 * methods of {@link java.nio.file.Files} refuse it with a {@link ProviderMismatchException}.
 * Immutable.
 */
public final class RemotePath implements Path {
  /** Opens the bytes of a listed file. */
  @FunctionalInterface
  public interface Opener {
    FileBytes open() throws IOException;
  }

  private static final String S3 = "s3://";
  private static final Pattern URL =
      Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*", Pattern.DOTALL);

  /**
   * A user and password, after a scheme or at the start. A password with other characters than URLs
   * may have ends at the last @: a colon comes before it, which no port follows.
   */
  private static final Pattern LOGIN =
      Pattern.compile(
          "^((?:[A-Za-z][A-Za-z0-9+.-]*:)?//)?"
              + "(?:[^/?#]*|[^/?#:@\\[]*:(?![0-9]{0,5}(?:[/?#]|$)).*)@",
          Pattern.DOTALL);

  private final String url;
  private final @Nullable Opener opener;

  private RemotePath(String url, @Nullable Opener opener) {
    this.url = url;
    this.opener = opener;
  }

  /** Whether an argument is a URL, supported or not. */
  public static boolean isUrl(String argument) {
    return URL.matcher(argument).matches();
  }

  /** A URL, which {@link #problem} checks. */
  public static RemotePath of(String url) {
    int scheme = url.indexOf(':');
    return new RemotePath(
        url.substring(0, scheme).toLowerCase(Locale.ROOT) + url.substring(scheme), null);
  }

  /** A URL, or a part of one from its host on, with *** for its user and password, if any. */
  public static String withoutLogin(String url) {
    return url.indexOf('@') < 0 ? url : LOGIN.matcher(url).replaceFirst("$1***@");
  }

  /** The same with a way to open it. */
  public RemotePath opening(Opener how) {
    return new RemotePath(url, how);
  }

  /** Why this cannot be an input; null if it can. */
  public @Nullable String problem() {
    if (isS3()) {
      return bucket().isEmpty() ? "it names no bucket" : badBucket();
    }
    if (!isOfWeb()) {
      return FileStore.of(url) == null ? "only https, http and s3 are supported" : null;
    }
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      return "%s at character %d; percent-encode it, e.g. a space as %%20"
          .formatted(e.getReason(), e.getIndex() + 1);
    }
    if (uri.getHost() == null) {
      return uri.getRawAuthority() == null
          ? "it names no host"
          : "the name of its host has other characters than letters, digits, '-' and '.'";
    }
    if (uri.getRawUserInfo() != null) {
      return "a password in a URL is not supported";
    }
    if (uri.getRawFragment() != null) {
      return "write # as %23";
    }
    return uri.getRawPath().isEmpty() || uri.getRawPath().endsWith("/")
        ? "it names no file; only prefixes of s3:// can be listed"
        : null;
  }

  private @Nullable String badBucket() {
    return bucket().matches("[A-Za-z0-9._-]+")
        ? null
        : "the name of its bucket has other characters than letters, digits, '-', '_' and '.'";
  }

  /** Whether it is one of https or http. */
  public boolean isOfWeb() {
    return url.startsWith("https://") || url.startsWith("http://");
  }

  public boolean isS3() {
    return url.startsWith(S3);
  }

  /** Whether this stands for all keys of S3 that start with it. */
  public boolean isPrefix() {
    return isS3() && (key().isEmpty() || key().endsWith("/"));
  }

  /** The bucket of S3. */
  public String bucket() {
    int slash = url.indexOf('/', S3.length());
    return url.substring(S3.length(), slash < 0 ? url.length() : slash);
  }

  /** The key or prefix in the bucket; may be empty. */
  public String key() {
    return url.substring(Math.min(url.length(), S3.length() + bucket().length() + 1));
  }

  /** The URL as it was given, with secrets. */
  public String url() {
    return url;
  }

  /**
   * Opens a listed file.
   *
   * @throws IOException if it cannot be read
   */
  public FileBytes open() throws IOException {
    if (opener == null) {
      throw new IOException(this + " was not listed");
    }
    return opener.open();
  }

  /**
   * The URL without its query, user and password. Queries of presigned URLs are secret, and another
   * one may be given when a build is resumed.
   */
  @Override
  public String toString() {
    String shown = withoutLogin(url);
    int query = isS3() ? -1 : shown.indexOf('?');
    return query < 0 ? shown : shown.substring(0, query);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RemotePath path && path.url.equals(url);
  }

  @Override
  public int hashCode() {
    return url.hashCode();
  }

  @Override
  public int compareTo(Path other) {
    return url.compareTo(other instanceof RemotePath path ? path.url : other.toString());
  }

  @Override
  public FileSystem getFileSystem() {
    return FileSystems.getDefault();
  }

  @Override
  public boolean isAbsolute() {
    return true;
  }

  @Override
  public Path toAbsolutePath() {
    return this;
  }

  @Override
  public Path normalize() {
    return this;
  }

  @Override
  public @Nullable Path getRoot() {
    return null;
  }

  @Override
  public @Nullable Path getParent() {
    return null;
  }

  @Override
  public Path getFileName() {
    return this;
  }

  @Override
  public int getNameCount() {
    return 1;
  }

  @Override
  public Path getName(int index) {
    return this;
  }

  @Override
  public boolean startsWith(Path other) {
    return equals(other);
  }

  @Override
  public boolean endsWith(Path other) {
    return equals(other);
  }

  @Override
  public Path subpath(int from, int to) {
    throw noPath();
  }

  @Override
  public Path resolve(Path other) {
    throw noPath();
  }

  @Override
  public Path relativize(Path other) {
    throw noPath();
  }

  @Override
  public URI toUri() {
    throw noPath();
  }

  @Override
  public Path toRealPath(LinkOption... options) {
    throw noPath();
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw noPath();
  }

  private ProviderMismatchException noPath() {
    return new ProviderMismatchException(this + " is not on disk");
  }
}
