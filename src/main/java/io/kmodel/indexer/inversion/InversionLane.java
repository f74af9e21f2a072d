package io.kmodel.indexer.inversion;

import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.gpu.PinnedMemory;
import io.kmodel.indexer.inversion.DeviceBlock.Counter;
import io.kmodel.indexer.inversion.DeviceBlock.Field;
import io.kmodel.indexer.inversion.DeviceResult.Sizes;
import io.kmodel.indexer.run.KeyLayout;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What inverts one block after the other on a device: a stream and buffers, made for the first
 * block. For one thread at a time.
 */
final class InversionLane implements AutoCloseable {
  /** A block that the device cannot invert. */
  static class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String why) {
      super(why);
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }

  /** A block that the device did not invert correctly. */
  static final class DamagedException extends RefusedException {
    private static final long serialVersionUID = 1L;

    DamagedException(String why) {
      super(why);
    }
  }

  /** The device did not answer in time. It may still use the memory for transfers. */
  static final class LostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      return "it did not answer in time";
    }
  }

  /** Blocks of threads that make keys; each takes many tiles. */
  private static final int KEY_BLOCKS = 660;

  private static final int MAX_SLOT_BITS = 28;

  private static final String TABLE_FULL = "more terms than the device's table takes";

  private static final String NO_ROOM = "more postings than its memory holds";

  /** Marks in the stream: where a block's upload, kernels and download begin, and the end. */
  private static final int UPLOAD = 0;

  private static final int KERNELS = 1;
  private static final int DOWNLOAD = 2;
  private static final int END = 3;

  private final GpuDevice device;
  private final Transfers transfers;
  private final InvertedFields fields;
  private final Duration patience;
  private DeviceBlock.Shape shape;
  private @Nullable GpuStream stream;
  private @Nullable DeviceBlock buffers;
  private final List<DeviceBlock> outgrown = new ArrayList<>();

  /** How long the stems of the last block took. */
  private long hostNanos;

  /**
   * A lane without buffers.
   *
   * @param maxBytes capacity of the blocks
   * @param form how lists come back
   * @param patience how long the device may take for each step of its work on a block, plus 10 s
   *     per GB
   */
  InversionLane(
      GpuDevice device,
      PinnedMemory pinned,
      int maxBytes,
      ListForm form,
      InvertedFields fields,
      Duration patience) {
    this.device = device;
    this.transfers = new Transfers(pinned);
    this.patience = patience;
    this.shape = DeviceBlock.Shape.usual(maxBytes, form);
    this.fields = fields;
  }

  /**
   * Inverts a block, which must not be empty. The result is not checked yet.
   *
   * @throws RefusedException if it must be inverted by the CPU
   * @throws LostException if the device does not answer
   * @throws GpuException if the driver fails
   */
  DeviceResult invert(TextBlock block) throws RefusedException {
    if (block.bytes() > shape.maxBytes()
        || block.partCount() > TextBlock.maxParts(shape.maxBytes())) {
      throw new RefusedException("a block for more memory than the device has");
    }
    device.use();
    hostNanos = 0;
    block.seal();
    if (stream == null) {
      stream = device.newStream();
    }
    upload(block, stream);
    DeviceCounters counters = makeKeys(block, stream);
    while (counters.get(Counter.FULL) > 0) {
      grow();
      upload(block, stream);
      counters = makeKeys(block, stream);
    }
    if (counters.get(Counter.TOO_LONG) > 0) {
      throw new RefusedException("a word of more than 1,023 bytes");
    }
    if (counters.get(Counter.COLLISIONS) > 0) {
      throw new RefusedException("two words with the same hash");
    }
    return order(block, stream, counters);
  }

  /** Makes a larger table. The smaller one stays, because freeing memory waits for all lanes. */
  private void grow() throws RefusedException {
    if (shape.slotBits() == MAX_SLOT_BITS) {
      throw new RefusedException(TABLE_FULL);
    }
    DeviceBlock larger = new DeviceBlock(device, shape.grown());
    if (buffers != null) {
      outgrown.add(buffers);
    }
    buffers = larger;
    shape = shape.grown();
  }

  private DeviceBlock buffers() {
    DeviceBlock present = buffers;
    if (present == null) {
      present = new DeviceBlock(device, shape);
      buffers = present;
    }
    return present;
  }

  boolean hasBuffers() {
    return buffers != null;
  }

  /**
   * Waits until the device has done all queued work.
   *
   * @return false if it does not answer
   */
  boolean settle() {
    try {
      return stream == null || stream.await(patience);
    } catch (GpuException e) {
      // The context is dead, so no copy is in progress.
      return true;
    }
  }

  private void upload(TextBlock block, GpuStream own) {
    DeviceBlock to = buffers();
    own.clearMarks();
    own.mark();
    long textBytes = TextBlock.FRONT + (long) block.bytes() + TextBlock.BEHIND;
    long partBytes = Integer.BYTES * (block.partCount() + 1L);
    upload(own, block, block.text().asSlice(0, textBytes), to.place(Field.TEXT) - TextBlock.FRONT);
    upload(own, block, block.parts().asSlice(0, partBytes), to.place(Field.PARTS));
    own.mark();
  }

  private void upload(GpuStream own, TextBlock block, MemorySegment from, long place) {
    transfers.upload(own, from, buffers().memory(), place, () -> await(own, block));
  }

  private KeyLayout layout(TextBlock block) throws RefusedException {
    KeyLayout widths = block.layout();
    if (shape.slotBits() > widths.termBits()) {
      throw new RefusedException("keys of more than %d bits".formatted(KeyLayout.MAX_BITS));
    }
    return new KeyLayout(shape.slotBits(), widths.docBits(), widths.positionBits());
  }

  /** Makes the keys, and returns the counters. */
  private DeviceCounters makeKeys(TextBlock block, GpuStream own) throws RefusedException {
    DeviceBlock on = buffers();
    KeyLayout layout = layout(block);
    long tiles = DeviceBlock.tiles(block.bytes());
    on.set(Field.BYTES, block.bytes());
    on.set(Field.TILES, tiles);
    on.set(Field.PART_COUNT, block.partCount());
    on.set(Field.FIELDS, block.fields());
    on.set(Field.FIELD_ORDINALS, fields.packed());
    on.set(Field.DOC_BITS, layout.docBits());
    on.set(Field.POSITION_BITS, layout.positionBits());
    own.launch(DeviceBlock.CLEAR_TABLE, DeviceBlock.perThread(1L << shape.slotBits()), on.struct());
    own.launch(DeviceBlock.FIND_PARTS, DeviceBlock.perThread(tiles + 1), on.struct());
    own.launch(DeviceBlock.MARK_WORDS, tiles, on.struct());
    own.launch(DeviceBlock.SCAN_TILES, 1, on.struct());
    own.launch(DeviceBlock.MEASURE_PARTS, DeviceBlock.perThread(block.partCount()), on.struct());
    own.launch(DeviceBlock.MAKE_KEYS, Math.min(tiles, KEY_BLOCKS), on.struct());
    own.launch(DeviceBlock.CHECK_LONG, tiles, on.struct());
    own.launch(
        DeviceBlock.COLLECT_TERMS, DeviceBlock.perThread(1L << shape.slotBits()), on.struct());
    return counters(block, own);
  }

  /** Waits for the counters. */
  private DeviceCounters counters(TextBlock block, GpuStream own) {
    MemorySegment memory = ResultMemory.counters(block).asSlice(0, DeviceCounters.BYTES);
    download(own, block, buffers().place(Field.COUNTERS), memory);
    return new DeviceCounters(memory);
  }

  /** Puts keys and terms in order, and brings them back. */
  private DeviceResult order(TextBlock block, GpuStream own, DeviceCounters counters)
      throws RefusedException {
    DeviceBlock on = buffers();
    long tokens = counters.get(Counter.TOKENS);
    long terms = counters.get(Counter.TERMS);
    long longBytes = counters.get(Counter.LONG_BYTES);
    if (tokens < 0
        || tokens > block.bytes() / 2 + 1
        || terms < 0
        || terms > Math.min(tokens, 1L << shape.slotBits())
        || longBytes < 0
        || longBytes > on.bytes(Field.LONG_BYTES)) {
      throw new DamagedException("impossible counts");
    }
    Sizes sizes = new Sizes(tokens, terms, longBytes, Sizes.OF_LENGTHS);
    DeviceOrder order = new DeviceOrder(own, on, layout(block).termShift());
    if (tokens > 0) {
      order.terms(terms);
      if (fields.hasStems()) {
        sizes = stem(block, order, sizes);
      } else {
        order.keys(tokens, terms);
      }
    }
    return shape.form() == ListForm.LUCENE
        ? packed(block, order, sizes)
        : keyed(block, order, sizes);
  }

  /** Replaces words by their stems, drops stop words, and puts keys in order. */
  private Sizes stem(TextBlock block, DeviceOrder order, Sizes words) throws RefusedException {
    DeviceBlock on = buffers();
    GpuStream own = order.stream();
    Stems stems = new Stems(block, fields, words);
    order.writeTerms(words.terms());
    download(own, block, on.place(Field.LENGTHS), stems.lengths());
    download(own, block, on.place(Field.TERMS), stems.words());
    download(own, block, on.place(Field.LONG_BYTES), stems.longWords());
    counters(block, own).requireOrder();
    long start = System.nanoTime();
    stems.make(words.tokens());
    hostNanos = System.nanoTime() - start;
    if (stems.count() + fields.size() > 1L << shape.slotBits()) {
      throw new RefusedException(TABLE_FULL);
    }
    upload(own, block, stems.ranks(), on.place(Field.LIST_START));
    upload(own, block, stems.stems(), on.place(Field.TERMS));
    upload(own, block, stems.longStems(), on.place(Field.LONG_BYTES));
    order.rankStems(words.terms());
    order.rankedKeys(words.tokens(), stems.count() + fields.size());
    order.stemLists(words.tokens(), stems.count(), stems.longStems().byteSize());
    DeviceCounters counters = counters(block, own);
    long tokens = counters.get(Counter.TOKENS);
    long positions = stems.positionSum() - counters.get(Counter.DROPPED_POSITIONS);
    if (tokens < 0 || tokens != words.tokens() - counters.get(Counter.DROPPED) || positions < 0) {
      throw new DamagedException("impossible counts");
    }
    return new Sizes(tokens, stems.count(), stems.longStems().byteSize(), positions);
  }

  private DeviceResult keyed(TextBlock block, DeviceOrder order, Sizes sizes)
      throws RefusedException {
    GpuStream own = order.stream();
    if (!DeviceText.hasRoom(block, sizes)) {
      throw new RefusedException(NO_ROOM);
    }
    DeviceText result = new DeviceText(block, layout(block), sizes);
    downloadTerms(own, block, result, Field.TERMS);
    Field keys = order.keysIn() == 0 ? Field.KEYS_0 : Field.KEYS_1;
    download(own, block, buffers().place(keys), result.keys());
    own.mark();
    await(own, block);
    return result;
  }

  /** Brings back everything but lists. */
  private void downloadTerms(GpuStream own, TextBlock block, DeviceResult to, Field records) {
    DeviceBlock on = buffers();
    own.mark();
    download(own, block, on.place(Field.LENGTHS), to.lengths());
    download(own, block, on.place(records), to.records());
    download(own, block, on.place(Field.LONG_BYTES), to.longBytes());
  }

  /** Encodes the lists for Lucene, and brings them back. */
  private DeviceResult packed(TextBlock block, DeviceOrder order, Sizes sizes)
      throws RefusedException {
    GpuStream own = order.stream();
    PostingsPacking packing =
        new PostingsPacking(own, buffers(), sizes.tokens(), sizes.terms(), order.keysIn());
    if (packing.tokens() > 0) {
      packing.measure();
    }
    DeviceCounters counters = counters(block, own);
    counters.requireOrder();
    if (counters.get(Counter.DISORDER) > 0) {
      throw new DamagedException("keys out of order");
    }
    long docs = counters.get(Counter.DOCS_BYTES);
    long positions = counters.get(Counter.POSITIONS_BYTES);
    if (!packing.hasRoom(docs, positions)
        || !sizes.fit(block, PackedText.TERM_BYTES, docs, positions)) {
      throw new RefusedException(NO_ROOM);
    }
    int[] maxima = counters.maxima();
    if (packing.tokens() > 0) {
      packing.write(docs);
    }
    PackedText result = new PackedText(block, sizes, docs, positions, maxima);
    downloadTerms(own, block, result, Field.PACKED_TERMS);
    download(own, block, packing.docsPlace(), result.docs());
    download(own, block, packing.positionsPlace(docs), result.positions());
    own.mark();
    await(own, block);
    return result;
  }

  /** How long the last block's upload took. */
  double uploadSeconds() {
    return seconds(UPLOAD, KERNELS);
  }

  /** How long its kernels took, with words, stems and counters that were copied in between. */
  double kernelSeconds() {
    return seconds(KERNELS, DOWNLOAD) - hostNanos / 1e9;
  }

  double downloadSeconds() {
    return seconds(DOWNLOAD, END);
  }

  private double seconds(int from, int to) {
    return stream == null ? 0 : stream.secondsBetween(from, to);
  }

  private void download(GpuStream own, TextBlock block, long place, MemorySegment to) {
    transfers.download(own, buffers().memory(), place, to, () -> await(own, block));
  }

  private void await(GpuStream own, TextBlock block) {
    if (!own.await(GpuStream.patience(patience, block.bytes()))) {
      throw new LostException();
    }
  }

  @Override
  public void close() {
    device.use();
    outgrown.forEach(DeviceBlock::close);
    if (buffers != null) {
      buffers.close();
    }
    if (stream != null) {
      stream.close();
    }
    transfers.close();
  }
}
