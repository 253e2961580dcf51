package dev.gavel.web.console.topic;

import dev.gavel.mcpx.CapabilitySet;
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
    private static final String ANY_NAME = "\u0000";

    /** Returns the labels for a member's capabilities, most significant first. */
    public static List<CapabilityLabel> of(CapabilitySet capabilitySet) {
        List<CapabilityLabel> capabilityLabels = new ArrayList<>();
        addRequests(capabilitySet, capabilityLabels);
        if (capabilitySet.admitsKind(Kind.of("mcpx.reject.proposal"))) {
            capabilityLabels.add(new CapabilityLabel("rejects", "may turn down what others propose, with a reason"));
        }
        addCalls(capabilitySet, "proposal", "proposes", "may propose calls, for others to decide", capabilityLabels);
        addCalls(
                capabilitySet,
                "response",
                "runs",
                "may run calls that are sent to it, and answer them",
                capabilityLabels);
        if (capabilitySet.admitsKind(Kind.of("chat.message"))) {
            capabilityLabels.add(new CapabilityLabel("chats", "may talk to everybody here"));
        }
        if (capabilityLabels.isEmpty()) {
            capabilityLabels.add(
                    capabilitySet.asList().isEmpty()
                            ? new CapabilityLabel("only listens", "may send nothing")
                            : new CapabilityLabel("sends other things", "see the patterns"));
        }
        return capabilityLabels;
    }

    /**
     * A member that may make only a few calls needs them for its work; "approves calls" would suggest that it decides
     * for itself.
     */
    private static void addRequests(CapabilitySet capabilitySet, List<CapabilityLabel> capabilityLabels) {
        List<Kind> kinds = kinds("request");
        if (capabilitySet.admitsAnyPayload(kinds.getFirst().withContext(ANY_NAME))) {
            capabilityLabels.add(
                    new CapabilityLabel("approves calls", "may make calls, and by that approve what others propose"));
        } else if (kinds.stream().anyMatch(capabilitySet::admitsKind)) {
            capabilityLabels.add(
                    new CapabilityLabel(
                            capabilitySet.admitsKind(kinds.getFirst())
                                    ? "calls some tools directly"
                                    : "makes some calls directly",
                            "may make certain calls without a proposal, and approve proposals of just these; see the patterns"));
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
            capabilityLabels.add(new CapabilityLabel(verb + " some calls", meaning + "; not all, see the patterns"));
        }
    }
}
