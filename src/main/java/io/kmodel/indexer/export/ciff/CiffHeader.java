package io.kmodel.indexer.export.ciff;

/**
 * The first message of a file.
 *
 * @param postingsLists number of lists in this file
 * @param documents number of documents in this file
 * @param totalPostingsLists number of lists in the original index, some of which may be left out
 * @param totalDocuments number of documents in the original index
 * @param totalTerms occurrences of all terms: the sum of the documents' lengths
 * @param averageLength average length of a document
 * @param description text for users
 */
public record CiffHeader(
    int postingsLists,
    int documents,
    int totalPostingsLists,
    int totalDocuments,
    long totalTerms,
    double averageLength,
    String description) {
  /** The only version defined. */
  static final int VERSION = 1;

  static final int VERSION_FIELD = 1;
  static final int POSTINGS_LISTS_FIELD = 2;
  static final int DOCUMENTS_FIELD = 3;
  static final int TOTAL_POSTINGS_LISTS_FIELD = 4;
  static final int TOTAL_DOCUMENTS_FIELD = 5;
  static final int TOTAL_TERMS_FIELD = 6;
  static final int AVERAGE_LENGTH_FIELD = 7;
  static final int DESCRIPTION_FIELD = 8;

  public CiffHeader {
    if (postingsLists < 0
        || documents < 0
        || totalPostingsLists < postingsLists
        || totalDocuments < documents
        || totalTerms < 0) {
      throw new IllegalArgumentException(
          "impossible header: %d of %d postings lists, %d of %d documents, %d terms"
              .formatted(postingsLists, totalPostingsLists, documents, totalDocuments, totalTerms));
    }
  }
}
