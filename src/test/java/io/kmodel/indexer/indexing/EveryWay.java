package io.kmodel.indexer.indexing;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.equality.FieldInfosEquality;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.verify.DeepVerifier;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SourceOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Every way from a crawl to an index, each compared with IndexWriter's of the same documents. */
final class EveryWay {
  private EveryWay() {}

  /** Of a build by two threads into a new directory, duplicates kept, HTML read without a tree. */
  static BuildOptions options(Path crawl, Path output, IndexedText text) {
    return new BuildOptions(
        ImmutableList.of(crawl),
        SourceOptions.DEFAULT,
        Duplicates.KEEP,
        output,
        false,
        HtmlMode.FAST,
        text,
        new BuildOptions.Resources(2, 2L << 30));
  }

  /**
   * Builds our index, verified deeply; exports it; and builds Lucene's straight from the crawl. The
   * indexes lie beside the options' output.
   *
   * @param options of a build of one crawl
   * @param plan of our index; runs of the last wait in memory where they are merged
   * @param segments what the last is done with, once each
   */
  static void compare(BuildOptions options, MemoryPlan plan, int... segments) throws Exception {
    new Indexing(options, Target.ownIndex(), new BuildProgress(), plan).run();
    IndexVerifier.verify(options.output(), ProgressListener.NONE);
    DeepVerifier.verify(options.output(), ProgressListener.NONE);
    IndexedText text = options.text();
    List<ParsedDocument> documents = Crawls.read(options.roots().get(0), text.fields());
    try (Analyzer lucenes = text.analysis().newAnalyzer();
        DirectoryReader reference = ReferenceIndex.inMemory(options.schema(), lucenes, documents);
        InvertedIndex index = InvertedIndex.open(options.output());
        IndexLeafReader ours = new IndexLeafReader(index)) {
      IndexEquality.assertSame(reference, ours);
      Path exported = options.output().resolveSibling("exported");
      LuceneExporter.export(index, exported, new ExportOptions(2, 2, IndexCheck.SLOW));
      assertSame(reference, options.schema(), lucenes, documents, exported);
      MemoryPlan keeping =
          new MemoryPlan(
              plan.heapBytes(),
              plan.runBytes(),
              plan.mergeBytes(),
              plan.documentHeapBytes(),
              256 << 20);
      for (int count : segments) {
        BuildOptions straight =
            options.withOutput(options.output().resolveSibling("built-" + count));
        Target target = Target.lucene(count, IndexCheck.SLOW);
        new Indexing(straight, target, new BuildProgress(), keeping).run();
        assertSame(reference, options.schema(), lucenes, documents, straight.output());
      }
    }
  }

  private static void assertSame(
      DirectoryReader reference,
      Schema schema,
      Analyzer lucenes,
      List<ParsedDocument> documents,
      Path index)
      throws IOException {
    try (Directory lucene = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(lucene)) {
      IndexEquality.assertSame(reference, reader);
      FieldInfosEquality.assertAsByIndexWriter(schema, lucenes, documents, reader);
    }
  }
}
