package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.analysis.DocumentAnalysis;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.inversion.InversionStage;
import io.kmodel.indexer.inversion.InvertedRun;
import io.kmodel.indexer.inversion.InvertedText;
import io.kmodel.indexer.inversion.PlainText;
import io.kmodel.indexer.inversion.TextBlock;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldText;
import io.kmodel.indexer.run.Outcome;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.sort.SortStages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs whose tokenized fields a device inverts: this thread only collects their texts in a block,
 * and the keys of the other fields in a builder. The CPU makes a separate run of a document that no
 * block holds. Memory: a block, and an eighth of that for the builder; while a large document is
 * made, that of its run instead of the block. Not thread-safe.
 */
final class InvertingRuns implements DocumentRuns {
  private final Schema schema;
  private final DocumentAnalysis analysis;
  private final InversionStage stage;
  private final List<Integer> ordinals;
  private final StageClock clock;
  private final Supplier<RunBuffers> large;

  private final RunBuilder others;
  private TextBlock block;
  private PlainText plain;

  /** For a document that no block holds; null without one. */
  private @Nullable RunBuffers grown;

  /**
   * Empty runs.
   *
   * @param ordinals of the inverted fields, in order
   * @param othersBytes memory for the other fields
   * @param large makes runs for documents that no block holds
   */
  InvertingRuns(
      Schema schema,
      DocumentAnalysis analysis,
      InversionStage stage,
      List<Integer> ordinals,
      long othersBytes,
      Supplier<RunBuffers> large,
      StageClock clock) {
    this.schema = schema;
    this.analysis = analysis;
    this.stage = stage;
    this.ordinals = ordinals;
    this.clock = clock;
    this.large = large;
    this.others = new RunBuilder(schema, othersBytes);
    this.block = stage.newBlock();
    this.plain = new PlainText(block);
  }

  @Override
  public Outcome add(ParsedDocument document) throws MalformedDocumentException {
    if (grown != null) {
      return grown.add(document);
    }
    others.startDocument();
    try {
      analysis.analyzeKeywords(document, schema, others::add);
      for (int ordinal : ordinals) {
        block.startPart();
        add(document, ordinal);
        block.endPart();
      }
    } catch (MalformedDocumentException | RuntimeException e) {
      others.abandonDocument();
      block.abandonDocument();
      throw e;
    }
    Outcome outcome;
    if (block.fits()) {
      outcome = others.finishDocument();
    } else {
      outcome = others.documentCount() == 0 ? Outcome.TOO_LARGE : Outcome.RUN_FULL;
      others.abandonDocument();
    }
    if (outcome == Outcome.ADDED) {
      block.finishDocument();
    } else {
      block.abandonDocument();
    }
    return outcome;
  }

  private void add(ParsedDocument document, int ordinal) throws MalformedDocumentException {
    FieldText text = document.text(schema.field(ordinal).name());
    if (text.isWellFormed()) {
      plain.append(text.bytes(), text.offset(), text.length());
    } else {
      analysis.analyzeText(
          document,
          schema,
          ordinal,
          (field, bytes, offset, length, position) -> plain.word(bytes, offset, length));
    }
  }

  @Override
  public int documentCount() {
    return grown == null ? others.documentCount() : grown.documentCount();
  }

  @Override
  public void clear() {
    if (grown != null) {
      grown.clear();
    }
    others.reset();
    block.clear();
  }

  @Override
  public void seal(SplitOutput output) throws IOException, InterruptedException {
    if (grown != null) {
      grown.seal(output);
      return;
    }
    try (SplitOutput.Run run = output.endRun()) {
      others.sort(SortStages.onCpu());
      long start = System.nanoTime();
      try (InvertedText text = stage.invert(block)) {
        clock.waited(Activity.SORT, start);
        clock.produced(Activity.ANALYZE, Long.BYTES * (others.tokenCount() + text.tokens()));
        run.postings(
            new InvertedRun(
                schema, others, text, ordinals.stream().mapToInt(Integer::intValue).toArray()));
      }
    }
    others.reset();
    block.clear();
  }

  @Override
  public void finish() throws IOException, InterruptedException {
    if (grown != null) {
      grown.finish();
    }
  }

  @Override
  public boolean grow() throws IOException, InterruptedException {
    if (grown != null) {
      return grown.grow();
    }
    stage.release(block);
    grown = large.get();
    return true;
  }

  @Override
  public boolean hasGrown() {
    return grown != null;
  }

  @Override
  public void shrink() {
    RunBuffers made = grown;
    if (made != null) {
      grown = null;
      made.shrink();
      try {
        made.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      block = stage.newBlock();
      plain = new PlainText(block);
    }
  }

  @Override
  public void close() throws IOException {
    others.close();
    if (grown == null) {
      stage.release(block);
    } else {
      grown.close();
    }
  }
}
