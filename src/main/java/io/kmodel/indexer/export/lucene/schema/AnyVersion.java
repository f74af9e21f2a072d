package io.kmodel.indexer.export.lucene.schema;

import java.lang.reflect.Constructor;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafMetaData;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;

/**
 * Makes Lucene's objects whose constructors differ between versions: later ones have more
 * parameters, but in the same order.
 */
public final class AnyVersion {
  private AnyVersion() {}

  /** A field without term vectors, payloads, points and vectors. */
  static FieldInfo field(
      String name, int number, IndexOptions options, boolean omitNorms, DocValuesType values) {
    return field(
        name, options, /* termVectors= */ false, omitNorms, values, List.of(number, 0, 0, 0, 0));
  }

  /** A field of text with term vectors. */
  static FieldInfo withVectors(String name, int number, IndexOptions options) {
    return field(
        name,
        options,
        /* termVectors= */ true,
        /* omitNorms= */ false,
        DocValuesType.NONE,
        List.of(number, 0, 0, 0, 0));
  }

  /** A field of longs, with doc values and points of one dimension. */
  static FieldInfo number(String name, int number, DocValuesType values) {
    return field(
        name,
        IndexOptions.NONE,
        /* termVectors= */ false,
        /* omitNorms= */ false,
        values,
        List.of(number, /* dimensions, also of the index */ 1, 1, Long.BYTES, 0));
  }

  /**
   * A field.
   *
   * @param ints its number, dimensions and bytes of points, and dimensions of vectors
   */
  private static FieldInfo field(
      String name,
      IndexOptions options,
      boolean termVectors,
      boolean omitNorms,
      DocValuesType values,
      List<Integer> ints) {
    Iterator<Boolean> switches =
        List.of(
                termVectors,
                omitNorms,
                /* storePayloads */ false,
                /* softDeletesField */ false,
                /* isParentField */ false)
            .iterator();
    Iterator<Integer> numbers = ints.iterator();
    return make(
        FieldInfo.class,
        type -> {
          if (type == boolean.class) {
            return switches.next();
          } else if (type == int.class) {
            return numbers.next();
          } else if (type == long.class) {
            // No generation of doc values.
            return -1L;
          } else if (type == String.class) {
            return name;
          } else if (type == Map.class) {
            return new HashMap<>();
          } else if (type == IndexOptions.class) {
            return options;
          } else if (type == DocValuesType.class) {
            return values;
          } else if (type == VectorEncoding.class) {
            return VectorEncoding.FLOAT32;
          } else if (type == VectorSimilarityFunction.class) {
            return VectorSimilarityFunction.EUCLIDEAN;
          }
          // The index that lets queries skip doc values, which versions before 10 do not have.
          return none(type);
        });
  }

  /** Metadata of a segment that was written by this version, unsorted and without blocks. */
  public static LeafMetaData metadata() {
    return make(
        LeafMetaData.class,
        type -> {
          if (type == int.class) {
            return Version.LATEST.major;
          } else if (type == boolean.class) {
            return false;
          }
          return type == Version.class ? Version.LATEST : null;
        });
  }

  private static Object none(Class<?> type) {
    for (Object constant : type.getEnumConstants()) {
      if (constant.toString().equals("NONE")) {
        return constant;
      }
    }
    throw new IllegalStateException("unknown parameter of a field: " + type);
  }

  /** The argument for a parameter. */
  @FunctionalInterface
  private interface Arguments {
    @Nullable Object of(Class<?> type);
  }

  private static <T> T make(Class<T> type, Arguments arguments) {
    Constructor<?>[] constructors = type.getConstructors();
    Class<?>[] parameters = constructors[0].getParameterTypes();
    @Nullable Object[] values = new @Nullable Object[parameters.length];
    for (int i = 0; i < parameters.length; i++) {
      values[i] = arguments.of(parameters[i]);
    }
    try {
      return type.cast(constructors[0].newInstance(values));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be made", e);
    }
  }
}
