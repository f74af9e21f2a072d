package io.kmodel.indexer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A search of a damaged index has the answer of a sound one, or none. */
class DamagedSearchTest {
  private static final Analyzer ANALYZER = new StandardAnalyzer();
  private static final List<ParsedDocument> FEW =
      List.of(
          new ParsedDocument("a/1.html", "Debian Policy", "A package must have a maintainer."),
          new ParsedDocument("b/2.html", "", "The maintainer builds. A package is a file."),
          new ParsedDocument("d/4.html", "Empty", ""));
  private static final List<String> OF_FEW =
      List.of("package maintainer", "\"package is\"", "title:policy", "id:a\\/1.html", "main*");

  @TempDir Path directory;

  @Test
  void everyFlippedBitIsRefusedByTheSearchesThatNeedTheFile() throws IOException {
    write(FEW);
    List<SearchResult> right = search(OF_FEW);
    int refused = 0;
    for (Path file : files()) {
      byte[] whole = Files.readAllBytes(file);
      for (int bit : Tier.bits(0, whole.length).toArray()) {
        flip(file, whole, bit);
        try {
          assertThat(search(OF_FEW)).as("%s, bit %d", file, bit).isEqualTo(right);
        } catch (CorruptIndexException e) {
          assertThat(e).as("%s, bit %d", file, bit).hasMessageContaining(file.toString());
          refused++;
        }
      }
      Files.write(file, whole);
    }
    // These searches read all files.
    int bytes = files().stream().mapToInt(DamagedSearchTest::size).sum();
    assertThat(refused).isEqualTo(Tier.pick(1, 8) * bytes);
    assertThat(search(OF_FEW)).isEqualTo(right);
    System.out.printf("%,d flipped bits refused by searches%n", refused);
  }

  @Test
  void aLargeIndexAnswersWhatTheDamageDoesNotConcern() throws IOException {
    write(SampleDocuments.random(3, Tier.pick(600, 3000), 200));
    List<String> queries = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      queries.add("w%d".formatted(i));
      queries.add("\"w%d w%d\"~40".formatted(i, i / 2));
    }
    List<SearchResult> right = search(queries);
    assertThat(right.stream().mapToLong(SearchResult::found).sum()).isPositive();
    Random random = new Random(8);
    int refused = 0;
    int answered = 0;
    for (Path file : files()) {
      byte[] whole = Files.readAllBytes(file);
      for (int i = 0; i < Tier.pick(2, 8); i++) {
        int bit = random.nextInt(8 * 100, 8 * whole.length);
        flip(file, whole, bit);
        try (InvertedIndex index = InvertedIndex.open(directory)) {
          for (int q = 0; q < queries.size(); q++) {
            try (Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
              assertThat(searcher.search(queries.get(q), 10)).isEqualTo(right.get(q));
              answered++;
            } catch (CorruptIndexException e) {
              assertThat(e)
                  .hasMessageContaining(file.toString())
                  .hasMessageContaining("the byte at offset %d flipped", bit / 8);
              refused++;
            }
          }
        } catch (CorruptIndexException e) {
          refused++;
        }
      }
      Files.write(file, whole);
    }
    assertThat(refused).isPositive();
    assertThat(answered).isPositive();
    System.out.printf("%,d searches of damaged indexes refused, %,d answered%n", refused, answered);
  }

  private void write(List<ParsedDocument> documents) throws IOException {
    NaiveIndex.write(directory, Schemas.of(Detail.POSITIONS, Stored.CONTENTS), ANALYZER, documents);
  }

  private List<SearchResult> search(List<String> queries) throws IOException {
    List<SearchResult> results = new ArrayList<>();
    try (InvertedIndex index = InvertedIndex.open(directory);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      for (String query : queries) {
        results.add(searcher.search(query, 10));
      }
    }
    return results;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  private static int size(Path file) {
    return (int) file.toFile().length();
  }

  private static void flip(Path file, byte[] whole, int bit) throws IOException {
    byte[] damaged = whole.clone();
    damaged[bit / 8] ^= (byte) (1 << (bit % 8));
    Files.write(file, damaged);
  }
}
