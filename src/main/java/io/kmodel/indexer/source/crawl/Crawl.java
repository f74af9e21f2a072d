package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.FileListener;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RegularFile;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.list.ParallelLister;
import io.kmodel.indexer.source.list.PathBytes;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.RecordFile.Cells;
import io.kmodel.indexer.source.remote.RemoteCounts;
import io.kmodel.indexer.source.remote.RemoteListing;
import io.kmodel.indexer.source.unpack.FileUnpacker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A crawl on disk or on servers: the documents of every regular file below its roots. Files come in
 * the order of the given roots, then in byte order of their paths relative to the root; documents
 * come in the order of their file. The bytes of a file decide its format (see {@code FormatSniffer}
 * and {@link ContentSniffer}), and compressed files are decompressed.
 *
 * <p>Opening a crawl lists its files once. Nothing is read before a split is opened, except the
 * first bytes of large files and the bytes around possible split points. Memory: some 30 bytes per
 * file (see {@link FileList}). Thread-safe once open. Paths that are not regular files, and
 * anything that cannot be listed or read, are reported to the {@link SkipListener}.
 */
public final class Crawl {
  private final FileList files;
  private final SourceOptions options;

  /** Number of paths that the listing skipped, by reason. */
  private final Map<SkipReason, Long> leftOut;

  private final RemoteCounts remote;

  private Crawl(
      FileList files, SourceOptions options, Map<SkipReason, Long> leftOut, RemoteCounts remote) {
    this.files = files;
    this.options = options;
    this.leftOut = leftOut;
    this.remote = remote;
  }

  /**
   * Lists the files of a crawl.
   *
   * @param roots directories, single files or URLs, at least one; a link given here is followed,
   *     but the file it leads to keeps the link's name
   * @param maxDocumentBytes larger files, compressed or decompressed, are skipped; 1 to {@link
   *     SourceOptions#LARGEST_MAX_DOCUMENT_BYTES}
   * @param skips receives what the listing skips, in the caller's thread
   * @throws IOException if a root does not exist or cannot be listed
   */
  public static Crawl open(List<Path> roots, int maxDocumentBytes, SkipListener skips)
      throws IOException {
    return open(roots, List.of(), SourceOptions.withLimit(maxDocumentBytes), skips);
  }

  /**
   * The same, as if some directories and files did not exist: those that the caller itself writes.
   *
   * @param hidden paths in directories of the crawl, which need not exist
   */
  public static Crawl open(
      List<Path> roots, List<Path> hidden, SourceOptions options, SkipListener skips)
      throws IOException {
    return open(roots, hidden, options, skips, FileListener.NONE, LeadingSplits.NONE);
  }

  /**
   * Opens a crawl that reports its files while it lists them.
   *
   * @param listener receives the files, in the caller's thread
   * @param leading first splits; the listener receives each one as soon as it is certain
   */
  public static Crawl open(
      List<Path> roots,
      List<Path> hidden,
      SourceOptions options,
      SkipListener skips,
      FileListener listener,
      LeadingSplits leading)
      throws IOException {
    if (roots.isEmpty()) {
      throw new IllegalArgumentException("a crawl needs at least one directory or file");
    }
    Opening opening = new Opening(options, listener, leading);
    Map<SkipReason, Long> leftOut = new EnumMap<>(SkipReason.class);
    SkipListener counted =
        (place, reason, detail) -> {
          leftOut.merge(reason, 1L, Long::sum);
          skips.skipped(place, reason, detail);
        };
    try (RemoteListing remote = new RemoteListing(roots)) {
      RootLister lister =
          new RootLister(opening.files, hidden, options.standardInput(), counted, listener, remote);
      for (Path root : roots) {
        lister.add(root);
      }
      return new Crawl(opening.files.build(), options, leftOut, remote.counts());
    }
  }

  /** A crawl while its files are being listed. */
  private static final class Opening {
    private final FileList.Builder files = new FileList.Builder(this::unit);
    private final SourceOptions options;
    private final FileListener listener;
    private final LeadingSplits.Finder leading;

    Opening(SourceOptions options, FileListener listener, LeadingSplits leading) {
      this.options = options;
      this.listener = listener;
      this.leading = new LeadingSplits.Finder(leading);
    }

    private void unit(long bytes) {
      int before = leading.count();
      leading.add(bytes);
      if (leading.count() > before) {
        listener.leading(
            new Crawl(files.closedUnits(), options, Map.of(), new RemoteCounts())
                .leading(leading, before));
      }
    }
  }

  /** Counts requests to servers, from the listing on. */
  public RemoteCounts remote() {
    return remote;
  }

  /** Number of files listed. */
  public long files() {
    return files.files();
  }

  /** Bytes in the files, as listed. */
  public long bytes() {
    return files.bytes();
  }

  /**
   * Reads the first bytes of every file, and adds the counts of what the listing skipped.
   *
   * @param decoders grants memory for decoding them
   */
  public CrawlSurvey survey(DecoderGuard decoders) throws IOException {
    return CrawlSurvey.of(files, leftOut, options, decoders);
  }

  /** Bytes of a full split if {@code threads} threads read {@link #splits}. */
  public long splitBytes(int threads) {
    return SplitSizes.fullBytes(files.bytes(), threads);
  }

  /**
   * Cuts the crawl into contiguous splits, in order. A split of whole files ends with the unit that
   * brings it to its size, so it exceeds that size by less than a unit. A large file in which
   * records can be found from any offset is cut into separate pieces of whole cells. A split takes
   * a few words of memory; all splits share the list of files.
   *
   * <p>If there are many splits, the first and the last ones are smaller (see {@link SplitSizes}).
   *
   * @param fullBytes the size of the other splits, as from {@link #splitBytes}
   * @param leading the splits that come first, as far as the crawl has them
   */
  public List<Split> splits(long fullBytes, LeadingSplits leading) {
    return splits(new SplitSizes(files.bytes(), fullBytes), leading);
  }

  /**
   * Cuts the crawl into splits of about the same size, the same number for each thread. Files that
   * cannot be cut may make them larger.
   *
   * @param mostBytes of a split
   */
  public List<Split> evenSplits(int threads, long mostBytes, LeadingSplits leading) {
    return splits(SplitSizes.even(files.bytes(), threads, mostBytes), leading);
  }

  /**
   * Cuts the crawl into parts for processes that do not share memory. A file that must be
   * decompressed from its start is not cut.
   *
   * @param bytes of a part
   * @param equal whether all parts have about this size; else the first and the last ones are
   *     smaller, so that the processes end at about the same time
   * @param versions of the files
   */
  public List<CrawlPart> parts(long bytes, boolean equal, CrawlPart.Versions versions) {
    List<CrawlPart> parts = new ArrayList<>();
    int unit = 0;
    int file = 0;
    for (Split each : splits(SplitSizes.ofParts(files.bytes(), bytes, equal), LeadingSplits.NONE)) {
      FileSplit split = (FileSplit) each;
      // Pieces of a file have the same unit.
      file += split.fromUnit > unit ? parts.getLast().files() : 0;
      unit = split.fromUnit;
      parts.add(
          new CrawlPart(
              CrawlPart.groups(files.cursor(unit, split.toUnit), versions, file),
              split.bytes,
              split.piece.from(),
              split.piece.to(),
              split.piecesAfter));
    }
    return parts;
  }

  /** All of a list as one split. */
  static Split whole(FileList files, SourceOptions options, long bytes, Piece piece) {
    Crawl crawl = new Crawl(files, options, Map.of(), new RemoteCounts());
    return new FileSplit(crawl, 0, 0, files.units(), bytes, piece, 0);
  }

  private List<Split> splits(SplitSizes sizes, LeadingSplits leading) {
    List<Split> splits = find(leading);
    int from = splits.isEmpty() ? 0 : ((FileSplit) splits.getLast()).toUnit();
    long passed = splits.stream().mapToLong(Split::bytes).sum();
    int found = splits.size();
    long foundBytes = passed;
    // The leading splits ascend in size, too; the others continue at the size that follows this
    // many bytes.
    int ahead = sizes.ordinalAfter(passed) - splits.size();
    long bytes = 0;
    for (int unit = from; unit < files.units(); unit++) {
      long unitBytes = files.unitBytes(unit);
      long wanted = sizes.bytes(splits.size() + ahead, passed - bytes);
      int ordinal = splits.size() + (from < unit ? 1 : 0) + ahead;
      boolean large = files.isLarge(unit) && sizes.exceeds(unitBytes, wanted);
      List<Piece> pieces = large ? pieces(unit, sizes, ordinal, passed) : List.of();
      boolean cut = !pieces.isEmpty();
      if (!cut && sizes.endsBefore(bytes, unitBytes, wanted)) {
        addUnits(splits, from, unit, bytes);
        from = unit;
        bytes = 0;
      }
      if (cut) {
        addUnits(splits, from, unit, bytes);
        addPieces(splits, unit, pieces);
      } else {
        bytes += unitBytes;
      }
      passed += unitBytes;
      int made = splits.size() - found;
      long before = passed - bytes - foundBytes;
      if (cut
          || unit + 1 == files.units()
          || bytes >= sizes.enough(wanted, made, before, files.unitBytes(unit + 1))) {
        addUnits(splits, from, cut ? from : unit + 1, bytes);
        from = unit + 1;
        bytes = 0;
      }
    }
    return splits;
  }

  /** The same without leading splits. */
  public List<Split> splits(long fullBytes) {
    return splits(fullBytes, LeadingSplits.NONE);
  }

  /**
   * The most files that are open while a crawl is listed: directories, for each of which Java opens
   * two.
   */
  public static int openWhileListed() {
    return 2 * (ParallelLister.Limits.usual().threads() + 1);
  }

  /** The leading splits. */
  private List<Split> find(LeadingSplits wanted) {
    LeadingSplits.Finder finder = new LeadingSplits.Finder(wanted);
    for (int unit = 0; unit < files.units(); unit++) {
      finder.add(files.unitBytes(unit));
    }
    return leading(finder, 0);
  }

  /** The leading splits that were found, starting with index {@code from}. */
  private List<Split> leading(LeadingSplits.Finder found, int from) {
    List<Split> splits = new ArrayList<>();
    for (int split = from; split < found.count(); split++) {
      splits.add(whole(split, found.start(split), found.end(split), found.bytes(split)));
    }
    return splits;
  }

  private void addUnits(List<Split> splits, int from, int to, long bytes) {
    if (from < to) {
      splits.add(whole(splits.size(), from, to, bytes));
    }
  }

  private Split whole(int ordinal, int from, int to, long bytes) {
    return new FileSplit(this, ordinal, from, to, bytes, Piece.ALL, 0);
  }

  private void addPieces(List<Split> splits, int unit, List<Piece> pieces) {
    long fileBytes = files.unitBytes(unit);
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      int after = pieces.size() - 1 - i;
      splits.add(
          new FileSplit(this, splits.size(), unit, unit + 1, piece.bytes(fileBytes), piece, after));
    }
  }

  /**
   * The pieces of a large file; empty if it should not be cut. A file that cannot be read is not
   * cut; its reader reports the failure.
   *
   * @param ordinal of the first piece, for the sizes
   * @param before bytes before the file
   */
  private List<Piece> pieces(int unit, SplitSizes sizes, int ordinal, long before) {
    FileList.Cursor file = files.cursor(unit, unit + 1);
    file.next();
    long fileBytes = file.size();
    String name = PathBytes.text(file.path(), file.pathLength());
    List<Piece> pieces = new ArrayList<>();
    try (FileBytes bytes = RegularFile.open(file.place());
        SplitPoints borders =
            bytes.startsAnywhere() ? new SplitPoints(bytes, name, options.format()) : null) {
      if (borders == null) {
        return List.of();
      }
      if (borders.cells() == Cells.OF_UNPACKED) {
        return sizes.isShare(fileBytes)
            ? unpacked(file, borders).cut(sizes, ordinal, before)
            : List.of();
      }
      for (long from = 0; from < fileBytes && borders.cells() == Cells.OF_FILE; ) {
        long wanted =
            sizes.pieceBytes(fileBytes, sizes.bytes(ordinal + pieces.size(), before + from));
        long step = sizes.cells(wanted) * RecordFile.CELL_BYTES;
        long to = from + step;
        while (to < fileBytes && !borders.mayBe(from, to)) {
          to += step;
        }
        pieces.add(new Piece(from, to >= fileBytes ? Long.MAX_VALUE : to));
        from = to;
      }
    } catch (IOException e) {
      return List.of();
    }
    return pieces.size() > 1 ? pieces : List.of();
  }

  private CompressedSplits unpacked(FileList.Cursor file, SplitPoints borders) throws IOException {
    return new CompressedSplits(
        new FileUnpacker.Source(
            file.place(),
            file.size(),
            borders.format().compression(),
            DecoderGuard.USUAL,
            options.maxExpansion(),
            borders.format().records().archive()),
        borders.expansion());
  }

  /** A range of units of the list, or a piece of a unit that is a large file. */
  private record FileSplit(
      Crawl crawl, int ordinal, int fromUnit, int toUnit, long bytes, Piece piece, int piecesAfter)
      implements Split {
    @Override
    public DocumentReader open(SkipListener skips, HeapGuard heap) {
      return new FileDocumentReader(
          crawl.files.cursor(fromUnit, toUnit), piece, crawl.options, skips, heap);
    }

    @Override
    public String borders() {
      return fromUnit + "+" + piece.from() + "-" + toUnit + "+" + piece.to();
    }

    @Override
    public void claim() {
      piece.claim();
    }

    @Override
    public void release() throws IOException {
      piece.release();
    }

    @Override
    public Split withRest() {
      Piece rest = piece.withRest();
      long restBytes = rest.bytes(crawl.files.unitBytes(fromUnit));
      return new FileSplit(crawl, ordinal, fromUnit, toUnit, restBytes, rest, 0);
    }

    @Override
    public Split alone() {
      return new FileSplit(crawl, ordinal, fromUnit, toUnit, bytes, piece.alone(), piecesAfter);
    }
  }
}
