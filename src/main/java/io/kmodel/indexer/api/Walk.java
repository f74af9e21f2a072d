package io.kmodel.indexer.api;

import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Walks along a cursor. One thread at a time does so, in a parallel stream, too. */
final class Walk<T> extends Spliterators.AbstractSpliterator<T> {
  private final Failures.Action<Boolean> next;
  private final Failures.Action<Optional<T>> element;
  private boolean hasElement;
  private boolean isAtFirst = true;

  private Walk(
      boolean hasFirst, Failures.Action<Boolean> next, Failures.Action<Optional<T>> element) {
    super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
    this.hasElement = hasFirst;
    this.next = next;
    this.element = element;
  }

  /**
   * A stream of elements.
   *
   * @param hasFirst whether the cursor is at one
   * @param next moves the cursor, and says whether it is at one
   * @param element makes it; empty ends the stream
   */
  static <T> Stream<T> of(
      boolean hasFirst, Failures.Action<Boolean> next, Failures.Action<Optional<T>> element) {
    return StreamSupport.stream(new Walk<T>(hasFirst, next, element), false);
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    if (!isAtFirst && hasElement) {
      hasElement = Failures.unchecked(next);
    }
    isAtFirst = false;
    Optional<T> current = hasElement ? Failures.unchecked(element) : Optional.empty();
    hasElement = current.isPresent();
    current.ifPresent(action);
    return hasElement;
  }

  /** The elements cannot be divided. */
  @Override
  public @Nullable Spliterator<T> trySplit() {
    return null;
  }
}
