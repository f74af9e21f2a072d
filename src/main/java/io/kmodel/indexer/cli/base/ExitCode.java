package io.kmodel.indexer.cli.base;

/** The exit codes of the process. */
public final class ExitCode {
  /** Success; nothing was skipped. */
  public static final int OK = 0;

  /**
   * Success, but documents were skipped or kept in part (build), a topic was not answered (search),
   * or there was nothing to show (postings, terms, search).
   */
  public static final int INCOMPLETE = 1;

  /** The command line was wrong; nothing was done. */
  public static final int USAGE = 2;

  /** The command failed and left no partial output. */
  public static final int FAILED = 3;

  /** The reader closed the pipe: the code that shells report for SIGPIPE, which Java survives. */
  public static final int UNREAD = 128 + 13;

  private ExitCode() {}
}
