package dev.gavel.cli.proposal;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Formats the changes in the definition of a proposed tool for the command line.
 *
 * @param tools the field {@code tools} of a proposal
 */
public record ToolDefinitionChangeFormatter(Json tools) {
    private static final int MAX_VALUE_LENGTH = 2_000;
    private static final int CONTEXT_LENGTH = 40;

    /** Returns a text for each participant about whose tool there is something to say. */
    public List<String> changes() {
        return texts(_ -> List.of());
    }

    /**
     * Returns the same texts, with how to approve a call whose tool changed.
     *
     * @param approvalHint returns what the reviewer does to approve the call for the definition with a digest
     */
    List<String> lines(UnaryOperator<String> approvalHint) {
        return texts(digest ->
                List.of("To approve it for the current definition: " + approvalHint.apply(SafeText.line(digest))));
    }

    private List<String> texts(Function<String, List<String>> hints) {
        List<String> texts = new ArrayList<>();
        for (Json tool : tools.elements()) {
            List<String> notes = tool.at("notes").texts();
            if (!notes.isEmpty()) {
                List<String> parts = new ArrayList<>();
                notes.forEach(note -> parts.add(SafeText.line(note)));
                Json changes = tool.at("changes").isPresent() ? tool.at("changes") : tool.at("changesSinceApproval");
                changes.elements().forEach(change -> parts.addAll(difference(change)));
                if (ProposalApprovalSender.mustNameDefinition(tool)) {
                    parts.addAll(hints.apply(tool.at("digest").text()));
                }
                texts.add(String.join("\n", parts));
            }
        }
        return texts;
    }

    private static List<String> difference(Json change) {
        String field = SafeText.line(change.at("field").text());
        String before = change.at("before").isPresent() ? change.at("before").compact() : "";
        String after = change.at("after").isPresent() ? change.at("after").compact() : "";
        int shortest = Math.min(before.length(), after.length());
        int same = 0;
        while (same < shortest && before.charAt(same) == after.charAt(same)) {
            same++;
        }
        int sameAtEnd = 0;
        while (sameAtEnd < shortest - same
                && before.charAt(before.length() - 1 - sameAtEnd) == after.charAt(after.length() - 1 - sameAtEnd)) {
            sameAtEnd++;
        }
        List<String> lines = new ArrayList<>();
        if (!before.isEmpty()) {
            lines.add("- " + field + ": " + changedPart(before, same, sameAtEnd));
        }
        if (!after.isEmpty()) {
            lines.add("+ " + field + ": " + changedPart(after, same, sameAtEnd));
        }
        return lines;
    }

    /**
     * Returns the part of a long value in which the two values differ, with some characters around it: a server could
     * otherwise hide a change at the end of a long text.
     */
    private static String changedPart(String value, int same, int sameAtEnd) {
        if (value.length() <= MAX_VALUE_LENGTH) {
            return SafeText.line(value);
        }
        int start = same <= CONTEXT_LENGTH ? 0 : same - CONTEXT_LENGTH;
        int end = sameAtEnd <= CONTEXT_LENGTH ? value.length() : value.length() - sameAtEnd + CONTEXT_LENGTH;
        return (start == 0 ? "" : "… ")
                + SafeText.line(SafeText.shortenMiddle(value.substring(start, end), MAX_VALUE_LENGTH))
                + (end == value.length() ? "" : " …");
    }
}
