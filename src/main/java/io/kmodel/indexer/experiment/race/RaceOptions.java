package io.kmodel.indexer.experiment.race;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.field.FieldPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Options of a race, the same for all contestants.
 *
 * @param corpus the crawl
 * @param work directory that they write into
 * @param analyzer name of the analyzer
 * @param threads threads to use
 * @param memoryBytes memory budget of this program, and heap size of the rival
 * @param segments segments of the resulting Lucene index: 1, or 0 for any number
 * @param rival the rival
 */
public record RaceOptions(
    String corpus,
    String work,
    String analyzer,
    int threads,
    long memoryBytes,
    int segments,
    RivalOptions rival) {
  public RaceOptions {
    if (segments < 0) {
      throw new IllegalArgumentException("segments must be 0 or more; got " + segments);
    }
  }

  /** The same options with another work directory. */
  RaceOptions workingIn(Path directory) {
    return new RaceOptions(
        corpus, directory.toString(), analyzer, threads, memoryBytes, segments, rival);
  }

  /** The same options with the rival's program, or null. */
  RaceOptions withRival(RivalOptions other) {
    return new RaceOptions(corpus, work, analyzer, threads, memoryBytes, segments, other);
  }

  Path corpusPath() {
    return Path.of(corpus);
  }

  Path workPath() {
    return Path.of(work);
  }

  /** The texts that all contestants index. */
  @JsonIgnore
  FieldPlan fields() {
    return rival.kind().hasOneField() ? FieldPlan.parse(Schema.CONTENTS) : FieldPlan.DEFAULT;
  }

  /** The fields of which terms, postings and tokens are counted. */
  @JsonIgnore
  Schema counted() {
    List<Field> counted = new ArrayList<>();
    counted.add(new Field(Schema.ID, Detail.DOCUMENTS, false, true));
    for (String field : fields().parts().keySet()) {
      counted.add(new Field(field, Detail.POSITIONS, true, false));
    }
    return Schema.of(counted);
  }
}
