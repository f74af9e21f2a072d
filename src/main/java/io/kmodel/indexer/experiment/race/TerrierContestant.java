package io.kmodel.indexer.experiment.race;

import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/** Terrier's single-pass indexer of TREC files with blocks of one word, that is, positions. */
final class TerrierContestant {
  private static final String SETTINGS =
      """
      trec.collection.class=TRECCollection
      TrecDocTags.doctag=DOC
      TrecDocTags.idtag=DOCNO
      TrecDocTags.skip=
      TrecDocTags.casesensitive=false
      indexer.meta.forward.keys=docno
      indexer.meta.forward.keylens=512
      indexer.meta.reverse.keys=
      """;

  /** By default it prints a line per document. */
  private static final String WARNINGS =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%msg%n</pattern></encoder>
        </appender>
        <root level="WARN"><appender-ref ref="out"/></root>
      </configuration>
      """;

  private final RaceOptions options;
  private final String jar;

  TerrierContestant(RaceOptions options, String jar) {
    this.options = options;
    this.jar = jar;
  }

  RaceResult run() throws IOException, InterruptedException {
    Path home = options.workPath().resolve("terrier");
    Path etc = Files.createDirectories(home.resolve("etc"));
    Path index = Files.createDirectories(home.resolve("var/index"));
    Files.createDirectories(home.resolve("share"));
    Files.writeString(etc.resolve("terrier.properties"), SETTINGS);
    Path log = Files.writeString(etc.resolve("warnings.xml"), WARNINGS);
    try (Stream<Path> files = Files.walk(options.corpusPath().toAbsolutePath())) {
      Files.write(
          etc.resolve("collection.spec"),
          files.filter(Files::isRegularFile).sorted().map(Path::toString).toList());
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                "-Dlogback.configurationFile=" + log.toUri(),
                "-Dterrier.home=" + home.toAbsolutePath(),
                "-Dterrier.etc=" + etc.toAbsolutePath(),
                "-jar",
                jar,
                "batchindexing",
                "--singlepass",
                "--blocks"));
    if (options.threads() > 1) {
      command.addAll(List.of("--parallel", String.valueOf(options.threads())));
    }
    RivalProgram.Run run = RivalProgram.run("terrier", options.memoryBytes(), command);
    Properties counts = new Properties();
    Path properties = index.resolve("data.properties");
    if (!Files.exists(properties)) {
      throw new IOException("terrier wrote no index; it reads TREC files");
    }
    try (Reader reader = Files.newBufferedReader(properties)) {
      counts.load(reader);
    }
    return new RaceResult(
        "terrier",
        run.seconds(),
        run.cpuSeconds(),
        Long.parseLong(counts.getProperty("num.Documents", "-1")),
        RaceResult.UNKNOWN,
        RaceResult.UNKNOWN,
        RaceResult.UNKNOWN,
        RaceResult.UNKNOWN,
        Directories.bytes(index, ""),
        0,
        run.peakMemoryBytes(),
        Map.of(),
        Map.of());
  }
}
