package io.kmodel.indexer.cli.view;

import io.kmodel.indexer.indexing.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The optional JSON file with an experiment's figures. */
public final class FiguresFile {
  private FiguresFile() {}

  /** Refuses a path that cannot be written, before an experiment runs for hours. */
  public static void require(CommandSpec spec, @Nullable Path file) {
    if (file == null) {
      return;
    }
    Path directory = file.toAbsolutePath().getParent();
    String fault = null;
    if (directory == null || Files.isDirectory(file)) {
      fault = "it is a directory";
    } else if (!Files.isDirectory(directory)) {
      fault = "there is no directory " + directory;
    } else if (!Files.isWritable(Files.exists(file) ? file : directory)) {
      fault = "permission denied";
    }
    if (fault != null) {
      throw new ParameterException(
          spec.commandLine(), "--json %s cannot be written: %s".formatted(file, fault));
    }
  }

  public static void write(@Nullable Path file, List<?> figures) throws IOException {
    if (file != null) {
      Files.write(file, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(figures));
    }
  }
}
