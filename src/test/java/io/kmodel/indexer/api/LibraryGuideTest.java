package io.kmodel.indexer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/user/library.md compile, and run one after the other. */
class LibraryGuideTest {
  private static final Path GUIDE = Path.of("docs/user/library.md");

  @TempDir Path directory;

  @Test
  void examplesCompileAndRun() throws Exception {
    List<String> examples =
        Pattern.compile("(?s)```java\n(.*?)```")
            .matcher(Files.readString(GUIDE))
            .results()
            .map(result -> result.group(1))
            .toList();
    assertThat(examples).hasSize(2);
    for (int i = 0; i < examples.size(); i++) {
      write(i, examples.get(i));
    }
    compile();
    Path index = directory.resolve("index");
    try (URLClassLoader classes =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
      for (int i = 0; i < examples.size(); i++) {
        classes.loadClass("Example" + i).getMethod("run", Path.class).invoke(null, index);
      }
    }
    try (Index opened = Index.open(index)) {
      assertThat(opened.documentCount()).isEqualTo(2);
      assertThat(opened.search("bitonic sort", 10)).extracting(Hit::id).first().isEqualTo("id-1");
    }
    assertThat(directory.resolve("lucene")).isNotEmptyDirectory();
    assertThat(directory.resolve("index.ciff")).isNotEmptyFile();
  }

  private void write(int number, String example) throws IOException {
    Files.writeString(
        directory.resolve("Example%d.java".formatted(number)),
        """
        import io.kmodel.indexer.api.*;
        import java.nio.file.Path;
        import java.util.stream.Stream;
        public class Example%d {
          public static void run(Path directory) throws Exception {
        %s  }
        }
        """
            .formatted(number, example));
  }

  private void compile() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<Path> sources;
      try (var all = Files.list(directory)) {
        sources = all.filter(file -> file.toString().endsWith(".java")).toList();
      }
      List<String> options =
          List.of(
              "-Xlint:all,-classfile",
              "-Werror",
              "-proc:none",
              "-d",
              directory.toString(),
              "-cp",
              System.getProperty("java.class.path"));
      boolean compiled =
          compiler
              .getTask(
                  messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertThat(compiled).as(messages.toString()).isTrue();
    }
  }

  @Test
  void theDependencyIsThisProject() throws IOException {
    String guide = Files.readString(GUIDE);
    String project = Files.readString(Path.of("pom.xml"));
    for (String name : List.of("groupId", "artifactId", "version")) {
      String element = element(project, name);
      assertThat(element(guide, name)).isEqualTo(element);
    }
  }

  private static String element(String xml, String name) {
    return xml.substring(xml.indexOf("<" + name + ">"), xml.indexOf("</" + name + ">"));
  }
}
