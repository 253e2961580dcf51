package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A status note in a proposal's timeline that tells reviewers how the caller gets the result: by calling again, or as
 * an MCP task.
 */
public enum CallerStatusNote {
    WILL_CALL_AGAIN("the caller was told that this is pending, and will call again for the result"),

    /** The caller need not call again. */
    HELD_AS_TASK("the caller has come back, and holds it as a task");

    private final String text;

    CallerStatusNote(String text) {
        this.text = text;
    }

    /** Returns the text that reviewers see. */
    public String text() {
        return text;
    }

    /**
     * Returns the note that a status contains, if any. Only a status of the proposer counts, since other participants
     * may report on proposals too.
     */
    public static Optional<CallerStatusNote> of(StatusReported statusReported, String proposer) {
        return statusReported.actor().equals(proposer)
                ? Arrays.stream(values())
                        .filter(followUpNote -> followUpNote.text.equals(statusReported.note()))
                        .findFirst()
                : Optional.empty();
    }

    /** Returns the latest note, which is the one that counts. */
    public static Optional<CallerStatusNote> latest(List<ProposalTimelineEntry> timeline, String proposer) {
        return timeline.reversed().stream()
                .map(ProposalTimelineEntry::event)
                .filter(StatusReported.class::isInstance)
                .flatMap(event -> of((StatusReported) event, proposer).stream())
                .findFirst();
    }
}
