package io.kmodel.indexer.export.lucene.version;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads another version of Lucene beside the one that the program uses, and with it those of our
 * classes that call Lucene to write an index. All other classes are shared. Close it when nothing
 * of that version is used any more.
 */
public final class VersionLoader extends URLClassLoader {
  private static final String LUCENE = "org.apache.lucene.";
  private static final String EXPORT = "io.kmodel.indexer.export.lucene.";
  private static final String WRITER = EXPORT + "plain.PlainWriter";

  /** Our packages that are compiled against Lucene and fit each version. */
  private static final List<String> OURS =
      List.of(
          EXPORT + "plain.",
          EXPORT + "schema.",
          EXPORT + "view.",
          EXPORT + "segment.NamingDirectory");

  static {
    registerAsParallelCapable();
  }

  private final List<String> ours;

  private VersionLoader(Path jar, List<String> ours) throws IOException {
    super("lucene", new URL[] {jar.toUri().toURL()}, VersionLoader.class.getClassLoader());
    this.ours = ours;
  }

  /**
   * Loads a version.
   *
   * @throws NoSuchFileException if the program has no jar of it
   */
  public static VersionLoader of(LuceneVersion version) throws IOException {
    return of(version, OURS);
  }

  /**
   * Loads a version with other classes of the program.
   *
   * @param ours how the names of the classes start that are loaded for the version
   */
  static VersionLoader of(LuceneVersion version, List<String> ours) throws IOException {
    Path jar = directory().resolve("lucene-core-" + version.release() + ".jar");
    if (!Files.isReadable(jar)) {
      throw new NoSuchFileException(
          jar.toString(), null, "it is needed to write indexes of Lucene " + version);
    }
    return new VersionLoader(jar, ours);
  }

  /** Where the jars are: in lib/lucene beside indexer.jar, or beside the compiled classes. */
  private static Path directory() throws IOException {
    try {
      URI place = VersionLoader.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(place).resolveSibling("lib").resolve("lucene");
    } catch (URISyntaxException e) {
      throw new IOException("the program's place is no path: " + e.getInput(), e);
    }
  }

  /** Returns the writer of this version. */
  public LuceneWriter writer() throws IOException {
    try {
      Object writer = loadClass(WRITER).getConstructor().newInstance();
      return (LuceneWriter) writer;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(WRITER + " cannot be made", e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean isOurs = ours.stream().anyMatch(name::startsWith);
    if (!isOurs && !name.startsWith(LUCENE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        loaded = isOurs ? define(name) : findClass(name);
      }
      return loaded;
    }
  }

  /** Defines one of our classes a second time, from the same bytes. */
  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = VersionLoader.class.getClassLoader().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** Lucene finds its codecs by files that name them; those of another version must stay hidden. */
  @Override
  public @Nullable URL getResource(String name) {
    return isService(name) ? findResource(name) : super.getResource(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    return isService(name) ? findResources(name) : super.getResources(name);
  }

  private static boolean isService(String name) {
    return name.startsWith("META-INF/services/" + LUCENE);
  }
}
