package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.analysis.Analyzers;
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
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.jspecify.annotations.Nullable;

/**
 * Runs whose tokenized fields a device inverts: this thread only collects their texts in a block,
 * and the keys of the other fields in a builder. The CPU makes a separate run of a document that no
 * block holds, and all runs once no device takes blocks any more. Not thread-safe.
 *
 * <p>Memory: the block and the builder, or instead of the builder the buffers that make runs on the
 * CPU. A block that the CPU inverts takes another run's memory for that time.
 */
final class InvertingRuns implements DocumentRuns {
  /**
   * How runs are made.
   *
   * @param othersBytes memory for the other fields
   * @param onCpu makes the runs that no device makes
   */
  record Settings(
      Schema schema,
      DocumentAnalysis analysis,
      long othersBytes,
      Supplier<RunBuffers> onCpu,
      StageClock clock) {}

  /** The texts for a device, and the keys of the other fields. */
  private static final class Texts implements AutoCloseable {
    final TextBlock block;
    final PlainText plain;
    final RunBuilder others;

    Texts(InversionStage stage, Settings settings) {
      this.others = new RunBuilder(settings.schema, settings.othersBytes);
      try {
        this.block = stage.newBlock();
      } catch (OutOfMemoryError e) {
        others.close();
        throw e;
      }
      this.plain = new PlainText(block);
    }

    void clear() {
      others.reset();
      block.clear();
    }

    @Override
    public void close() {
      others.close();
      block.close();
    }
  }

  private final InversionStage stage;
  private final Settings settings;

  /** Analyzes texts that are not well-formed. */
  private final DocumentAnalysis words;

  private final Analyzer standard = Analyzers.named(Analyzers.STANDARD);

  /** Null while the CPU makes the runs. */
  private @Nullable Texts texts;

  private @Nullable RunBuffers onCpu;

  /** Whether the CPU only makes the run of a large document. */
  private boolean hasGrown;

  /** Empty runs. */
  InvertingRuns(InversionStage stage, Settings settings) {
    this.stage = stage;
    this.settings = settings;
    this.words = DocumentAnalysis.of(Analyzers.STANDARD, standard);
    this.texts = new Texts(stage, settings);
  }

  @Override
  public Outcome add(ParsedDocument document) throws MalformedDocumentException {
    if (texts != null && documentCount() == 0 && stage.isGivenUp()) {
      toCpu();
    }
    return texts == null ? buffers().add(document) : add(document, texts);
  }

  private Outcome add(ParsedDocument document, Texts to) throws MalformedDocumentException {
    if (to.others.documentCount() > 0 && stage.isGivenUp()) {
      return Outcome.RUN_FULL;
    }
    to.others.startDocument();
    try {
      settings.analysis.analyzeKeywords(document, settings.schema, to.others::add);
      for (int ordinal : stage.fields().ordinals()) {
        to.block.startPart();
        add(document, ordinal, to.plain);
        to.block.endPart();
      }
    } catch (MalformedDocumentException | RuntimeException e) {
      to.others.abandonDocument();
      to.block.abandonDocument();
      throw e;
    }
    Outcome outcome;
    if (to.block.fits() && to.block.bytes() <= stage.blockBytes()) {
      outcome = to.others.finishDocument();
    } else {
      outcome = to.others.documentCount() == 0 ? Outcome.TOO_LARGE : Outcome.RUN_FULL;
      to.others.abandonDocument();
    }
    if (outcome == Outcome.ADDED) {
      to.block.finishDocument();
    } else {
      to.block.abandonDocument();
    }
    return outcome;
  }

  private void add(ParsedDocument document, int ordinal, PlainText plain)
      throws MalformedDocumentException {
    FieldText text = document.text(settings.schema.field(ordinal).name());
    if (text.isWellFormed()) {
      plain.append(text.bytes(), text.offset(), text.length());
    } else {
      // Only words: if their stems are wanted, the inversion makes them.
      words.analyzeText(
          document,
          settings.schema,
          ordinal,
          (field, bytes, offset, length, position) -> plain.word(bytes, offset, length));
    }
  }

  private RunBuffers buffers() {
    RunBuffers present = onCpu;
    if (present == null) {
      throw new IllegalStateException("runs were closed");
    }
    return present;
  }

  private void toCpu() {
    if (texts != null) {
      texts.close();
      texts = null;
    }
    onCpu = settings.onCpu.get();
  }

  @Override
  public int documentCount() {
    return texts == null ? buffers().documentCount() : texts.others.documentCount();
  }

  @Override
  public void clear() {
    if (texts == null) {
      buffers().clear();
    } else {
      texts.clear();
    }
  }

  @Override
  public void seal(SplitOutput output) throws IOException, InterruptedException {
    if (texts == null) {
      buffers().seal(output);
    } else if (output.wants(texts.others)) {
      seal(output, texts);
    } else {
      texts.clear();
    }
  }

  private void seal(SplitOutput output, Texts full) throws IOException, InterruptedException {
    StageClock clock = settings.clock;
    try (SplitOutput.Run run = output.endRun()) {
      clock.time(Activity.SORT, () -> full.others.sort(SortStages.onCpu()));
      long start = System.nanoTime();
      try (InvertedText text = stage.invert(full.block)) {
        if (text.byDevice()) {
          clock.waited(Activity.SORT, start);
        } else {
          clock.lap(Activity.SORT, start);
        }
        clock.produced(Activity.ANALYZE, Long.BYTES * (full.others.tokenCount() + text.tokens()));
        run.postings(new InvertedRun(settings.schema, full.others, text, stage.fields()));
      }
    }
    full.clear();
  }

  @Override
  public void finish() throws IOException, InterruptedException {
    if (texts == null) {
      buffers().finish();
    }
  }

  @Override
  public boolean grow() throws IOException, InterruptedException {
    if (texts == null) {
      return buffers().grow();
    }
    toCpu();
    hasGrown = true;
    return true;
  }

  @Override
  public long neededBytes() {
    return buffers().neededBytes();
  }

  @Override
  public boolean hasGrown() {
    return hasGrown || (texts == null && buffers().hasGrown());
  }

  @Override
  public void shrink() throws IOException {
    if (!hasGrown) {
      if (texts == null) {
        buffers().shrink();
      }
      return;
    }
    hasGrown = false;
    RunBuffers made = buffers();
    if (stage.isGivenUp()) {
      made.shrink();
      return;
    }
    onCpu = null;
    made.close();
    texts = new Texts(stage, settings);
  }

  @Override
  public void close() throws IOException {
    standard.close();
    if (texts != null) {
      texts.close();
    }
    if (onCpu != null) {
      onCpu.close();
    }
  }
}
