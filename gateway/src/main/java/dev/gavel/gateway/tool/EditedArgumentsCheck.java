package dev.gavel.gateway.tool;

import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.NearestNameFinder;
import dev.gavel.mcpx.text.SafeText;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks the arguments that a reviewer edited, before the edit is accepted. Contains the payload of the proposal, the
 * payload of the approving request, and the definitions of the tool by the participants that are to run it. Immutable.
 *
 * @param definitions the definitions to check against; empty if they are not known, so that they must be loaded first
 * @param definitionUnknown whether no definition was known when the approval arrived, so that the reviewer approved a
 *     call of an unknown tool
 */
public record EditedArgumentsCheck(
        List<ToolDefinition> definitions, RawPayload proposed, RawPayload edited, boolean definitionUnknown) {
    private static final int MAX_SHOWN = 5;
    private static final int MAX_NAME_LENGTH = 60;

    /** The fields that MCP defines for the parameters of a call. */
    private static final Set<String> PARAMETER_FIELDS = Set.of("name", "arguments", "_meta", "task");

    public EditedArgumentsCheck {
        definitions = List.copyOf(definitions);
    }

    /**
     * The result of the check.
     *
     * @param digests the digests of the definitions that the edit was checked against
     * @param problem why the edit is refused; empty if it is valid
     * @param definitionUnknown whether no definition was known when the approval arrived
     */
    public record ArgumentCheckResult(Set<String> digests, Optional<String> problem, boolean definitionUnknown) {
        public ArgumentCheckResult {
            digests = Set.copyOf(digests);
        }

        /** Whether the edit was checked against these definitions. */
        public boolean covers(List<ToolDefinition> definitions) {
            return definitions.stream().allMatch(definition -> digests.contains(definition.digest()));
        }
    }

    /** Checks the edit. Blocks for some milliseconds. */
    public ArgumentCheckResult check() {
        Json before = arguments(proposed);
        Json after = arguments(edited);
        return result(unknownField()
                .or(() -> definitions.stream()
                        .flatMap(definition -> problem(definition, before, after).stream())
                        .findFirst()));
    }

    /** Returns the result of a check that failed for a reason that is not known. */
    public ArgumentCheckResult failed() {
        return result(Optional.of("The edited arguments could not be checked; see the gateway's log."));
    }

    private ArgumentCheckResult result(Optional<String> problem) {
        return new ArgumentCheckResult(
                definitions.stream().map(ToolDefinition::digest).collect(Collectors.toUnmodifiableSet()),
                problem,
                definitionUnknown);
    }

    /** Returns a message about a field beside the arguments that the edit adds, such as a mistyped "arguments". */
    private Optional<String> unknownField() {
        Set<String> known = new HashSet<>(PARAMETER_FIELDS);
        known.addAll(params(proposed).members().keySet());
        return params(edited).members().keySet().stream()
                .filter(field -> !known.contains(field))
                .findFirst()
                .map(field -> "The parameters of a call have no field '" + SafeText.brief(field, MAX_NAME_LENGTH) + "'"
                        + NearestNameFinder.suggest(field, known)
                                .map(suggestion -> "; did you mean '" + suggestion + "'?")
                                .orElse("."));
    }

    private static Optional<String> problem(ToolDefinition definition, Json before, Json after) {
        return switch (ToolArgumentValidator.validateEdit(definition, before, after)) {
            case ArgumentValidationResult.Uncheckable(String reason) ->
                Optional.of("The edited arguments cannot be checked: " + reason + ".");
            case ArgumentValidationResult.Checked(List<ArgumentViolation> violations) ->
                violations.isEmpty() ? Optional.empty() : Optional.of(describe(violations));
        };
    }

    private static String describe(List<ArgumentViolation> violations) {
        String text = violations.stream()
                .limit(MAX_SHOWN)
                .map(violation -> toSentence(violation.message()))
                .collect(Collectors.joining(" "));
        return violations.size() > MAX_SHOWN
                ? text + " There are " + (violations.size() - MAX_SHOWN) + " more problems."
                : text;
    }

    private static String toSentence(String message) {
        return message.endsWith("?") ? message : message + ".";
    }

    private static Json arguments(RawPayload payload) {
        Json arguments = params(payload).at("arguments");
        return arguments.isPresent() ? arguments : Json.object();
    }

    private static Json params(RawPayload payload) {
        return Json.parse(payload.toString()).orElseGet(Json::object).at("params");
    }
}
