package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.RedactionMarker;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The patterns of a call's secret arguments. Replaces the values that they match by a marker, and restores the values
 * in a call that a reviewer approves without having seen them. Immutable and thread-safe.
 *
 * <p>A pattern is a path of argument names, separated by dots. It matches from the end of an argument's path, so that
 * {@code password} matches an argument of this name at any depth, and {@code *.token} one within an object. A {@code *}
 * stands for any characters of one name. A dot in an argument's name counts like a dot between names, so that {@code
 * password} also matches {@code db.password}. Elements of an array have the path of the array. Case does not matter.
 *
 * <p>The patterns also apply to the fields of a call beside its arguments, such as {@code _meta}, except the name of the
 * tool or prompt and the URI of the resource.
 */
public record SecretArgumentPatterns(Set<String> patterns) {
    /** No argument is secret. */
    public static final SecretArgumentPatterns NONE = new SecretArgumentPatterns(Set.of());

    private static final int MAX_PATTERN_LENGTH = 200;

    /** A list of patterns in one text would match no argument. */
    private static final Pattern NOT_IN_PATTERNS = Pattern.compile("[\\s,;]");

    /**
     * Characters with a meaning in JSON Path, JSON Pointer, regular expressions and the patterns of other programs. A
     * slash can be part of a name in {@code _meta}, after a host name.
     */
    private static final Pattern OTHER_SYNTAX = Pattern.compile("[$?|\\[\\]{}()^\\\\]|^[^.]*/");

    /** The fields of a call in which the arguments are. */
    private static final List<String> ROOTS = List.of("arguments", "params");

    /** Separates the names of a path. No pattern can contain it. */
    private static final char SEPARATOR = '\0';

    /** Fields of a payload that are not secret: reviewers decide by them, and programs route by them. */
    private static final Set<String> PAYLOAD_FIELDS = Set.of("jsonrpc", "id", "method", "ttl");

    /** Parameters that are not secret, for the same reason. */
    private static final Set<String> TARGETS = Set.of("name", "uri");

    public SecretArgumentPatterns {
        patterns = Set.copyOf(patterns);
    }

    /** Returns why a text is not a pattern; empty if it is one. */
    public static Optional<String> problem(String pattern) {
        return pattern.isBlank()
                        || pattern.length() > MAX_PATTERN_LENGTH
                        || pattern.startsWith(".")
                        || pattern.endsWith(".")
                        || pattern.contains("..")
                        || NOT_IN_PATTERNS.matcher(pattern).find()
                        || SafeText.countHidden(pattern) > 0
                ? Optional.of("'" + pattern + "' is not a path of argument names. Write, for example, password,"
                        + " \"*.token\" or credentials.key, without spaces and commas, and as separate entries of the"
                        + " list. For a space in a name, write '*'.")
                : Optional.empty();
    }

    /**
     * Returns why a valid pattern probably matches no argument; empty if there is no such reason.
     */
    public static Optional<String> warning(String pattern) {
        Optional<String> prefix = ROOTS.stream()
                .filter(root -> pattern.toLowerCase(Locale.ROOT).startsWith(root + "."))
                .findFirst();
        if (prefix.isPresent()) {
            return Optional.of(
                    "'" + pattern + "' hides only an argument within an object that is named '" + prefix.get()
                            + "'. The path begins with the name of the argument: write '"
                            + pattern.substring(pattern.lastIndexOf('.') + 1) + "'.");
        }
        Matcher other = OTHER_SYNTAX.matcher(pattern);
        return other.find()
                ? Optional.of("'" + pattern + "' contains '"
                        + other.group().substring(other.group().length() - 1)
                        + "', which stands for itself, so the pattern probably hides nothing. The only wildcard is '*',"
                        + " and dots separate the names of a path. Write one pattern for each argument.")
                : Optional.empty();
    }

    public static SecretArgumentPatterns of(Collection<String> patterns) {
        return patterns.isEmpty() ? NONE : new SecretArgumentPatterns(new LinkedHashSet<>(patterns));
    }

    /** Returns the patterns for the arguments that a tool's schema marks with {@code format: password} or writeOnly. */
    public static SecretArgumentPatterns ofSchema(Json inputSchema) {
        return of(new SchemaSecretFinder(inputSchema).find());
    }

    public SecretArgumentPatterns union(SecretArgumentPatterns other) {
        if (other.isEmpty()) {
            return this;
        }
        Set<String> all = new LinkedHashSet<>(patterns);
        all.addAll(other.patterns);
        return new SecretArgumentPatterns(all);
    }

    public boolean isEmpty() {
        return patterns.isEmpty();
    }

    /** Returns the payload of a call with markers in place of its secret arguments. */
    public RawPayload redact(RawPayload payload) {
        return redact(payload, null);
    }

    /**
     * Returns the payload of an approved call with markers in place of its secret arguments. The markers say which of
     * the values the reviewer edited.
     *
     * @param proposed the payload as proposed; null if this is the proposed payload
     */
    RawPayload redact(RawPayload payload, @Nullable RawPayload proposed) {
        if (isEmpty()) {
            return payload;
        }
        Json call = parse(payload);
        Json before = proposed == null ? call : parse(proposed);
        Json shown = mapCall(
                call,
                before,
                (value, earlier, _) -> value.equals(earlier) ? RedactionMarker.PROPOSED : RedactionMarker.EDITED);
        return shown.equals(call) ? payload : toPayload(shown);
    }

    /** Whether the call has an argument that is secret. */
    public boolean hasSecrets(RawPayload payload) {
        return !isEmpty() && !redact(payload).equals(payload);
    }

    /** Returns the paths of the call's secret arguments, with dots between the names, each once. */
    Set<String> findSecrets(RawPayload payload) {
        if (isEmpty()) {
            return Set.of();
        }
        Json call = parse(payload);
        Set<String> paths = new LinkedHashSet<>();
        mapCall(call, call, (value, _, path) -> {
            paths.add(path.replace(SEPARATOR, '.'));
            return value;
        });
        return paths;
    }

    /**
     * Returns an approved call with the proposed values in place of the markers.
     *
     * @return empty if a marker stands where the proposed call has no secret
     */
    Optional<RawPayload> restore(RawPayload approved, RawPayload proposed) {
        Json restored = mapCall(
                parse(approved),
                parse(proposed),
                (value, earlier, _) -> RedactionMarker.isMarker(value) && earlier.isPresent() ? earlier : value);
        return RedactionMarker.isNamedIn(restored) ? Optional.empty() : Optional.of(toPayload(restored));
    }

    /**
     * Returns a value with the real values in place of its markers, as far as they are known.
     *
     * @param real the value that has the real values in the same places
     */
    public static Json fillMarkers(Json value, Json real) {
        if (RedactionMarker.isMarker(value)) {
            return real.isPresent() ? real : value;
        }
        return switch (value.type()) {
            case OBJECT ->
                Json.write(json -> {
                    json.writeStartObject();
                    value.members().forEach((name, each) -> {
                        json.writeName(name);
                        json.writeRawValue(fillMarkers(each, real.at(name)).raw());
                    });
                    json.writeEndObject();
                });
            case ARRAY -> {
                List<Json> elements = value.elements();
                List<Json> realElements = real.elements();
                yield Json.write(json -> {
                    json.writeStartArray();
                    for (int i = 0; i < elements.size(); i++) {
                        Json other = elements.size() == realElements.size()
                                ? realElements.get(i)
                                : Json.object().at("");
                        json.writeRawValue(fillMarkers(elements.get(i), other).raw());
                    }
                    json.writeEndArray();
                });
            }
            default -> value;
        };
    }

    /** Replaces a secret value; gets the value at the same place of the proposed call too, and its path. */
    @FunctionalInterface
    private interface SecretReplacer {
        Json replace(Json value, Json proposed, String path);
    }

    private Json mapCall(Json call, Json before, SecretReplacer replacer) {
        return mapMembers(call, (name, value) -> {
            Json earlier = before.at(name);
            return PAYLOAD_FIELDS.contains(name)
                    ? value
                    : name.equals("params") ? mapParams(value, earlier, replacer) : map(value, earlier, name, replacer);
        });
    }

    private Json mapParams(Json params, Json before, SecretReplacer replacer) {
        return mapMembers(params, (name, value) -> {
            Json earlier = before.at(name);
            if (name.equals("arguments")) {
                return map(value, earlier, null, replacer);
            }
            // completion/complete has the name and the value of an argument in two fields.
            if (name.equals("argument") && value.at("name").asText().isPresent()) {
                return mapMembers(
                        value,
                        (field, each) -> map(
                                each,
                                earlier.at(field),
                                field.equals("value") ? value.at("name").text() : "argument" + SEPARATOR + field,
                                replacer));
            }
            return TARGETS.contains(name) && value.asText().isPresent() ? value : map(value, earlier, name, replacer);
        });
    }

    private static Json mapMembers(Json object, BiFunction<String, Json, Json> mapper) {
        return object.type() != Json.Type.OBJECT
                ? object
                : Json.write(json -> {
                    json.writeStartObject();
                    object.members().forEach((name, each) -> {
                        json.writeName(name);
                        json.writeRawValue(mapper.apply(name, each).raw());
                    });
                    json.writeEndObject();
                });
    }

    /**
     * Replaces the secret values in a value.
     *
     * @param path the names that lead to the value, with separators; null for the arguments as a whole
     */
    private Json map(Json value, Json before, @Nullable String path, SecretReplacer replacer) {
        if (path == null
                ? (value.type() != Json.Type.OBJECT || RedactionMarker.isMarker(value)) && hidesAll()
                : matches(path)) {
            return replacer.replace(value, before, path == null ? "" : path);
        }
        return switch (value.type()) {
            case OBJECT ->
                mapMembers(
                        value,
                        (name, each) ->
                                map(each, before.at(name), path == null ? name : path + SEPARATOR + name, replacer));
            case ARRAY -> {
                List<Json> earlier = before.elements();
                List<Json> elements = value.elements();
                yield Json.write(json -> {
                    json.writeStartArray();
                    for (int i = 0; i < elements.size(); i++) {
                        // If elements were added or removed, the one at the same place may be another one.
                        Json other = elements.size() == earlier.size()
                                ? earlier.get(i)
                                : Json.object().at("");
                        json.writeRawValue(
                                map(elements.get(i), other, path, replacer).raw());
                    }
                    json.writeEndArray();
                });
            }
            default -> value;
        };
    }

    /** Whether every argument is secret, so that arguments without names are secret, too. */
    private boolean hidesAll() {
        return patterns.stream().anyMatch(pattern -> pattern.chars().allMatch(character -> character == '*'));
    }

    private boolean matches(String path) {
        String lowerCase = path.toLowerCase(Locale.ROOT);
        return patterns.stream().anyMatch(pattern -> matches(pattern.toLowerCase(Locale.ROOT), lowerCase));
    }

    /** Matches a pattern against the end of a path, from each place where a name can begin. */
    private static boolean matches(String pattern, String path) {
        for (int start = 0; start >= 0 && start <= path.length(); start = nextName(path, start)) {
            if (globMatches(pattern, path, start)) {
                return true;
            }
        }
        return false;
    }

    private static int nextName(String path, int from) {
        for (int i = from; i < path.length(); i++) {
            if (isDot(path.charAt(i))) {
                return i + 1;
            }
        }
        return -1;
    }

    private static boolean isDot(char character) {
        return character == '.' || character == SEPARATOR;
    }

    /** Matches the rest of a path against a pattern in which {@code *} stands for any characters of one name. */
    private static boolean globMatches(String pattern, String path, int start) {
        int p = 0;
        int t = start;
        int star = -1;
        int retry = 0;
        while (t < path.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                retry = t;
            } else if (p < pattern.length()
                    && (pattern.charAt(p) == path.charAt(t) || (pattern.charAt(p) == '.' && isDot(path.charAt(t))))) {
                p++;
                t++;
            } else if (star >= 0 && path.charAt(retry) != SEPARATOR) {
                p = star + 1;
                t = ++retry;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    private static Json parse(RawPayload payload) {
        return Json.parse(payload.toString()).orElseGet(Json::object);
    }

    private static RawPayload toPayload(Json call) {
        return RawPayload.of(call.raw().getBytes(StandardCharsets.UTF_8));
    }
}
