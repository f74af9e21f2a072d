package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.merge.OpenRuns;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.order.DocumentOrder;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.task.Interruption;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The order of an index's documents by their URLs, with the labels of the host reversed: pages of a
 * host, and hosts of a domain, stand together. A document's URL is its stored field {@value #URL},
 * or its stored id, whichever is a URL. Documents without one come last. Equal URLs, and documents
 * without one, keep their order. Scheme and user do not count.
 *
 * <p>URLs are sorted like the terms of a build, in runs of {@value #RUN_BYTES} bytes outside the
 * heap. Memory on the heap: buffers, and 8 bytes per document.
 */
final class UrlOrder {
  /** The field with the URL, if a build has one (--fields). */
  static final String URL = "url";

  private static final long RUN_BYTES = 64 << 20;
  private static final long MERGE_BYTES = 16 << 20;
  private static final int REPORT_EVERY = 1 << 12;

  /** URLs count up to this length. */
  private static final int LONGEST_KEY = 1 << 12;

  /** Comes after all keys of URLs, which are in UTF-8. */
  private static final byte[] WITHOUT_URL = {(byte) 0xFF};

  private static final Pattern FORM =
      Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]*|\\[[^/?#]*])(:\\d*)?(.*)");

  private static final Pattern ADDRESS = Pattern.compile("[\\d.]+|\\[.*");

  private static final Schema SCHEMA =
      Schema.of(List.of(new Field(Schema.ID, Detail.DOCUMENTS, false, true)));

  private final InvertedIndex index;
  private final int urlField;
  private final int idField;
  private int withUrl;

  UrlOrder(InvertedIndex index) {
    this.index = index;
    this.urlField = stored(URL);
    this.idField = stored(Schema.ID);
    if (urlField < 0 && idField < 0) {
      throw new BuildException(
          "%s stores no ids and no field '%s', so it cannot be ordered by URL; build it with --store id or contents"
              .formatted(index.directory(), URL));
    }
  }

  private int stored(String name) {
    int field = index.schema().find(name);
    return field >= 0 && index.schema().field(field).stored() ? field : -1;
  }

  /** The number of documents that have a URL; known when the order was computed. */
  int withUrl() {
    return withUrl;
  }

  /**
   * Computes the order.
   *
   * @param temporary directory for runs
   * @throws BuildException if no document has a URL
   */
  DocumentOrder compute(Path temporary, ProgressListener progress)
      throws IOException, InterruptedException {
    List<Path> runs;
    try (NameRuns keys = new NameRuns(index.directory(), SCHEMA, temporary, RUN_BYTES);
        StoredTexts texts = index.documents()) {
      for (int doc = 0; doc < index.documentCount(); doc++) {
        if (doc % REPORT_EVERY == 0) {
          Interruption.requireNone();
          progress.progress(doc, index.documentCount());
        }
        byte[] key = key(texts, doc);
        withUrl += key == null ? 0 : 1;
        keys.add(key == null ? WITHOUT_URL : key);
      }
      runs = keys.seal();
    }
    if (withUrl == 0 && index.documentCount() > 0) {
      throw new BuildException(
          "no document of %s has a URL as its id or in a stored field '%s'; build the index with --docno uri, or with --fields title,contents,%s and --store contents"
              .formatted(index.directory(), URL, URL));
    }
    return new DocumentOrder(merge(runs));
  }

  private byte @Nullable [] key(StoredTexts texts, int doc) throws IOException {
    byte[] key = urlField < 0 ? null : key(texts.text(doc, urlField));
    return key == null && idField >= 0 ? key(texts.text(doc, idField)) : key;
  }

  /**
   * Bytes that order URLs: http://www.example.org:80/a becomes org, example, www, :80 and /a, with
   * a 1 between the labels and a 0 after the host, below all characters of hosts. Null if the text
   * is no URL.
   */
  static byte @Nullable [] key(String text) {
    Matcher url = FORM.matcher(text.strip());
    if (!url.matches()) {
      return null;
    }
    String host = url.group(1).toLowerCase(Locale.ROOT);
    if (!ADDRESS.matcher(host).matches()) {
      List<String> labels = Arrays.asList(host.split("\\."));
      host = String.join("\1", labels.reversed());
    }
    String port = url.group(2) == null ? "" : url.group(2);
    byte[] key = (host + '\0' + port + url.group(3)).getBytes(StandardCharsets.UTF_8);
    return key.length > LONGEST_KEY ? Arrays.copyOf(key, LONGEST_KEY) : key;
  }

  private int[] merge(List<Path> runs) throws IOException, InterruptedException {
    int[] olds = new int[index.documentCount()];
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int end = 0;
    try (Workers workers = Workers.givingWay("merge", 1);
        OpenRuns open = OpenRuns.open(runs, SCHEMA, workers, OpenRuns.Limits.of(1, MERGE_BYTES));
        MergingCursor keys = OpenRuns.cursor(open.runs(), TermRange.ALL, open.bufferBytes())) {
      while (keys.nextTerm()) {
        for (int n = keys.nextDocs(docs, freqs); n > 0; n = keys.nextDocs(docs, freqs)) {
          System.arraycopy(docs, 0, olds, end, n);
          end += n;
        }
      }
    }
    return olds;
  }
}
