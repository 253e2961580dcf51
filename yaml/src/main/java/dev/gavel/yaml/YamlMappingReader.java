package dev.gavel.yaml;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the typed values of a YAML mapping key by key and reports missing, mistyped and unknown keys. A value of the
 * wrong type is a problem and reads as absent. Not thread-safe.
 *
 * <pre>{@code
 * YamlMappingReader reader = YamlMappingReader.of(node, problemCollector);
 * Optional<String> listen = reader.string("listen");
 * reader.reportUnknownKeys();
 * }</pre>
 */
public final class YamlMappingReader {
    /** At most seven digits, so that the number cannot overflow. */
    private static final Pattern DURATION = Pattern.compile("(\\d{1,7}) ?([smhd])");

    private final SourcePosition position;
    private final ProblemCollector problemCollector;
    private final Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
    private final Set<String> knownKeys = new LinkedHashSet<>();

    private YamlMappingReader(
            SourcePosition position, List<YamlNode.Entry> entries, ProblemCollector problemCollector) {
        this.position = position;
        this.problemCollector = problemCollector;
        entries.forEach(entry -> this.entries.put(entry.key().text(), entry));
    }

    /**
     * Returns a reader of a mapping. Any other node reads as an empty mapping and, unless it is an empty value, is a
     * problem.
     */
    public static YamlMappingReader of(YamlNode node, ProblemCollector problemCollector) {
        return switch (node) {
            case YamlNode.Mapping mapping ->
                new YamlMappingReader(mapping.position(), mapping.entries(), problemCollector);
            case YamlNode.Scalar scalar
            when scalar.isEmpty() -> new YamlMappingReader(scalar.position(), List.of(), problemCollector);
            default -> {
                problemCollector.add(
                        node.position(), "expected a mapping (keys and values), not " + node.description());
                yield new YamlMappingReader(node.position(), List.of(), problemCollector);
            }
        };
    }

    /** The position at which the mapping begins. */
    public SourcePosition position() {
        return position;
    }

    /** The position of a key, or of the mapping if the key is absent. */
    public SourcePosition position(String key) {
        YamlNode.Entry entry = entries.get(key);
        return entry == null ? position : entry.key().position();
    }

    /** Returns the value of a key, of any type; empty if the key is missing or has no value. */
    public Optional<YamlNode> node(String key) {
        knownKeys.add(key);
        return Optional.ofNullable(entries.get(key))
                .map(YamlNode.Entry::value)
                .filter(value -> !(value instanceof YamlNode.Scalar scalar && scalar.isEmpty()));
    }

    /** Like {@link #node}, but a missing value and an empty list or mapping are problems. */
    public Optional<YamlNode> requiredNode(String key) {
        Optional<YamlNode> node = node(key);
        if (node.isEmpty()) {
            problemCollector.add(position(key), "'" + key + "' is missing");
        }
        return node.filter(found -> {
            boolean empty = switch (found) {
                case YamlNode.Sequence sequence -> sequence.items().isEmpty();
                case YamlNode.Mapping mapping -> mapping.entries().isEmpty();
                case YamlNode.Scalar _ -> false;
            };
            if (empty) {
                problemCollector.add(position(key), "'" + key + "' is empty");
            }
            return !empty;
        });
    }

    /** Returns the scalar value of a key as text. */
    public Optional<String> string(String key) {
        return node(key).flatMap(node -> text(key, node));
    }

    /** Like {@link #string}, but a missing value is a problem. */
    public Optional<String> requiredString(String key) {
        return requiredNode(key).flatMap(node -> text(key, node));
    }

    /** Returns a boolean: {@code true}, {@code false}, {@code on}, {@code off}, {@code yes} or {@code no}. */
    public Optional<Boolean> bool(String key) {
        return parse(key, "true or false", text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "on", "yes" -> Optional.of(true);
            case "false", "off", "no" -> Optional.of(false);
            default -> Optional.empty();
        });
    }

    /** Returns an integer. */
    public Optional<Integer> integer(String key) {
        return parse(key, "a whole number", text -> {
            try {
                return Optional.of(Integer.valueOf(text));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        });
    }

    /**
     * Parses a scalar value with a custom parser.
     *
     * @param expected the expected format for the problem message: "a duration such as 15m"
     * @param parse returns empty if the text does not have that format
     */
    public <T> Optional<T> parse(String key, String expected, Function<String, Optional<T>> parse) {
        Optional<String> text = string(key);
        Optional<T> value = text.flatMap(parse);
        if (text.isPresent() && value.isEmpty()) {
            problemCollector.add(
                    valuePosition(key), "'" + key + "' must be " + expected + ", not '" + text.get() + "'");
        }
        return value;
    }

    /**
     * Returns a duration: a number and one of {@code s}, {@code m}, {@code h}, {@code d}, such as {@code 15m} or
     * {@code 14 d}.
     */
    public Optional<Duration> duration(String key) {
        return parse(key, "a duration such as 15m or 14d", YamlMappingReader::parseDuration);
    }

    /** Parses a duration, for values that may also be a keyword; empty if the text is not a duration. */
    public static Optional<Duration> parseDuration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "s" -> Duration.ofSeconds(number);
                    case "m" -> Duration.ofMinutes(number);
                    case "h" -> Duration.ofHours(number);
                    default -> Duration.ofDays(number);
                });
    }

    /** Returns a list of texts; a single text counts as a list of one. */
    public List<String> strings(String key) {
        return scalars(key).stream().map(YamlNode.Scalar::text).toList();
    }

    /** Like {@link #strings}, with the position of each text. */
    public List<YamlNode.Scalar> scalars(String key) {
        List<YamlNode.Scalar> texts = new ArrayList<>();
        for (YamlNode item : items(key)) {
            scalar(key, item).ifPresent(texts::add);
        }
        return texts;
    }

    /** Returns the scalar value of a key, with its position. */
    public Optional<YamlNode.Scalar> scalar(String key) {
        return node(key).flatMap(node -> scalar(key, node));
    }

    /** Returns the items of a list; any other value counts as a list of one. */
    public List<YamlNode> items(String key) {
        return switch (node(key).orElse(null)) {
            case null -> List.of();
            case YamlNode.Sequence sequence -> sequence.items();
            case YamlNode other -> List.of(other);
        };
    }

    /** Returns the entries of a mapping whose keys are names that the file defines. */
    public List<YamlNode.Entry> entries(String key) {
        return switch (node(key).orElse(null)) {
            case null -> List.of();
            case YamlNode.Mapping mapping -> mapping.entries();
            case YamlNode other -> {
                problemCollector.add(
                        other.position(),
                        "'" + key + "' must be a mapping (keys and values), not " + other.description());
                yield List.of();
            }
        };
    }

    /** Returns a reader of a nested mapping; empty if the key is missing. */
    public Optional<YamlMappingReader> mapping(String key) {
        return node(key).map(node -> of(node, problemCollector));
    }

    /** Reports every key that no method of this reader has read, and suggests the closest known key. */
    public void reportUnknownKeys() {
        for (YamlNode.Entry entry : entries.values()) {
            String key = entry.key().text();
            if (!knownKeys.contains(key)) {
                String hint = WordSuggester.suggest(key, knownKeys)
                        .map(near -> "Did you mean '" + near + "'?")
                        .orElseGet(() -> "Known keys: " + String.join(", ", knownKeys));
                problemCollector.add(entry.key().position(), "unknown key '" + key + "'. " + hint);
            }
        }
    }

    private SourcePosition valuePosition(String key) {
        YamlNode.Entry entry = entries.get(key);
        return entry == null ? position : entry.value().position();
    }

    private Optional<String> text(String key, YamlNode node) {
        return scalar(key, node).map(YamlNode.Scalar::text);
    }

    private Optional<YamlNode.Scalar> scalar(String key, YamlNode node) {
        if (node instanceof YamlNode.Scalar scalar && !scalar.isEmpty()) {
            return Optional.of(scalar);
        }
        problemCollector.add(node.position(), "'" + key + "' must be a single value, not " + node.description());
        return Optional.empty();
    }
}
