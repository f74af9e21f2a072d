package io.kmodel.indexer.source;

import io.kmodel.indexer.source.RecordFile.Cells;
import io.kmodel.indexer.store.Places;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A crawl on disk: the documents of every regular file below its roots. Files are in the order of
 * the roots as given, then in byte order of the paths relative to the root, and documents as they
 * are in their file. What the bytes of a file are decides what it is read as (see {@link
 * FormatSniffer} and {@link ContentSniffer}), and what is compressed is unpacked.
 *
 * <p>The files are listed once, when the crawl is opened; nothing is read until a split is, but for
 * the first bytes of large files, and those where they may be cut. Memory: some 30 bytes a file
 * (see {@link FileList}). Safe for many threads once open. A path that is no regular file, and
 * whatever cannot be listed or read, goes to the {@link SkipListener}.
 */
public final class Crawl {
  private final FileList files;
  private final SourceOptions options;

  /** How much the listing left out, by reason. */
  private final Map<SkipReason, Long> leftOut;

  private Crawl(FileList files, SourceOptions options, Map<SkipReason, Long> leftOut) {
    this.files = files;
    this.options = options;
    this.leftOut = leftOut;
  }

  /**
   * Lists the files of a crawl.
   *
   * @param roots directories or single files, at least one; a link given here is followed, but the
   *     file that it leads to is known by the link's name
   * @param maxDocumentBytes files that are larger, packed or unpacked, are skipped; 1 to 1 GiB
   * @param skips told of what the listing leaves out, in the caller's thread
   * @throws IOException if a root is missing or cannot be listed
   */
  public static Crawl open(List<Path> roots, int maxDocumentBytes, SkipListener skips)
      throws IOException {
    return open(roots, List.of(), SourceOptions.withLimit(maxDocumentBytes), skips);
  }

  /**
   * The same, as if some directories and files were not there: those that the caller itself writes.
   *
   * @param hidden places in directories of the crawl, which need not exist
   */
  public static Crawl open(
      List<Path> roots, List<Path> hidden, SourceOptions options, SkipListener skips)
      throws IOException {
    return open(roots, hidden, options, skips, FileListener.NONE, LeadingSplits.NONE);
  }

  /**
   * The same.
   *
   * @param listener is told of the files, in the caller's thread
   * @param leading first splits, of each of which the listener is told when it is certain
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
    for (Path root : roots) {
      addRoot(opening.files, root, hidden, counted, listener);
    }
    return new Crawl(opening.files.build(), options, leftOut);
  }

  /** A crawl while its files are listed. */
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
            new Crawl(files.closedUnits(), options, Map.of()).leading(leading, before));
      }
    }
  }

  /** Files listed: at least as many as there will be documents. */
  public long files() {
    return files.files();
  }

  /** Bytes in the files, as listed. */
  public long bytes() {
    return files.bytes();
  }

  /**
   * Looks at the first bytes of every file, and counts what the listing left out beside them.
   *
   * @param decoders is asked for memory to decode them
   */
  public CrawlSurvey survey(DecoderGuard decoders) throws IOException {
    return CrawlSurvey.of(files, leftOut, options, decoders);
  }

  /** Bytes of a full split if so many threads read {@link #splits}. */
  public long splitBytes(int threads) {
    return SplitSizes.fullBytes(files.bytes(), threads);
  }

  /**
   * Cuts the crawl into contiguous splits, in order. A split of whole files ends with the unit that
   * brings it to its size; so it exceeds that by less than a unit. A large file whose records can
   * be found from anywhere is cut into pieces of its own, of whole cells. Splits take a few words
   * of memory each and share the list of files.
   *
   * <p>Of many splits, the first and the last ones are smaller, so that threads neither start nor
   * end their work on them at the same time.
   *
   * @param fullBytes the size of the others, as of {@link #splitBytes}
   * @param leading those that come first, as far as the crawl has them
   */
  public List<Split> splits(long fullBytes, LeadingSplits leading) {
    SplitSizes sizes = new SplitSizes(files.bytes(), fullBytes);
    List<Split> splits = find(leading);
    int from = splits.isEmpty() ? 0 : ((FileSplit) splits.getLast()).toUnit();
    long passed = splits.stream().mapToLong(Split::bytes).sum();
    // Those that lead ascend, too; the others go on where as much has passed.
    int ahead = sizes.ordinalAfter(passed) - splits.size();
    long bytes = 0;
    for (int unit = from; unit < files.units(); unit++) {
      long unitBytes = files.unitBytes(unit);
      long wanted = sizes.bytes(splits.size() + ahead, passed - bytes);
      int ordinal = splits.size() + (from < unit ? 1 : 0) + ahead;
      boolean large = files.isLarge(unit) && unitBytes > wanted;
      List<Piece> pieces = large ? pieces(unit, sizes, ordinal, passed) : List.of();
      boolean cut = !pieces.isEmpty();
      if (cut) {
        addUnits(splits, from, unit, bytes);
        addPieces(splits, unit, pieces);
      } else {
        bytes += unitBytes;
      }
      passed += unitBytes;
      if (cut || bytes >= wanted || unit + 1 == files.units()) {
        addUnits(splits, from, cut ? from : unit + 1, bytes);
        from = unit + 1;
        bytes = 0;
      }
    }
    return splits;
  }

  /** The same without any that come first. */
  public List<Split> splits(long fullBytes) {
    return splits(fullBytes, LeadingSplits.NONE);
  }

  /**
   * How many files may be open at most while a crawl is listed: directories, for each of which Java
   * opens two.
   */
  public static int openWhileListed() {
    return 2 * (ListingAhead.Limits.usual().threads() + 1);
  }

  /** Those that come first. */
  private List<Split> find(LeadingSplits wanted) {
    LeadingSplits.Finder finder = new LeadingSplits.Finder(wanted);
    for (int unit = 0; unit < files.units(); unit++) {
      finder.add(files.unitBytes(unit));
    }
    return leading(finder, 0);
  }

  /** Those that were found, from one on. */
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
   * The pieces of a large file; none if it is not to be cut. What cannot be read is not; whoever
   * reads it reports that.
   *
   * @param ordinal for the sizes, of the first piece
   * @param before bytes before the file
   */
  private List<Piece> pieces(int unit, SplitSizes sizes, int ordinal, long before) {
    FileList.Cursor file = files.cursor(unit, unit + 1);
    file.next();
    long fileBytes = file.size();
    String name = PathBytes.text(file.path(), file.pathLength());
    List<Piece> pieces = new ArrayList<>();
    try (FileChannel channel = RegularFile.open(file.place());
        FileBorders borders = new FileBorders(channel, name, options.format())) {
      if (borders.cells() == Cells.OF_UNPACKED) {
        return sizes.isShare(fileBytes)
            ? unpacked(file, borders).cut(sizes, ordinal, before)
            : List.of();
      }
      for (long from = 0; from < fileBytes && borders.cells() == Cells.OF_FILE; ) {
        long wanted = sizes.bytes(ordinal + pieces.size(), before + from);
        long step = Math.max(1, wanted / RecordFile.CELL_BYTES) * RecordFile.CELL_BYTES;
        long to = from + step;
        while (to < fileBytes && !borders.mayBe(to)) {
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

  private UnpackedCut unpacked(FileList.Cursor file, FileBorders borders) throws IOException {
    return new UnpackedCut(
        new FileUnpacker.Source(
            file.place(),
            file.size(),
            borders.format().compression(),
            DecoderGuard.USUAL,
            options.maxExpansion(),
            borders.format().records().archive()),
        borders.expansion());
  }

  private static void addRoot(
      FileList.Builder files,
      Path given,
      List<Path> hidden,
      SkipListener skips,
      FileListener listener)
      throws IOException {
    if (!Files.exists(given)) {
      throw new NoSuchFileException(given.toString(), null, missing(given.toAbsolutePath()));
    }
    Path root = Files.isSymbolicLink(given) ? Places.target(given) : given.toAbsolutePath();
    if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      files.startRoot(root);
      new DirectoryWalk(files, hidden, skips, listener).walk(root);
    } else if (Files.isRegularFile(root, LinkOption.NOFOLLOW_LINKS)) {
      addFile(files, given.toAbsolutePath(), root, listener);
    } else {
      Path named = given.toAbsolutePath();
      skips.skipped(Place.of(named.toString()), SkipReason.NOT_A_FILE, "pipe, socket or device");
    }
  }

  /** What Java decodes before anybody sees it may be there by another name. */
  private static String missing(Path path) {
    String missing = "no such directory or file";
    return PathBytes.mayHaveLost(path.toString())
        ? missing + "; what is not called in UTF-8 can be given by a link, or with what it is in"
        : missing;
  }

  /** Adds a file by the name that it was given by, which may be a link's. */
  private static void addFile(FileList.Builder files, Path named, Path file, FileListener listener)
      throws IOException {
    Path parent = named.getParent();
    Path directory = parent == null ? named : parent;
    byte[] name = PathBytes.nameOf(named);
    long size = Files.size(file);
    listener.file(directory, name, size, Files.getLastModifiedTime(file));
    if (file.equals(named)) {
      files.startRoot(directory);
    } else {
      files.startLink(directory, file);
    }
    files.add(name, size);
  }

  /** A range of units of the list, or a piece of one that is a large file. */
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
