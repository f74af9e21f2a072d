package io.kmodel.indexer.indexing.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.ShardedIndex;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.Crawls;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.SearchResult;
import io.kmodel.indexer.search.Searcher;
import io.kmodel.indexer.search.ShardSearcher;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.FileSeal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards answer as the one index does. */
class ShardsTest {
  private static final int SHARDS = 3;

  @TempDir Path directory;
  private Path crawl = Path.of("");

  @BeforeEach
  void write() throws Exception {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(9, 300, 40));
    Random random = new Random(3);
    StringBuilder lines = new StringBuilder();
    for (int line = 0; line < 1500; line++) {
      lines.append(
          "{\"id\":\"%d\",\"title\":\"no. %d\",\"contents\":\"".formatted(line % 1400, line));
      for (int word = 0; word < 20; word++) {
        lines.append("w").append(random.nextInt(1 << random.nextInt(1, 9))).append(' ');
      }
      lines.append("\"}\n");
    }
    for (int file = 0; file < 5; file++) {
      Files.writeString(
          crawl.resolve("lines-%d.jsonl".formatted(file)),
          lines.substring(file == 0 ? 0 : cut(lines, file), cut(lines, file + 1)));
    }
  }

  private static int cut(StringBuilder lines, int file) {
    return file == 5 ? lines.length() : lines.indexOf("\n", lines.length() / 5 * file) + 1;
  }

  private BuildOptions options(String output, boolean overwrite) {
    return new BuildOptions(
            ImmutableList.of(crawl),
            directory.resolve(output),
            overwrite,
            HtmlMode.FAST,
            "standard",
            true,
            Store.CONTENTS,
            new BuildOptions.Resources(1, BuildOptions.Resources.MIN_MEMORY_BYTES))
        .withSource(SourceOptions.DEFAULT, Duplicates.SKIP);
  }

  private BuildReport shards(int count, long splitBytes, boolean overwrite) throws Exception {
    Recovery recovery = new Recovery(Start.RESTART, Duration.ofSeconds(30), line -> {});
    return new ClusterBuild(
            options("shards", overwrite),
            new ThreadEngine(2, directory),
            splitBytes,
            recovery,
            new BuildProgress())
        .ofShards(new Shards.Options(count, IndexCheck.CONTENT, ExportCodec.BEST_SPEED))
        .run();
  }

  @Test
  void shardsAnswerWithTheDocumentsAndScoresOfOneIndex() throws Exception {
    BuildReport expected =
        new Indexing(
                options("whole", false),
                Target.ownIndex(),
                new BuildProgress(),
                new MemoryPlan(1 << 28, 1 << 25, 64 << 20, 64 << 20))
            .run();
    BuildReport made = shards(SHARDS, 30_000, false);
    assertThat(made.documents()).isEqualTo(expected.documents());
    assertThat(made.fields()).isEqualTo(expected.fields());
    assertThat(made.tokens()).isEqualTo(expected.tokens());
    assertThat(made.indexBytes()).isGreaterThan(expected.indexBytes() / 2);
    assertThat(made.skipped()).isEqualTo(expected.skipped()).containsEntry("duplicate id", 100L);
    Path out = directory.resolve("shards");
    ShardedIndex shards = ShardedIndex.read(out);
    assertThat(shards.shards()).hasSize(SHARDS);
    assertThat(shards.options()).isEqualTo(expected.options());
    assertThat(directory.resolve("shards.cluster")).doesNotExist();
    try (InvertedIndex whole = InvertedIndex.open(directory.resolve("whole"));
        StandardAnalyzer analyzer = new StandardAnalyzer();
        Searcher one = new Searcher(whole, analyzer, Bm25.LUCENE);
        ShardSearcher all =
            new ShardSearcher(out, shards, analyzer, Schema.CONTENTS, Bm25.LUCENE)) {
      for (String query :
          List.of("w1", "w1 w7 w200", "+w3 +\"w1 w2\" -w9", "title:no w12", "w5*")) {
        SearchResult whatOneSays = one.search(query, 50);
        SearchResult whatAllSay = all.search(query, 50);
        assertThat(whatAllSay.hits()).isNotEmpty();
        assertThat(answers(whatAllSay)).as(query).isEqualTo(answers(whatOneSays));
      }
      assertThat(terms(out)).isEqualTo(terms(whole));
    }
    // A shard alone has other statistics, and so other scores.
    try (DirectoryReader first =
        DirectoryReader.open(FSDirectory.open(out.resolve(ShardedIndex.name(0))))) {
      assertThat(first.maxDoc()).isEqualTo(shards.shards().getFirst().documents());
      assertThat(first.getDocCount(Schema.CONTENTS)).isLessThan((int) made.documents());
    }
  }

  private static List<String> answers(SearchResult result) {
    return result.hits().stream()
        .map(hit -> "%d %s %s %s".formatted(hit.docId(), hit.id(), hit.title(), hit.score()))
        .toList();
  }

  private static List<String> terms(Path shards) throws IOException {
    List<String> terms = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(shards.resolve(ShardedIndex.TERMS))),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode term = Json.MAPPER.readTree(line);
        terms.add(
            "%s %s %d %d"
                .formatted(
                    term.get("field").asText(),
                    term.get("term").asText(),
                    term.get("documents").asInt(),
                    term.get("occurrences").asLong()));
      }
    }
    return terms;
  }

  private static List<String> terms(InvertedIndex index) throws IOException {
    List<String> terms = new ArrayList<>();
    try (PostingsCursor all = index.cursor()) {
      while (all.nextTerm()) {
        terms.add(
            "%s %s %d %d"
                .formatted(
                    index.schema().field(all.term()[0]).name(),
                    new String(all.term(), 1, all.termLength() - 1, StandardCharsets.UTF_8),
                    all.docFreq(),
                    all.totalTermFreq()));
      }
    }
    return terms;
  }

  @Test
  void shardsAreReplacedOnlyIfWanted() throws Exception {
    shards(2, 30_000, false);
    assertThatThrownBy(() -> shards(2, 30_000, false))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    shards(1, 30_000, true);
    assertThat(ShardedIndex.read(directory.resolve("shards")).shards()).hasSize(1);
    Files.delete(directory.resolve("shards/shards.json"));
    assertThatThrownBy(() -> ShardedIndex.read(directory.resolve("shards")))
        .isInstanceOf(CorruptIndexException.class);
  }

  @Test
  void moreShardsThanSplitsAreAnError() {
    assertThatThrownBy(() -> shards(50, 1 << 20, false))
        .isInstanceOf(BuildException.class)
        .hasMessageMatching("too few splits for 50 shards: \\d+; .*");
    assertThat(directory.resolve("shards.cluster")).doesNotExist();
    assertThatThrownBy(() -> new Shards.Options(0, IndexCheck.NONE, ExportCodec.BEST_SPEED))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Each shard has a split, however uneven they are. */
  @Test
  void neighborsAreGroupedByTheirBytes() {
    assertThat(sizes(3, 10, 10, 10, 10, 10, 10)).containsExactly(2, 2, 2);
    assertThat(sizes(2, 1, 1, 1, 100)).containsExactly(3, 1);
    assertThat(sizes(2, 100, 1, 1, 1)).containsExactly(1, 3);
    assertThat(sizes(4, 1000, 1, 1, 1)).containsExactly(1, 1, 1, 1);
    assertThat(sizes(4, 1, 1, 1, 1000)).containsExactly(1, 1, 1, 1);
    assertThat(sizes(2, 0, 0, 0)).hasSize(2);
  }

  private static List<Integer> sizes(int shards, long... bytes) {
    List<SealedSplit> splits =
        IntStream.range(0, bytes.length)
            .mapToObj(
                i -> new SealedSplit(i, "", 1, bytes[i], false, new FileSeal("", 0, 0, false)))
            .toList();
    return Shards.groups(splits, shards).stream().map(List::size).toList();
  }
}
