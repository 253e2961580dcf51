package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Entry;
import dev.gavel.gateway.proposal.Fault;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalLife;
import dev.gavel.gateway.proposal.Ruling;
import dev.gavel.gateway.proposal.Sent;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.writer.Decided;
import dev.gavel.ledger.writer.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** One turn of deciding: proposals as the ledger's view shows them, and what is to be written of the rulings on them. */
final class Sitting {
    private static final long MOST_BYTES = 32L << 20;

    private final View view;
    private final ProposalLife life;
    private final Folded folded;
    private final Map<String, Optional<Proposal>> looked = new HashMap<>();
    private final Map<String, Proposal> changed = new LinkedHashMap<>();
    private final Map<String, Proposal> restated = new LinkedHashMap<>();
    private final Map<String, Long> lastSeqs = new HashMap<>();
    private final List<Recorded> recorded = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private long bytes;

    Sitting(View view, ProposalLife life, Folded folded) {
        this.view = view;
        this.life = life;
        this.folded = folded;
    }

    /** By what is decided in this turn. */
    ProposalLife life() {
        return life;
    }

    /** Has it said how a proposal stands, though nothing may have happened to it. */
    void restate(Proposal proposal) {
        restated.put(proposal.id(), proposal);
    }

    Optional<Proposal> proposal(String id) {
        Proposal after = changed.get(id);
        return after == null ? looked.computeIfAbsent(id, this::look) : Optional.of(after);
    }

    private Optional<Proposal> look(String id) {
        List<Event> history = view.history(id);
        bytes += Kept.bytes(history);
        if (bytes > MOST_BYTES) {
            throw new TooMuch();
        }
        return folded.proposal(id, history);
    }

    /** One envelope asked for more proposals, or larger ones, than are held in memory for it. */
    static final class TooMuch extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** The event that an envelope of this id caused. */
    Optional<Event> caused(String envelope) {
        return view.byReference(envelope);
    }

    /** Takes down what a ruling says happened. */
    void record(Ruling.Taken taken) {
        Set<String> references = new HashSet<>();
        for (Entry entry : taken.entries()) {
            // An envelope about several proposals is known by its first event.
            String reference =
                    entry.reference() != null && references.add(entry.reference()) ? entry.reference() : null;
            Event kept = view.event(entry.subject(), entry.type(), entry.actor(), reference, Body.of(entry.body()));
            Step step = new Step(kept.at(), entry.event());
            Proposal after = entry.event() instanceof Proposed proposed
                    ? Proposal.begun(proposed, kept.at())
                    : proposal(entry.subject()).orElseThrow().then(step);
            changed.put(entry.subject(), after);
            if (!after.open() && after.dueAt().isEmpty()) {
                folded.forget(entry.subject());
            }
            changes.add(new Change(after, step));
            lastSeqs.put(entry.subject(), kept.seq());
            recorded.add(new Recorded(kept, after.proposer(), entry.event()));
        }
    }

    /** What this turn comes to: all that was recorded, and what could not be done. */
    Decided<Decision> made(List<Fault> faults) {
        List<Event> events = recorded.stream().map(Recorded::kept).toList();
        List<Summary> summaries = changed.values().stream()
                .map(proposal ->
                        Kept.summary(view.stream(), proposal, Objects.requireNonNull(lastSeqs.get(proposal.id()))))
                .toList();
        restated.putAll(changed);
        Decision.Made made = new Decision.Made(
                new Telling(recorded, reference -> sent(caused(reference))).messages(),
                restated.values().stream()
                        .map(proposal -> Standing.of(proposal, life))
                        .toList(),
                changes,
                faults,
                events.isEmpty() ? 0 : events.getFirst().seq(),
                events.isEmpty() ? 0 : events.getLast().seq());
        return new Decided<>(made, events, summaries);
    }

    static Optional<Sent> sent(Optional<Event> event) {
        return event.flatMap(found -> Optional.ofNullable(Kept.happened(found).sent()));
    }
}
