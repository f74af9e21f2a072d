package io.kmodel.indexer.cli;

/** What the process tells its caller. */
final class ExitCode {
  /** Done, nothing left out. */
  static final int OK = 0;

  /**
   * Done, but documents were skipped or kept in part (build), a topic was not answered (search), or
   * there was nothing to show (postings, search).
   */
  static final int INCOMPLETE = 1;

  /** The command line was wrong; nothing was done. */
  static final int USAGE = 2;

  /** Something failed; nothing half-made was left. */
  static final int FAILED = 3;

  /** Nobody reads the output any more: what shells have for SIGPIPE, which Java does not die of. */
  static final int UNREAD = 128 + 13;

  private ExitCode() {}
}
