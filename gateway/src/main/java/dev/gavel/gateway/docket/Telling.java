package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Enveloped;
import dev.gavel.gateway.proposal.Route;
import dev.gavel.gateway.proposal.Sent;
import dev.gavel.gateway.proposal.Told;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns events into what is sent of them, the same live and in a replay. Events that one envelope caused stand side by
 * side and are told by one envelope, which names all their proposals.
 */
final class Telling {
    private final List<Recorded> events;
    private final Function<String, Optional<Sent>> byReference;

    /**
     * What there is to tell of events that follow each other.
     *
     * @param byReference the envelope of an id, where its event is not among these
     */
    Telling(List<Recorded> events, Function<String, Optional<Sent>> byReference) {
        this.events = events;
        this.byReference = byReference;
    }

    List<Message> messages() {
        List<Message> messages = new ArrayList<>();
        for (int start = 0; start < events.size(); start = endOfRun(events, start)) {
            List<Recorded> run = events.subList(start, endOfRun(events, start));
            envelope(run).ifPresent(messages::add);
            for (Recorded each : run) {
                Told.of(each.proposal(), each.proposer(), each.event())
                        .ifPresent(told -> messages.add(
                                new Message.Notice(each.seq(), each.kept().at(), told)));
            }
        }
        return messages;
    }

    /** Where the events end that the one at the start, and the same envelope, caused. */
    static int endOfRun(List<Recorded> events, int start) {
        @Nullable String reference = events.get(start).event().reference();
        int end = start + 1;
        while (reference != null
                && end < events.size()
                && belongs(events.get(end).event(), reference)) {
            end++;
        }
        return end;
    }

    /** Whether the same envelope may have caused further events after this one. */
    static boolean mayGoOn(Recorded event) {
        return event.event().reference() != null && !(event.event() instanceof Enveloped);
    }

    private static boolean belongs(ProposalEvent event, String reference) {
        return reference.equals(event.reference()) || event instanceof ClosedByRejections;
    }

    private Optional<Message> envelope(List<Recorded> run) {
        Recorded first = run.getFirst();
        String reference = first.event().reference();
        if (reference == null) {
            return Optional.empty();
        }
        Sent carried = first.event().sent();
        Optional<Sent> sent = carried == null ? byReference.apply(reference) : Optional.of(carried);
        return sent.map(envelope -> new Message.Envelope(first.seq(), route(envelope, run)));
    }

    private static Route route(Sent sent, List<Recorded> run) {
        Set<String> also = new LinkedHashSet<>();
        Set<String> about = new LinkedHashSet<>();
        for (Recorded each : run) {
            about.add(each.proposal());
            if (!each.proposer().equals(sent.from())) {
                also.add(each.proposer());
            }
        }
        boolean whole = run.getFirst().event() instanceof Enveloped;
        return new Route(sent, also, whole ? sent.envelope().correlationIds() : List.copyOf(about));
    }
}
