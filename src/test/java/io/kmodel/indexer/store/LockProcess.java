package io.kmodel.indexer.store;

import io.kmodel.indexer.store.disk.DirectoryLock;
import io.kmodel.indexer.store.disk.LockedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A process of its own that takes the lock of a directory, or gives it back, when it is told. */
public final class LockProcess implements AutoCloseable {
  public static final Set<String> ENTRIES = Set.of("work");

  private final Process process;
  private final BufferedReader answers;
  private final PrintStream orders;

  /** Starts it, for one directory. */
  public LockProcess(Path directory) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    // Of a file of theirs that another process has, Java would say so among the answers.
    command.add("-XX:-UsePerfData");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(LockProcess.class.getName(), directory.toString()));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    answers = process.inputReader(StandardCharsets.UTF_8);
    orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  public long pid() {
    return process.pid();
  }

  /** Does as the main method says, and returns the answer. */
  public String order(String what) throws IOException {
    tell(what);
    return answer();
  }

  public void tell(String what) {
    orders.println(what);
  }

  public String answer() throws IOException {
    return String.valueOf(answers.readLine());
  }

  /** Kills it. */
  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
  }

  /**
   * Answers orders: "take" with "taken" or who has it, "close", "delete", and a number of times
   * that it is to be taken, waited for, and left again.
   */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    DirectoryLock lock = null;
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = in.readLine(); order != null; order = in.readLine()) {
      lock = obey(order, directory, lock);
    }
  }

  private static @Nullable DirectoryLock obey(
      String order, Path directory, @Nullable DirectoryLock lock) throws IOException {
    if (order.equals("take")) {
      try {
        DirectoryLock taken = DirectoryLock.take(directory, ENTRIES);
        System.out.println("taken");
        return taken;
      } catch (LockedException e) {
        System.out.println(e.owner());
      }
    } else if (lock != null) {
      if (order.equals("delete")) {
        lock.deleteAtClose();
      }
      lock.close();
      System.out.println("done");
    } else {
      System.out.println(contend(directory, Integer.parseInt(order)));
    }
    return null;
  }

  /** What others do meanwhile to what the owner has made is an error. */
  public static String contend(Path directory, int times) throws IOException {
    Path work = directory.resolve("work");
    int refused = 0;
    for (int n = 0; n < times; n++) {
      try (DirectoryLock lock = DirectoryLock.take(directory, ENTRIES)) {
        Files.writeString(work, "one at a time", StandardOpenOption.CREATE_NEW);
        Files.delete(work);
        if (n % 3 > 0) {
          lock.deleteAtClose();
        }
      } catch (LockedException e) {
        refused++;
        n--;
      }
    }
    return "taken %d times, refused %d times".formatted(times, refused);
  }
}
