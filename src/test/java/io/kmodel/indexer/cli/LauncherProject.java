package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Launcher.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * bin/indexer alone, in a project of its own whose name has a space, with a Maven and a Java that
 * are scripts: Maven makes a jar of the source, Java prints its options and the jar.
 */
abstract class LauncherProject {
  @TempDir Path directory;
  Path project;
  Path source;
  final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void makeProject() throws IOException {
    project = Files.createDirectories(directory.resolve("my project"));
    Files.createDirectory(project.resolve("bin"));
    Files.copy(
        Path.of("bin/indexer"), project.resolve("bin/indexer"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.createDirectories(project.resolve("src/main"));
    source = Files.writeString(project.resolve("src/main/Source"), "first");
    age(Files.writeString(project.resolve("pom.xml"), "<project/>"));
    age(source);
    age(project.resolve("src/main"));
    Files.createDirectory(project.resolve("kernels"));
    age(Files.writeString(project.resolve("kernels/kmodel.cu"), ""));
    age(Files.writeString(project.resolve("kernels/fatbin.sh"), ""));
    Path config = Files.createDirectory(project.resolve("config"));
    for (String script : List.of("package.sh", "build.sh")) {
      age(
          Files.copy(
              Path.of("config", script),
              config.resolve(script),
              StandardCopyOption.COPY_ATTRIBUTES));
    }
    script(directory.resolve("maven/mvn"), LauncherScripts.MAVEN);
    Path jdk = jdk("a jdk", "25.0.3");
    environment.put("INDEXER_JAVA_HOME", jdk.toString());
    environment.put("TEST_PROJECT", project.toString());
    environment.put("PATH", directory.resolve("maven") + ":" + System.getenv("PATH"));
  }

  Ended run(String... arguments) throws IOException, InterruptedException {
    return Launcher.run(project.resolve("bin/indexer"), environment, arguments);
  }

  /** Runs Maven as a developer does, without the launcher. */
  void runMaven(String... variables) throws IOException, InterruptedException {
    Map<String, String> all = new HashMap<>(environment);
    for (String variable : variables) {
      all.put(variable, "yes");
    }
    Launcher.run(directory.resolve("maven/mvn"), all, "package");
  }

  /** A JDK whose java is the script. */
  Path jdk(String name, String version) throws IOException {
    Path home = directory.resolve(name);
    script(home.resolve("bin/java"), LauncherScripts.JAVA);
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
    return home;
  }

  static void forward(Path file, Path program) throws IOException {
    script(file, "#!/bin/sh\nexec '%s' \"$@\"\n".formatted(program));
  }

  static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  static void age(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() - 60_000));
  }
}
