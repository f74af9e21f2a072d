package io.kmodel.indexer.cli.option;

import java.nio.charset.Charset;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the name of a charset that Java knows. */
public final class CharsetName implements ITypeConverter<Charset> {
  @Override
  public Charset convert(String name) {
    try {
      return Charset.forName(name.strip());
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          "unknown charset '%s'; expected a name such as windows-1252 or UTF-16LE".formatted(name));
    }
  }
}
