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
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.store.FileSeal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One line of a build's journal: something that is finished, and safe on the disk. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
  @JsonSubTypes.Type(value = JournalEntry.Begun.class, name = "begun"),
  @JsonSubTypes.Type(value = JournalEntry.SplitSealed.class, name = "split"),
  @JsonSubTypes.Type(value = JournalEntry.SplitDropped.class, name = "dropped"),
  @JsonSubTypes.Type(value = JournalEntry.RunsMerged.class, name = "runs"),
  @JsonSubTypes.Type(value = JournalEntry.RangesCut.class, name = "ranges"),
  @JsonSubTypes.Type(value = JournalEntry.RangesMerged.class, name = "merged"),
  @JsonSubTypes.Type(value = JournalEntry.Finished.class, name = "finished")
})
public sealed interface JournalEntry {
  /** Reads lines; a null is an error where a member is not said to have it. */
  ObjectReader LINES =
      Json.MAPPER
          .copy()
          .setDefaultSetterInfo(JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL))
          .readerFor(JournalEntry.class);

  /**
   * From a line of the journal.
   *
   * @throws JsonProcessingException if it says what this version does not know
   */
  static JournalEntry parse(String line) throws JsonProcessingException {
    return LINES.readValue(line);
  }

  /**
   * The first line.
   *
   * @param options all that decides what the index is, by name
   * @param splitBytes what the crawl was cut by
   * @param leadingThreads threads for which splits came first, if the crawl had such (see {@link
   *     io.kmodel.indexer.source.crawl.LeadingSplits})
   * @param splits how many came of that
   * @param borders a checksum of where they begin and end
   * @param input the list of files
   */
  record Begun(
      Map<String, String> options,
      long splitBytes,
      int leadingThreads,
      int splits,
      String borders,
      FileSeal input)
      implements JournalEntry {}

  /** A run of a split, and how many documents it has. */
  record Run(FileSeal file, int documents) {}

  /** How the pages of a split were read. */
  record Pages(long fast, long jsoup, Map<HtmlUnsure, Long> unsure) {}

  /** What was left out of a split: the list of it, how many by reason, and the first few. */
  record Skips(
      FileSeal file,
      Map<SkipReason, Long> counts,
      Map<SkipReason, List<SkipLog.Skipped>> examples) {}

  /**
   * A split was read, and all that came of it is here.
   *
   * @param stored its stored documents
   * @param ids see {@code IdHashes}
   * @param sources of the documents, by the format of their files
   */
  record SplitSealed(
      Reading reading,
      List<Run> runs,
      @JsonSetter(nulls = Nulls.SET) @Nullable FileSeal stored,
      @JsonSetter(nulls = Nulls.SET) @Nullable FileSeal ids,
      Skips skips,
      Pages pages,
      boolean missedBorder,
      Map<String, BuildReport.Source> sources)
      implements JournalEntry {}

  /** Another reading takes the place of this one, whose runs and documents are deleted. */
  record SplitDropped(Reading reading) implements JournalEntry {}

  /** Runs were merged into a larger one, in some pass, and are deleted. */
  record RunsMerged(int pass, FileSeal file, List<String> inputs) implements JournalEntry {}

  /** The keys at which all ranges but the first of the last merge begin. */
  record RangesCut(List<byte[]> keys) implements JournalEntry {}

  /** The first {@code ranges} ranges are in the index. */
  record RangesMerged(int ranges, WriterCheckpoint index) implements JournalEntry {}

  /**
   * The index is complete.
   *
   * @param metadata a file of it that no other index has
   * @param form what it depends on that its runs do not, by option
   */
  record Finished(FileSeal metadata, @JsonSetter(nulls = Nulls.SET) Map<String, String> form)
      implements JournalEntry {
    public Finished {
      // Lines of before have none: they were of our own indexes alone, whose form is empty.
      form = Objects.requireNonNullElse(form, Map.of());
    }
  }
}
