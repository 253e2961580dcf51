package dev.gavel.cli.sep;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses command-line arguments that give evidence for a SEP, such as {@code prototype=https://example.org/code}.
 * Stateless.
 */
final class EvidenceArgumentParser {
    private EvidenceArgumentParser() {}

    /** Returns the values by evidence kind, in the given order. */
    static Map<String, List<String>> parse(List<String> words) {
        Map<String, List<String>> evidence = new LinkedHashMap<>();
        for (String word : words) {
            int separatorIndex = word.indexOf('=');
            if (separatorIndex < 1 || separatorIndex == word.length() - 1) {
                throw new CommandException(
                        ExitCode.USAGE,
                        "'" + SafeText.line(word)
                                + "' is not valid evidence; use KIND=VALUE as in prototype=https://example.org/code");
            }
            evidence.computeIfAbsent(word.substring(0, separatorIndex), kind -> new ArrayList<>())
                    .add(word.substring(separatorIndex + 1));
        }
        return evidence;
    }
}
