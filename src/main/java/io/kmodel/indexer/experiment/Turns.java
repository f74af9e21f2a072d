package io.kmodel.indexer.experiment;

import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The order of a race: contestants take turns, and each round starts with another one. */
public final class Turns {
  /** Makes the input of a round; those that warm up have negative numbers. */
  @FunctionalInterface
  public interface Round<I> {
    I begin(int number) throws IOException;
  }

  /** One contestant's turn with the round's input, which returns its figures. */
  @FunctionalInterface
  public interface Turn<I, T> {
    T take(int contestant, I input) throws IOException;
  }

  private Turns() {}

  /**
   * Runs all rounds.
   *
   * @return for each contestant, the figures of the rounds that do not warm up
   * @throws java.nio.channels.ClosedByInterruptException if the thread is interrupted
   */
  public static <I, T> List<List<T>> take(
      int warmUpRounds, int rounds, int contestants, Round<I> begin, Turn<I, T> turn)
      throws IOException {
    List<List<T>> figures = new ArrayList<>();
    for (int i = 0; i < contestants; i++) {
      figures.add(new ArrayList<>());
    }
    for (int round = -warmUpRounds; round < rounds; round++) {
      I input = begin.begin(round);
      for (int i = 0; i < contestants; i++) {
        Interruption.requireNone();
        int who = Math.floorMod(round + i, contestants);
        T figure = turn.take(who, input);
        if (round >= 0) {
          figures.get(who).add(figure);
        }
      }
    }
    return figures;
  }
}
