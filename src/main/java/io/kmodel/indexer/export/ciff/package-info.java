/**
 * Export and import of the Common Index File Format (CIFF).
 *
 * <p>Search engines exchange indexes in CIFF: one field, documents with a name and a length, terms
 * with documents and frequencies, no positions. A file is a sequence of protobuf (proto3) messages,
 * each preceded by its length as a varint. The whole file is gzipped if its name ends in {@code
 * .gz}. Unlike this program's own files, it has neither header nor checksum.
 *
 * <pre>
 * file         := Header PostingsList{num_postings_lists} DocRecord{num_docs}
 * Header       := version:int32 = 1  num_postings_lists:int32  num_docs:int32
 *                 total_postings_lists:int32  total_docs:int32  total_terms_in_collection:int64
 *                 average_doclength:double  description:string             fields 1 to 8
 * PostingsList := term:string  df:int64  cf:int64  Posting+                fields 1 to 4
 * Posting      := docid:int32  tf:int32             docid: the gap to the previous posting; the
 *                                                   docid itself for the first
 * DocRecord    := docid:int32  collection_docid:string  doclength:int32    docids 0, 1, 2, ...
 * </pre>
 *
 * <p>A field whose value is zero or empty is not written. Example: the term "ab", once in document
 * 0 and three times in document 5, is {@code 14 0A 02 61 62 10 02 18 04 22 02 10 01 22 04 08 05 10
 * 03}.
 */
@NullMarked
package io.kmodel.indexer.export.ciff;

import org.jspecify.annotations.NullMarked;
