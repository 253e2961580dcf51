package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The status notes in a proposal's history that record whether its caller will call again or holds it as a task. */
enum PendingCallNote {
    WILL_CALL_AGAIN("the caller was told that this is pending, and will call again for the result"),

    /** And need not call again. */
    HELD_AS_TASK("the caller has come back, and holds it as a task");

    private final String text;

    PendingCallNote(String words) {
        this.text = words;
    }

    /** What reviewers see of it. */
    String text() {
        return text;
    }

    /** What a status says, where it is a mark: only a proposer's own is, since others may report on proposals too. */
    static Optional<PendingCallNote> of(StatusGiven given, String proposer) {
        return given.by().equals(proposer)
                ? Arrays.stream(values())
                        .filter(pendingCallNote -> pendingCallNote.text.equals(given.note()))
                        .findFirst()
                : Optional.empty();
    }

    /** The mark that counts. */
    static Optional<PendingCallNote> latest(List<ProposalTimelineEntry> timeline, String proposer) {
        return timeline.reversed().stream()
                .map(ProposalTimelineEntry::event)
                .filter(StatusGiven.class::isInstance)
                .flatMap(event -> of((StatusGiven) event, proposer).stream())
                .findFirst();
    }
}
