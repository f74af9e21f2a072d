package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.Searcher;
import io.kmodel.indexer.search.Topic;
import io.kmodel.indexer.search.Topics;
import io.kmodel.indexer.search.TrecRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample topics, answered by our index and by one that Lucene's IndexWriter has built. */
class TrecRunEqualityTest {
  private static final Path COLLECTION = Path.of("corpus-samples/trec");
  private static final int DEPTH = 100;

  @TempDir Path directory;

  @Test
  void theRunIsTheOneThatIndexWritersIndexGives() throws Exception {
    BuildOptions options =
        new BuildOptions(
            ImmutableList.of(COLLECTION.resolve("docs")),
            directory.resolve("index"),
            false,
            HtmlMode.FAST,
            Analyzers.ENGLISH,
            true,
            Store.ID,
            new BuildOptions.Resources(2, 2L << 30));
    new Indexing(
            options,
            Target.ownIndex(),
            new BuildProgress(),
            new MemoryPlan(1 << 30, 16 << 20, 64 << 20, 256 << 20))
        .run();
    List<Topic> topics = Topics.read(COLLECTION.resolve("topics.txt"));
    assertThat(topics).hasSizeGreaterThan(9);
    List<String> ours;
    try (Analyzer analyzer = Analyzers.named(Analyzers.ENGLISH)) {
      ours = ourRun(options.output(), analyzer, topics);
      assertThat(ours).isEqualTo(lucenesRun(options.schema(), analyzer, topics));
    }
    assertThat(precisionAtFive(ours)).isGreaterThan(0.3);
  }

  private List<String> ourRun(Path output, Analyzer analyzer, List<Topic> topics) throws Exception {
    Path run = directory.resolve("ours.run");
    try (InvertedIndex index = InvertedIndex.open(output);
        Searcher searcher = new Searcher(index, analyzer, Bm25.LUCENE);
        TrecRun writer = new TrecRun(run, "test")) {
      for (Topic topic : topics) {
        writer.write(topic.id(), searcher.searchWords(topic.title(), DEPTH).hits());
      }
      writer.commit();
    }
    return Files.readAllLines(run);
  }

  /** Lucene's index and query parser; the run is formatted here, not by our writer. */
  private static List<String> lucenesRun(Schema schema, Analyzer analyzer, List<Topic> topics)
      throws Exception {
    List<String> lines = new ArrayList<>();
    try (DirectoryReader reader =
        ReferenceIndex.inMemory(schema, analyzer, Crawls.read(COLLECTION.resolve("docs")))) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setSimilarity(new BM25Similarity());
      for (Topic topic : topics) {
        var query =
            new QueryParser(Schema.CONTENTS, analyzer).parse(QueryParser.escape(topic.title()));
        int rank = 0;
        for (ScoreDoc hit : searcher.search(query, DEPTH).scoreDocs) {
          rank++;
          String id = reader.storedFields().document(hit.doc).get(Schema.ID);
          lines.add(topic.id() + " Q0 " + id + " " + rank + " " + hit.score + " test");
        }
      }
    }
    return lines;
  }

  /** Mean share of relevant documents among the first five of each topic. */
  private static double precisionAtFive(List<String> run) throws Exception {
    Map<String, Integer> grades = new HashMap<>();
    for (String line : Files.readAllLines(COLLECTION.resolve("qrels.txt"))) {
      List<String> columns = List.of(line.split("\\s+", -1));
      grades.put(columns.get(0) + " " + columns.get(2), Integer.parseInt(columns.get(3)));
    }
    long relevant = 0;
    long judged = 0;
    for (String line : run) {
      List<String> columns = List.of(line.split(" ", -1));
      if (Integer.parseInt(columns.get(3)) <= 5) {
        judged++;
        relevant += grades.getOrDefault(columns.get(0) + " " + columns.get(2), 0) > 0 ? 1 : 0;
      }
    }
    return (double) relevant / judged;
  }
}
