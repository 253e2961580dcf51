package dev.gavel.web.console.inbox;

import dev.gavel.gateway.proposal.CallRisk;
import dev.gavel.gateway.proposal.CallRiskAssessor;
import dev.gavel.gateway.tool.ArgumentValidationResult;
import dev.gavel.gateway.tool.ArgumentViolation;
import dev.gavel.gateway.tool.ToolArgumentValidator;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.json.JsonDiff;
import dev.gavel.web.console.json.JsonLineIndex;
import dev.gavel.web.console.json.JsonValuePath;
import dev.gavel.web.console.json.SchemaPropertyReader;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form in which a reviewer changes a call's arguments before approving it.
 *
 * @param text the arguments as entered so far
 * @param runner the participant that the reviewer chose to run the call
 * @param complaint why the approval was refused
 */
public record ArgumentEditorView(
        ProposalCard card, Json proposed, String text, Optional<String> runner, Optional<String> complaint) {
    private static final Pattern ERROR_POSITION = Pattern.compile("line (\\d{1,9}), column \\d+: (.*)", Pattern.DOTALL);
    private static final int MAX_ERROR_LENGTH = 200;

    /** Creates a form that contains the proposed arguments unchanged. */
    public static ArgumentEditorView of(ProposalCard card, Json proposed) {
        return new ArgumentEditorView(
                card, proposed, SafeText.json(proposed.pretty()), Optional.empty(), Optional.empty());
    }

    /** Whether the form contains what the reviewer entered before. */
    public boolean typed() {
        return complaint.isPresent();
    }

    /** Returns the arguments that the tool's schema describes. */
    public List<SchemaPropertyReader.SchemaProperty> members() {
        return card.call()
                .toolDescription()
                .map(toolDescription -> SchemaPropertyReader.read(toolDescription.schema()))
                .orElse(List.of());
    }

    public int rows() {
        return Math.clamp(text.lines().count() + 2, 6, 24);
    }

    /** Checks the entered arguments. */
    public ArgumentCheck checkText() {
        return check(proposed, text, card.call());
    }

    /**
     * The result of checking arguments.
     *
     * @param value the arguments; empty if they are not a JSON object
     * @param risk what the reviewer must know before approving the call with these arguments
     */
    public record ArgumentCheck(
            Optional<Json> value, List<ArgumentError> errors, JsonDiff jsonDiff, Optional<CallRisk> risk) {
        public ArgumentCheck {
            errors = List.copyOf(errors);
        }

        public boolean isValid() {
            return errors.isEmpty();
        }

        /**
         * The warnings as one line. The form sends it back, so that arguments with warnings that the form did not show
         * are not approved.
         */
        public String warningText() {
            return risk.map(found -> String.join("; ", found.warnings())
                            + (found.omittedWarnings() == 0 ? "" : "; and " + found.omittedWarnings() + " more"))
                    .orElse("");
        }
    }

    /** An error and its line. */
    public record ArgumentError(int line, String message) {}

    private static ArgumentError syntaxError(String text) {
        String syntaxError = Json.findSyntaxError(text).orElse("it cannot be parsed");
        Matcher position = ERROR_POSITION.matcher(syntaxError);
        return position.matches()
                ? new ArgumentError(
                        Integer.parseInt(position.group(1)),
                        "Invalid JSON: " + SafeText.brief(position.group(2), MAX_ERROR_LENGTH))
                : new ArgumentError(1, "Invalid JSON: " + SafeText.brief(syntaxError, MAX_ERROR_LENGTH));
    }

    /**
     * Checks entered arguments against JSON syntax and the tool's schema, and compares them with the proposed
     * arguments.
     */
    public static ArgumentCheck check(Json proposed, String text, ProposalCard.ProposedCall call) {
        Optional<Json> parsed = Json.parse(text);
        if (parsed.isEmpty()) {
            return new ArgumentCheck(
                    Optional.empty(), List.of(syntaxError(text)), new JsonDiff(List.of(), false), Optional.empty());
        }
        Json value = parsed.get();
        if (value.type() != Json.Type.OBJECT) {
            return new ArgumentCheck(
                    Optional.empty(),
                    List.of(new ArgumentError(1, "Arguments must be a JSON object: {\"name\": value}.")),
                    new JsonDiff(List.of(), false),
                    Optional.empty());
        }
        JsonLineIndex jsonLineIndex = JsonLineIndex.parse(text);
        List<ArgumentError> argumentErrors = call.toolDescription()
                .filter(description -> description.schema().isPresent())
                .map(description -> errors(
                        ToolArgumentValidator.validateEdit(
                                ToolDefinition.of(
                                        description.participant(),
                                        call.name(),
                                        Json.object().with("inputSchema", description.schema())),
                                proposed,
                                value),
                        jsonLineIndex))
                .orElse(List.of());
        return new ArgumentCheck(
                parsed,
                argumentErrors,
                JsonDiff.between(proposed, value),
                call.risk()
                        .map(it -> CallRiskAssessor.reassess(
                                it, call.method(), Json.object().with("arguments", value), "")));
    }

    private static List<ArgumentError> errors(ArgumentValidationResult result, JsonLineIndex jsonLineIndex) {
        return switch (result) {
            case ArgumentValidationResult.Uncheckable(String reason) ->
                List.of(new ArgumentError(1, "The arguments cannot be checked: " + reason + "."));
            case ArgumentValidationResult.Checked(List<ArgumentViolation> violations) ->
                violations.stream()
                        .map(violation -> new ArgumentError(
                                jsonLineIndex.line(path(violation)),
                                violation.message() + (violation.message().endsWith("?") ? "" : ".")))
                        .toList();
        };
    }

    private static JsonValuePath path(ArgumentViolation violation) {
        JsonValuePath path = JsonValuePath.ROOT;
        for (Object step : violation.path()) {
            path = step instanceof Integer index ? path.child(index) : path.child(String.valueOf(step));
        }
        return path;
    }

    /** Whether entered arguments can be checked against a schema. */
    public boolean hasSchema() {
        return card.call()
                .toolDescription()
                .filter(description -> description.schema().isPresent())
                .isPresent();
    }
}
