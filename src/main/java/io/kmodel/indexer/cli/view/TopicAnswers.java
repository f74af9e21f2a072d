package io.kmodel.indexer.cli.view;

import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.search.SearchResult;
import io.kmodel.indexer.search.Topic;
import io.kmodel.indexer.search.TrecRun;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Answers topics one by one and writes the results as a run. If a topic's query cannot be answered,
 * a warning names its id and the next topic follows. If the index lacks a field, a warning names
 * the first topic with it. Not thread-safe.
 */
public final class TopicAnswers {
  /** Answers a topic, or throws an IllegalArgumentException with the reason. */
  @FunctionalInterface
  public interface Answering {
    SearchResult answer(Topic topic) throws IOException;
  }

  private final Answering answering;
  private final FieldHint hint;
  private final Log log;
  private final Set<String> hintedFields = new HashSet<>();
  private int answered;
  private int refused;
  private int empty;
  private long documents;

  /** Creates an instance that has answered no topic. */
  public TopicAnswers(Answering answering, FieldHint hint, Log log) {
    this.answering = answering;
    this.hint = hint;
    this.log = log;
  }

  /**
   * Answers one topic.
   *
   * @throws java.nio.channels.ClosedByInterruptException if the thread is interrupted
   */
  public void answer(Topic topic, TrecRun run) throws IOException {
    Interruption.requireNone();
    SearchResult result;
    try {
      result = answering.answer(topic);
    } catch (IllegalArgumentException e) {
      refused++;
      log.warning("topic %s was not answered: %s".formatted(topic.id(), e.getMessage()));
      return;
    }
    for (String field : result.unknownFields()) {
      if (hintedFields.add(field)) {
        log.warning("topic %s: %s".formatted(topic.id(), hint.of(field)));
      }
    }
    run.write(topic.id(), result.hits());
    answered++;
    empty += result.hits().isEmpty() ? 1 : 0;
    documents += result.hits().size();
  }

  public int answered() {
    return answered;
  }

  /** Returns the number of topics that could not be answered. */
  public int refused() {
    return refused;
  }

  /** Returns the number of answered topics without results, which the run omits. */
  public int empty() {
    return empty;
  }

  /** Returns the number of documents found for all topics. */
  public long documents() {
    return documents;
  }
}
