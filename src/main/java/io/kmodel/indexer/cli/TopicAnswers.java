package io.kmodel.indexer.cli;

import io.kmodel.indexer.search.SearchResult;
import io.kmodel.indexer.search.Topic;
import io.kmodel.indexer.search.TrecRun;
import io.kmodel.indexer.store.Interruption;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Answers topics one after the other and writes what is found as a run. A topic whose query cannot
 * be answered is warned of by its id, and costs only itself. A field that the index does not have
 * is warned of once, where a topic first names it. Not thread-safe.
 */
final class TopicAnswers {
  /** Answers a query, or refuses it with an IllegalArgumentException that says why. */
  @FunctionalInterface
  interface Answering {
    SearchResult answer(String query) throws IOException;
  }

  private final List<Topic.Part> parts;
  private final Answering answering;
  private final FieldHint hint;
  private final Log log;
  private final Set<String> hintedFields = new HashSet<>();
  private int answered;
  private int refused;
  private int empty;
  private long documents;

  /**
   * Answers topics.
   *
   * @param parts what their queries are made of
   */
  TopicAnswers(List<Topic.Part> parts, Answering answering, FieldHint hint, Log log) {
    this.parts = parts;
    this.answering = answering;
    this.hint = hint;
    this.log = log;
  }

  /**
   * Answers one.
   *
   * @throws java.nio.channels.ClosedByInterruptException if the thread is told to stop
   */
  void answer(Topic topic, TrecRun run) throws IOException {
    Interruption.requireNone();
    SearchResult result;
    try {
      result = answering.answer(topic.query(parts));
    } catch (IllegalArgumentException e) {
      refused++;
      log.warning("topic %s is not answered: %s".formatted(topic.id(), e.getMessage()));
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

  int answered() {
    return answered;
  }

  /** How many could not be answered. */
  int refused() {
    return refused;
  }

  /** How many of those answered nothing was found for, so that the run does not have them. */
  int empty() {
    return empty;
  }

  /** How many were found for all of them. */
  long documents() {
    return documents;
  }
}
