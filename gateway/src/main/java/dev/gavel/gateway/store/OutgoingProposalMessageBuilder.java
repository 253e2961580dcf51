package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.EnvelopeEvent;
import dev.gavel.gateway.proposal.ProposalNotice;
import dev.gavel.gateway.proposal.RoutedEnvelope;
import dev.gavel.gateway.proposal.SecretEnvelopeVariants;
import dev.gavel.gateway.proposal.StoredEnvelope;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns recorded proposal events into messages to a topic's participants: one for each envelope, and a notice for each
 * event that needs one. Events that one envelope caused are adjacent, and become one message that names all their
 * proposals.
 */
final class OutgoingProposalMessageBuilder {
    private final List<RecordedProposalEvent> events;
    private final Function<String, Optional<StoredEnvelope>> byReference;
    private final ProposalMessageAccess proposalMessageAccess;

    /**
     * Creates a builder for consecutive events.
     *
     * @param byReference looks up an envelope by id, if its event is not among these
     * @param proposalMessageAccess determines the members that may read a message and its secret arguments
     */
    OutgoingProposalMessageBuilder(
            List<RecordedProposalEvent> events,
            Function<String, Optional<StoredEnvelope>> byReference,
            ProposalMessageAccess proposalMessageAccess) {
        this.events = events;
        this.byReference = byReference;
        this.proposalMessageAccess = proposalMessageAccess;
    }

    List<OutgoingProposalMessage> build() {
        List<OutgoingProposalMessage> messages = new ArrayList<>();
        for (int start = 0; start < events.size(); start = endOfRun(events, start)) {
            List<RecordedProposalEvent> run = events.subList(start, endOfRun(events, start));
            envelopeMessage(run).ifPresent(messages::add);
            for (RecordedProposalEvent each : run) {
                ProposalNotice.of(each.proposal(), each.proposer(), each.event())
                        .ifPresent(proposalNotice -> messages.add(new OutgoingProposalMessage.NoticeMessage(
                                each.seq(),
                                each.ledgerEvent().at(),
                                proposalNotice,
                                proposalMessageAccess.readers(each.proposal()))));
            }
        }
        return messages;
    }

    /** Returns the end (exclusive) of the events that one envelope caused, beginning at the start. */
    static int endOfRun(List<RecordedProposalEvent> events, int start) {
        @Nullable String reference = events.get(start).event().envelopeId();
        int end = start + 1;
        while (reference != null
                && end < events.size()
                && isSameRun(events.get(end).event(), reference)) {
            end++;
        }
        return end;
    }

    /** Whether the same envelope may have caused further events after this one. */
    static boolean mayContinue(RecordedProposalEvent event) {
        return event.event().envelopeId() != null && !(event.event() instanceof EnvelopeEvent);
    }

    private static boolean isSameRun(ProposalEvent event, String reference) {
        return reference.equals(event.envelopeId()) || event instanceof ClosedByRejections;
    }

    private Optional<OutgoingProposalMessage> envelopeMessage(List<RecordedProposalEvent> run) {
        RecordedProposalEvent first = run.getFirst();
        String reference = first.event().envelopeId();
        // A held approval is not delivered before it takes effect.
        if (reference == null || first.event() instanceof ApprovalHeld) {
            return Optional.empty();
        }
        StoredEnvelope ownEnvelope = first.event().storedEnvelope();
        Optional<StoredEnvelope> storedEnvelope =
                ownEnvelope == null ? byReference.apply(reference) : Optional.of(ownEnvelope);
        return storedEnvelope.map(envelope -> {
            Optional<SecretEnvelopeVariants> forms = SecretEnvelopeVariants.of(
                    first.event(),
                    first.proposer(),
                    proposalMessageAccess.addedSecrets(),
                    () -> proposalMessageAccess.proposedPayload(first.proposal()));
            return new OutgoingProposalMessage.EnvelopeMessage(
                    first.seq(),
                    route(forms.map(SecretEnvelopeVariants::redacted).orElse(envelope), run),
                    readers(envelope, run),
                    forms.map(SecretEnvelopeVariants::byMember).orElse(Map.of()));
        });
    }

    /** Returns the members that may read about one of the proposals, with the sender and the recipients. */
    private Optional<Set<String>> readers(StoredEnvelope storedEnvelope, List<RecordedProposalEvent> run) {
        Set<String> readers = new LinkedHashSet<>(storedEnvelope.to());
        readers.add(storedEnvelope.from());
        for (RecordedProposalEvent each : run) {
            Optional<Set<String>> ofProposal = proposalMessageAccess.readers(each.proposal());
            if (ofProposal.isEmpty()) {
                return Optional.empty();
            }
            readers.addAll(ofProposal.get());
        }
        return Optional.of(readers);
    }

    private static RoutedEnvelope route(StoredEnvelope storedEnvelope, List<RecordedProposalEvent> run) {
        Set<String> additionalRecipients = new LinkedHashSet<>();
        Set<String> proposalIds = new LinkedHashSet<>();
        for (RecordedProposalEvent each : run) {
            proposalIds.add(each.proposal());
            if (!each.proposer().equals(storedEnvelope.from())) {
                additionalRecipients.add(each.proposer());
            }
        }
        boolean coversAllIds = run.getFirst().event() instanceof EnvelopeEvent;
        return new RoutedEnvelope(
                storedEnvelope,
                additionalRecipients,
                coversAllIds ? storedEnvelope.envelope().correlationIds() : List.copyOf(proposalIds));
    }
}
