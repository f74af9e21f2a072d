package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class OldLibrariesTest {
  @TempDir private Path directory;

  /** If it were newer one day, there would be nothing left to rewrite. */
  @Test
  void picocliIsMadeNewerAndWorks() throws Exception {
    Path before = jarOf(CommandLine.class);
    Path jar = Files.copy(before, directory.resolve("picocli.jar"));
    assertThat(oldest(jar)).isEqualTo(ClassFile.JAVA_5_VERSION);

    OldLibraries.main(directory.toString());

    assertThat(oldest(jar)).isEqualTo(OldLibraries.MADE);
    assertThat(entries(jar).keySet()).containsExactlyElementsOf(entries(before).keySet());
    Map<String, byte[]> files = entries(jar);
    entries(before)
        .forEach(
            (name, bytes) -> {
              if (!name.endsWith(".class")) {
                assertThat(files.get(name)).isEqualTo(bytes);
              }
            });
    URL[] urls = {jar.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      for (String name : files.keySet()) {
        if (name.startsWith("picocli/CommandLine") && name.endsWith(".class")) {
          // Verified when it is initialized, by its stack maps.
          Class.forName(
              name.substring(0, name.length() - ".class".length()).replace('/', '.'), true, loader);
        }
      }
      Class<?> library = loader.loadClass(CommandLine.class.getName());
      assertThat(library.getField("VERSION").get(null)).isEqualTo(CommandLine.VERSION);
      assertThat(library).isNotEqualTo(CommandLine.class);
    }
    try (var left = Files.list(directory)) {
      assertThat(left).containsExactly(jar);
    }
  }

  @Test
  void whatIsNewEnoughStaysAsItIs() throws Exception {
    Path jar = Files.copy(jarOf(org.jsoup.Jsoup.class), directory.resolve("jsoup.jar"));
    byte[] bytes = Files.readAllBytes(jar);
    FileTime time = FileTime.fromMillis(1_000_000_000_000L);
    Files.setLastModifiedTime(jar, time);
    OldLibraries.rewrite(jar, List.of(jar));
    assertThat(jar).hasBinaryContent(bytes);
    assertThat(Files.getLastModifiedTime(jar)).isEqualTo(time);
  }

  /** What it throws is in none of the jars, so nobody can tell whether that may be thrown. */
  @Test
  void aClassOfUnknownTypesStaysOld() throws Exception {
    Path jar = directory.resolve("part.jar");
    String unknown = "picocli/CommandLine$BuiltIn$BooleanConverter.class";
    String plain = "picocli/CommandLine$IVersionProvider.class";
    Map<String, byte[]> all = entries(jarOf(CommandLine.class));
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (String name : List.of(unknown, plain)) {
        out.putNextEntry(new ZipEntry(name));
        out.write(all.get(name));
      }
    }
    OldLibraries.rewrite(jar, List.of(jar));
    Map<String, byte[]> made = entries(jar);
    assertThat(made.keySet()).containsExactly(unknown, plain);
    assertThat(made.get(unknown)).isEqualTo(all.get(unknown));
    assertThat(version(Objects.requireNonNull(made.get(plain)))).isEqualTo(OldLibraries.MADE);
  }

  @Test
  void wantsADirectory() {
    assertThatIllegalArgumentException().isThrownBy(OldLibraries::main);
  }

  private static Path jarOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static int oldest(Path jar) throws IOException {
    return entries(jar).entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(".class"))
        .mapToInt(entry -> version(entry.getValue()))
        .min()
        .orElseThrow();
  }

  private static int version(byte[] classFile) {
    return ClassFile.of().parse(classFile).majorVersion();
  }

  private static Map<String, byte[]> entries(Path jar) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipFile in = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(in.entries())) {
        try (InputStream bytes = in.getInputStream(entry)) {
          entries.put(entry.getName(), bytes.readAllBytes());
        }
      }
    }
    return entries;
  }
}
