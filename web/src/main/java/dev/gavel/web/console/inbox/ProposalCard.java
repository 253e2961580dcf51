package dev.gavel.web.console.inbox;

import dev.gavel.gateway.proposal.CallRisk;
import dev.gavel.web.console.json.JsonDiff;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A proposal as the inbox shows it to one reviewer, with the actions that the reviewer may take. All texts are
 * sanitized for display; only HTML escaping is left to the template. Immutable.
 *
 * @param call the proposed call
 * @param closesAt when the proposal is closed, unless it is decided before
 * @param callerDisconnected whether the caller lost its connection: the call runs when the caller calls again, and the
 *     proposal is withdrawn if the caller does not
 * @param actions the actions that the reader may take; none once the proposal has ended
 * @param waitingText a sentence that says for whom the proposal waits
 * @param updateTexts the rejections and statuses so far, as sentences
 * @param outcome how the proposal ended; empty while it is open
 * @param complaint why the reader's last action was refused
 */
public record ProposalCard(
        String topic,
        String id,
        String from,
        List<String> to,
        ProposedCall call,
        Instant proposedAt,
        Instant closesAt,
        boolean callerDisconnected,
        AllowedActions actions,
        String waitingText,
        List<String> updateTexts,
        Optional<CardOutcome> outcome,
        Optional<String> complaint) {
    public ProposalCard {
        to = List.copyOf(to);
        updateTexts = List.copyOf(updateTexts);
    }

    /**
     * The proposed call.
     *
     * @param name the name of the tool, or of what else is called
     * @param method the MCP method
     * @param toolDescription the tool's description, if a participant gives one
     * @param risk what the reviewer must know before approving the call; empty once the proposal has ended
     * @param definition what changed in the tool's definition
     */
    public record ProposedCall(
            String name,
            String method,
            Optional<ToolDescription> toolDescription,
            Optional<CallRisk> risk,
            ToolDefinitionNotice definition,
            ArgumentsView argumentsView) {
        /** Whether the reviewer has to confirm the approval in a second step. */
        public boolean careful() {
            return risk.filter(CallRisk::careful).isPresent() || definition.needsApproval();
        }
    }

    /**
     * The actions that the reader may take.
     *
     * @param edit whether the call has arguments that the reader can replace
     * @param consider whether the reader may send the status {@code considering} and has not sent a status yet
     * @param couldRun the connected participants that could run the call
     * @param couldRunInstead the connected participants that offer the call, if it is addressed to others that cannot run
     *     it now
     * @param reveal whether secret arguments are hidden that the reader can have shown
     */
    public record AllowedActions(
            boolean approve,
            boolean reject,
            boolean edit,
            boolean consider,
            List<String> couldRun,
            List<String> couldRunInstead,
            boolean reveal) {
        public static final AllowedActions NONE = new AllowedActions(false, false, false, false, List.of());

        /** Creates the actions for a call without secret arguments. */
        public AllowedActions(boolean approve, boolean reject, boolean edit, boolean consider, List<String> couldRun) {
            this(approve, reject, edit, consider, couldRun, List.of(), false);
        }

        public AllowedActions {
            couldRun = List.copyOf(couldRun);
            couldRunInstead = List.copyOf(couldRunInstead);
        }

        /** Whether a connected participant can run the call. */
        public boolean runnable() {
            return !couldRun.isEmpty() || !couldRunInstead.isEmpty();
        }

        /** Whether the reader may approve or reject the proposal. */
        public boolean any() {
            return approve || reject;
        }
    }

    /**
     * How a proposal ended.
     *
     * @param byReader whether the reader decided it
     * @param pending whether the call was sent and is not answered yet
     * @param answer the answer to the call
     * @param argumentChanges how the approved arguments differ from the proposed ones
     */
    public record CardOutcome(
            Tone tone,
            String text,
            boolean byReader,
            boolean pending,
            Optional<String> answer,
            Optional<JsonDiff> argumentChanges) {}

    /** The colour of an outcome. */
    public enum Tone {
        GOOD,
        BAD,
        QUIET;

        /** The name of the tone in style sheets. */
        public String cssClass() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether the proposal waits for the reader. */
    public boolean open() {
        return outcome.isEmpty() && actions.any();
    }

    /** The id of the card's element on a page: letters, digits and a dash only, whatever the proposal's id contains. */
    public String elementId() {
        return "p-" + HexFormat.of().formatHex((topic + "/" + id).getBytes(StandardCharsets.UTF_8));
    }

    public String path() {
        return path(topic, id);
    }

    /** Returns the path of a proposal's page. */
    public static String path(String topic, String id) {
        return "/console/proposals/" + segment(topic) + "/" + segment(id);
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns a copy with the reason why the reader's last action was refused. */
    public ProposalCard withComplaint(String reason) {
        return new ProposalCard(
                topic,
                id,
                from,
                to,
                call,
                proposedAt,
                closesAt,
                callerDisconnected,
                actions,
                waitingText,
                updateTexts,
                outcome,
                Optional.of(reason));
    }

    /** Whether the reader can approve the proposal from this card: only if all arguments are shown. */
    public boolean approvable() {
        return actions.approve() && call.argumentsView().clipped().isEmpty();
    }
}
