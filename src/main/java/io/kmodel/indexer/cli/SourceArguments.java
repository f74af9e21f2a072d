package io.kmodel.indexer.cli;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.kmodel.indexer.build.Duplicates;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SourceOptions;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options that say how a crawl is read. */
final class SourceArguments {
  private static final String MEMBERS = "--json-members";

  private static final ImmutableSet<Format> JSON =
      Sets.immutableEnumSet(Format.JSON, Format.JSONL, Format.BEIR);

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "auto",
      description =
          "What the files are (default: ${DEFAULT-VALUE}, by their content): html or text, a document a file;"
              + " warc, arc, wet, trec, jsonl, json, tsv or beir, many documents a file.")
  private Format format;

  @Option(
      names = "--docno",
      paramLabel = "ID",
      defaultValue = "trec-id",
      converter = DocnoConverter.class,
      completionCandidates = DocnoNames.class,
      description =
          "What the documents of such files are known by (default: ${DEFAULT-VALUE}): trec-id, the id that the"
              + " collection gives, else the URI; uri; record-id; or path, with the record's offset.")
  private Docno docno;

  @Option(
      names = MEMBERS,
      paramLabel = "PART=MEMBERS",
      split = ";",
      description =
          "Where the objects of --format jsonl, json or beir have a document's id, url, title, headings or contents,"
              + " if not under the usual names: contents=abstract,body.text (a dot leads into objects, and lists of"
              + " them). Of several members of an id or url the first that says something counts, others are one"
              + " text. May be given more than once, or with ; between.")
  private List<String> members = List.of();

  @Option(
      names = "--duplicates",
      paramLabel = "POLICY",
      defaultValue = "keep",
      description =
          "Documents with the id of an earlier one (default: ${DEFAULT-VALUE}): keep; skip, which reads what"
              + " holds them twice; or error.")
  private Duplicates duplicates;

  @Option(
      names = "--max-document",
      paramLabel = "SIZE",
      defaultValue = "64m",
      converter = ByteSize.class,
      description =
          "Skip documents that are larger, unpacked (default: ${DEFAULT-VALUE}, at most 512m).")
  private long maxDocumentBytes;

  @Option(
      names = "--max-expansion",
      paramLabel = "N",
      defaultValue = "1000",
      description = {
        "Give up on a file of records that unpacks to more than 64 MiB and N times its size, or on a member of"
            + " gzip or a frame of zstd that does (default: ${DEFAULT-VALUE})."
      })
  private int maxExpansion;

  @Option(
      names = "--max-nesting",
      paramLabel = "N",
      defaultValue = "512",
      description =
          "Close elements of HTML that are nested deeper, which keeps their text"
              + " (default: ${DEFAULT-VALUE}, which is the most).")
  private int maxNesting;

  /** That these are options of. */
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  SourceArguments() {}

  SourceOptions toOptions() {
    long most = SourceOptions.LARGEST_MAX_DOCUMENT_BYTES;
    if (maxDocumentBytes < 1 || maxDocumentBytes > most) {
      throw new IllegalArgumentException(
          "--max-document must be 1 to %d; got %d".formatted(most, maxDocumentBytes));
    }
    return new SourceOptions(
        format, docno, json(), (int) maxDocumentBytes, maxExpansion, maxNesting);
  }

  private JsonMembers json() {
    if (!JSON.contains(format)) {
      if (Given.isGiven(command, MEMBERS)) {
        throw new IllegalArgumentException(
            MEMBERS + " is for files of JSON: give --format jsonl, or --format json, too");
      }
      return JsonMembers.USUAL;
    }
    try {
      return JsonMembers.parse(members);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(MEMBERS + ": " + e.getMessage(), e);
    }
  }

  Duplicates duplicates() {
    return duplicates;
  }

  /** Those that the help has. */
  static final class DocnoNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("trec-id", "uri", "record-id", "path").iterator();
    }
  }

  /** Names with a hyphen. */
  static final class DocnoConverter implements ITypeConverter<Docno> {
    @Override
    public Docno convert(String value) {
      try {
        return Docno.valueOf(value.toUpperCase(Locale.ROOT).replace('-', '_'));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "expected one of [uri, record-id, trec-id, path] but was '" + value + "'");
      }
    }
  }
}
