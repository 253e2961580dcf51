package dev.gavel.web.console.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Converts capabilities to the text that an admin edits, one capability per line, and back to JSON. Empty lines are
 * ignored. Stateless.
 */
public final class CapabilityTextFormat {
    /** An admin does not fix more errors at once. */
    private static final int MAX_ERRORS = 5;

    private CapabilityTextFormat() {}

    /** Returns capabilities as an admin would enter them. */
    public static String format(CapabilitySet capabilitySet) {
        return Json.parse(new String(capabilitySet.toJson(EnvelopeSyntax.CURRENT), UTF_8)).stream()
                .flatMap(all -> all.elements().stream())
                .map(each -> each.asText().orElseGet(each::compact))
                .collect(Collectors.joining("\n"));
    }

    /** Returns the errors, each with its line number; an empty list if all lines are valid. */
    public static List<String> validate(String text) {
        List<String> errors = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\\R", -1)) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            String linePrefix = "Line " + number + ": ";
            if (isObject(line) && Json.parse(line.strip()).isEmpty()) {
                errors.add(linePrefix + "not a valid JSON object: "
                        + Json.findSyntaxError(line.strip()).orElse("it cannot be parsed") + ".");
            } else if (CapabilitySet.fromAdmin(toJson(line).raw().getBytes(UTF_8))
                    instanceof ValueParseResult.Invalid<CapabilitySet>(String fault)) {
                errors.add(linePrefix + fault + (fault.endsWith(".") ? "" : "."));
            }
        }
        return errors.size() <= MAX_ERRORS ? errors : errors.subList(0, MAX_ERRORS);
    }

    /** Converts valid lines to the JSON array that the configuration and the API accept. */
    public static Json toJson(String text) {
        List<String> lines =
                text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        return Json.write(json -> {
            json.writeStartArray();
            for (String line : lines) {
                json.writeRawValue(
                        isObject(line)
                                ? Json.parse(line).map(Json::raw).orElse("{}")
                                : Json.ofText(line).raw());
            }
            json.writeEndArray();
        });
    }

    private static boolean isObject(String line) {
        return line.stripLeading().startsWith("{");
    }
}
