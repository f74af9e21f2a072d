package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.DivergenceFromRandomness;
import io.kmodel.indexer.search.ImpactSum;
import io.kmodel.indexer.search.QueryLikelihood;
import io.kmodel.indexer.search.ScoringModel;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options that select how documents are scored. */
public final class ModelOptions {
  private static final float DEFAULT_MU = 2000;
  private static final float DEFAULT_C = 1;

  /** The models' names on the command line. */
  private enum Model {
    BM25,
    QL,
    DFR,
    IMPACT
  }

  @Option(
      names = "--model",
      paramLabel = "MODEL",
      description =
          "Score documents, as Lucene does, by bm25, ql (query likelihood with Dirichlet smoothing)"
              + " or dfr (divergence from randomness, InL2); or by impact (the sum of weights times"
              + " query weights) (default: bm25; impact in an index of vectors).")
  private @Nullable Model given;

  @Option(
      names = "--k1",
      paramLabel = "X",
      description = "Set bm25's k1 (default: 1.2, as in Lucene; Anserini: 0.9).")
  private @Nullable Float k1;

  @Option(
      names = "--b",
      paramLabel = "X",
      description = "Set bm25's b (default: 0.75, as in Lucene; Anserini: 0.4).")
  private @Nullable Float b;

  @Option(
      names = "--mu",
      paramLabel = "X",
      description = "Set ql's mu (default: 2000, as in Lucene; Anserini: 1000).")
  private @Nullable Float mu;

  @Option(names = "--c", paramLabel = "X", description = "Set dfr's c (default: 1, as in Lucene).")
  private @Nullable Float c;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ModelOptions() {}

  /**
   * Returns the model; a parameter of another model is an error.
   *
   * @param schema of the index
   */
  public ScoringModel toModel(CommandLine command, Schema schema) {
    Model model = model(schema);
    require(command, model, Model.BM25, "--k1");
    require(command, model, Model.BM25, "--b");
    require(command, model, Model.QL, "--mu");
    require(command, model, Model.DFR, "--c");
    return switch (model) {
      case BM25 -> new Bm25(or(k1, Bm25.LUCENE.k1()), or(b, Bm25.LUCENE.b()));
      case QL -> new QueryLikelihood(or(mu, DEFAULT_MU));
      case DFR -> new DivergenceFromRandomness(or(c, DEFAULT_C));
      case IMPACT -> new ImpactSum();
    };
  }

  private Model model(Schema schema) {
    if (given != null) {
      return given;
    }
    return schema.hasImpacts() ? Model.IMPACT : Model.BM25;
  }

  private static void require(CommandLine command, Model model, Model owner, String option) {
    if (model != owner && Given.isGiven(command.getCommandSpec(), option)) {
      throw new CommandLine.ParameterException(
          command,
          "%s is a parameter of --model=%s, not of %s".formatted(option, name(owner), name(model)));
    }
  }

  private static String name(Model model) {
    return model.name().toLowerCase(Locale.ROOT);
  }

  private static float or(@Nullable Float value, float otherwise) {
    return value == null ? otherwise : value;
  }
}
