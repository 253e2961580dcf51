package dev.gavel.web.console.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.SyntaxVersion;
import dev.gavel.mcpx.TextParseResult;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Converts capabilities to the text that an admin edits, one capability per line, and back to JSON. Empty lines are for
 * the eye. Stateless.
 */
public final class CapabilityTextFormat {
    /** Nobody mends more at once. */
    private static final int MAX_ERRORS = 5;

    private CapabilityTextFormat() {}

    /** As somebody would write them. */
    public static String format(CapabilitySet capabilitySet) {
        return Json.parse(new String(capabilitySet.toJson(SyntaxVersion.CURRENT), UTF_8)).stream()
                .flatMap(all -> all.elements().stream())
                .map(each -> each.asText().orElseGet(each::compact))
                .collect(Collectors.joining("\n"));
    }

    /** What is wrong with them, each with its line; nothing where all are right. */
    public static List<String> validate(String text) {
        List<String> faults = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\\R", -1)) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            String here = "Line " + number + ": ";
            if (isObject(line) && Json.parse(line.strip()).isEmpty()) {
                faults.add(here + "it begins like a JSON object and is none: "
                        + Json.findSyntaxError(line.strip()).orElse("it cannot be read") + ".");
            } else if (CapabilitySet.fromJson(toJson(line).raw().getBytes(UTF_8))
                    instanceof TextParseResult.Invalid<CapabilitySet>(String fault)) {
                faults.add(here + fault + ".");
            }
        }
        return faults.size() <= MAX_ERRORS ? faults : faults.subList(0, MAX_ERRORS);
    }

    /** The JSON array that the configuration and the API take; of lines that are right. */
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
