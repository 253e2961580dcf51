package dev.gavel.web.console.inbox;

import dev.gavel.web.console.json.JsonDiff;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A proposal as the inbox shows it to one reviewer, with the actions that the reviewer may take. All texts are fit to
 * be shown as they are, but for what HTML needs. Immutable.
 *
 * @param call what is to be called
 * @param actions what the reader may do; none once it is over
 * @param waitingText whom it waits for, in a sentence
 * @param remarks what was said about it so far
 * @param outcome what became of it, once something has
 * @param complaint why what the reader just did came to nothing
 */
public record ProposalCard(
        String topic,
        String id,
        String from,
        List<String> to,
        ProposedCall call,
        Instant proposedAt,
        Instant expiresAt,
        AllowedActions actions,
        String waitingText,
        List<String> remarks,
        Optional<CardOutcome> outcome,
        Optional<String> complaint) {
    public ProposalCard {
        to = List.copyOf(to);
        remarks = List.copyOf(remarks);
    }

    /**
     * What is to be called.
     *
     * @param name the tool, or whatever else is called
     * @param method of MCP
     * @param toolDescription what is said of it, where anybody says something
     */
    public record ProposedCall(
            String name, String method, Optional<ToolDescription> toolDescription, ArgumentsView argumentsView) {
        /** Whether it should be read twice before it is approved. */
        public boolean needsCaution() {
            return !argumentsView.warnings().isEmpty()
                    || toolDescription
                            .filter(it -> it.effect() == ToolDescription.Effect.DESTROYS)
                            .isPresent();
        }
    }

    /**
     * What the reader may do about it.
     *
     * @param edit whether there are arguments that others can be put in place of
     * @param consider whether they may say that they are considering it, and have not yet
     * @param couldRun who is here and could run the call
     */
    public record AllowedActions(
            boolean approve, boolean reject, boolean edit, boolean consider, List<String> couldRun) {
        /** Nothing. */
        public static final AllowedActions NONE = new AllowedActions(false, false, false, false, List.of());

        public AllowedActions {
            couldRun = List.copyOf(couldRun);
        }

        /** Whether there is any. */
        public boolean any() {
            return approve || reject;
        }
    }

    /**
     * What became of it.
     *
     * @param byReader whether the reader decided it
     * @param pending whether the call is made and nobody has answered yet
     * @param answer what the call was answered with
     * @param argumentChanges how the arguments that were approved differ from those proposed
     */
    public record CardOutcome(
            Tone tone,
            String text,
            boolean byReader,
            boolean pending,
            Optional<String> answer,
            Optional<JsonDiff> argumentChanges) {}

    /** How an ending looks. */
    public enum Tone {
        GOOD,
        BAD,
        QUIET;

        /** What style sheets call it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether it waits on the reader. */
    public boolean open() {
        return outcome.isEmpty() && actions.any();
    }

    /** What its element is called on a page: made of letters and digits only, whatever its id is made of. */
    public String elementId() {
        return "p-" + HexFormat.of().formatHex((topic + "/" + id).getBytes(StandardCharsets.UTF_8));
    }

    /** Where its page is. */
    public String path() {
        return path(topic, id);
    }

    /** Where a proposal's page is. */
    public static String path(String topic, String id) {
        return "/console/proposals/" + segment(topic) + "/" + segment(id);
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The same, with why what the reader just did came to nothing. */
    public ProposalCard withComplaint(String why) {
        return new ProposalCard(
                topic,
                id,
                from,
                to,
                call,
                proposedAt,
                expiresAt,
                actions,
                waitingText,
                remarks,
                outcome,
                Optional.of(why));
    }

    /** Whether it can be approved from what is shown of it. */
    public boolean approvable() {
        return actions.approve() && !call.argumentsView().clipped();
    }
}
