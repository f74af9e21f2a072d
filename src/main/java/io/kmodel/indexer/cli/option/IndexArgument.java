package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import picocli.CommandLine.Parameters;

/** The index that a command reads. */
public final class IndexArgument {
  @Parameters(index = "0", paramLabel = "INDEX", description = "An index made by 'indexer build'.")
  private Path directory;

  @SuppressWarnings("NullAway.Init") // picocli fills the argument
  IndexArgument() {}

  /** The directory as it was given, with any contents. */
  public Path given() {
    return directory;
  }

  public Path directory() {
    require(directory);
    return directory;
  }

  /** The directory of an index made by this program or by Lucene. */
  public Path ofEitherKind() {
    return Files.isDirectory(directory) && isLuceneIndex(directory) ? directory : directory();
  }

  /**
   * Requires an index in a directory.
   *
   * @throws IllegalArgumentException if there is not; the message says why
   */
  public static void require(Path directory) {
    if (isForbidden(directory)) {
      throw new IllegalArgumentException(
          "permission denied: %s cannot be searched for an index".formatted(directory));
    }
    if (!InvertedIndex.exists(directory)) {
      throw new IllegalArgumentException(
          "no index at %s: %s".formatted(directory, problem(directory)));
    }
  }

  private static String problem(Path directory) {
    if (!Files.exists(directory)) {
      return "no such directory";
    }
    if (!Files.isDirectory(directory)) {
      return "not a directory";
    }
    return isLuceneIndex(directory)
        ? "it is a Lucene index; this command reads indexes made with 'build --output'"
        : "it has no %s (make one with 'indexer build')".formatted(InvertedIndex.METADATA);
  }

  private static boolean isForbidden(Path directory) {
    try {
      Files.readAttributes(directory.resolve(InvertedIndex.METADATA), BasicFileAttributes.class);
      return false;
    } catch (AccessDeniedException e) {
      return true;
    } catch (IOException e) {
      // There is another reason.
      return false;
    }
  }

  private static boolean isLuceneIndex(Path directory) {
    try (Directory lucene = FSDirectory.open(directory)) {
      return DirectoryReader.indexExists(lucene);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The directory of an index that is to be replaced.
   *
   * @throws IOException if a killed process had moved it away, and it cannot be put back
   */
  public Path toBeReplaced() throws IOException {
    WorkDirectory.endReplacement(directory, Target.ownIndex()::isIndex);
    return directory();
  }

  public InvertedIndex open() throws IOException {
    return InvertedIndex.open(directory());
  }
}
