package io.kmodel.indexer.export.lucene;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.store.FSDirectory;

/**
 * Lucene indexes of contiguous ranges of one collection's documents, with the statistics of all of
 * it, by which a search engine that asks each shard alone can score as one index would.
 *
 * <pre>
 * DIRECTORY/
 *   shards.json        this record
 *   terms.jsonl.gz     a line for each term, in byte order of field number and term:
 *                      {"field":"contents","term":"heron","documents":3,"occurrences":5}
 *   shard-00000/       a Lucene index
 * </pre>
 *
 * @param documents of all shards
 * @param fields the statistics of all shards together
 * @param options of the build, such as the analyzer
 */
public record ShardedIndex(
    long documents, List<Shard> shards, List<FieldTotals> fields, Map<String, String> options) {
  public static final String FILE_NAME = "shards.json";
  public static final String TERMS = "terms.jsonl.gz";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * A shard.
   *
   * @param name of its directory
   * @param firstDocument number of its first document in the collection
   */
  public record Shard(String name, long firstDocument, int documents) {}

  /**
   * A field of all documents.
   *
   * @param tokenized whether it has texts, and not whole values
   * @param documents that have a term in it
   * @param terms distinct ones
   * @param postings pairs of a term and a document
   * @param tokens occurrences of terms
   */
  public record FieldTotals(
      String name, boolean tokenized, long documents, long terms, long postings, long tokens) {}

  public ShardedIndex {
    shards = List.copyOf(shards);
    fields = List.copyOf(fields);
    options = Map.copyOf(options);
  }

  /** The name of a shard's directory. */
  public static String name(int shard) {
    return "shard-%05d".formatted(shard);
  }

  /** Whether a directory holds shards. */
  public static boolean isIn(Path directory) {
    return Files.isRegularFile(directory.resolve(FILE_NAME));
  }

  /**
   * Reads the description of a directory's shards.
   *
   * @throws CorruptIndexException if it is damaged or missing
   */
  public static ShardedIndex read(Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    try {
      return MAPPER.readValue(Files.readAllBytes(file), ShardedIndex.class);
    } catch (JsonProcessingException e) {
      throw new CorruptIndexException(file.toString(), e.getOriginalMessage(), e);
    } catch (NoSuchFileException e) {
      throw new CorruptIndexException(file.toString(), "file missing");
    }
  }

  /** Writes the description. */
  public void write(Path directory) throws IOException {
    Files.write(
        directory.resolve(FILE_NAME),
        MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(this));
  }

  /**
   * Opens all shards as one index: document numbers are those of the collection, and statistics, so
   * also scores, are those of one index. Closing the reader closes the shards.
   *
   * @throws IOException if a shard cannot be opened, or has another number of documents
   */
  public IndexReader open(Path directory) throws IOException {
    List<IndexReader> readers = new ArrayList<>();
    try {
      for (Shard shard : shards) {
        Path place = directory.resolve(shard.name());
        DirectoryReader reader = DirectoryReader.open(FSDirectory.open(place));
        readers.add(reader);
        if (reader.maxDoc() != shard.documents()) {
          throw new CorruptIndexException(
              place.toString(),
              "has %,d documents, expected %,d".formatted(reader.maxDoc(), shard.documents()));
        }
      }
      return new MultiReader(readers.toArray(new IndexReader[0]), true);
    } catch (IOException | RuntimeException e) {
      for (IndexReader reader : readers) {
        reader.close();
      }
      throw e;
    }
  }
}
