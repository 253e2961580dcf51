package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvents;
import dev.gavel.gateway.proposal.ProposalSummary;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.Summary;
import dev.gavel.mcpx.Parsed;
import java.util.List;
import java.util.Optional;

/** How proposals are kept as events of a ledger, and read back. Stateless. */
final class Kept {
    private static final Body NOTHING_MORE = Body.of("{}");

    private Kept() {}

    /** What an event of the ledger says happened. */
    static ProposalEvent happened(Event event) {
        return switch (ProposalEvents.read(event.type(), event.body().bytes())) {
            case Parsed.Valid<ProposalEvent>(ProposalEvent happened) -> happened;
            case Parsed.Invalid<ProposalEvent>(String problem) ->
                throw new LedgerFailure("topic '" + event.stream() + "', seq " + event.seq() + ": " + problem);
        };
    }

    /** The proposal with this history; empty where there is none. */
    static Optional<Proposal> proposal(List<Event> history) {
        return history.isEmpty() ? Optional.empty() : Optional.of(Proposal.of(steps(history)));
    }

    /** What happened, event by event. */
    static List<Step> steps(List<Event> events) {
        return events.stream()
                .map(event -> new Step(event.at(), happened(event)))
                .toList();
    }

    /** How much is kept of these. */
    static long bytes(List<Event> events) {
        return events.stream().mapToLong(event -> event.body().length()).sum();
    }

    /** The line that is kept of a proposal to find it by. */
    static Summary summary(String topic, Proposal proposal, long lastSeq) {
        ProposalSummary line = proposal.summary();
        return new Summary(
                topic,
                line.id(),
                line.state().word(),
                line.open(),
                line.owner(),
                line.dueAt().orElse(null),
                line.startedAt(),
                line.endedAt().orElse(null),
                lastSeq,
                NOTHING_MORE);
    }
}
