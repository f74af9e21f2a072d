package io.kmodel.indexer.experiment;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.task.Workers;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringTokenizer;
import java.util.concurrent.Callable;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a crawl's documents, or passages of their texts, to a few large files in a form that other
 * programs read, to race them on the same collection. The title is the first line of a text.
 *
 * @param form of the files
 * @param files the largest number of files, each written by one thread; a crawl in fewer parts of 1
 *     MiB gives fewer if its documents are written once
 * @param words words of a passage, which are then separated by single spaces, or 0 for whole
 *     documents
 * @param documents how many to write, numbered from 0; the crawl is read as often as that takes. 0
 *     for each once, by its own id, to which the passage's number is appended
 * @param compressed whether files are compressed by gzip
 */
public record CollectionFiles(Form form, int files, int words, long documents, boolean compressed) {
  private static final long SPLIT_BYTES = 1L << 20;
  private static final int BUFFER_BYTES = 1 << 16;

  /** What a file looks like. */
  public enum Form {
    /** JSON lines with the members {@code id} and {@code contents}. */
    JSONL,
    /** TREC's {@code DOC} elements; {@code <} and {@code &} in a text become spaces. */
    TREC;

    String suffix() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public CollectionFiles {
    if (files < 1 || words < 0 || documents < 0) {
      throw new IllegalArgumentException(
          "there must be 1 file or more, and no negative numbers of words or documents; got"
              + " %d files, %d words, %d documents".formatted(files, words, documents));
    }
  }

  /**
   * Writes the files; those written so far are deleted if that fails.
   *
   * @param target an empty directory, created if it does not exist
   * @throws IllegalArgumentException if the target is anything else or overlaps the corpus, or if
   *     the corpus has no text although documents are to be written
   */
  public TextExtraction.Result write(Path corpus, Path target)
      throws IOException, InterruptedException {
    WorkPlace.requireApart(corpus, "--output", target);
    TextExtraction.requireEmpty(target);
    SkipLog skips = new SkipLog();
    Crawl crawl = Crawl.open(List.of(corpus), SourceOptions.DEFAULT_MAX_DOCUMENT_BYTES, skips);
    List<Split> splits = TextExtraction.wholeFiles(crawl, SPLIT_BYTES);
    Files.createDirectories(target);
    List<Path> paths = new ArrayList<>();
    List<Callable<Long>> tasks = new ArrayList<>();
    int most = documents > 0 ? files : Math.clamp(splits.size(), 1, files);
    for (int file = 0; file < most; file++) {
      Path path =
          target.resolve("part-%05d.%s%s".formatted(file, form.suffix(), compressed ? ".gz" : ""));
      paths.add(path);
      Part part = new Part(splits, file, most, skips);
      tasks.add(() -> part.write(path));
    }
    int threads = Math.min(most, Runtime.getRuntime().availableProcessors());
    try (Workers workers = new Workers("extract", threads)) {
      long written = workers.runAll(tasks).stream().mapToLong(Long::longValue).sum();
      if (written < documents) {
        throw new IllegalArgumentException("the corpus has no text");
      }
      return TextExtraction.result(written, skips);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      for (Path path : paths) {
        Files.deleteIfExists(path);
      }
      throw e;
    }
  }

  private OutputStream open(Path path) throws IOException {
    OutputStream file =
        Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    return compressed ? new FastGzip(file) : new BufferedOutputStream(file, BUFFER_BYTES);
  }

  /** Writes one file: its share of the documents, from its share of the splits on. */
  private final class Part {
    private final List<Split> splits;
    private final SkipLog skips;
    private final DocumentParser parser = new DocumentParser();
    private final int firstSplit;
    private final int endSplit;

    /** The next document's number, and the number at which to stop. */
    private long number;

    private final long end;
    private final boolean numbered = documents > 0;

    /** Splits without text in succession; a crawl without text would be read forever. */
    private int empty;

    Part(List<Split> splits, int part, int parts, SkipLog skips) {
      this.splits = splits;
      this.skips = skips;
      this.firstSplit = (int) ((long) splits.size() * part / parts);
      this.endSplit = (int) ((long) splits.size() * (part + 1) / parts);
      this.number = share(part, parts);
      this.end = numbered ? share(part + 1, parts) : Long.MAX_VALUE;
    }

    private long share(int part, int parts) {
      return documents / parts * part + documents % parts * part / parts;
    }

    long write(Path path) throws IOException, InterruptedException {
      long before = number;
      boolean wentRound = false;
      try (OutputStream out = open(path);
          DocumentWriter writer = DocumentWriter.of(form, out)) {
        if (numbered) {
          for (int i = firstSplit;
              number < end && empty < splits.size();
              i = (i + 1) % splits.size()) {
            long first = number;
            boolean isOwn = !wentRound && i >= firstSplit && i < endSplit;
            write(splits.get(i), writer, isOwn ? skips : new SkipLog());
            empty = number > first ? 0 : empty + 1;
            wentRound |= i == splits.size() - 1;
          }
        } else {
          for (int i = firstSplit; i < endSplit; i++) {
            write(splits.get(i), writer, skips);
          }
        }
      }
      if (number == before) {
        Files.delete(path);
      }
      return number - before;
    }

    /**
     * Writes the documents of a split.
     *
     * @param leftOut receives the documents left out; each split counts once, for its own part
     */
    private void write(Split split, DocumentWriter out, SkipLog leftOut)
        throws IOException, InterruptedException {
      try (DocumentReader reader = split.open(leftOut)) {
        for (RawDocument raw = reader.next(); raw != null && number < end; raw = reader.next()) {
          ParsedDocument document;
          try {
            document = parser.parse(raw);
          } catch (MalformedDocumentException e) {
            leftOut.skipped(raw.place(), e.reason(), String.valueOf(e.getMessage()));
            continue;
          }
          String title = document.title();
          String text = (title.isEmpty() ? "" : title + "\n") + document.contents();
          if (words == 0) {
            out.write(numbered ? String.valueOf(number) : document.id(), text);
            number++;
          } else {
            writePassages(document.id(), text, out);
          }
        }
      }
    }

    private void writePassages(String id, String text, DocumentWriter out) throws IOException {
      StringTokenizer tokens = new StringTokenizer(text);
      StringBuilder passage = new StringBuilder();
      for (int i = 0; tokens.hasMoreTokens() && number < end; i++) {
        passage.setLength(0);
        for (int word = 0; word < words && tokens.hasMoreTokens(); word++) {
          passage.append(word == 0 ? "" : " ").append(tokens.nextToken());
        }
        out.write(numbered ? String.valueOf(number) : id + "-" + i, passage.toString());
        number++;
      }
    }
  }

  /** Writes documents in one form. */
  private interface DocumentWriter extends AutoCloseable {
    void write(String id, String text) throws IOException;

    @Override
    void close() throws IOException;

    static DocumentWriter of(Form form, OutputStream out) throws IOException {
      return switch (form) {
        case JSONL -> new JsonWriter(Json.MAPPER.createGenerator(out));
        case TREC -> new TrecWriter(out);
      };
    }
  }

  private record JsonWriter(JsonGenerator out) implements DocumentWriter {
    JsonWriter {
      out.setRootValueSeparator(null);
    }

    @Override
    public void write(String id, String text) throws IOException {
      out.writeStartObject();
      out.writeStringField("id", id);
      out.writeStringField("contents", text);
      out.writeEndObject();
      out.writeRaw('\n');
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  private record TrecWriter(OutputStream out) implements DocumentWriter {
    @Override
    public void write(String id, String text) throws IOException {
      String document =
          "<DOC>\n<DOCNO>%s</DOCNO>\n".formatted(id)
              + text.replace('<', ' ').replace('&', ' ')
              + "\n</DOC>\n";
      out.write(document.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
      // The stream belongs to the caller.
    }
  }

  /** The fastest level: the files are read a few times. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, BUFFER_BYTES);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
