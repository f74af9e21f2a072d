package io.kmodel.indexer.cli.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.search.SearchResult;
import io.kmodel.indexer.search.Topic;
import io.kmodel.indexer.search.TrecRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.ClosedByInterruptException;
import org.junit.jupiter.api.Test;

/** How topics come to their end where their answers do not say when to stop. */
class TopicAnswersTest {
  private static final SearchResult NOTHING =
      new SearchResult(
          ImmutableList.of(), 0, true, ImmutableList.of(), ImmutableSet.of(), ImmutableMap.of());

  @Test
  void afterAnInterruptionNoMoreTopicsAreAnswered() throws IOException {
    Log log = new Log(new PrintWriter(new StringWriter()), Log.Format.TEXT);
    TopicAnswers answers =
        new TopicAnswers(
            topic -> {
              Thread.currentThread().interrupt();
              return NOTHING;
            },
            new FieldHint(ImmutableList.of(), ImmutableList.of()),
            log);
    Topic heron = new Topic("7", "heron", "", "");
    try (TrecRun run = new TrecRun(new StringWriter(), "t")) {
      answers.answer(heron, run);
      assertThatThrownBy(() -> answers.answer(heron, run))
          .isInstanceOf(ClosedByInterruptException.class);
      assertThat(answers.answered()).isEqualTo(1);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
