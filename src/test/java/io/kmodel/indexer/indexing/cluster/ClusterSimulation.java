package io.kmodel.indexer.indexing.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A stage of a build on a cluster whose executors fail: each runs one task at a time, a failure
 * loses the task in progress, and another executor takes its place after a while. Tasks start in
 * order, those that were lost last.
 *
 * @param executors how many
 * @param startSeconds until an executor works at full speed, also one that replaces another
 * @param failureSeconds mean time until an executor fails
 */
record ClusterSimulation(int executors, double startSeconds, double failureSeconds) {
  /** What a stage took. */
  record Result(double seconds, int attempts, int failures) {}

  private record Ending(double time, int task, boolean hasFailed) {}

  /** Runs tasks with these times in seconds. */
  Result run(List<Double> tasks, long seed) {
    Random chance = new Random(seed);
    PriorityQueue<Ending> endings = new PriorityQueue<>(Comparator.comparingDouble(Ending::time));
    Deque<Integer> waiting = new ArrayDeque<>();
    for (int task = 0; task < tasks.size(); task++) {
      waiting.add(task);
    }
    // The executors without a task, by the time from which on they can take one.
    PriorityQueue<Double> idle = new PriorityQueue<>();
    for (int i = 0; i < executors; i++) {
      idle.add(startSeconds);
    }
    int attempts = 0;
    int failures = 0;
    double now = 0;
    List<Integer> done = new ArrayList<>();
    while (done.size() < tasks.size()) {
      while (!waiting.isEmpty() && !idle.isEmpty()) {
        double start = Math.max(now, idle.remove());
        int task = waiting.remove();
        double life = -Math.log(1 - chance.nextDouble()) * failureSeconds;
        boolean fails = life < tasks.get(task);
        endings.add(new Ending(start + (fails ? life : tasks.get(task)), task, fails));
        attempts++;
      }
      Ending next = endings.remove();
      now = next.time();
      if (next.hasFailed()) {
        failures++;
        waiting.add(next.task());
        idle.add(now + startSeconds);
      } else {
        done.add(next.task());
        idle.add(now);
      }
    }
    return new Result(now, attempts, failures);
  }
}
