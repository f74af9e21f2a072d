package io.kmodel.indexer.evaluate;

import io.kmodel.indexer.evaluate.Evaluation.Rules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Writes runs and judgements, and evaluates them. */
abstract class TrecFiles {
  @TempDir Path directory;

  static Evaluation evaluate(Path run, Path qrels) throws IOException {
    return evaluate(run, qrels, Rules.USUAL);
  }

  static Evaluation evaluate(Path run, Path qrels, Rules rules) throws IOException {
    return Evaluation.of(RankedRun.read(run), Judgements.read(qrels), rules, Measures.usual());
  }

  /** Lines of topic, document and score. */
  final Path run(String... lines) throws IOException {
    for (int i = 0; i < lines.length; i++) {
      String[] columns = lines[i].split(" ", -1);
      lines[i] = "%s Q0 %s 0\t%s  tag".formatted(columns[0], columns[1], columns[2]);
    }
    return write(lines);
  }

  /** Lines of topic, document and relevance. */
  final Path qrels(String... lines) throws IOException {
    for (int i = 0; i < lines.length; i++) {
      lines[i] = lines[i].replaceFirst(" ", " 0 ");
    }
    return write(lines);
  }

  /** Lines as they are. */
  final Path write(String... lines) throws IOException {
    Path file = Files.createTempFile(directory, "lines", ".txt");
    return Files.writeString(file, String.join("\n", lines));
  }
}
