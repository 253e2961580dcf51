package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.gateway.proposal.Step;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a proposal's history says of a caller who was told to call again, in the caller's name; what is said last counts.
 * Immutable.
 *
 * @param process which said so, and keeps the end for the caller; an empty text where nobody knows any more
 */
record Mark(Note note, String process) {
    private static final char LETTER = 'x';

    /** The process that writes it stands at the end of its envelope's id. */
    private static final Pattern ID = Pattern.compile(LETTER + "-[0-9a-f]{22}(?:-([0-9A-Za-z]{1,64}))?");

    /** What reviewers see of it. */
    enum Note {
        WILL_CALL_AGAIN("the caller was told that this is pending, and will call again for the result"),

        /** At another process than the one that had told it to. */
        TAKEN_UP("the caller has come back, and waits for it"),

        /** And need not call again. */
        HELD_AS_TASK("the caller has come back, and holds it as a task");

        private final String words;

        Note(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** The id of an envelope by which this process marks a proposal. */
    static String id(Room room) {
        return room.id(LETTER) + "-" + room.process();
    }

    /** What a status says, where it is a mark: only a proposer's own is, since others may report on proposals too. */
    static Optional<Mark> of(StatusGiven given, String proposer) {
        Matcher id = ID.matcher(given.reference());
        return !given.by().equals(proposer) || !id.matches()
                ? Optional.empty()
                : Arrays.stream(Note.values())
                        .filter(note -> note.words().equals(given.note()))
                        .findFirst()
                        .map(note ->
                                new Mark(note, Optional.ofNullable(id.group(1)).orElse("")));
    }

    /** The mark that counts. */
    static Optional<Mark> last(List<Step> timeline, String proposer) {
        return timeline.reversed().stream()
                .map(Step::event)
                .filter(StatusGiven.class::isInstance)
                .flatMap(event -> of((StatusGiven) event, proposer).stream())
                .findFirst();
    }

    /** Whether calling again takes the proposal up. */
    boolean awaitsCall() {
        return note != Note.HELD_AS_TASK;
    }
}
