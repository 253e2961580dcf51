package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.json.JsonDiff;
import dev.gavel.web.console.json.JsonLineIndex;
import dev.gavel.web.console.json.JsonSchemaChecker;
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
        return new ArgumentEditorView(card, proposed, proposed.pretty(), Optional.empty(), Optional.empty());
    }

    /** Returns the arguments that the tool's schema describes. */
    public List<JsonSchemaChecker.SchemaProperty> members() {
        return card.call()
                .toolDescription()
                .map(toolDescription -> new JsonSchemaChecker(toolDescription.schema()).members())
                .orElse(List.of());
    }

    public int rows() {
        return Math.clamp(text.lines().count() + 2, 6, 24);
    }

    /** Checks the entered arguments. */
    public ArgumentCheck checkText() {
        return check(proposed, text, card.call().toolDescription());
    }

    /**
     * The result of checking arguments.
     *
     * @param value the arguments; empty if they are not a JSON object
     */
    public record ArgumentCheck(Optional<Json> value, List<ArgumentError> errors, JsonDiff jsonDiff) {
        public ArgumentCheck {
            errors = List.copyOf(errors);
        }

        public boolean isValid() {
            return errors.isEmpty();
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
    public static ArgumentCheck check(Json proposed, String text, Optional<ToolDescription> toolDescription) {
        Optional<Json> parsed = Json.parse(text);
        if (parsed.isEmpty()) {
            return new ArgumentCheck(Optional.empty(), List.of(syntaxError(text)), new JsonDiff(List.of(), false));
        }
        Json value = parsed.get();
        if (value.type() != Json.Type.OBJECT) {
            return new ArgumentCheck(
                    Optional.empty(),
                    List.of(new ArgumentError(1, "Arguments must be a JSON object: {\"name\": value}.")),
                    new JsonDiff(List.of(), false));
        }
        JsonLineIndex jsonLineIndex = JsonLineIndex.parse(text);
        List<ArgumentError> argumentErrors =
                toolDescription.map(it -> new JsonSchemaChecker(it.schema()).validate(value)).orElse(List.of()).stream()
                        .map(schemaViolation -> new ArgumentError(
                                jsonLineIndex.line(schemaViolation.path()),
                                SafeText.line(schemaViolation.path() + " " + schemaViolation.message()) + "."))
                        .toList();
        return new ArgumentCheck(parsed, argumentErrors, JsonDiff.between(proposed, value));
    }
}
