package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.JsonCounts;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.detect.FileFormat;
import io.kmodel.indexer.source.json.JsonDocument;
import io.kmodel.indexer.source.json.JsonRecords;
import io.kmodel.indexer.source.json.UnusedMembers;
import io.kmodel.indexer.source.lines.LineRecords;
import io.kmodel.indexer.source.lines.TextRecord;
import io.kmodel.indexer.source.lines.TsvDocument;
import io.kmodel.indexer.source.parquet.ParquetRecords;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.RecordRecovery;
import io.kmodel.indexer.source.record.Records;
import io.kmodel.indexer.source.trec.TrecRecords;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.warc.WarcRecords;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Creates the reader of a file's records that its format needs. The files of a thread share the
 * parser of JSON objects and the buffer for decoded pages, so one file is read at a time. Memory: a
 * document within the document size limit. Not thread-safe.
 */
final class RecordReaders {
  private final SourceOptions options;
  private final HeapGuard heap;

  /** For pages that archives hold in compressed or chunked form. */
  private final DocumentBuffer decoded;

  /** Created for the first JSON file, because most crawls have none. */
  private TextRecord.@Nullable Parser json;

  /** Counts the members of its objects that are not read. */
  private @Nullable UnusedMembers unused;

  private final JsonCounts objects = new JsonCounts();

  RecordReaders(SourceOptions options, HeapGuard heap) {
    this.options = options;
    this.heap = heap;
    this.decoded = new DocumentBuffer(options.maxDocumentBytes(), heap);
  }

  /**
   * Creates the reader of a file, or of a piece of it.
   *
   * @param path of the file below the given directory
   * @param from where the piece starts, by which Parquet finds its row groups
   */
  Records open(RecordFile file, String path, InputBytes raw, FileFormat format, long from)
      throws IOException {
    return switch (format.records()) {
      case WARC, WET, ARC ->
          new WarcRecords(
              file,
              options.docno(),
              options.metadata(),
              new RecordRecovery(file, format.recordStarts()),
              decoded);
      case TREC -> new TrecRecords(file, options.docno(), options.metadata(), format.tags());
      case JSONL, BEIR, VECTORS -> new LineRecords(file, options.docno(), json());
      case JSON -> new JsonRecords(file, options.docno(), json());
      case TSV ->
          new LineRecords(
              file,
              options.docno(),
              new TsvDocument(format.columns(), options.metadata(), options.quotes()));
      case AUTO, TEXT, HTML ->
          new WholeFile(file, path, PathStem.id(path, options.docno()), format, raw.size());
      case PARQUET -> {
        ParquetRecords.requirePlain(format.compression());
        yield new ParquetRecords(file, raw, from, options, heap.decoders());
      }
    };
  }

  private TextRecord.Parser json() {
    TextRecord.Parser parser = json;
    if (parser == null) {
      UnusedMembers counter = JsonDocument.unused(options);
      parser = JsonDocument.parser(options, counter, objects);
      json = parser;
      unused = counter;
    }
    return parser;
  }

  /** Empties the buffer for decoded pages, and frees it if a large one made it grow. */
  void clear() {
    decoded.clear();
  }

  /** The name of a file's format in reports, which say whether quotes have a meaning. */
  String label(FileFormat format, ContentType type) {
    String label = format.label(type);
    boolean areQuoted = options.quotes().apply(format.columns() != null);
    return format.records() == Format.TSV && areQuoted ? "quoted " + label : label;
  }

  /** Reports what the parser of JSON objects has counted, if there was one, once. */
  void reportObjects(SkipListener skips) {
    UnusedMembers counter = unused;
    if (counter != null) {
      skips.unused(counter.take());
      skips.objects(objects);
      unused = null;
    }
  }
}
