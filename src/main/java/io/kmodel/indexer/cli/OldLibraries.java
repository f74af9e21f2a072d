package io.kmodel.indexer.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes class files that are older than Java 6 such of Java 7, when the program is built: Java
 * keeps none so old in its AOT cache, but parses and verifies them at each start. Of our libraries
 * that is picocli, with 170 classes in every call (docs/performance.md).
 *
 * <p>What changes is the version, and the stack maps that go with it; a class whose stack maps
 * cannot be told stays as it is, and so does a jar that is signed. Source of the limit: {@code
 * can_be_verified_at_dumptime} of HotSpot.
 */
public final class OldLibraries {
  /** The oldest that the cache keeps. */
  private static final int KEPT = ClassFile.JAVA_6_VERSION;

  /** What older ones become: the first version whose stack maps are all that it is verified by. */
  static final int MADE = ClassFile.JAVA_7_VERSION;

  private static final String CLASS = ".class";
  private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]*\\.SF");
  private static final int VERSION_AT = 6;

  private OldLibraries() {}

  /**
   * Rewrites the jars in which there is something to rewrite.
   *
   * @param arguments the directory that they are in
   */
  public static void main(String... arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException("expected the directory of the libraries");
    }
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of(arguments[0]), "*.jar")) {
      found.forEach(jars::add);
    }
    Collections.sort(jars);
    for (Path jar : jars) {
      rewrite(jar, jars);
    }
  }

  /**
   * Rewrites the old classes of a jar, if it has any; all else in it stays.
   *
   * @param all where the types are found that they use
   */
  static void rewrite(Path jar, List<Path> all) throws IOException {
    Path made = jar.resolveSibling(jar.getFileName() + ".new");
    try (ZipFile in = new ZipFile(jar.toFile());
        URLClassLoader types =
            new URLClassLoader(urls(all), ClassLoader.getPlatformClassLoader())) {
      if (isSigned(in) || !hasOld(in)) {
        return;
      }
      ClassFile files =
          ClassFile.of(
              ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
              ClassFile.ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(types)));
      try (ZipOutputStream out =
          new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(made)))) {
        for (ZipEntry entry : Collections.list(in.entries())) {
          ZipEntry copy = new ZipEntry(entry.getName());
          copy.setTime(entry.getTime());
          out.putNextEntry(copy);
          byte[] bytes = bytes(in, entry);
          out.write(isOld(entry, bytes) ? newer(bytes, files) : bytes);
          out.closeEntry();
        }
      }
      Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(made);
    }
  }

  private static boolean isSigned(ZipFile jar) {
    return jar.stream().anyMatch(entry -> SIGNATURE.matcher(entry.getName()).matches());
  }

  private static boolean hasOld(ZipFile jar) throws IOException {
    for (ZipEntry entry : Collections.list(jar.entries())) {
      if (isOld(entry, bytes(jar, entry))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOld(ZipEntry entry, byte[] bytes) {
    if (!entry.getName().endsWith(CLASS) || bytes.length < VERSION_AT + 2) {
      return false;
    }
    int version = (bytes[VERSION_AT] & 0xFF) << Byte.SIZE | (bytes[VERSION_AT + 1] & 0xFF);
    return version < KEPT;
  }

  private static byte[] newer(byte[] old, ClassFile files) {
    // Code that is handed on piece by piece is put together anew, with its stack maps.
    CodeTransform code = (builder, element) -> builder.with(element);
    ClassTransform version =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(MADE, 0);
          } else {
            builder.with(element);
          }
        };
    try {
      ClassModel model = files.parse(old);
      byte[] made =
          files.transformClass(
              model, version.andThen(ClassTransform.transformingMethodBodies(code)));
      return files.verify(made).isEmpty() ? made : old;
    } catch (IllegalArgumentException e) {
      return old;
    }
  }

  private static byte[] bytes(ZipFile jar, ZipEntry entry) throws IOException {
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  private static URL[] urls(List<Path> jars) throws MalformedURLException {
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = jars.get(i).toUri().toURL();
    }
    return urls;
  }
}
