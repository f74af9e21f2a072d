package io.kmodel.indexer.indexing.cluster;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.io.Closer;
import io.kmodel.indexer.export.lucene.ShardedIndex;
import io.kmodel.indexer.export.lucene.ShardedIndex.FieldTotals;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.report.BuildLog;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.StagedOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * Makes Lucene indexes of neighboring splits, and the statistics of all of them. Memory of the
 * driver: a cursor of some 300 KiB for each split. Time of the driver: a walk over the terms of all
 * splits, while tasks make shards no longer.
 */
final class ShardStage {
  private final List<SealedSplit> splits;
  private final Workspace work;
  private final TaskEngine engine;
  private final BuildProgress progress;

  ShardStage(List<SealedSplit> splits, Workspace work, TaskEngine engine, BuildProgress progress) {
    this.splits = List.copyOf(splits);
    this.work = work;
    this.engine = engine;
    this.progress = progress;
  }

  /** Reports on the shards before they get their name. */
  @FunctionalInterface
  interface Made {
    BuildReport made(Path directory, ShardedIndex shards, List<BuildReport> parts)
        throws IOException;
  }

  /**
   * Makes the shards.
   *
   * @param target where they appear, when all are complete
   * @param content the options of the build that an index records
   * @param skipped a list of skipped documents that comes before those of the splits
   */
  BuildReport run(
      Shards.Options options,
      StagedOutput target,
      Map<String, String> content,
      Path skipped,
      Made listener)
      throws IOException, InterruptedException {
    long documents = splits.stream().mapToLong(SealedSplit::documents).sum();
    if (documents >= Integer.MAX_VALUE) {
      throw new FormatLimitException(
          "the shards have %,d documents together; a build holds at most %,d"
              .formatted(documents, Integer.MAX_VALUE - 1));
    }
    List<SealedShard> shards = shards(options);
    try (target) {
      target.open();
      Path made = Files.createDirectory(target.made());
      List<ShardedIndex.Shard> named = new ArrayList<>();
      long first = 0;
      for (SealedShard shard : shards) {
        String name = ShardedIndex.name(shard.number());
        Files.move(
            work.local().resolve(Workspace.SHARDS).resolve(shard.name()).resolve(Sharding.LUCENE),
            made.resolve(name),
            StandardCopyOption.ATOMIC_MOVE);
        named.add(new ShardedIndex.Shard(name, first, shard.documents()));
        first += shard.documents();
      }
      List<FieldTotals> fields = statistics(made.resolve(ShardedIndex.TERMS));
      ShardedIndex all = new ShardedIndex(first, named, fields, content);
      List<BuildReport> reports = new ArrayList<>();
      List<Path> lists = new ArrayList<>(List.of(skipped));
      for (SealedSplit split : splits) {
        Path directory = work.splitDirectory(split);
        reports.add(BuildReport.read(directory));
        lists.add(directory.resolve(BuildReport.SKIPPED_FILE_NAME));
      }
      SkipLog.join(lists, made.resolve(BuildReport.SKIPPED_FILE_NAME));
      all.write(made);
      BuildReport report = listener.made(made, all, reports);
      target.publish();
      return report;
    } catch (CorruptIndexException e) {
      throw work.damaged(e);
    }
  }

  private List<SealedShard> shards(Shards.Options options)
      throws IOException, InterruptedException {
    List<String> tasks = new ArrayList<>();
    for (List<SealedSplit> group : Shards.groups(splits, options.shards())) {
      tasks.add(Tasks.of(new ShardTask(tasks.size(), group, options, work.place())));
    }
    progress.expectRanges(tasks.size());
    TreeMap<Integer, SealedShard> shards = new TreeMap<>();
    engine.run(
        "shard",
        tasks,
        result -> {
          SealedShard shard = Tasks.shard(result);
          shards.put(shard.number(), shard);
          progress.range();
        });
    if (shards.size() != tasks.size()) {
      throw new IllegalStateException(
          "%d of %d shards have a result".formatted(shards.size(), tasks.size()));
    }
    return List.copyOf(shards.values());
  }

  /** Writes the statistics of all terms, and returns those of the fields. */
  private List<FieldTotals> statistics(Path file) throws IOException {
    try (Closer closer = Closer.create()) {
      List<MergingCursor.Input> inputs = new ArrayList<>();
      List<InvertedIndex> indexes = new ArrayList<>();
      int firstDoc = 0;
      for (SealedSplit split : splits) {
        InvertedIndex index = closer.register(work.open(split)).index();
        indexes.add(index);
        inputs.add(new MergingCursor.Input(index.cursor(), firstDoc));
        firstDoc = Math.addExact(firstDoc, index.documentCount());
      }
      Schema schema = indexes.getFirst().schema();
      long[] terms = new long[schema.size()];
      try (MergingCursor lists = new MergingCursor(inputs);
          JsonGenerator out =
              new JsonFactory()
                  .createGenerator(
                      new GZIPOutputStream(Files.newOutputStream(file)), JsonEncoding.UTF8)
                  .setRootValueSeparator(null)) {
        while (lists.nextTerm()) {
          int field = lists.term()[0];
          terms[field]++;
          write(schema.field(field).name(), lists, out);
        }
      }
      return totals(indexes, terms);
    }
  }

  private static void write(String field, MergingCursor term, JsonGenerator out)
      throws IOException {
    out.writeStartObject();
    out.writeStringField("field", field);
    out.writeStringField(
        "term", new String(term.term(), 1, term.termLength() - 1, StandardCharsets.UTF_8));
    out.writeNumberField("documents", term.docFreq());
    out.writeNumberField("occurrences", term.totalTermFreq());
    out.writeEndObject();
    out.writeRaw('\n');
  }

  private static List<FieldTotals> totals(List<InvertedIndex> indexes, long[] terms) {
    Schema schema = indexes.getFirst().schema();
    List<FieldTotals> totals = new ArrayList<>();
    for (int field = 0; field < schema.size(); field++) {
      long documents = 0;
      long postings = 0;
      long tokens = 0;
      for (InvertedIndex index : indexes) {
        FieldStatistics statistics = index.statistics(field);
        documents += statistics.documents();
        postings += statistics.postings();
        tokens += statistics.tokens();
      }
      totals.add(
          new FieldTotals(
              schema.field(field).name(),
              schema.field(field).tokenized(),
              documents,
              terms[field],
              postings,
              tokens));
    }
    return totals;
  }

  /** The contents of shards, for reports. */
  static BuildLog.Content content(ShardedIndex all) {
    List<BuildReport.FieldFigures> fields = new ArrayList<>();
    long terms = 0;
    long postings = 0;
    long tokens = 0;
    for (ShardedIndex.FieldTotals field : all.fields()) {
      fields.add(
          new BuildReport.FieldFigures(
              field.name(), field.terms(), field.documents(), field.postings(), field.tokens()));
      terms += field.terms();
      postings += field.postings();
      tokens += field.tokenized() ? field.tokens() : 0;
    }
    return new BuildLog.Content(
        Math.toIntExact(all.documents()),
        -1,
        terms,
        postings,
        tokens,
        fields,
        List.of(),
        List.of());
  }
}
