package io.kmodel.indexer.indexing.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory of this process, by the operating system. */
public final class ProcessMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String PEAK_RESIDENT = "VmHWM:";

  private ProcessMemory() {}

  /** The largest resident set so far, in bytes; -1 if unknown. */
  public static long peakResidentBytes() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(PEAK_RESIDENT)) {
          String kibibytes = line.substring(PEAK_RESIDENT.length()).replace("kB", "").strip();
          return Long.parseLong(kibibytes) << 10;
        }
      }
      return -1;
    } catch (IOException e) {
      return -1;
    }
  }
}
