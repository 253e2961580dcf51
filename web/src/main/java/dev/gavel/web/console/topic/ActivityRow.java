package dev.gavel.web.console.topic;

import dev.gavel.gateway.proposal.MemberNames;
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
 * One line in a topic's activity list. All texts but {@code participant} are sanitized for display. Immutable.
 *
 * @param id the id of the row's element on a page: letters, digits and dashes
 * @param participant the id of the participant who acted, for filtering; empty if none did
 * @param before the text before the subject
 * @param subject what the row is about
 * @param after the text after the subject
 * @param quote what a participant wrote
 * @param replacedId the row that this row removes; such a row is not shown itself
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
    private static final int MAX_NAME_LENGTH = 120;

    /** The categories of rows, by which a reader can filter. */
    public enum Category {
        PROPOSALS("Proposals"),
        CHAT("Chat"),
        CALLS("Direct calls"),
        PRESENCE("Presence");

        private final String label;

        Category(String label) {
            this.label = label;
        }

        /** The category as people read it. */
        public String label() {
            return label;
        }

        /** The value of the category in URLs and scripts. */
        public String value() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A text that links to a page; the address is empty if there is no page. */
    public record Link(String text, String path) {}

    /**
     * Creates the row for an event of a proposal, as a reader may see it.
     *
     * @param next the next event of the proposal, if it is known
     */
    static ActivityRow of(
            String topic, RecentProposalEvent recentProposalEvent, Optional<ProposalEvent> next, String reader) {
        ProposalEvent event = recentProposalEvent.entry().event();
        MemberNames names = recentProposalEvent.names();
        ProposalEventSentence proposalEventSentence =
                ProposalEventSentence.of(event, next, new ParticipantNameFormatter(reader, names));
        String what = recentProposalEvent.call().map(ActivityRow::callName).orElse(recentProposalEvent.proposal());
        return new ActivityRow(
                "e-" + recentProposalEvent.seq(),
                categoryOf(event),
                recentProposalEvent.entry().at(),
                event.actor().equals(SystemMessage.GATEWAY) || names.hiddenIds().contains(event.actor())
                        ? ""
                        : event.actor(),
                BadgeTone.of(event),
                proposalEventSentence.before(),
                Optional.of(new Link(
                        SafeText.brief(what, MAX_NAME_LENGTH),
                        TopicPaths.proposal(topic, recentProposalEvent.proposal()))),
                proposalEventSentence.after(),
                proposalEventSentence.quote().map(ActivityRow::clip),
                Optional.empty());
    }

    /** A change of who is connected to decide is about the participants more than about the proposal. */
    private static Category categoryOf(ProposalEvent event) {
        return switch (event) {
            case ProposalEvent.Reachable _, ProposalEvent.Unreachable _ -> Category.PRESENCE;
            default -> Category.PROPOSALS;
        };
    }

    /** Creates the row for a chat message. */
    public static ActivityRow chat(
            String id, Instant at, String from, String text, ParticipantNameFormatter formatter) {
        return new ActivityRow(
                id,
                Category.CHAT,
                at,
                from,
                BadgeTone.QUIET,
                formatter.sentenceStart(from),
                Optional.empty(),
                "",
                Optional.of(clip(SafeText.lines(text.strip()))),
                Optional.empty());
    }

    /** Creates the row for a participant that joined or left. */
    public static ActivityRow presence(
            String id, Instant at, String who, boolean joined, ParticipantNameFormatter formatter) {
        return new ActivityRow(
                id,
                Category.PRESENCE,
                at,
                who,
                BadgeTone.QUIET,
                formatter.sentenceStart(who) + (joined ? " joined" : " left"),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty());
    }

    /**
     * Creates the row for a participant that reconnected after a moment. It shows nothing, but removes the row that
     * said that the participant left.
     */
    public static ActivityRow reconnected(String id, Instant at, String who, String undoneId) {
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
                Optional.of(undoneId));
    }

    /**
     * Creates the row for an envelope that no ledger stores: a call without a proposal or, if the topic has no ledger,
     * any envelope about a proposal.
     *
     * @param verb what the sender does: "called"
     * @param to the addressees; empty if the envelope was sent to all
     */
    public static ActivityRow sent(
            String id,
            Instant at,
            Category sort,
            String from,
            String verb,
            String what,
            List<String> to,
            ParticipantNameFormatter formatter) {
        return new ActivityRow(
                id,
                sort,
                at,
                from,
                BadgeTone.QUIET,
                formatter.sentenceStart(from) + " " + verb + " ",
                Optional.of(new Link(SafeText.brief(what, MAX_NAME_LENGTH), "")),
                to.isEmpty() ? "" : (sort == Category.CALLS ? " on " : " to ") + formatter.joinWithAnd(to),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns what is called: a tool, a prompt or a resource by its name, all else by its method. */
    public static String callName(Kind kind) {
        return kind.context() != null ? kind.context() : kind.method() != null ? kind.method() : kind.toString();
    }

    private static String clip(String text) {
        if (text.length() <= MAX_QUOTE_LENGTH) {
            return text;
        }
        // Does not split a surrogate pair.
        int end =
                Character.isHighSurrogate(text.charAt(MAX_QUOTE_LENGTH - 1)) ? MAX_QUOTE_LENGTH - 1 : MAX_QUOTE_LENGTH;
        return text.substring(0, end) + "…";
    }
}
