package io.kmodel.indexer.cli;

/** The exit codes of the process. */
final class ExitCode {
  /** Success; nothing was skipped. */
  static final int OK = 0;

  /**
   * Success, but documents were skipped or kept in part (build), a topic was not answered (search),
   * or there was nothing to show (postings, terms, search).
   */
  static final int INCOMPLETE = 1;

  /** The command line was wrong; nothing was done. */
  static final int USAGE = 2;

  /** The command failed and left no partial output. */
  static final int FAILED = 3;

  /** The reader closed the pipe: the code that shells report for SIGPIPE, which Java survives. */
  static final int UNREAD = 128 + 13;

  private ExitCode() {}
}
