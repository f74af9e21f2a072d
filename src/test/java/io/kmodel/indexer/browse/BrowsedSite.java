package io.kmodel.indexer.browse;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.html.HtmlMode;
import java.nio.file.Path;

/** Indexes to look into, of both kinds. */
final class BrowsedSite {
  static final Path SITE = Path.of("corpus-samples/site");

  /** The kinds of index that the same tests are for. */
  enum Kind {
    OURS,
    LUCENE
  }

  private BrowsedSite() {}

  /** Builds an index of files, with the contents stored. */
  static void build(Path crawl, Path index) throws Exception {
    BuildOptions options =
        new BuildOptions(
            ImmutableList.of(crawl),
            index,
            true,
            HtmlMode.FAST,
            "standard",
            true,
            Store.CONTENTS,
            new Resources(1, 2L << 30));
    new Indexing(options, Target.ownIndex(), new BuildProgress()).run();
  }

  /** Exports an index to a Lucene index of three segments with the same documents. */
  static void export(Path index, Path lucene) throws Exception {
    try (InvertedIndex opened = InvertedIndex.open(index)) {
      LuceneExporter.export(opened, lucene, new ExportOptions(3, 1, IndexCheck.NONE));
    }
  }
}
