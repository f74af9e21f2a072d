package io.kmodel.indexer.parse;

/**
 * A document's text.
 *
 * @param id what users know the document by
 * @param title empty where there is none
 * @param contents empty where there is none
 */
public record ParsedDocument(String id, String title, String contents) {}
