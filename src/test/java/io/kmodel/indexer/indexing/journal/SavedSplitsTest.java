package io.kmodel.indexer.indexing.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.indexing.journal.JournalEntry.SplitSealed;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.indexing.report.SourceCounts;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.parse.html.HtmlCounts;
import io.kmodel.indexer.parse.html.HtmlUnsure;
import io.kmodel.indexer.source.JsonCounts;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What came of a split is in its line of the journal, too. */
class SavedSplitsTest {
  private static final Reading READING = new Reading(3, 1);

  @TempDir Path directory;

  /** Nobody would read again what missed a border, and documents would be lost in silence. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatCameOfASplitIsKnownToWhoGoesOn(boolean missedBorder) throws Exception {
    Path ids = Files.writeString(directory.resolve("ids"), "hashes");
    SkipLog skips = new SkipLog(directory.resolve("skipped"), SkipListener.NONE);
    skips.skipped(new Location("a.warc", 7, "d"), SkipReason.NOT_TEXT, "why");
    skips.objects(JsonCounts.of(8, Map.of(JsonCounts.Unsure.NAME, 9L)));
    skips.close();
    SourceCounts sources = new SourceCounts();
    sources.add("WARC", 5);
    sources.add("WARC", 6);
    HtmlCounts html = HtmlCounts.of(4, 3, Map.of(HtmlUnsure.DEPTH, 2L));
    SplitResult before = again(new SplitResult(ids, ids, skips, html, missedBorder, sources));
    assertThat(before.ids()).isEqualTo(ids);
    assertThat(before.signatures()).isEqualTo(ids);
    assertThat(before.skips().file()).isEqualTo(skips.file());
    assertThat(before.skips().counts()).isEqualTo(skips.counts()).isNotEmpty();
    assertThat(before.skips().examples()).isEqualTo(skips.examples());
    assertThat(before.skips().objects().fast()).isEqualTo(8);
    assertThat(before.skips().objects().unsure()).isEqualTo(Map.of(JsonCounts.Unsure.NAME, 9L));
    assertThat(before.html().fast()).isEqualTo(4);
    assertThat(before.html().jsoup()).isEqualTo(3);
    assertThat(before.html().unsure()).isEqualTo(Map.of(HtmlUnsure.DEPTH, 2L));
    assertThat(before.missedBorder()).isEqualTo(missedBorder);
    assertThat(before.sources().byFormat())
        .isEqualTo(Map.of("WARC", new BuildReport.Source(2, 11)));
  }

  @Test
  void aSplitMayHaveNoIds() throws Exception {
    SkipLog skips = new SkipLog(directory.resolve("skipped"), SkipListener.NONE);
    skips.close();
    SplitResult before =
        again(new SplitResult(null, null, skips, new HtmlCounts(), false, new SourceCounts()));
    assertThat(before.ids()).isNull();
    assertThat(before.skips().total()).isZero();
    assertThat(before.sources().total()).isEqualTo(BuildReport.Source.NONE);
  }

  private SplitResult again(SplitResult result) throws Exception {
    SplitSealed sealed = SavedSplits.seal(READING, result, List.of(), new StoredFiles(null, null));
    JournalEntry line = JournalEntry.parse(Json.MAPPER.writeValueAsString(sealed));
    assertThat(line).isInstanceOf(SplitSealed.class);
    assertThat(((SplitSealed) line).reading()).isEqualTo(READING);
    return SavedSplits.result((SplitSealed) line, directory);
  }
}
