package io.kmodel.indexer.indexing;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.brotli.dec.BrotliInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Where a Chromium is: the one that CHROMIUM in the environment names, one on the PATH, or one that
 * npm fetches into target/chromium, once. Where there is none of these, tests are skipped and say
 * why.
 */
record ChromiumProgram(Path program, Map<String, String> environment) {
  private static final String PACKAGE = "@sparticuz/chromium@153.0.0";
  private static final Path FETCHED = Path.of("target/chromium").toAbsolutePath();

  static ChromiumProgram find() throws IOException, InterruptedException {
    String named = System.getenv("CHROMIUM");
    if (named != null && !named.isEmpty()) {
      return new ChromiumProgram(Path.of(named), Map.of());
    }
    for (String name : List.of("chromium", "chromium-browser", "google-chrome", "chrome")) {
      Path program = onPath(name);
      if (program != null) {
        return new ChromiumProgram(program, Map.of());
      }
    }
    Path program = FETCHED.resolve("chromium");
    if (!Files.isExecutable(program)) {
      fetch();
    }
    return new ChromiumProgram(
        program,
        Map.of("LD_LIBRARY_PATH", FETCHED.resolve("lib").toString(), "HOME", FETCHED.toString()));
  }

  private static @Nullable Path onPath(String name) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .map(place -> Path.of(place, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  private static void fetch() throws IOException, InterruptedException {
    Path npm = onPath("npm");
    Assumptions.assumeTrue(
        npm != null, "no Chromium: none in CHROMIUM, none on the PATH, and no npm to fetch one");
    Files.createDirectories(FETCHED);
    ProcessBuilder pack =
        new ProcessBuilder(String.valueOf(npm), "pack", "--silent", PACKAGE)
            .directory(FETCHED.toFile())
            .redirectErrorStream(true)
            .redirectOutput(FETCHED.resolve("npm.log").toFile());
    Process process = pack.start();
    boolean fetched = process.waitFor(5, TimeUnit.MINUTES) && process.exitValue() == 0;
    process.destroyForcibly();
    Assumptions.assumeTrue(
        fetched,
        "no Chromium: none in CHROMIUM, none on the PATH, and npm could not fetch one: "
            + Files.readString(FETCHED.resolve("npm.log")).strip());
    unpack();
  }

  /** The program comes packed by brotli; libraries, fonts and a renderer beside it, in tar. */
  private static void unpack() throws IOException {
    Path archive;
    try (Stream<Path> files = Files.list(FETCHED)) {
      archive = files.filter(f -> f.toString().endsWith(".tgz")).findFirst().orElseThrow();
    }
    try (InputStream file = new BufferedInputStream(Files.newInputStream(archive));
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new GzipCompressorInputStream(file))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        switch (entry.getName()) {
          case "package/bin/chromium.br" -> {
            Path making = FETCHED.resolve("making");
            Files.copy(brotli(tar), making, StandardCopyOption.REPLACE_EXISTING);
            if (!making.toFile().setExecutable(true)) {
              throw new IOException(making + ": cannot be made executable");
            }
          }
          case "package/bin/al2023.tar.br",
              "package/bin/fonts.tar.br",
              "package/bin/swiftshader.tar.br" ->
              unpackTar(brotli(tar));
          default -> {}
        }
      }
    }
    Files.delete(archive);
    Files.move(FETCHED.resolve("making"), FETCHED.resolve("chromium"));
  }

  private static InputStream brotli(InputStream in) throws IOException {
    return new BrotliInputStream(new ByteArrayInputStream(in.readAllBytes()));
  }

  private static void unpackTar(InputStream in) throws IOException {
    try (TarArchiveInputStream tar = new TarArchiveInputStream(in)) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path file = FETCHED.resolve(entry.getName()).normalize();
        if (entry.isFile() && file.startsWith(FETCHED)) {
          Files.createDirectories(file.getParent());
          Files.copy(tar, file, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }
}
