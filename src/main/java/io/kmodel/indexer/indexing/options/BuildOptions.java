package io.kmodel.indexer.indexing.options;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.StandardInput;
import io.kmodel.indexer.source.TsvQuotes;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What to build, and with which resources.
 *
 * @param roots directories and files of the crawl, in document order; none if documents come from
 *     elsewhere
 * @param source how the crawl is read; its metadata is that of the text
 * @param duplicates what happens to documents with the same id
 * @param near what happens to documents with nearly the same text
 * @param output where the index appears when it is complete
 * @param overwrite whether an existing index may be replaced
 * @param html how HTML is read; the text is the same
 * @param text what is recorded of the texts of documents
 * @param resources how much of the machine to use
 */
public record BuildOptions(
    ImmutableList<Path> roots,
    SourceOptions source,
    Duplicates duplicates,
    NearDuplicates near,
    Path output,
    boolean overwrite,
    HtmlMode html,
    IndexedText text,
    Resources resources) {

  /** Name of the schema in {@link #identity}; it follows from other options. */
  public static final String FIELDS = "the fields";

  /** Name of the fields with a part of their own name; older identities lack it. */
  public static final String NAMED_FIELDS = "fields";

  /**
   * Resources of a build. The index does not depend on them.
   *
   * @param device what sorts runs
   * @param pipeline what a GPU does, and threads meanwhile
   * @param space whether the disk must have room
   */
  public record Resources(
      int threads, long memoryBytes, DeviceChoice device, Pipeline pipeline, DiskSpace space) {
    /** The minimum for the heap and the runs. */
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
      this(threads, memoryBytes, DeviceChoice.CPU, Pipeline.AUTO, DiskSpace.CHECKED);
    }

    public Resources withDevice(DeviceChoice chosen, Pipeline how) {
      return new Resources(threads, memoryBytes, chosen, how, space);
    }

    public Resources withSpace(DiskSpace chosen) {
      return new Resources(threads, memoryBytes, device, pipeline, chosen);
    }
  }

  /** A build that does not compare the texts of documents. */
  public BuildOptions(
      ImmutableList<Path> roots,
      SourceOptions source,
      Duplicates duplicates,
      Path output,
      boolean overwrite,
      HtmlMode html,
      IndexedText text,
      Resources resources) {
    this(roots, source, duplicates, NearDuplicates.KEEP, output, overwrite, html, text, resources);
  }

  public BuildOptions {
    source = source.withMetadata(text.metadata().request());
    if ((source.format() == Format.VECTORS) != text.detail().hasImpacts()) {
      throw new IllegalArgumentException(
          "vectors, and nothing else, are indexed with weights; got %s with %s"
              .formatted(source.format(), text.detail()));
    }
    if (near.areFound() && text.detail().hasImpacts()) {
      throw new IllegalArgumentException(
          "near duplicates are found by their texts, which vectors do not have");
    }
  }

  /**
   * A build with usual settings for reading the crawl, which keeps duplicates and has one analyzer.
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

  /** The same build with other settings for reading the crawl. */
  public BuildOptions withSource(SourceOptions newSource, Duplicates newDuplicates) {
    return new BuildOptions(
        roots, newSource, newDuplicates, near, output, overwrite, html, text, resources);
  }

  /** The same build with other treatment of documents with nearly the same text. */
  public BuildOptions withNearDuplicates(NearDuplicates chosen) {
    return new BuildOptions(
        roots, source, duplicates, chosen, output, overwrite, html, text, resources);
  }

  /** The same build with other resources. */
  public BuildOptions withResources(Resources newResources) {
    return new BuildOptions(
        roots, source, duplicates, near, output, overwrite, html, text, newResources);
  }

  /** The same build into another output. */
  public BuildOptions withOutput(Path newOutput) {
    return new BuildOptions(
        roots, source, duplicates, near, newOutput, overwrite, html, text, resources);
  }

  /** Whether standard input is a part of the crawl. */
  public boolean readsStandardInput() {
    return roots.stream().anyMatch(StandardInput::is);
  }

  /** The options that the contents of the index depend on, by name. */
  public Map<String, String> content() {
    Map<String, String> content = new TreeMap<>();
    content.put("docno", name(source.docno()));
    content.put("duplicates", name(duplicates));
    content.put("format", name(source.format()));
    if (!source.json().isUsual()) {
      content.put("json-members", source.json().toString());
    }
    if (source.weights().scales()) {
      content.put("quantize", String.valueOf(source.weights().bits()));
    }
    if (source.quotes() != TsvQuotes.AUTO) {
      content.put("tsv-quotes", name(source.quotes()));
    }
    text.addTo(content);
    return content;
  }

  /**
   * Everything that decides the contents of the index, by name: only a build with the same may
   * continue it.
   */
  public Map<String, String> identity() {
    Map<String, String> identity = new TreeMap<>(content());
    identity.put("max-document", String.valueOf(source.maxDocumentBytes()));
    identity.put("max-expansion", String.valueOf(source.maxExpansion()));
    identity.put("max-nesting", String.valueOf(source.maxNesting()));
    near.addTo(identity);
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

  /** The fields of the index. */
  public Schema schema() {
    return text.schema();
  }
}
