package io.kmodel.indexer.indexing.journal;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import io.kmodel.indexer.index.WriterCheckpoint;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.parse.html.HtmlUnsure;
import io.kmodel.indexer.source.JsonCounts;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.store.FileSeal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A line of the journal: something that is finished and safe on the disk. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
  @JsonSubTypes.Type(value = JournalEntry.Started.class, name = "begun"),
  @JsonSubTypes.Type(value = JournalEntry.SplitSealed.class, name = "split"),
  @JsonSubTypes.Type(value = JournalEntry.SplitDropped.class, name = "dropped"),
  @JsonSubTypes.Type(value = JournalEntry.RunsMerged.class, name = "runs"),
  @JsonSubTypes.Type(value = JournalEntry.RangesCut.class, name = "ranges"),
  @JsonSubTypes.Type(value = JournalEntry.RangesMerged.class, name = "merged"),
  @JsonSubTypes.Type(value = JournalEntry.Finished.class, name = "finished")
})
sealed interface JournalEntry {
  /** Reads lines; null is an error except for members that allow it. */
  ObjectReader LINES =
      Json.MAPPER
          .copy()
          .setDefaultSetterInfo(JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL))
          .readerFor(JournalEntry.class);

  /**
   * Parses a line of the journal.
   *
   * @throws JsonProcessingException if this version does not know its contents
   */
  static JournalEntry parse(String line) throws JsonProcessingException {
    return LINES.readValue(line);
  }

  /**
   * The first line.
   *
   * @param options everything that decides the contents of the index, by name
   * @param splitBytes size that the crawl was cut by
   * @param leadingThreads threads for which leading splits were cut, if there are any (see {@link
   *     io.kmodel.indexer.source.crawl.LeadingSplits})
   * @param splits number of splits
   * @param borders checksum of where splits begin and end
   * @param input list of the files
   */
  record Started(
      Map<String, String> options,
      long splitBytes,
      int leadingThreads,
      int splits,
      String borders,
      FileSeal input)
      implements JournalEntry {}

  /** A run of a split, and its number of documents. */
  record Run(FileSeal file, int documents) {}

  /** How the pages of a split were read. */
  record Pages(long fast, long jsoup, Map<HtmlUnsure, Long> unsure) {}

  /** How the JSON objects of a split were read. */
  record JsonObjects(long fast, Map<JsonCounts.Unsure, Long> unsure) {
    static final JsonObjects NONE = new JsonObjects(0, Map.of());
  }

  /**
   * Skipped documents of a split: their list, numbers by reason, and examples.
   *
   * @param unread numbers of metadata values that could not be read
   * @param unused numbers of JSON members that are not read
   * @param objects how the JSON objects were read
   */
  record Skips(
      FileSeal file,
      Map<SkipReason, Long> counts,
      @JsonSetter(nulls = Nulls.SET) Map<String, Long> unread,
      @JsonSetter(nulls = Nulls.SET) Map<String, Long> unused,
      @JsonSetter(nulls = Nulls.SET) JsonObjects objects,
      Map<SkipReason, List<SkipLog.Skipped>> examples) {
    public Skips {
      // Older lines lack these numbers.
      unread = Objects.requireNonNullElse(unread, Map.of());
      unused = Objects.requireNonNullElse(unused, Map.of());
      objects = Objects.requireNonNullElse(objects, JsonObjects.NONE);
    }
  }

  /**
   * A split was read, and everything made of it is safe.
   *
   * @param stored its stored documents
   * @param columns its values of columns
   * @param ids see {@code IdHashes}
   * @param signatures see {@code SignatureWriter}
   * @param sources documents by the format of their files
   */
  record SplitSealed(
      Reading reading,
      List<Run> runs,
      @JsonSetter(nulls = Nulls.SET) @Nullable FileSeal stored,
      @JsonSetter(nulls = Nulls.SET) @Nullable FileSeal columns,
      @JsonSetter(nulls = Nulls.SET) @Nullable FileSeal ids,
      @JsonSetter(nulls = Nulls.SET) @Nullable FileSeal signatures,
      Skips skips,
      Pages pages,
      boolean missedBorder,
      Map<String, BuildReport.Source> sources)
      implements JournalEntry {}

  /** Another reading replaces this one, whose runs and documents are deleted. */
  record SplitDropped(Reading reading) implements JournalEntry {}

  /** Runs were merged into a larger one in a merge pass, and are deleted. */
  record RunsMerged(int pass, FileSeal file, List<String> inputs) implements JournalEntry {}

  /** The keys at which all term ranges of the last merge but the first begin. */
  record RangesCut(List<byte[]> keys) implements JournalEntry {}

  /** The first {@code ranges} term ranges are in the index. */
  record RangesMerged(int ranges, WriterCheckpoint index) implements JournalEntry {}

  /**
   * The index is complete.
   *
   * @param metadata a file of it that no other index has
   * @param form options of the target that its files depend on
   */
  record Finished(FileSeal metadata, @JsonSetter(nulls = Nulls.SET) Map<String, String> form)
      implements JournalEntry {
    public Finished {
      // Older lines have no form; they were written for our own indexes, whose form is empty.
      form = Objects.requireNonNullElse(form, Map.of());
    }
  }
}
