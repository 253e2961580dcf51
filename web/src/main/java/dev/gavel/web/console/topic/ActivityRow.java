package dev.gavel.web.console.topic;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.store.RecentProposalEvent;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One line in a topic's activity list. All but {@code participant} is fit to be shown. Immutable.
 *
 * @param id what its element is called on a page: letters, digits and dashes
 * @param participant whose doing it is, to look for; empty where it is nobody's
 * @param before what stands before what it is about
 * @param subject what it is about, with a page of its own
 * @param after what stands behind that
 * @param quote what somebody said
 * @param replacedId the row that this one makes untrue, instead of being one itself
 */
public record ActivityRow(
        String id,
        Category category,
        Instant at,
        String participant,
        BadgeTone tone,
        String before,
        Optional<Link> subject,
        String after,
        Optional<String> quote,
        Optional<String> replacedId) {
    private static final int MAX_QUOTE_LENGTH = 4_000;
    private static final int BRIEF = 120;

    /** What is listed, and can be looked at alone. */
    public enum Category {
        PROPOSALS("Proposals"),
        CHAT("Chat"),
        CALLS("Direct calls"),
        PRESENCE("Presence");

        private final String label;

        Category(String label) {
            this.label = label;
        }

        /** How people are told of it. */
        public String label() {
            return label;
        }

        /** What addresses and scripts call it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Something with a page of its own; where it has none, the address is empty. */
    public record Link(String words, String address) {}

    /** What a step of a proposal looks like in its topic. */
    public static ActivityRow of(String topic, RecentProposalEvent recentProposalEvent, String reader) {
        ProposalEvent event = recentProposalEvent.entry().event();
        ProposalEventSentence proposalEventSentence =
                ProposalEventSentence.of(event, new ParticipantNameFormatter(reader));
        String what = recentProposalEvent.call().map(ActivityRow::callName).orElse(recentProposalEvent.proposal());
        return new ActivityRow(
                "e-" + recentProposalEvent.seq(),
                sort(event),
                recentProposalEvent.entry().at(),
                event.by().equals(SystemMessage.GATEWAY) ? "" : event.by(),
                BadgeTone.of(event),
                proposalEventSentence.before(),
                Optional.of(new Link(
                        SafeText.brief(what, BRIEF), TopicPaths.proposal(topic, recentProposalEvent.proposal()))),
                proposalEventSentence.after(),
                proposalEventSentence.quote().map(ActivityRow::clip),
                Optional.empty());
    }

    /** That somebody came or left who could decide is about them more than about the proposal. */
    private static Category sort(ProposalEvent event) {
        return switch (event) {
            case ProposalEvent.Reachable _, ProposalEvent.Unreachable _ -> Category.PRESENCE;
            default -> Category.PROPOSALS;
        };
    }

    /** What somebody said. */
    public static ActivityRow chat(String id, Instant at, String from, String text, String reader) {
        return new ActivityRow(
                id,
                Category.CHAT,
                at,
                from,
                BadgeTone.QUIET,
                new ParticipantNameFormatter(reader).sentenceStart(from),
                Optional.empty(),
                "",
                Optional.of(clip(SafeText.lines(text.strip()))),
                Optional.empty());
    }

    /** That somebody came or left. */
    public static ActivityRow presence(String id, Instant at, String who, boolean came, String reader) {
        return new ActivityRow(
                id,
                Category.PRESENCE,
                at,
                who,
                BadgeTone.QUIET,
                new ParticipantNameFormatter(reader).sentenceStart(who) + (came ? " came" : " left"),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty());
    }

    /** That somebody who had left for a moment only is back: nothing to show, and one row less. */
    public static ActivityRow reconnected(String id, Instant at, String who, String undoes) {
        return new ActivityRow(
                id,
                Category.PRESENCE,
                at,
                who,
                BadgeTone.QUIET,
                "",
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.of(undoes));
    }

    /**
     * Something sent that is kept nowhere: a call without a proposal, or, where there is no ledger, anything about one.
     *
     * @param verb what somebody does with it: "called"
     * @param to whom it was sent; empty where it was everybody
     */
    public static ActivityRow sent(
            String id,
            Instant at,
            Category sort,
            String from,
            String verb,
            String what,
            List<String> to,
            String reader) {
        ParticipantNameFormatter participantNameFormatter = new ParticipantNameFormatter(reader);
        return new ActivityRow(
                id,
                sort,
                at,
                from,
                BadgeTone.QUIET,
                participantNameFormatter.sentenceStart(from) + " " + verb + " ",
                Optional.of(new Link(SafeText.brief(what, BRIEF), "")),
                to.isEmpty() ? "" : ", to " + participantNameFormatter.joinWithAnd(to),
                Optional.empty(),
                Optional.empty());
    }

    /** What is called: a tool, a prompt or a resource by its name, all else by its method. */
    public static String callName(Kind kind) {
        return kind.context() != null ? kind.context() : kind.method() != null ? kind.method() : kind.toString();
    }

    private static String clip(String text) {
        if (text.length() <= MAX_QUOTE_LENGTH) {
            return text;
        }
        // Not between the halves of a character.
        int end =
                Character.isHighSurrogate(text.charAt(MAX_QUOTE_LENGTH - 1)) ? MAX_QUOTE_LENGTH - 1 : MAX_QUOTE_LENGTH;
        return text.substring(0, end) + "…";
    }
}
