package io.kmodel.indexer.inversion;

import static io.kmodel.indexer.inversion.PlainText.isDigit;
import static io.kmodel.indexer.inversion.PlainText.isLetter;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.run.Outcome;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.run.RunMemory;
import io.kmodel.indexer.sort.SortStages;

/**
 * The inversion by the CPU, in the calling thread: what a device is compared with, and what happens
 * to a block that a device does not take. It reads the plain form by the same rules as the kernels.
 *
 * <p>Memory: a separate run, some 16 bytes per token and the dictionary, until it is closed; a copy
 * of the longest part on the heap.
 */
final class PlainInversion implements InvertedText {
  private static final int CONNECTOR = '_';

  /** Memory of the run for a byte of text. */
  private static final long LEAST_PER_BYTE = 4;

  private static final long MOST_PER_BYTE = 256;

  private final TextBlock block;
  private final int[] ordinals;
  private final RunBuilder run;
  private byte[] part = new byte[1 << 12];
  private byte[] word = new byte[1 << 10];

  private PlainInversion(TextBlock block, int[] ordinals, RunBuilder run) {
    this.block = block;
    this.ordinals = ordinals;
    this.run = run;
  }

  /**
   * Inverts a block.
   *
   * @param ordinals of the inverted fields
   */
  static InvertedText invert(TextBlock block, Schema schema, int... ordinals) {
    // At first for words of usual length; a block of shorter ones needs more.
    long bytes = RunMemory.MIN_BYTES + LEAST_PER_BYTE * block.bytes();
    while (bytes <= RunMemory.MIN_BYTES + MOST_PER_BYTE * block.bytes()) {
      RunBuilder run = new RunBuilder(schema, bytes, block.layout());
      try {
        PlainInversion inversion = new PlainInversion(block, ordinals, run);
        if (inversion.addAll()) {
          run.sort(SortStages.onCpu());
          return inversion;
        }
        run.close();
      } catch (RuntimeException | Error e) {
        run.close();
        throw e;
      }
      bytes *= 2;
    }
    throw new IllegalStateException(
        "a block of %d bytes does not fit into a run".formatted(block.bytes()));
  }

  private boolean addAll() {
    for (int doc = 0; doc < block.documents(); doc++) {
      run.startDocument();
      for (int field = 0; field < block.fields(); field++) {
        add(ordinals[field], block.fields() * doc + field);
      }
      if (run.finishDocument() != Outcome.ADDED) {
        return false;
      }
    }
    return true;
  }

  private void add(int ordinal, int number) {
    int length = block.partStart(number + 1) - block.partStart(number);
    if (part.length < length + Long.BYTES) {
      part = new byte[Math.max(length + Long.BYTES, 2 * part.length)];
    }
    OffHeap.copyWords(block.textAddress() + block.partStart(number), part, 0, length);
    int position = 0;
    for (int at = 0; at < length; ) {
      int end = endOfWord(at, length);
      if (end == at) {
        at++;
      } else {
        if (isWord(at, end)) {
          int bytes = copy(at, end);
          run.add(ordinal, word, 0, bytes, position++);
        }
        at = end;
      }
    }
  }

  /** The end of the bytes from {@code start} on that belong together. */
  private int endOfWord(int start, int length) {
    int at = start;
    while (at < length
        && (isLetter(part[at])
            || isDigit(part[at])
            || part[at] == CONNECTOR
            || joins(start, at, length))) {
      at++;
    }
    return at;
  }

  /** Whether a byte joins two letters, or two digits. */
  private boolean joins(int start, int at, int length) {
    if (at == start || at + 1 >= length) {
      return false;
    }
    byte before = part[at - 1];
    byte after = part[at + 1];
    return switch (part[at]) {
      case ':' -> isLetter(before) && isLetter(after);
      case ',', ';' -> isDigit(before) && isDigit(after);
      case '.', '\'' ->
          (isLetter(before) && isLetter(after)) || (isDigit(before) && isDigit(after));
      default -> false;
    };
  }

  /** Connectors alone are no word. */
  private boolean isWord(int from, int to) {
    for (int at = from; at < to; at++) {
      if (part[at] != CONNECTOR) {
        return true;
      }
    }
    return false;
  }

  /** Copies a word in lower case and without escapes. */
  private int copy(int from, int to) {
    if (word.length < to - from) {
      word = new byte[2 * (to - from)];
    }
    for (int at = from; at < to; at++) {
      byte plain = part[at];
      int escape = (plain & 0xFF) - PlainText.FIRST_ESCAPE;
      if (escape >= 0) {
        plain = (byte) PlainText.ESCAPED.charAt(Math.min(escape, PlainText.ESCAPED.length() - 1));
      } else if (plain >= 'A' && plain <= 'Z') {
        plain |= 0x20;
      }
      word[at - from] = plain;
    }
    return to - from;
  }

  @Override
  public long tokens() {
    return run.tokenCount();
  }

  @Override
  public boolean byDevice() {
    return false;
  }

  @Override
  public int length(int number, int docId) {
    return run.length(ordinals[number], docId);
  }

  @Override
  public PostingsCursor cursor(Schema schema) {
    return run.cursor();
  }

  @Override
  public void close() {
    run.close();
  }
}
