package dev.gavel.console.inbox;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A proposal as it is put before somebody. All texts are fit to be shown as they are, but for what HTML needs. Immutable.
 *
 * @param what the tool, or whatever else is called
 * @param method of MCP
 * @param arguments what it is called with, as JSON on lines
 * @param clipped whether that is only the beginning, so that nothing is to be approved by it
 * @param moves what the reader may do; none once it is over
 * @param waiting whom it waits for, in a sentence
 * @param remarks what was said about it so far
 * @param ending what became of it, once something has
 * @param complaint why what the reader just did came to nothing
 */
public record Card(
        String topic,
        String id,
        String from,
        List<String> to,
        String what,
        String method,
        String arguments,
        boolean clipped,
        Instant proposedAt,
        Instant expiresAt,
        Moves moves,
        String waiting,
        List<String> remarks,
        Optional<Ending> ending,
        Optional<String> complaint) {
    public Card {
        to = List.copyOf(to);
        remarks = List.copyOf(remarks);
    }

    /**
     * What the reader may do about it.
     *
     * @param couldRun who is here and could run the call
     */
    public record Moves(boolean approve, boolean reject, List<String> couldRun) {
        /** Nothing. */
        public static final Moves NONE = new Moves(false, false, List.of());

        public Moves {
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
     * @param mine whether the reader decided it
     * @param pending whether the call is made and nobody has answered yet
     * @param answer what the call was answered with
     */
    public record Ending(Tone tone, String words, boolean mine, boolean pending, Optional<String> answer) {}

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
        return ending.isEmpty() && moves.any();
    }

    /** What its element is called on a page: made of letters and digits only, whatever its id is made of. */
    public String key() {
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
    public Card with(String why) {
        return new Card(
                topic,
                id,
                from,
                to,
                what,
                method,
                arguments,
                clipped,
                proposedAt,
                expiresAt,
                moves,
                waiting,
                remarks,
                ending,
                Optional.of(why));
    }
}
