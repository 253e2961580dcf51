package dev.gavel.console.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Capabilities as people write them into a form: one on a line, a pattern of kinds or a JSON object of {@code kind} and
 * {@code payload}. Empty lines are for the eye. Stateless.
 */
public final class CapabilityLines {
    /** Nobody mends more at once. */
    private static final int MOST_FAULTS = 5;

    private CapabilityLines() {}

    /** As somebody would write them. */
    public static String of(Capabilities capabilities) {
        return Json.parse(new String(capabilities.toJson(Spelling.CURRENT), UTF_8)).stream()
                .flatMap(all -> all.elements().stream())
                .map(each -> each.ifText().orElseGet(each::compact))
                .collect(Collectors.joining("\n"));
    }

    /** What is wrong with them, each with its line; nothing where all are right. */
    public static List<String> faults(String text) {
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
                        + Json.trouble(line.strip()).orElse("it cannot be read") + ".");
            } else if (Capabilities.fromJson(json(line).raw().getBytes(UTF_8))
                    instanceof Parsed.Invalid<Capabilities>(String fault)) {
                faults.add(here + fault + ".");
            }
        }
        return faults.size() <= MOST_FAULTS ? faults : faults.subList(0, MOST_FAULTS);
    }

    /** The JSON array that the configuration and the API take; of lines that are right. */
    public static Json json(String text) {
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
