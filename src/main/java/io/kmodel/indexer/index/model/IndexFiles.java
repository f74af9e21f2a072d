package io.kmodel.indexer.index.model;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The names of an index's files, which are also the names of their formats. */
public final class IndexFiles {
  public static final int VERSION = 2;

  public static final String DOCS = "postings.docs";
  public static final String POSITIONS = "postings.positions";
  public static final String DICTIONARY = "terms.dictionary";
  public static final String TERM_INDEX = "terms.index";
  public static final String DOCUMENTS = "documents.data";
  public static final String DOCUMENT_INDEX = "documents.index";
  public static final String METADATA = "index.json";

  /** The format of all files of lengths. */
  public static final String LENGTHS = "lengths";

  /** The format of all files of columns. */
  public static final String COLUMNS = "columns";

  /** The directory that holds parts and spools while an index is written. */
  public static final String TEMPORARY = "temporary";

  /** Ensures that the name of a field's file of lengths is valid on every system. */
  private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z0-9_-]([A-Za-z0-9_.-]{0,99})");

  private IndexFiles() {}

  /** The file with the lengths of a tokenized field. */
  public static String lengths(Field field) {
    return LENGTHS + "." + field.name();
  }

  /** The file with the values of a column. */
  public static String column(Column column) {
    return COLUMNS + "." + column.name();
  }

  /** Rejects fields and columns whose names cannot be part of a file name. */
  public static void checkNames(Schema schema) {
    schema.fields().forEach(field -> checkName(field.name(), "field"));
    schema.columns().forEach(column -> checkName(column.name(), "column"));
  }

  private static void checkName(String name, String kind) {
    if (!FIELD_NAME.matcher(name).matches() || name.endsWith(".tmp")) {
      throw new IllegalArgumentException(
          "%s names have 1 to 100 of A-Z a-z 0-9 _ - . and must not end in .tmp; got '%s'"
              .formatted(kind, name));
    }
  }

  public static boolean hasStoredFields(Schema schema) {
    return schema.fields().stream().anyMatch(Field::stored);
  }

  /** All files of an index with this schema, except {@link #METADATA}. */
  public static ImmutableSortedSet<String> names(Schema schema) {
    ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.naturalOrder();
    names.add(DOCS, POSITIONS, DICTIONARY, TERM_INDEX);
    if (hasStoredFields(schema)) {
      names.add(DOCUMENTS, DOCUMENT_INDEX);
    }
    for (Field field : schema.fields()) {
      if (field.tokenized()) {
        names.add(lengths(field));
      }
    }
    schema.columns().forEach(column -> names.add(column(column)));
    return names.build();
  }

  /** The metadata entries of an index's files, which must be complete. */
  public static ImmutableSortedMap<String, IndexMetadata.FileEntry> entries(
      Path directory, Schema schema) throws IOException {
    ImmutableSortedMap.Builder<String, IndexMetadata.FileEntry> entries =
        ImmutableSortedMap.naturalOrder();
    for (String name : names(schema)) {
      Path path = directory.resolve(name);
      try (InputFile file = InputFile.open(path, format(name), VERSION)) {
        entries.put(name, new IndexMetadata.FileEntry(Files.size(path), file.storedChecksum()));
      }
    }
    return entries.buildOrThrow();
  }

  /** The format name of an index file. */
  public static String format(String name) {
    if (name.startsWith(COLUMNS + ".")) {
      return COLUMNS;
    }
    return name.startsWith(LENGTHS + ".") ? LENGTHS : name;
  }
}
