package dev.gavel.web.console.inbox;

import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.ProposedToolStatus;
import dev.gavel.gateway.tool.ToolDefinition.FieldChange;
import dev.gavel.mcpx.json.Json;
import dev.gavel.web.console.json.JsonDiff;
import java.util.ArrayList;
import java.util.List;

/**
 * The notice on a proposal's card about a changed tool definition: sentences, the differences, and the digests of the
 * current definitions. Immutable.
 *
 * @param notes what changed, as sentences; empty if nothing changed
 * @param differences how each participant's definition differs from its earlier ones
 * @param newDefinitions the digests that an approval must name, because a definition changed after the call was proposed,
 *     or was not known then; empty if it need not name any
 */
public record ToolDefinitionNotice(List<String> notes, List<Difference> differences, List<String> newDefinitions) {
    public ToolDefinitionNotice {
        notes = List.copyOf(notes);
        differences = List.copyOf(differences);
        newDefinitions = List.copyOf(newDefinitions);
    }

    /**
     * How a definition differs from an earlier one.
     *
     * @param heading says since when it changed
     */
    public record Difference(String heading, JsonDiff diff) {}

    static ToolDefinitionNotice of(ProposalView view) {
        List<String> notes = new ArrayList<>();
        List<Difference> differences = new ArrayList<>();
        for (ProposedToolStatus tool : view.tools()) {
            if (tool.needsAttention()) {
                notes.addAll(tool.notes());
                tool.differences()
                        .forEach(difference ->
                                differences.add(new Difference(difference.heading(), diff(difference.changes()))));
            }
        }
        return new ToolDefinitionNotice(
                notes,
                differences,
                view.tools().stream().anyMatch(ProposedToolStatus::mustBeNamed)
                        ? view.tools().stream()
                                .flatMap(tool -> tool.digest().stream())
                                .toList()
                        : List.of());
    }

    private static JsonDiff diff(List<FieldChange> changes) {
        Json before = Json.object();
        Json after = Json.object();
        for (FieldChange change : changes) {
            before = change.before().isPresent() ? before.with(change.field(), change.before()) : before;
            after = change.after().isPresent() ? after.with(change.field(), change.after()) : after;
        }
        return JsonDiff.between(before, after);
    }

    /** Whether the reviewer must approve the call for another definition than the one that was proposed. */
    public boolean needsApproval() {
        return !newDefinitions.isEmpty();
    }

    /** The digests as the value of a form field. */
    public String formValue() {
        return String.join(" ", newDefinitions);
    }
}
