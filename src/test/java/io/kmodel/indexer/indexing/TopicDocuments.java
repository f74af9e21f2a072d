package io.kmodel.indexer.indexing;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SourceOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Documents about topics, in random order, with URLs as ids: a document has words of its topic and
 * of all, the frequent ones more often.
 */
public final class TopicDocuments {
  private static final int TOPICS = 20;
  private static final int TOPIC_WORDS = 150;
  private static final int COMMON_WORDS = 2_000;

  private TopicDocuments() {}

  /** Writes a collection of JSON lines. */
  public static Path write(Path file, long seed, int documents, int words) throws Exception {
    Random random = new Random(seed);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < documents; i++) {
      int topic = random.nextInt(TOPICS);
      lines.append(
          "{\"id\":\"http://%s.example%d.org/page-%d\",\"title\":\"page %d\",\"contents\":\""
              .formatted(random.nextBoolean() ? "www" : "docs", topic, random.nextInt(), topic));
      int length = 1 + random.nextInt(2 * words);
      for (int word = 0; word < length; word++) {
        boolean common = random.nextInt(3) == 0;
        double share = Math.pow(random.nextDouble(), 3);
        lines
            .append(common ? "w" : "t" + topic + "x")
            .append((int) (share * (common ? COMMON_WORDS : TOPIC_WORDS)))
            .append(' ');
      }
      lines.append("\"}\n");
    }
    return Files.writeString(file, lines);
  }

  /** Builds an index of a collection. */
  public static Path build(Path collection, Path index, Detail detail, Store store)
      throws Exception {
    return build(
        collection,
        index,
        new IndexedText(FieldPlan.DEFAULT, IndexAnalysis.of("standard"), detail, store));
  }

  /** The same with fields and an analysis. */
  public static Path build(Path collection, Path index, IndexedText text) throws Exception {
    BuildOptions options =
        new BuildOptions(
            ImmutableList.of(collection),
            SourceOptions.DEFAULT,
            Duplicates.KEEP,
            index,
            false,
            HtmlMode.FAST,
            text,
            new BuildOptions.Resources(2, 4L << 30));
    MemoryPlan plan = new MemoryPlan(1 << 28, 1 << 25, 64 << 20, 64 << 20);
    new Indexing(options, Target.ownIndex(), new BuildProgress(), plan).run();
    return index;
  }
}
