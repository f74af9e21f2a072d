package io.kmodel.indexer.experiment.race;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Anserini's IndexCollection of JSON lines with positions; it reads its index back for counts. */
final class AnseriniContestant {
  private final RaceOptions options;
  private final String jar;

  AnseriniContestant(RaceOptions options, String jar) {
    this.options = options;
    this.jar = jar;
  }

  RaceResult run() throws IOException, InterruptedException {
    Path index = options.workPath().resolve("anserini");
    RivalProgram.Run run =
        RivalProgram.run(
            "anserini",
            options.memoryBytes(),
            List.of(
                "-cp",
                jar,
                "io.anserini.index.IndexCollection",
                "-collection",
                "JsonCollection",
                "-input",
                options.corpus(),
                "-index",
                index.toString(),
                "-threads",
                String.valueOf(options.threads()),
                "-storePositions"));
    long indexed = counter(run.output(), "indexed");
    long empty = counter(run.output(), "empty");
    String contents = statistics(index, Schema.CONTENTS);
    return new RaceResult(
        "anserini",
        run.seconds(),
        run.cpuSeconds(),
        indexed + empty,
        counter(contents, "total terms"),
        terms(counter(contents, "unique terms"), indexed, empty),
        RaceResult.UNKNOWN,
        RaceResult.UNKNOWN,
        Directories.bytes(index, ""),
        0,
        run.peakMemoryBytes(),
        Map.of(),
        Map.of());
  }

  /**
   * Terms of both fields: Anserini leaves out empty documents and their ids, and counts terms of a
   * single segment only.
   */
  private static long terms(long ofContents, long indexed, long empty) {
    return ofContents < 0 || empty > 0 ? RaceResult.UNKNOWN : ofContents + indexed;
  }

  private String statistics(Path index, String field) throws IOException, InterruptedException {
    return RivalProgram.run(
            "anserini's IndexReaderUtils",
            options.memoryBytes(),
            List.of(
                "-cp",
                jar,
                "io.anserini.index.IndexReaderUtils",
                "-index",
                index.toString(),
                "-field",
                field,
                "-stats"))
        .output();
  }

  /** A number that is printed after its name. */
  static long counter(String output, String name) throws IOException {
    Matcher counter = Pattern.compile(Pattern.quote(name) + ":\\s+(-?[\\d,]+)").matcher(output);
    if (!counter.find()) {
      throw new IOException("anserini printed no '%s'".formatted(name));
    }
    return Long.parseLong(counter.group(1).replace(",", ""));
  }
}
