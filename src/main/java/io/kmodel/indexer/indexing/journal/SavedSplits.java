package io.kmodel.indexer.indexing.journal;

import io.kmodel.indexer.indexing.journal.JournalEntry.JsonObjects;
import io.kmodel.indexer.indexing.journal.JournalEntry.Pages;
import io.kmodel.indexer.indexing.journal.JournalEntry.Run;
import io.kmodel.indexer.indexing.journal.JournalEntry.Skips;
import io.kmodel.indexer.indexing.journal.JournalEntry.SplitSealed;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.indexing.report.SourceCounts;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.parse.html.HtmlCounts;
import io.kmodel.indexer.source.JsonCounts;
import io.kmodel.indexer.store.FileSeal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts between the result of a split and a line of the journal. */
final class SavedSplits {
  private SavedSplits() {}

  /** Forces the files of a reading to the disk. */
  static SplitSealed seal(
      Reading reading, SplitResult result, List<FinishedRun> runs, StoredFiles stored)
      throws IOException {
    List<Run> sealed = new ArrayList<>();
    for (FinishedRun run : runs) {
      sealed.add(new Run(FileSeal.force(run.file(), true), run.documents()));
    }
    SkipLog skips = result.skips();
    HtmlCounts html = result.html();
    Path list = skips.file();
    Path ids = result.ids();
    Path signatures = result.signatures();
    if (list == null) {
      throw new IllegalStateException("what a split leaves out is listed in a file");
    }
    return new SplitSealed(
        reading,
        sealed,
        seal(stored.documents()),
        seal(stored.columns()),
        ids == null ? null : FileSeal.force(ids, false),
        signatures == null ? null : FileSeal.force(signatures, false),
        new Skips(
            FileSeal.force(list, false),
            skips.counts(),
            skips.unread(),
            skips.unused(),
            new JsonObjects(skips.objects().fast(), skips.objects().unsure()),
            skips.examples()),
        new Pages(html.fast(), html.jsoup(), html.unsure()),
        result.missedBorder(),
        result.sources().byFormat());
  }

  private static @Nullable FileSeal seal(@Nullable Path file) throws IOException {
    return file == null ? null : FileSeal.force(file, true);
  }

  private static @Nullable Path in(@Nullable FileSeal file, Path directory) {
    return file == null ? null : file.in(directory);
  }

  /** The result of a saved reading, whose files are in a directory. */
  static SplitResult result(SplitSealed sealed, Path directory) {
    Skips skips = sealed.skips();
    Pages pages = sealed.pages();
    return new SplitResult(
        in(sealed.ids(), directory),
        in(sealed.signatures(), directory),
        SkipLog.of(
            skips.file().in(directory),
            skips.counts(),
            skips.unread(),
            skips.unused(),
            JsonCounts.of(skips.objects().fast(), skips.objects().unsure()),
            skips.examples()),
        HtmlCounts.of(pages.fast(), pages.jsoup(), pages.unsure()),
        sealed.missedBorder(),
        SourceCounts.of(sealed.sources()));
  }
}
