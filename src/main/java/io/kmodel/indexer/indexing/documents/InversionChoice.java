package io.kmodel.indexer.indexing.documents;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Pipeline;
import io.kmodel.indexer.inversion.InvertedFields;
import io.kmodel.indexer.inversion.ListForm;
import io.kmodel.indexer.inversion.TextBlock;
import io.kmodel.indexer.run.RunMemory;
import io.kmodel.indexer.sort.DeviceChoice;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Whether devices make the runs of a build from text, as far as its options decide that.
 *
 * @param inverts whether they do, if the crawl is large enough
 * @param leastCrawlBytes from how many bytes of the crawl on
 * @param form how lists come back
 * @param blockBytes the most bytes of text in a block
 * @param why the reason if they do not although they could be meant to; empty otherwise
 */
public record InversionChoice(
    boolean inverts, long leastCrawlBytes, ListForm form, long blockBytes, String why) {
  /**
   * Where a device gained: 1.08 GB of JSON lines took 0.81 of the time on an H200 with 16 threads,
   * and 8.6 GB half of it, in blocks of 42 MiB.
   */
  private static final long LEAST_CRAWL = 1L << 30;

  private static final long LEAST_BLOCK = 32L << 20;

  /**
   * The largest block that comes back as keys, which are encoded later anyhow; holds most splits of
   * large files whole.
   */
  private static final long LARGEST_KEYED = 128L << 20;

  /** The largest block that is encoded by the device: a segment, so few are better. */
  private static final long LARGEST_ENCODED = 1L << 30;

  /** Share of a thread's memory for the fields that are not inverted, and the most they need. */
  private static final int OTHERS_SHARE = 8;

  private static final long MOST_FOR_OTHERS = 128L << 20;

  /**
   * Chooses.
   *
   * @param wanted how the output takes lists
   */
  public static InversionChoice of(BuildOptions options, MemoryPlan plan, ListForm wanted) {
    Resources resources = options.resources();
    Pipeline pipeline = resources.pipeline();
    ListForm form = form(options.schema(), wanted);
    long block = blockBytes(plan, form);
    boolean isMeant = pipeline == Pipeline.INVERTED || pipeline == Pipeline.AUTO;
    if (!isMeant || resources.device().equals(DeviceChoice.CPU)) {
      return no(form, block, "");
    }
    String obstacle = obstacle(options);
    if (!obstacle.isEmpty()) {
      return no(form, block, obstacle);
    }
    if (pipeline == Pipeline.INVERTED) {
      return new InversionChoice(true, 0, form, block, "");
    }
    if (form != ListForm.LUCENE) {
      return no(form, block, "devices are used for Lucene indexes with a segment for each run");
    }
    if (resources.device().kind() == DeviceChoice.Kind.GPU) {
      return new InversionChoice(true, 0, form, block, "");
    }
    return block < LEAST_BLOCK
        ? no(form, block, "devices are used if --memory gives each thread some 200 MiB")
        : new InversionChoice(true, LEAST_CRAWL, form, block, "");
  }

  private static InversionChoice no(ListForm form, long blockBytes, String why) {
    return new InversionChoice(false, 0, form, blockBytes, why);
  }

  /** Devices do not invert. */
  public static final InversionChoice NONE = no(ListForm.KEYS, 0, "");

  /** Whether devices invert a crawl of so many bytes. */
  public boolean inverts(long crawlBytes) {
    return inverts && crawlBytes >= leastCrawlBytes;
  }

  /** The reason for a crawl that is too small, or not known to be large enough. */
  String tooSmall() {
    return "devices are used for crawls of %d MiB and more that do not begin with many small files"
        .formatted(leastCrawlBytes >> 20);
  }

  /**
   * The most bytes of a split that most likely fits into a block: words that are not ASCII have a
   * blank behind each in a block.
   */
  public long splitBytes() {
    return blockBytes / 8 * 7;
  }

  /** Memory of a thread for the fields that are not inverted. */
  static long othersBytes(MemoryPlan plan) {
    return Math.clamp(plan.runBytes() / OTHERS_SHARE, RunMemory.MIN_BYTES, MOST_FOR_OTHERS);
  }

  private static long blockBytes(MemoryPlan plan, ListForm form) {
    long most = form == ListForm.LUCENE ? LARGEST_ENCODED : LARGEST_KEYED;
    return Math.min(TextBlock.capacityFor(plan.runBytes() - othersBytes(plan), form), most);
  }

  /** Devices encode positions; lists without come back as keys. */
  private static ListForm form(Schema schema, ListForm wanted) {
    boolean encodes =
        tokenized(schema).stream()
            .allMatch(field -> schema.field(field).detail() == Detail.POSITIONS);
    return encodes ? wanted : ListForm.KEYS;
  }

  /** Why devices cannot invert texts as these options want; empty if they can. */
  private static String obstacle(BuildOptions options) {
    Schema schema = options.schema();
    List<Integer> fields = tokenized(schema);
    if (schema.hasOffsets()) {
      return "devices do not record offsets";
    }
    if (schema.hasImpacts()) {
      return "devices invert texts, and these are vectors";
    }
    if (fields.size() > InvertedFields.MOST) {
      return "devices take at most %d fields".formatted(InvertedFields.MOST);
    }
    for (int field : fields) {
      AnalysisDefinition definition = definition(options, field);
      if (!definition.equals(AnalysisDefinition.STANDARD)
          && !definition.equals(AnalysisDefinition.ENGLISH)) {
        return "devices only have the analyzers 'standard' and 'english', without parameters";
      }
    }
    return fields.isEmpty() ? "no field has a text" : "";
  }

  private static AnalysisDefinition definition(BuildOptions options, int field) {
    return options.text().analysis().definition(options.schema().field(field).name());
  }

  /** The fields of a build that devices invert. */
  static InvertedFields fields(BuildOptions options) {
    List<Integer> ordinals = tokenized(options.schema());
    return new InvertedFields(
        ImmutableList.copyOf(ordinals),
        ordinals.stream()
            .filter(field -> definition(options, field).equals(AnalysisDefinition.ENGLISH))
            .collect(ImmutableSet.toImmutableSet()));
  }

  /** The ordinals of the fields that are inverted. */
  private static List<Integer> tokenized(Schema schema) {
    return IntStream.range(0, schema.size())
        .filter(field -> schema.field(field).tokenized())
        .boxed()
        .toList();
  }
}
