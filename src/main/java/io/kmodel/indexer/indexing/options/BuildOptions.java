package io.kmodel.indexer.indexing.options;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.source.SourceOptions;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What to build, and with how much.
 *
 * @param roots the crawl's directories and files, in document order
 * @param source how the crawl is read
 * @param duplicates what happens to documents with the same id
 * @param output where the index appears when it is complete
 * @param overwrite whether an index that is there already may be replaced
 * @param html how HTML is read; the text is the same
 * @param text what is recorded of the documents' texts
 * @param resources how much of the machine to use
 */
public record BuildOptions(
    ImmutableList<Path> roots,
    SourceOptions source,
    Duplicates duplicates,
    Path output,
    boolean overwrite,
    HtmlMode html,
    IndexedText text,
    Resources resources) {

  /** What {@link #identity} calls the schema, which follows from other parts of it. */
  public static final String FIELDS = "the fields";

  /** What it calls the fields that hold a part of their name; identities of before have it not. */
  public static final String NAMED_FIELDS = "fields";

  /**
   * How much of the machine a build may use; none of it shows in the index.
   *
   * @param device where runs are sorted
   * @param pipeline what threads do meanwhile, where that is a GPU
   */
  public record Resources(int threads, long memoryBytes, DeviceChoice device, Pipeline pipeline) {
    /** Below this the heap and the runs have no room to work in. */
    public static final long MIN_MEMORY_BYTES = 256L << 20;

    public Resources {
      if (threads < 1) {
        throw new IllegalArgumentException("threads must be at least 1; got " + threads);
      }
      if (memoryBytes < MIN_MEMORY_BYTES) {
        throw new IllegalArgumentException(
            "memory must be at least %d MiB; got %d MiB"
                .formatted(MIN_MEMORY_BYTES >> 20, memoryBytes >> 20));
      }
    }

    /** Without a GPU. */
    public Resources(int threads, long memoryBytes) {
      this(threads, memoryBytes, DeviceChoice.CPU, Pipeline.OVERLAPPED);
    }

    public Resources withDevice(DeviceChoice chosen, Pipeline how) {
      return new Resources(threads, memoryBytes, chosen, how);
    }
  }

  public BuildOptions {
    if (roots.isEmpty()) {
      throw new IllegalArgumentException("nothing to index: no directory was given");
    }
  }

  /**
   * A build that reads its crawl as is usual, keeps duplicates, and has one analyzer, as it comes.
   */
  public BuildOptions(
      ImmutableList<Path> roots,
      Path output,
      boolean overwrite,
      HtmlMode html,
      String analyzer,
      boolean positions,
      Store store,
      Resources resources) {
    this(
        roots,
        SourceOptions.DEFAULT,
        Duplicates.KEEP,
        output,
        overwrite,
        html,
        new IndexedText(FieldPlan.DEFAULT, IndexAnalysis.of(analyzer), positions, store),
        resources);
  }

  /** The same build with another way of reading the crawl. */
  public BuildOptions withSource(SourceOptions newSource, Duplicates newDuplicates) {
    return new BuildOptions(
        roots, newSource, newDuplicates, output, overwrite, html, text, resources);
  }

  /** The same build of another output. */
  public BuildOptions withOutput(Path newOutput) {
    return new BuildOptions(roots, source, duplicates, newOutput, overwrite, html, text, resources);
  }

  /** The options that the index's content depends on, by name. */
  public Map<String, String> content() {
    Map<String, String> content = new TreeMap<>();
    content.put("docno", name(source.docno()));
    content.put("duplicates", name(duplicates));
    content.put("format", name(source.format()));
    if (!source.json().isUsual()) {
      content.put("json-members", source.json().toString());
    }
    text.addTo(content);
    return content;
  }

  /** All that decides what the index is, by name: a build only goes on with the same. */
  public Map<String, String> identity() {
    Map<String, String> identity = new TreeMap<>(content());
    identity.put("max-document", String.valueOf(source.maxDocumentBytes()));
    identity.put("max-expansion", String.valueOf(source.maxExpansion()));
    identity.put("max-nesting", String.valueOf(source.maxNesting()));
    identity.put(FIELDS, schema().toString());
    identity.put(NAMED_FIELDS, String.join(",", text.fields().ofTheirName()));
    for (int i = 0; i < roots.size(); i++) {
      identity.put("path %d".formatted(i + 1), roots.get(i).toAbsolutePath().toString());
    }
    return identity;
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The fields that these options give the index. */
  public Schema schema() {
    return text.schema();
  }
}
