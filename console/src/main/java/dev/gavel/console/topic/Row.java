package dev.gavel.console.topic;

import dev.gavel.gateway.docket.Happening;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A line of what happens in a topic. All but {@code who} is fit to be shown. Immutable.
 *
 * @param id what its element is called on a page: letters, digits and dashes
 * @param who whose doing it is, to look for; empty where it is nobody's
 * @param before what stands before what it is about
 * @param about what it is about, with a page of its own
 * @param after what stands behind that
 * @param quote what somebody said
 * @param undoes the row that this one makes untrue, instead of being one itself
 */
public record Row(
        String id,
        Sort sort,
        Instant at,
        String who,
        Tone tone,
        String before,
        Optional<Link> about,
        String after,
        Optional<String> quote,
        Optional<String> undoes) {
    private static final int LONGEST_QUOTE = 4_000;
    private static final int BRIEF = 120;

    /** What is listed, and can be looked at alone. */
    public enum Sort {
        PROPOSALS("Proposals"),
        CHAT("Chat"),
        CALLS("Direct calls"),
        PRESENCE("Presence");

        private final String label;

        Sort(String label) {
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
    public static Row of(String topic, Happening happening, String reader) {
        ProposalEvent event = happening.step().event();
        Phrase phrase = Phrase.of(event, new Names(reader));
        String what = happening.call().map(Row::what).orElse(happening.proposal());
        return new Row(
                "e-" + happening.seq(),
                sort(event),
                happening.step().at(),
                event.by().equals(SystemMessage.GATEWAY) ? "" : event.by(),
                Tone.of(event),
                phrase.before(),
                Optional.of(new Link(SafeText.brief(what, BRIEF), Paths.proposal(topic, happening.proposal()))),
                phrase.after(),
                phrase.quote().map(Row::clip),
                Optional.empty());
    }

    /** That somebody came or left who could decide is about them more than about the proposal. */
    private static Sort sort(ProposalEvent event) {
        return switch (event) {
            case ProposalEvent.Reachable _, ProposalEvent.Unreachable _ -> Sort.PRESENCE;
            default -> Sort.PROPOSALS;
        };
    }

    /** What somebody said. */
    public static Row chat(String id, Instant at, String from, String text, String reader) {
        return new Row(
                id,
                Sort.CHAT,
                at,
                from,
                Tone.QUIET,
                new Names(reader).subject(from),
                Optional.empty(),
                "",
                Optional.of(clip(SafeText.lines(text.strip()))),
                Optional.empty());
    }

    /** That somebody came or left. */
    public static Row presence(String id, Instant at, String who, boolean came, String reader) {
        return new Row(
                id,
                Sort.PRESENCE,
                at,
                who,
                Tone.QUIET,
                new Names(reader).subject(who) + (came ? " came" : " left"),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty());
    }

    /** That somebody who had left for a moment only is back: nothing to show, and one row less. */
    public static Row back(String id, Instant at, String who, String undoes) {
        return new Row(
                id,
                Sort.PRESENCE,
                at,
                who,
                Tone.QUIET,
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
    public static Row sent(
            String id, Instant at, Sort sort, String from, String verb, String what, List<String> to, String reader) {
        Names names = new Names(reader);
        return new Row(
                id,
                sort,
                at,
                from,
                Tone.QUIET,
                names.subject(from) + " " + verb + " ",
                Optional.of(new Link(SafeText.brief(what, BRIEF), "")),
                to.isEmpty() ? "" : ", to " + names.all(to),
                Optional.empty(),
                Optional.empty());
    }

    /** What is called: a tool, a prompt or a resource by its name, all else by its method. */
    public static String what(Kind kind) {
        return kind.context() != null ? kind.context() : kind.method() != null ? kind.method() : kind.toString();
    }

    private static String clip(String text) {
        if (text.length() <= LONGEST_QUOTE) {
            return text;
        }
        // Not between the halves of a character.
        int end = Character.isHighSurrogate(text.charAt(LONGEST_QUOTE - 1)) ? LONGEST_QUOTE - 1 : LONGEST_QUOTE;
        return text.substring(0, end) + "…";
    }
}
