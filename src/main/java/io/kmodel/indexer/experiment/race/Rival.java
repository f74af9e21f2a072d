package io.kmodel.indexer.experiment.race;

import com.google.common.collect.ImmutableList;
import org.jspecify.annotations.Nullable;

/** The rival of a build, and what of the results must be the same. */
public enum Rival {
  /** Lucene's IndexWriter, by {@code addDocument} and by {@code addBatch}; all must be the same. */
  LUCENE(null, "indexer", "lucene", "columns", "own", "words"),

  /**
   * A program like Lucene's demo {@code IndexFiles}: one thread, whole files as text, markup
   * included, default settings. The documents must be as many.
   */
  INDEXFILES(null, "indexer", "indexfiles", "own"),

  /**
   * Anserini's {@code IndexCollection} of JSON lines, with positions. Documents, terms and tokens
   * must be the same as with {@code --analyzer english} and {@code contents} as the only text.
   */
  ANSERINI("io.anserini:anserini:1.5.0:jar:fatjar", "indexer", "anserini", "own"),

  /** Terrier's single-pass indexer of TREC files, with positions. The documents must be as many. */
  TERRIER(
      "org.terrier:terrier-assemblies:5.11:jar:jar-with-dependencies", "indexer", "terrier", "own");

  private final @Nullable String artifact;
  private final ImmutableList<String> contestants;

  Rival(@Nullable String artifact, String... contestants) {
    this.artifact = artifact;
    this.contestants = ImmutableList.copyOf(contestants);
  }

  /** The contestants of a race, in the order of the warm-up and of the output. */
  public ImmutableList<String> contestants() {
    return contestants;
  }

  /** Maven's coordinates of the program with all it needs; null if this program is the rival. */
  @Nullable String artifact() {
    return artifact;
  }

  /**
   * Whether the rival is another program, timed from the start of its process to its end; this
   * program's builds are then timed from the start of Java, too.
   */
  public boolean isProgram() {
    return artifact != null;
  }

  /** Whether the texts are indexed in one field, {@code contents}. */
  boolean hasOneField() {
    return isProgram();
  }
}
