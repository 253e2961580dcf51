package dev.gavel.cli.proposal;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.mcpx.text.ValueChangeFormatter;
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
                parts.addAll(differences(tool));
                if (ProposalApprovalSender.mustNameDefinition(tool)) {
                    parts.addAll(hints.apply(tool.at("digest").text()));
                }
                texts.add(String.join("\n", parts));
            }
        }
        return texts;
    }

    /**
     * Returns all changes since the proposal, and all since the baseline unless these are the same. A change after the
     * proposal must not hide an earlier one.
     */
    private static List<String> differences(Json tool) {
        List<Json> sinceProposal = tool.at("changes").elements();
        List<Json> sinceBaseline = tool.at("changesSinceApproval").elements();
        if (sinceProposal.isEmpty() || sinceBaseline.isEmpty() || sinceProposal.equals(sinceBaseline)) {
            return lines(sinceProposal.isEmpty() ? sinceBaseline : sinceProposal);
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                tool.at("state").text().equals("new")
                        ? "The whole definition:"
                        : "Changes since the call was proposed:");
        lines.addAll(lines(sinceProposal));
        lines.add("Changes since a call of the tool was last approved, or first made without approval:");
        lines.addAll(lines(sinceBaseline));
        return lines;
    }

    private static List<String> lines(List<Json> changes) {
        return changes.stream()
                .flatMap(
                        change -> ValueChangeFormatter.lines(
                                change.at("field").text(), change.at("before"), change.at("after"), MAX_VALUE_LENGTH)
                                .stream())
                .toList();
    }
}
