package io.kmodel.indexer.indexing.options;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.indexing.Crawls;
import io.kmodel.indexer.indexing.IndexFilesHash;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.sort.AlteredCpuStage;
import io.kmodel.indexer.sort.CountingOrder;
import io.kmodel.indexer.sort.OrderedKeys;
import io.kmodel.indexer.sort.SortedKeys;
import io.kmodel.indexer.store.disk.Directories;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds whose threads, memory, sorters and sealing come at other times in every round, by a seed
 * that is told when a round fails.
 */
class PipelineStressTest {
  private static final int ROUNDS = Tier.pick(4, 200);

  @TempDir private Path directory;

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyOrderOfEventsGivesTheSameBytes() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(5, 600, 100));
    new Indexing(options(crawl, 1), Target.ownIndex(), new BuildProgress(), plan(64 << 20, 0))
        .run();
    Path output = options(crawl, 1).output();
    SortedMap<String, Integer> expected = IndexFilesHash.of(output);
    for (int seed = 1; seed <= ROUNDS; seed++) {
      Directories.deleteTree(output);
      SplittableRandom random = new SplittableRandom(seed);
      int threads = random.nextInt(2, 9);
      MemoryPlan plan = plan(random.nextInt(1 << 20, 4 << 20), random.nextInt(0, 2 << 20));
      UneasyStage sorters = new UneasyStage(random.split());
      Recovery recovery =
          new Recovery(
              Recovery.Start.FRESH, Duration.ofMillis(random.nextInt(0, 200)), notice -> {});
      new Indexing(options(crawl, threads), Target.ownIndex(), new BuildProgress(), plan)
          .withSorting(() -> sorters)
          .withRecovery(recovery)
          .run();
      assertThat(IndexFilesHash.of(output)).as("seed %d", seed).isEqualTo(expected);
      assertThat(sorters.failures).as("seed %d", seed).isEmpty();
    }
  }

  private BuildOptions options(Path crawl, int threads) {
    return new BuildOptions(
        ImmutableList.of(crawl),
        directory.resolve("index"),
        false,
        HtmlMode.FAST,
        "standard",
        true,
        Store.CONTENTS,
        new Resources(threads, 4L << 30));
  }

  private static MemoryPlan plan(long runBytes, long keptBytes) {
    return new MemoryPlan(1 << 30, runBytes, 1 << 20, 256 << 20, keptBytes);
  }

  /**
   * Sorts aside, sooner or later, and leaves the keys in one memory or the other. Notes a job whose
   * memory another job has.
   */
  private static final class UneasyStage extends AlteredCpuStage {
    private final ExecutorService threads = Executors.newFixedThreadPool(3);
    private final SplittableRandom random;
    final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> busy = new ConcurrentLinkedQueue<>();

    UneasyStage(SplittableRandom random) {
      this.random = random;
    }

    private synchronized int draw(int bound) {
      return random.nextInt(bound);
    }

    private void pause(int before) throws InterruptedException {
      int micros = draw(4) == 0 ? draw(before) : 0;
      TimeUnit.MICROSECONDS.sleep(micros);
    }

    @Override
    public Ticket submit(Job job) {
      long place = job.keys().address();
      if (busy.contains(place)) {
        failures.add("a run is being sorted already: " + job);
      }
      busy.add(place);
      CompletableFuture<OrderedKeys> end = new CompletableFuture<>();
      threads.execute(
          () -> {
            try {
              pause(20_000);
              boolean counts = job.counters() != null && draw(2) == 0;
              if (!counts) {
                super.submit(
                    new Job(
                        job.keys(), job.scratch(), job.count(), job.orderedBits(), job.highBit()));
              }
              boolean moves = draw(2) == 0;
              if (moves) {
                MemorySegment.copy(job.keys(), 0, job.scratch(), 0, 8 * job.count());
              }
              pause(20_000);
              busy.remove(place);
              MemorySegment keys = moves ? job.scratch() : job.keys();
              MemorySegment scratch = moves ? job.keys() : job.scratch();
              end.complete(
                  counts ? count(job, keys, scratch) : new SortedKeys(keys, scratch, true));
            } catch (InterruptedException | RuntimeException e) {
              end.completeExceptionally(e);
            }
          });
      return new Ticket() {
        @Override
        public OrderedKeys await() {
          return end.join();
        }

        @Override
        public void settle() {
          end.join();
        }
      };
    }

    private static OrderedKeys count(Job job, MemorySegment keys, MemorySegment scratch)
        throws InterruptedException {
      return new CountingOrder()
          .submit(
              new Job(keys, scratch, job.count(), job.orderedBits(), job.highBit(), job.counters()))
          .await();
    }

    @Override
    public boolean isAside() {
      return true;
    }

    @Override
    public void close() {
      threads.shutdown();
    }
  }
}
