package dev.gavel.mcpx;

import dev.gavel.mcpx.text.NearestNameFinder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds texts and fields of payload patterns that probably do not mean what their author meant. A mistake in a text
 * makes the pattern match nothing. A mistake in a text after {@code !} makes it match everything, so that is an error.
 * Stateless.
 */
public final class PayloadPatternChecker {
    private static final Pattern ALTERNATIVES = Pattern.compile("\\{[^{}]*,[^{}]*}");

    /** One character between two wildcards: a value that contains this character. */
    private static final Pattern CONTAINS_CHARACTER = Pattern.compile("\\*.\\*");

    private static final List<String> ENVELOPE_FIELDS = List.of("jsonrpc", "id", "method", "params", "result", "error");

    /** The parameters of {@code tools/call} and {@code prompts/get} in all versions of MCP. */
    private static final List<String> CALL_PARAMETERS =
            List.of("name", "arguments", "_meta", "task", "inputResponses", "requestState");

    private PayloadPatternChecker() {}

    /** Returns why negated texts in the pattern would allow what their author wants to forbid; empty if none does. */
    public static Optional<String> findError(PayloadPattern pattern) {
        return texts(pattern)
                .filter(text -> text.startsWith("!"))
                .flatMap(text -> negatedProblem(text).stream())
                .findFirst()
                .or(() -> negatedListProblem(pattern));
    }

    private static Optional<String> negatedListProblem(PayloadPattern pattern) {
        return switch (pattern) {
            case PayloadPattern.Fields(Map<String, PayloadPattern> fields) ->
                fields.values().stream()
                        .flatMap(value -> negatedListProblem(value).stream())
                        .findFirst();
            case PayloadPattern.AnyOf(List<PayloadPattern> patterns) -> {
                List<String> negated =
                        texts(pattern).filter(text -> text.startsWith("!")).toList();
                yield negated.size() < 2
                        ? patterns.stream()
                                .flatMap(value -> negatedListProblem(value).stream())
                                .findFirst()
                        : Optional.of("a list in the payload pattern contains "
                                + InputExcerptFormatter.quote(negated.get(0)) + " and "
                                + InputExcerptFormatter.quote(negated.get(1))
                                + ". A list matches if one of its entries matches, so these two together match every"
                                + " value. Use only one text with '!', or list the values that are allowed.");
            }
            case PayloadPattern.Text _ -> Optional.empty();
        };
    }

    /**
     * Returns why the pattern probably matches nothing; empty if there is no such reason.
     *
     * @param kind the capability's pattern of kinds
     */
    public static Optional<String> findWarning(String kind, PayloadPattern pattern) {
        Optional<KindParts> parts = KindParts.parsePattern(kind) instanceof ValueParseResult.Valid<KindParts>(var valid)
                ? Optional.of(valid)
                : Optional.empty();
        return texts(pattern)
                .filter(text -> !text.startsWith("!"))
                .flatMap(
                        text -> textProblem(text)
                                .map(problem ->
                                        InputExcerptFormatter.quote(text) + " in the payload pattern " + problem)
                                .stream())
                .findFirst()
                .or(() -> parts.filter(each -> each.protocol().equals("mcp"))
                        .flatMap(each -> fieldProblem(each, pattern)));
    }

    private static Stream<String> texts(PayloadPattern pattern) {
        return switch (pattern) {
            case PayloadPattern.Fields(Map<String, PayloadPattern> fields) ->
                fields.values().stream().flatMap(PayloadPatternChecker::texts);
            case PayloadPattern.AnyOf(List<PayloadPattern> patterns) ->
                patterns.stream().flatMap(PayloadPatternChecker::texts);
            case PayloadPattern.Text(String text) -> Stream.of(text);
        };
    }

    private static Optional<String> negatedProblem(String text) {
        String forbidden = text.substring(1);
        Optional<String> problem = forbidden.startsWith("!")
                ? Optional.of("begins with '!!', and the second '!' is part of the value. Write one '!'.")
                : textProblem(forbidden);
        return problem.map(each -> InputExcerptFormatter.quote(text) + " in the payload pattern " + each
                + " So it would allow what it seems to forbid.");
    }

    private static Optional<String> textProblem(String text) {
        if (!text.equals(text.strip())) {
            return Optional.of("has a space at its beginning or end, which is part of the value. Remove it.");
        }
        if (CONTAINS_CHARACTER.matcher(text).matches()) {
            return Optional.empty();
        }
        return otherWildcard(text)
                .map(wildcard -> "contains '" + wildcard
                        + "', which matches only itself. The only wildcard is '*'. Write a list with one text for each"
                        + " value, or '*' in place of the character.");
    }

    /** The first character that is a wildcard in other programs. A URI may contain a question mark. */
    private static Optional<String> otherWildcard(String text) {
        return ALTERNATIVES.matcher(text).find()
                ? Optional.of("{")
                : Stream.of("|", "?")
                        .filter(each -> text.contains(each) && !(each.equals("?") && text.contains("://")))
                        .findFirst();
    }

    private static Optional<String> fieldProblem(KindParts kind, PayloadPattern pattern) {
        if (!(pattern instanceof PayloadPattern.Fields(Map<String, PayloadPattern> fields))) {
            return Optional.empty();
        }
        Optional<String> unknown = unknownName(
                fields.keySet(), ENVELOPE_FIELDS, name -> "the payload of an MCP message has no field '" + name + "'");
        if (unknown.isPresent()
                || kind.method() == null
                || !List.of("tools/call", "prompts/get").contains(kind.method())
                || kind.operation() == null
                || !List.of("request", "proposal").contains(kind.operation())
                || !(fields.get("params") instanceof PayloadPattern.Fields(Map<String, PayloadPattern> parameters))) {
            return unknown;
        }
        return unknownName(
                        parameters.keySet(),
                        CALL_PARAMETERS,
                        name -> "'params' of " + kind.method() + " has no field '" + name + "'")
                .or(() -> nameProblem(kind.context(), parameters.get("name")));
    }

    private static Optional<String> unknownName(
            Collection<String> names, List<String> known, Function<String, String> problem) {
        return names.stream()
                .filter(name -> !known.contains(name))
                .findFirst()
                .map(name -> problem.apply(name) + ", so the capability matches nothing. "
                        + NearestNameFinder.suggest(name, known)
                                .map(nearest -> "Did you mean '" + nearest + "'?")
                                .orElseGet(() -> "The fields are " + String.join(", ", known) + "."));
    }

    /** Compares the name in the payload with the one in the kind, which always are the same. */
    private static Optional<String> nameProblem(@Nullable String context, @Nullable PayloadPattern name) {
        if (context == null || name == null) {
            return Optional.empty();
        }
        boolean possible = texts(name)
                .anyMatch(text -> text.startsWith("!")
                        || Glob.compile(context).matches(text)
                        || Glob.compile(text).matches(context)
                        || (text.contains("*") && context.contains("*")));
        return possible
                ? Optional.empty()
                : Optional.of("the name in the payload pattern is never that after the colon, '" + context
                        + "', so the capability matches nothing. Write the name in one place only.");
    }
}
