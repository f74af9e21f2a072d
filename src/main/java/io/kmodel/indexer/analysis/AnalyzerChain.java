package io.kmodel.indexer.analysis;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.parse.text.Suggestions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharFilterFactory;
import org.apache.lucene.analysis.TokenFilterFactory;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.TokenizerFactory;
import org.apache.lucene.analysis.custom.CustomAnalyzer;
import org.apache.lucene.analysis.tokenattributes.PayloadAttribute;
import org.apache.lucene.util.ClasspathResourceLoader;
import org.apache.lucene.util.ResourceLoader;
import org.jspecify.annotations.Nullable;

/**
 * An analyzer built from Lucene's char filters, tokenizer and token filters, given by the names and
 * parameters of their factories in a properties file:
 *
 * <pre>{@code
 * analyzer.charFilter.1 = htmlStrip
 * analyzer.tokenizer    = standard(maxTokenLength=100)
 * analyzer.filter.1     = lowercase
 * analyzer.filter.2     = stop(words=stop.txt, ignoreCase=true)
 * analyzer.filter.3     = patternReplace(pattern="(a|b),c", replacement=x)
 * }</pre>
 *
 * Filters are applied in the order of their numbers. As in every properties file, a backslash is
 * written twice ({@code pattern="\\s+"}). A value with a comma, a parenthesis or a space needs
 * double quotes. Files named by the parts are read from the directory of the properties file, and
 * their content becomes part of the definition. Parts that set payloads or term frequencies are
 * refused, because an index stores neither.
 */
public final class AnalyzerChain {
  /** The prefix of parameters that hold files. */
  static final String FILE = "file.";

  private static final String PREFIX = "analyzer.";
  private static final String TOKENIZER = "tokenizer";
  private static final Pattern KEY =
      Pattern.compile("tokenizer|(charFilter|filter)\\.([1-9][0-9]{0,3})");
  private static final Pattern PART = Pattern.compile("\\s*([A-Za-z0-9_]+)\\s*(?:\\((.*)\\))?\\s*");
  private static final Pattern ARGUMENT =
      Pattern.compile("\\s*([A-Za-z0-9_]+)\\s*=\\s*(?:\"([^\"]*)\"|([^\",()\\s]*))\\s*(,|$)");

  /** Filters that set a term's frequency to something other than its number of occurrences. */
  private static final Set<String> REFUSED = Set.of("delimitedtermfrequency");

  private AnalyzerChain() {}

  /**
   * Reads a definition from a properties file. Files that it names are beside it, or in the current
   * directory if it is standard input or a pipe of the shell.
   *
   * @throws IllegalArgumentException if it does not define an analyzer, with the reason
   */
  public static AnalysisDefinition read(Path file) throws IOException {
    Properties properties = new UniqueProperties(file);
    properties.load(new StringReader(DefinitionFile.read(file)));
    TreeMap<String, String> parameters = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (!key.startsWith(PREFIX) || !KEY.matcher(key.substring(PREFIX.length())).matches()) {
        throw new IllegalArgumentException(
            "%s: unknown property '%s'; known: %stokenizer, %scharFilter.N and %sfilter.N"
                .formatted(file, key, PREFIX, PREFIX, PREFIX));
      }
      parameters.put(key.substring(PREFIX.length()), properties.getProperty(key).strip());
    }
    Resources resources = new Resources(beside(file), new TreeMap<>());
    try {
      create(parameters, resources).close();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    resources.texts.forEach((name, text) -> parameters.put(FILE + name, text));
    return new AnalysisDefinition(AnalysisDefinition.CHAIN, ImmutableSortedMap.copyOf(parameters));
  }

  private static @Nullable Path beside(Path file) {
    Path absolute = file.toAbsolutePath();
    boolean isStream =
        absolute.equals(Path.of("/dev/stdin"))
            || absolute.startsWith("/dev/fd")
            || absolute.startsWith("/proc");
    return isStream ? Path.of("").toAbsolutePath() : absolute.getParent();
  }

  /** Properties of a file in which each key may occur once. */
  private static final class UniqueProperties extends Properties {
    private static final long serialVersionUID = 1;

    private final transient Path file;

    UniqueProperties(Path file) {
      this.file = file;
    }

    @Override
    public synchronized @Nullable Object put(Object key, Object value) {
      if (containsKey(key)) {
        throw new IllegalArgumentException("%s: '%s' is given twice".formatted(file, key));
      }
      return super.put(key, value);
    }
  }

  /** Creates an analyzer from a definition's parameters alone. */
  static Analyzer create(SortedMap<String, String> parameters) {
    Map<String, String> texts = new HashMap<>();
    parameters.forEach(
        (name, value) -> {
          if (name.startsWith(FILE)) {
            texts.put(name.substring(FILE.length()), value);
          }
        });
    return create(parameters, new Resources(null, texts));
  }

  private static Analyzer create(SortedMap<String, String> parameters, Resources resources) {
    String tokenizer = parameters.get(TOKENIZER);
    if (tokenizer == null) {
      throw new IllegalArgumentException("%s%s is missing".formatted(PREFIX, TOKENIZER));
    }
    CustomAnalyzer.Builder builder = CustomAnalyzer.builder(resources);
    add(TOKENIZER, tokenizer, TokenizerFactory.availableTokenizers(), builder::withTokenizer);
    numbered(parameters, "charFilter")
        .forEach(
            (number, part) ->
                add(
                    "charFilter." + number,
                    part,
                    CharFilterFactory.availableCharFilters(),
                    builder::addCharFilter));
    numbered(parameters, "filter")
        .forEach(
            (number, part) ->
                add(
                    "filter." + number,
                    part,
                    TokenFilterFactory.availableTokenFilters(),
                    builder::addTokenFilter));
    Analyzer analyzer = builder.build();
    requireNoPayloads(analyzer);
    return analyzer;
  }

  private static Map<Integer, String> numbered(Map<String, String> parameters, String kind) {
    TreeMap<Integer, String> parts = new TreeMap<>();
    parameters.forEach(
        (key, value) -> {
          Matcher matcher = KEY.matcher(key);
          if (matcher.matches() && kind.equals(matcher.group(1))) {
            parts.put(Integer.valueOf(matcher.group(2)), value);
          }
        });
    return parts;
  }

  /** Adds a part by the name of its factory. */
  private interface Adder {
    CustomAnalyzer.Builder add(String name, Map<String, String> arguments) throws IOException;
  }

  private static void add(String key, String part, Collection<String> known, Adder adder) {
    Matcher matcher = PART.matcher(part);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "%s%s: expected name(parameter=value, ...) but was '%s'".formatted(PREFIX, key, part));
    }
    String name = matcher.group(1);
    if (known.stream().noneMatch(name::equalsIgnoreCase)) {
      throw new IllegalArgumentException(
          "%s%s: Lucene has no '%s'%s"
              .formatted(PREFIX, key, name, Suggestions.question(name, known)));
    }
    if (REFUSED.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "%s%s: '%s' sets term frequencies, which an index here does not store"
              .formatted(PREFIX, key, name));
    }
    try {
      adder.add(name, arguments(matcher.group(2)));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s%s: %s: %s".formatted(PREFIX, key, name, e.getMessage()), e);
    }
  }

  private static Map<String, String> arguments(@Nullable String text) {
    Map<String, String> arguments = new HashMap<>();
    String rest = text == null ? "" : CharMatcher.whitespace().trimFrom(text);
    Matcher matcher = ARGUMENT.matcher(rest);
    int at = 0;
    while (at < rest.length()) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw new IllegalArgumentException(
            "expected parameter=value, ... but was '%s'".formatted(rest.substring(at)));
      }
      String value = matcher.group(2) != null ? matcher.group(2) : matcher.group(3).strip();
      if (arguments.put(matcher.group(1), value) != null) {
        throw new IllegalArgumentException("'%s' is given twice".formatted(matcher.group(1)));
      }
      at = matcher.end();
    }
    return arguments;
  }

  private static void requireNoPayloads(Analyzer analyzer) {
    try (TokenStream tokens = analyzer.tokenStream("", "")) {
      if (tokens.hasAttribute(PayloadAttribute.class)) {
        throw new IllegalArgumentException(
            "the chain sets payloads, which an index here does not store");
      }
      tokens.reset();
      tokens.end();
    } catch (IOException e) {
      throw new IllegalArgumentException("the chain failed on an empty text", e);
    }
  }

  /** Loads files from a directory, if there is one, and keeps what it has read. */
  private static final class Resources implements ResourceLoader {
    private final @Nullable Path directory;
    private final Map<String, String> texts;
    private final ResourceLoader classes =
        new ClasspathResourceLoader(AnalyzerChain.class.getClassLoader());

    Resources(@Nullable Path directory, Map<String, String> texts) {
      this.directory = directory;
      this.texts = texts;
    }

    @Override
    public InputStream openResource(String name) throws IOException {
      String text = texts.get(name);
      if (text == null && directory != null && Files.isRegularFile(directory.resolve(name))) {
        text = DefinitionFile.read(directory.resolve(name));
        texts.put(name, text);
      }
      return text == null
          ? openBuiltIn(name)
          : new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Opens a resource of Lucene's own; a name that is not a file may be one. */
    private InputStream openBuiltIn(String name) throws IOException {
      try {
        return classes.openResource(name);
      } catch (IOException e) {
        throw new IOException(
            directory == null
                ? "the index has no copy of the file " + name
                : "there is no file " + directory.resolve(name),
            e);
      }
    }

    @Override
    public <T> Class<? extends T> findClass(String name, Class<T> expectedType) {
      return classes.findClass(name, expectedType);
    }

    @Override
    public <T> T newInstance(String name, Class<T> expectedType) {
      return classes.newInstance(name, expectedType);
    }
  }
}
