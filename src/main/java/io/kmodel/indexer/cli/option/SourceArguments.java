package io.kmodel.indexer.cli.option;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.NearDuplicates;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.TsvQuotes;
import io.kmodel.indexer.source.WeightScale;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options that select how a crawl is read. */
public final class SourceArguments {
  private static final String MEMBERS = "--json-members";
  private static final String SIMILARITY = "--near-duplicate-similarity";
  private static final String QUANTIZE = "--quantize";

  private static final ImmutableSet<Format> MEMBERED =
      Sets.immutableEnumSet(Format.JSON, Format.JSONL, Format.BEIR, Format.VECTORS, Format.PARQUET);

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "auto",
      description =
          "Read files as auto (by their content); html or text (one document per file); warc, arc,"
              + " wet, trec, jsonl, json, tsv, beir or parquet (many documents per file); or vectors (one JSON"
              + " object per line, whose member vector has terms and weights) (default:"
              + " ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--docno",
      paramLabel = "ID",
      defaultValue = "trec-id",
      converter = DocnoConverter.class,
      completionCandidates = DocnoNames.class,
      description =
          "Identify documents in files of many by trec-id (the collection's id, else the URI), uri,"
              + " record-id, path (with the record's offset), or path-stem (the same, and files of one"
              + " document by their paths without the suffix) (default: ${DEFAULT-VALUE}).")
  private Docno docno;

  @Option(
      names = MEMBERS,
      paramLabel = "PART=MEMBERS",
      split = ";",
      description =
          "Read a document's id, url, title, headings or contents from these members of --format"
              + " jsonl, json, beir or vectors, or columns of parquet, not the usual ones:"
              + " contents=abstract,body.text (a dot enters objects and lists of them). For id and url the first non-empty member"
              + " counts; for others all are joined as one text. Repeat the option, or separate"
              + " with ;.")
  private List<String> members = List.of();

  @Option(
      names = QUANTIZE,
      paramLabel = "BITS",
      description =
          "Multiply the weights of --format vectors by 2^BITS and round them, so that fractions keep"
              + " BITS binary digits (0 to 16; 7 is about Anserini's factor of 100). Without it,"
              + " vectors with fractions are skipped.")
  private @Nullable Integer quantize;

  @Option(
      names = "--tsv-quotes",
      paramLabel = "WHEN",
      defaultValue = "auto",
      description =
          "Take quotation marks around a field of TSV as in CSV, where tabs and line feeds within"
              + " them are text (yes), or as characters (no); auto: yes in lists whose first line"
              + " names the columns, as DPR's, no in others, as MS MARCO's (default:"
              + " ${DEFAULT-VALUE}).")
  private TsvQuotes quotes;

  @Option(
      names = "--duplicates",
      paramLabel = "POLICY",
      defaultValue = "keep",
      description =
          "If a document has the id of an earlier one: keep it, skip it (which reads the files with"
              + " duplicates twice), or stop with an error (default: ${DEFAULT-VALUE}).")
  private Duplicates duplicates;

  @Option(
      names = "--near-duplicates",
      paramLabel = "ACTION",
      defaultValue = "keep",
      description =
          "If a document's text is nearly that of an earlier one: keep it without looking, report"
              + " it in skipped.jsonl, or skip it (which reads the files with such documents twice)"
              + " (default: ${DEFAULT-VALUE}).")
  private NearDuplicates.Policy nearDuplicates;

  @Option(
      names = SIMILARITY,
      paramLabel = "SHARE",
      defaultValue = "0.8",
      description =
          "Take documents as near duplicates if they share this part of their sequences of five"
              + " words, 0.6 to 1 (default: ${DEFAULT-VALUE}).")
  private double similarity;

  @Mixin private SourceLimits limits;

  /** The command that has these options. */
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  SourceArguments() {}

  public SourceOptions toOptions() {
    return limits.toOptions(format, docno, json(), weights()).withQuotes(quotes);
  }

  /** Whether documents are vectors of weighted terms. */
  public boolean areVectors() {
    return format == Format.VECTORS;
  }

  private WeightScale weights() {
    if (quantize == null || (!areVectors() && !Given.isGiven(command, QUANTIZE))) {
      return WeightScale.NONE;
    }
    if (!areVectors()) {
      throw new IllegalArgumentException(QUANTIZE + " needs --format vectors");
    }
    if (quantize < 0 || quantize > WeightScale.MAX_BITS) {
      throw new IllegalArgumentException(
          "%s must be 0 to %d; got %d".formatted(QUANTIZE, WeightScale.MAX_BITS, quantize));
    }
    return new WeightScale(quantize);
  }

  private JsonMembers json() {
    if (!MEMBERED.contains(format)) {
      if (Given.isGiven(command, MEMBERS)) {
        throw new IllegalArgumentException(
            MEMBERS
                + " is for JSON and Parquet: also give --format jsonl, json, beir, vectors or parquet");
      }
      return JsonMembers.USUAL;
    }
    try {
      return JsonMembers.parse(members);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(MEMBERS + ": " + e.getMessage(), e);
    }
  }

  public Duplicates duplicates() {
    return duplicates;
  }

  /**
   * What happens to documents with nearly the same text.
   *
   * @throws IllegalArgumentException if the similarity is out of range or has no effect
   */
  public NearDuplicates nearDuplicates() {
    NearDuplicates near;
    try {
      near = new NearDuplicates(nearDuplicates, similarity);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(SIMILARITY + ": " + e.getMessage(), e);
    }
    if (!near.areFound() && Given.isGiven(command, SIMILARITY)) {
      throw new IllegalArgumentException(SIMILARITY + " needs --near-duplicates report or skip");
    }
    return near;
  }

  /** The names shown in the help. */
  static final class DocnoNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("trec-id", "uri", "record-id", "path", "path-stem").iterator();
    }
  }

  /** Parses names with hyphens. */
  static final class DocnoConverter implements ITypeConverter<Docno> {
    @Override
    public Docno convert(String value) {
      try {
        return Docno.valueOf(value.toUpperCase(Locale.ROOT).replace('-', '_'));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "expected one of [uri, record-id, trec-id, path, path-stem] but was '" + value + "'");
      }
    }
  }
}
