package io.kmodel.indexer.sort;

import io.kmodel.indexer.sort.Superstep.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * The bitonic network on n keys as a sequence of k-coalesced supersteps (Definitions 1–3 and
 * Section 5 of "Sorting on GPUs for large scale datasets"). It lists the steps of each pass over
 * the keys, given a local memory of σ keys and memory transactions of k keys. The first superstep
 * has the sequence Γ₀ and sorts blocks of σ keys; every later one does as many steps as σ and k
 * allow. In place and not stable; any n, without padding: see {@code sort.lab.KModelSorter}.
 *
 * <p>Memory: about 16 bytes per step, (log² n + log n) / 2 steps. Immutable.
 */
public final class KModelSchedule {

  /** How far a pass may reach. */
  public enum Mode {
    /** A pass stays inside one stage; the last pass of a stage does its last log σ steps. */
    PAPER,
    /**
     * A pass may end one stage and start the next, which takes fewer passes for the same σ and k.
     */
    CROSS_STAGE
  }

  private final int log2N;
  private final int log2Sigma;
  private final int log2K;
  private final List<Superstep> supersteps;

  /**
   * Plans a sort.
   *
   * @param n number of keys, 0 or more
   * @param log2Sigma logarithm of σ, 1 to 30
   * @param log2K logarithm of k, at least 0 and less than log2Sigma
   * @param mode how far a pass may reach
   */
  public KModelSchedule(long n, int log2Sigma, int log2K, Mode mode) {
    if (n < 0 || n > 1L << 40) {
      throw new IllegalArgumentException("number of keys must be 0 to 2^40; got " + n);
    }
    if (log2Sigma < 1 || log2Sigma > Superstep.MAX_GAMMA) {
      throw new IllegalArgumentException(
          "log2Sigma must be 1 to " + Superstep.MAX_GAMMA + "; got " + log2Sigma);
    }
    if (log2K < 0 || log2K >= log2Sigma) {
      throw new IllegalArgumentException(
          "log2K must be in [0, log2Sigma = " + log2Sigma + "); got " + log2K);
    }
    this.log2N = n <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(n - 1);
    this.log2Sigma = log2Sigma;
    this.log2K = log2K;
    List<Superstep> plan = new ArrayList<>();
    if (log2N > 0) {
      plan.add(gamma0());
    }
    if (mode == Mode.PAPER) {
      planPaper(plan);
    } else {
      planCrossStage(plan);
    }
    this.supersteps = List.copyOf(plan);
  }

  /** The passes, in order. */
  public List<Superstep> supersteps() {
    return supersteps;
  }

  /** Logarithm of k. */
  public int log2K() {
    return log2K;
  }

  /** The first superstep: all stages whose blocks fit in the local memory. */
  private Superstep gamma0() {
    List<Step> steps = new ArrayList<>();
    for (int stage = 1; stage <= Math.min(log2N, log2Sigma); stage++) {
      addSteps(steps, stage, stage, stage);
    }
    return new Superstep(log2Sigma, log2Sigma, 0, steps);
  }

  /** Each stage: its steps above bit log σ in passes of log(σ/k) steps, then one of log σ steps. */
  private void planPaper(List<Superstep> plan) {
    for (int stage = log2Sigma + 1; stage <= log2N; stage++) {
      int remaining = stage;
      while (remaining > log2Sigma) {
        int steps = Math.min(remaining - log2Sigma, log2Sigma - log2K);
        plan.add(pass(stage, remaining, 0, steps));
        remaining -= steps;
      }
      plan.add(pass(stage, remaining, remaining, 0));
    }
  }

  /**
   * Greedy, which is optimal: each pass takes steps until their bits and the low log k bits fill Γ.
   * A pass that reaches the end of its stage continues with the first steps of the next one, whose
   * bits are above all of those.
   */
  private void planCrossStage(List<Superstep> plan) {
    int stage = log2Sigma + 1;
    int remaining = stage;
    while (stage <= log2N) {
      if (remaining > log2Sigma) {
        int head = log2Sigma - log2K;
        plan.add(pass(stage, remaining, 0, head));
        remaining -= head;
      } else {
        int head = stage == log2N ? 0 : log2Sigma - Math.max(remaining, log2K);
        plan.add(pass(stage, remaining, remaining, head));
        stage++;
        remaining = stage - head;
      }
    }
  }

  /**
   * One pass.
   *
   * @param stage the stage it starts in
   * @param remaining number of steps that this stage still has
   * @param tail 0, or remaining: the steps that end the stage
   * @param head number of steps at the start of the next stage or, if tail is 0, of this one
   */
  private Superstep pass(int stage, int remaining, int tail, int head) {
    List<Step> steps = new ArrayList<>();
    addSteps(steps, stage, tail, tail);
    int headStage = tail == 0 ? stage : stage + 1;
    int headRemaining = tail == 0 ? remaining : headStage;
    addSteps(steps, headStage, headRemaining, head);
    int lowBits = log2Sigma - head;
    int highBase = head == 0 ? lowBits : headRemaining - head;
    return new Superstep(lowBits, highBase, head, steps);
  }

  private static void addSteps(List<Step> steps, int stage, int remaining, int count) {
    for (int i = 1; i <= count; i++) {
      steps.add(new Step(stage, remaining - i));
    }
  }
}
