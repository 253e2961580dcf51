package dev.gavel.cli.member;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.mcpx.CapabilityPatternChecker;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.stream.Collectors;

/** Parses capabilities given on a command line, and formats capabilities for people. Stateless. */
public final class CommandLineCapabilityFormat {
    private CommandLineCapabilityFormat() {}

    /** Formats capabilities as a comma-separated list. */
    public static String format(Json capabilities) {
        return capabilities.elements().isEmpty()
                ? "none"
                : capabilities.elements().stream()
                        .map(each -> each.asText().map(SafeText::line).orElseGet(() -> SafeText.json(each.compact())))
                        .collect(Collectors.joining(", "));
    }

    /** Parses capabilities from a command line: each a kind pattern, or a JSON object with a kind and a payload. */
    static Json parse(List<String> texts) {
        List<Json> patterns =
                texts.stream().map(CommandLineCapabilityFormat::pattern).toList();
        return Json.write(json -> {
            json.writeStartArray();
            patterns.forEach(each -> json.writeRawValue(each.raw()));
            json.writeEndArray();
        });
    }

    /** Warns about patterns that are valid but match nothing. */
    static void warnAboutMistakes(List<String> texts, CommandOutput commandOutput) {
        texts.stream()
                .map(text -> pattern(text)
                        .asText()
                        .orElseGet(() -> pattern(text).at("kind").text()))
                .flatMap(kind -> CapabilityPatternChecker.findProblem(kind).stream())
                .forEach(problem -> commandOutput.warn("warning: " + problem));
    }

    private static Json pattern(String text) {
        if (!text.stripLeading().startsWith("{")) {
            return Json.ofText(text);
        }
        return Json.parse(text)
                .filter(json -> json.at("kind").asText().isPresent())
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE,
                        "--capability " + SafeText.line(text)
                                + " is not a valid pattern. Use 'mcp.proposal.*' or"
                                + " '{\"kind\":\"mcp.request.tools/call:write\",\"payload\":{…}}'."));
    }
}
