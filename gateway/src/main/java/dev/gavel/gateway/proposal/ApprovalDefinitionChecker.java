package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.RecordedToolDefinition;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.ToolListState;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks that the current definition of a proposed tool is the one that an approval is for. An approval that names
 * digests is for these definitions. Any other approval is for the definitions that were known when the call was
 * proposed. A definition that was not known then has to be named: nothing else shows that the reviewer has seen it.
 *
 * @param definitionUnknown whether no definition was known when the approval arrived: the reviewer could not see one
 */
record ApprovalDefinitionChecker(
        ProposalSnapshot proposalSnapshot, AdmittedEnvelope approval, TopicTools tools, boolean definitionUnknown) {
    /**
     * Returns a participant whose definition of the tool is needed and not known, because its list of tools was not
     * loaded yet, or because the participant reported a change and has not listed its tools since. It does not follow
     * that the participant stopped offering the tool.
     */
    Optional<String> unloadedRunner() {
        List<String> named = approval.envelope().definitionDigests();
        return TopicTools.toolOf(proposalSnapshot.callKind())
                .flatMap(tool -> approval.to().stream()
                        .filter(runner -> isUnknown(runner, tool)
                                && !named.contains(ToolDefinition.UNLISTED)
                                && (!named.isEmpty()
                                        || recorded(runner).isPresent()
                                        || tools.listState(runner) != ToolListState.CURRENT))
                        .findFirst());
    }

    private boolean isUnknown(String runner, String tool) {
        return tools.listState(runner) != ToolListState.CURRENT
                || (!tools.isLoaded(runner) && tools.find(runner, tool).isEmpty());
    }

    /** Returns why the approval is refused; empty if the definitions are those that it is for. */
    Optional<String> problem() {
        return TopicTools.toolOf(proposalSnapshot.callKind())
                .flatMap(tool -> approval.to().stream()
                        .flatMap(runner -> problem(runner, tool).stream())
                        .findFirst());
    }

    private Optional<String> problem(String runner, String tool) {
        Optional<ToolDefinition> current = tools.find(runner, tool);
        String digest = current.map(ToolDefinition::digest).orElse(ToolDefinition.UNLISTED);
        List<String> named = approval.envelope().definitionDigests();
        Optional<RecordedToolDefinition> recorded = recorded(runner);
        boolean same = named.isEmpty()
                // Without any definition, the reviewer approves a call of an unknown tool.
                ? recorded.map(each -> each.digest().equals(digest))
                        .orElseGet(() -> definitionUnknown || current.isEmpty())
                : named.contains(digest);
        return same ? Optional.empty() : Optional.of(message(runner, tool, recorded, current));
    }

    private Optional<RecordedToolDefinition> recorded(String runner) {
        return proposalSnapshot.proposed().tools().stream()
                .filter(each -> each.participant().equals(runner))
                .findFirst();
    }

    private static String message(
            String runner, String tool, Optional<RecordedToolDefinition> recorded, Optional<ToolDefinition> current) {
        String subject = SafeText.line(tool) + " on " + SafeText.line(runner);
        if (current.isEmpty()) {
            return SafeText.line(runner) + " does not list the tool " + SafeText.line(tool)
                    + " any more. Your request was not forwarded, and the proposal stays open. To approve the call"
                    + " anyway, set 'definition' to '" + ToolDefinition.UNLISTED + "'.";
        }
        if (recorded.isEmpty()) {
            return "The gateway did not know the definition of " + subject + " when the call was proposed. Your request"
                    + " was not forwarded, and the proposal stays open. Read the definition. To approve the call for it,"
                    + " set 'definition' to its digest: " + current.get().digest() + ".";
        }
        String changed = recorded.flatMap(RecordedToolDefinition::definition)
                .map(before -> before.changesTo(current.get()).stream()
                        .map(ToolDefinition.FieldChange::field)
                        .collect(Collectors.joining(", ")))
                .filter(fields -> !fields.isEmpty())
                .map(fields -> " (" + fields + ")")
                .orElse("");
        return "The definition of " + subject + " is not the one that your approval is for: it changed" + changed
                + ". Your request was not forwarded, and the proposal stays open. Look at the difference. To approve"
                + " the call for the current definition, set 'definition' to its digest: "
                + current.get().digest() + ".";
    }
}
