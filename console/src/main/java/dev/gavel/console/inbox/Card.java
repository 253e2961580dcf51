package dev.gavel.console.inbox;

import dev.gavel.console.edit.Difference;
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
 * @param call what is to be called
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
        Call call,
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
     * What is to be called.
     *
     * @param what the tool, or whatever else is called
     * @param method of MCP
     * @param tool what is said of it, where anybody says something
     */
    public record Call(String what, String method, Optional<Tool> tool, Arguments arguments) {
        /** Whether it should be read twice before it is approved. */
        public boolean careful() {
            return !arguments.warnings().isEmpty()
                    || tool.filter(it -> it.effect() == Tool.Effect.DESTROYS).isPresent();
        }
    }

    /**
     * What the reader may do about it.
     *
     * @param edit whether there are arguments that others can be put in place of
     * @param consider whether they may say that they are considering it, and have not yet
     * @param couldRun who is here and could run the call
     */
    public record Moves(boolean approve, boolean reject, boolean edit, boolean consider, List<String> couldRun) {
        /** Nothing. */
        public static final Moves NONE = new Moves(false, false, false, false, List.of());

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
     * @param edited how the arguments that were approved differ from those proposed
     */
    public record Ending(
            Tone tone,
            String words,
            boolean mine,
            boolean pending,
            Optional<String> answer,
            Optional<Difference> edited) {}

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
                topic, id, from, to, call, proposedAt, expiresAt, moves, waiting, remarks, ending, Optional.of(why));
    }

    /** Whether it can be approved from what is shown of it. */
    public boolean approvable() {
        return moves.approve() && !call.arguments().clipped();
    }
}
