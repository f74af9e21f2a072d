package io.kmodel.indexer.cli.command;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.option.AtLeastOne;
import io.kmodel.indexer.cli.option.CharsetName;
import io.kmodel.indexer.cli.option.ExpansionOptions;
import io.kmodel.indexer.cli.option.Given;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.JsonOption;
import io.kmodel.indexer.cli.option.ModelOptions;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.cli.view.FieldHint;
import io.kmodel.indexer.cli.view.TopicAnswers;
import io.kmodel.indexer.export.lucene.ShardedIndex;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.FieldWeights;
import io.kmodel.indexer.search.ScoringModel;
import io.kmodel.indexer.search.SearchOptions;
import io.kmodel.indexer.search.SearchResult;
import io.kmodel.indexer.search.Searcher;
import io.kmodel.indexer.search.ShardSearcher;
import io.kmodel.indexer.search.Ties;
import io.kmodel.indexer.search.Topic;
import io.kmodel.indexer.search.Topics;
import io.kmodel.indexer.search.TrecRun;
import io.kmodel.indexer.search.filter.DocumentFilter;
import io.kmodel.indexer.search.filter.ShownColumns;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.lucene.analysis.Analyzer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer search}. */
@Command(
    name = "search",
    mixinStandardHelpOptions = true,
    description = {
      "Answer a query from an index, best documents first.",
      "",
      "QUERY is in Lucene's classic syntax; words without a field are searched in --fields. With"
          + " --topics, answer a file of topics instead, each as a bag of words, and write a TREC"
          + " run.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer search index \"sorting networks\"",
      "  indexer search index '+title:merge \"external sort\" -draft' --top 20",
      "  indexer search index river --filter 'date:[2020 TO *]' --show date,host",
      "  indexer search index --topics topics.txt --run bm25.run --top 1000",
      "  indexer search index --topics topics.jsonl --run ql.run --model ql",
      "  indexer search index --topics topics.txt --run rm3.run --expand rm3"
    })
final class SearchCommand implements Callable<Integer> {
  /** How a topic's query is read. */
  private enum Syntax {
    WORDS,
    LUCENE
  }

  private static final int SHOWN = 10;
  private static final int RUN_DEPTH = 1000;

  private static final ImmutableList<String> OF_TOPICS =
      ImmutableList.of("--run", "--tag", "--syntax", "--topic-parts", "--topics-encoding");

  /** Options that need an index of this program's format. */
  private static final ImmutableList<String> OF_ONE_INDEX =
      ImmutableList.of(
          "--fields",
          "--filter",
          "--ties",
          "--show",
          "--model",
          "--k1",
          "--b",
          "--mu",
          "--c",
          "--expand");

  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;

  @Parameters(index = "1", arity = "0..1", paramLabel = "QUERY", description = "The query.")
  private @Nullable String query;

  @Option(
      names = {"-n", "--top"},
      paramLabel = "N",
      description = "Show N documents (default: 10; with --topics 1000).")
  private @Nullable Integer top;

  @Option(
      names = "--topics",
      paramLabel = "FILE",
      converter = PathArgument.Input.class,
      description =
          "Answer these topics: TREC format, XML, JSON lines, or lines of 'id<TAB>query', 'id:query'"
              + " or 'id query'; gzipped or not.")
  private @Nullable Path topics;

  @Option(
      names = "--topics-encoding",
      paramLabel = "CHARSET",
      converter = CharsetName.class,
      description =
          "Read topics without a byte order mark in CHARSET (default: the encoding of an XML"
              + " declaration, else UTF-8).")
  private @Nullable Charset topicsEncoding;

  @Option(
      names = "--topic-parts",
      paramLabel = "PARTS",
      split = ",",
      defaultValue = "title",
      description =
          "Build a topic's query from title, desc and narr, in the given order (default:"
              + " ${DEFAULT-VALUE}). Queries of XML, JSON and lines are titles. Topics without any"
              + " of the parts are not answered.")
  private List<Topic.Part> parts;

  @Option(
      names = "--run",
      paramLabel = "FILE",
      converter = PathArgument.Stream.class,
      description = "Write the TREC run of --topics to FILE; - means standard output.")
  private @Nullable Path run;

  @Option(
      names = "--tag",
      paramLabel = "WORD",
      defaultValue = "indexer",
      description = "Name the run in its last column (default: ${DEFAULT-VALUE}).")
  private String tag;

  @Option(
      names = "--syntax",
      paramLabel = "WHAT",
      defaultValue = "words",
      description =
          "Read the topics' queries as words (without syntax) or as lucene (its classic syntax,"
              + " like QUERY) (default: ${DEFAULT-VALUE}).")
  private Syntax syntax;

  @Option(
      names = "--fields",
      paramLabel = "FIELDS",
      description =
          "Search words without a field in these fields, with weights: title^2,contents (default:"
              + " contents; in an index without it, all text fields).")
  private @Nullable String fields;

  @Option(
      names = "--filter",
      paramLabel = "FILTER",
      description =
          "Find only documents with this metadata, in Lucene's syntax; all clauses must hold:"
              + " 'host:example.org date:[2020 TO 2021] -language:en'. Scores do not change.")
  private @Nullable String filter;

  @Option(
      names = "--ties",
      paramLabel = "ORDER",
      defaultValue = "number",
      description =
          "Order documents with exactly the same score by number in the index, as Lucene does, or"
              + " by id, as Anserini does (default: ${DEFAULT-VALUE}).")
  private Ties ties;

  @Option(
      names = "--show",
      paramLabel = "COLUMNS",
      split = ",",
      description = "Show this metadata of each document found by QUERY: date,host.")
  private List<String> show = List.of();

  @Mixin private ModelOptions model;
  @Mixin private ExpansionOptions expansion;
  @Mixin private JsonOption json;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  SearchCommand() {}

  @Override
  public Integer call() throws IOException {
    requireEither();
    if (query != null) {
      Given.refuse(spec, OF_TOPICS, "--topics");
    }
    if (query == null && Given.isGiven(spec, "--show")) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--show needs a QUERY: a run has no room for metadata");
    }
    if (query == null && Given.isGiven(spec, "--json")) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--json needs a QUERY: topics are answered by a run");
    }
    if (top != null) {
      AtLeastOne.require(spec, "--top", top);
    }
    if (query != null && ShardedIndex.isIn(index.given())) {
      return answerFromShards(index.given(), query);
    }
    try (InvertedIndex opened = index.open();
        Analyzer analyzer = analyzer(opened);
        Searcher searcher = new Searcher(opened, analyzer, options(opened))) {
      if (query != null) {
        return answer(opened, searcher, query);
      }
      requireStoredIds(opened);
      return answerTopics(searcher, topics);
    }
  }

  /** Answers from all Lucene indexes of a build with --shards. */
  private int answerFromShards(Path directory, String text) throws IOException {
    Given.refuseWith(spec, OF_ONE_INDEX, "shards");
    ShardedIndex shards = ShardedIndex.read(directory);
    List<String> names = shards.fields().stream().map(ShardedIndex.FieldTotals::name).toList();
    String field = names.contains(Schema.CONTENTS) ? Schema.CONTENTS : names.getLast();
    try (Analyzer analyzer = IndexAnalysis.from(shards.options()).newAnalyzer();
        ShardSearcher searcher =
            new ShardSearcher(directory, shards, analyzer, field, Bm25.LUCENE)) {
      boolean storesIds = !"none".equals(shards.options().get("store"));
      SearchResult result = answer(searcher::search, text, ShownColumns.none(), storesIds);
      return result.hits().isEmpty() ? ExitCode.INCOMPLETE : ExitCode.OK;
    }
  }

  /** Finds the best documents. */
  @FunctionalInterface
  private interface Search {
    SearchResult search(String query, int count) throws IOException;
  }

  /** Answers a query, and prints the documents. */
  private SearchResult answer(Search search, String text, ShownColumns columns, boolean storesIds)
      throws IOException {
    long start = System.nanoTime();
    SearchResult result = search.search(text, top == null ? SHOWN : top);
    double milliseconds = (System.nanoTime() - start) / 1e6;
    PrintWriter out = spec.commandLine().getOut();
    SearchOutput output = new SearchOutput(text, result, columns, out);
    if (json.isGiven()) {
      output.printJson(storesIds);
    } else {
      output.printText(milliseconds);
    }
    out.flush();
    return result;
  }

  /** Requires a query or topics. Topics from the settings do not count: they serve many calls. */
  private void requireEither() {
    boolean either = query == null ? topics != null : !Given.isGiven(spec, "--topics");
    if (!either) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "give either a QUERY or --topics FILE");
    }
  }

  /** Requires stored ids: a run of docIDs would silently match no relevance judgements. */
  private static void requireStoredIds(InvertedIndex opened) {
    if (!storesIds(opened)) {
      throw new IllegalArgumentException(
          opened.directory()
              + " does not store ids, which a run needs; build it with --store=id or"
              + " --store=contents");
    }
  }

  private static boolean storesIds(InvertedIndex opened) {
    int id = opened.schema().find(Schema.ID);
    return id >= 0 && opened.schema().field(id).stored();
  }

  private SearchOptions options(InvertedIndex opened) {
    ScoringModel scoring = model.toModel(spec.commandLine(), opened.schema());
    return new SearchOptions(scoring, weights(opened), filter(opened), ties, expansion.toRm3(spec));
  }

  private DocumentFilter filter(InvertedIndex opened) {
    return filter == null ? DocumentFilter.NONE : DocumentFilter.parse(filter, opened.schema());
  }

  private FieldWeights weights(InvertedIndex opened) {
    return fields == null ? FieldWeights.defaultOf(opened.schema()) : FieldWeights.parse(fields);
  }

  private static Analyzer analyzer(InvertedIndex opened) {
    try {
      return IndexAnalysis.from(opened.metadata().options()).newAnalyzer();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(opened.directory() + ": " + e.getMessage(), e);
    }
  }

  private int answer(InvertedIndex opened, Searcher searcher, String text) throws IOException {
    ShownColumns columns = new ShownColumns(opened, show);
    SearchResult result = answer(searcher::search, text, columns, storesIds(opened));
    FieldHint hint = hint(searcher);
    result.unknownFields().forEach(field -> Log.of(spec).warning(hint.of(field)));
    return result.hits().isEmpty() ? ExitCode.INCOMPLETE : ExitCode.OK;
  }

  private int answerTopics(Searcher searcher, @Nullable Path file) throws IOException {
    if (file == null || run == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--topics needs --run FILE, the run to write");
    }
    boolean standard = TrecRun.isStandardOutput(run);
    String name = standard ? "standard output" : run.toString();
    List<Topic> read = Topics.read(file, topicsEncoding);
    if (read.isEmpty()) {
      Log.of(spec).warning("%s has no topics: %s is not written".formatted(file, name));
      return ExitCode.INCOMPLETE;
    }
    TopicAnswers answers = new TopicAnswers(answering(searcher), hint(searcher), Log.of(spec));
    CommandLine command = spec.commandLine();
    try (TrecRun writer = standard ? new TrecRun(command.getOut(), tag) : new TrecRun(run, tag)) {
      for (Topic topic : read) {
        answers.answer(topic, writer);
      }
      requireAnswers(answers, file);
      if (answers.documents() == 0) {
        Log.of(spec)
            .warning("no documents were found for any topic: %s is not written".formatted(name));
        return ExitCode.INCOMPLETE;
      }
      writer.commit();
      warnOfRepeatedIds(writer.repeatedIds(), name);
    }
    PrintWriter out = standard ? command.getErr() : command.getOut();
    out.printf(
        Locale.ROOT,
        "%s: %s, %s%n",
        name,
        Counted.of(answers.answered(), "topic"),
        Counted.of(answers.documents(), "document"));
    if (answers.empty() > 0) {
      out.printf(
          Locale.ROOT,
          "no documents were found for %,d of the topics, which the run omits; means over the"
              + " others are too high (evaluate --complete counts them as 0)%n",
          answers.empty());
    }
    out.flush();
    return answers.refused() == 0 ? ExitCode.OK : ExitCode.INCOMPLETE;
  }

  private TopicAnswers.Answering answering(Searcher searcher) {
    int depth = top == null ? RUN_DEPTH : top;
    return topic -> {
      if (!topic.vector().isEmpty()) {
        return searcher.searchVector(topic.vector(), depth);
      }
      String text = topic.query(parts);
      return syntax == Syntax.WORDS
          ? searcher.searchWords(text, depth)
          : searcher.searchSyntax(text, depth);
    };
  }

  private static FieldHint hint(Searcher searcher) {
    return new FieldHint(searcher.searchedFields(), searcher.columns());
  }

  /** Requires that a topic was answered; a run without any would replace an existing run. */
  private static void requireAnswers(TopicAnswers answers, Path file) {
    if (answers.answered() == 0) {
      throw new IllegalArgumentException(file + ": none of the topics could be answered");
    }
  }

  private void warnOfRepeatedIds(long repeatedIds, String written) {
    if (repeatedIds > 0) {
      Log.of(spec)
          .warning(
              String.format(
                  Locale.ROOT,
                  "%,d lines of %s repeat an id within a topic: the index holds documents with the"
                      + " same id (was it built from two directories with the same paths?);"
                      + " trec_eval refuses such a run",
                  repeatedIds,
                  written));
    }
  }
}
