package dev.gavel.web.console.topic;

import dev.gavel.mcpx.CapabilityPatternChecker;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * A short phrase for what a member may do in a topic, such as "proposes calls", with an explanation. Immutable.
 *
 * @param label a short phrase that follows a name: "proposes calls"
 * @param meaning what the label means that the member may do
 */
public record CapabilityLabel(String label, String meaning) {
    private static final List<String> METHODS = List.of("tools/call", "prompts/get", "resources/read");

    /** No call has this name, so capabilities that allow it allow every name. */
    private static final String ANY_NAME = "a-name-that-no-tool-has";

    /** Returns the labels for a member's capabilities, most significant first. */
    public static List<CapabilityLabel> of(CapabilitySet capabilitySet) {
        List<CapabilityLabel> capabilityLabels = new ArrayList<>();
        addRequests(capabilitySet, capabilityLabels);
        if (capabilitySet.admitsKind(Kind.of("mcpx.reject.proposal"))) {
            capabilityLabels.add(new CapabilityLabel("rejects", "can reject proposals, with a reason"));
        }
        addCalls(capabilitySet, "proposal", "proposes", "can propose calls for reviewers to decide", capabilityLabels);
        addCalls(capabilitySet, "response", "runs", "can run calls that are sent to it", capabilityLabels);
        if (capabilitySet.admitsKind(Kind.of("chat.message"))) {
            capabilityLabels.add(new CapabilityLabel("chats", "can send messages to all members"));
        }
        if (capabilityLabels.isEmpty()) {
            capabilityLabels.add(otherLabel(capabilitySet));
        }
        return capabilityLabels;
    }

    private static CapabilityLabel otherLabel(CapabilitySet capabilitySet) {
        if (capabilitySet.asList().isEmpty()) {
            return new CapabilityLabel("only listens", "cannot send anything");
        }
        return capabilitySet.asList().stream()
                        .allMatch(capability -> CapabilityPatternChecker.findProblem(
                                        capability.kind(EnvelopeSyntax.CURRENT))
                                .isPresent())
                ? new CapabilityLabel("sends nothing", "its patterns match no message; see them below")
                : new CapabilityLabel("sends other messages", "see the patterns below");
    }

    /**
     * A member that may make only a few calls needs them for its work; "approves calls" would suggest that it decides
     * for itself.
     */
    private static void addRequests(CapabilitySet capabilitySet, List<CapabilityLabel> capabilityLabels) {
        List<Kind> kinds = kinds("request");
        if (capabilitySet.admitsAnyPayload(kinds.getFirst().withContext(ANY_NAME))) {
            capabilityLabels.add(
                    new CapabilityLabel("approves calls", "can make calls, and can therefore approve proposals"));
        } else if (kinds.stream().anyMatch(capabilitySet::admitsKind)) {
            capabilityLabels.add(new CapabilityLabel(
                    capabilitySet.admitsKind(kinds.getFirst())
                            ? "calls some tools directly"
                            : "makes some calls directly",
                    "can make certain calls directly, and approve proposals for them; see the patterns below"));
        }
    }

    private static List<Kind> kinds(String operation) {
        return METHODS.stream()
                .map(method -> new Kind("mcp", operation, method, null))
                .toList();
    }

    private static void addCalls(
            CapabilitySet capabilitySet,
            String operation,
            String verb,
            String meaning,
            List<CapabilityLabel> capabilityLabels) {
        List<Kind> kinds = kinds(operation);
        boolean all = capabilitySet.admitsAnyPayload(kinds.getFirst().withContext(ANY_NAME));
        if (all) {
            capabilityLabels.add(new CapabilityLabel(verb + " calls", meaning));
        } else if (kinds.stream().anyMatch(capabilitySet::admitsKind)) {
            capabilityLabels.add(
                    new CapabilityLabel(verb + " some calls", meaning + ", but not all calls; see the patterns below"));
        }
    }
}
