package dev.gavel.client;

import dev.gavel.client.http.RemoteProblem;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tracks this participant's own proposals until their outcome is known, from received envelopes and by querying the
 * gateway. Guidance, and ends that no envelope reports, are looked up. Thread-safe.
 */
final class OwnProposalTracker {
    /** Lookups are needed because no envelope reports that an outcome has become unknown. */
    private static final Duration LOOKUP_INTERVAL = Duration.ofSeconds(15);

    /** A participant that disconnects may reconnect within two seconds before the gateway reacts. */
    private static final Duration AFTER_LEAVE_DELAY = Duration.ofSeconds(3);

    /** A delay, because untrusted senders determine how often such envelopes arrive. */
    private static final Duration UNVERIFIED_DELAY = Duration.ofSeconds(1);

    private final Map<String, PendingEntry> byId = new HashMap<>();
    private final Map<String, PendingEntry> byRequest = new HashMap<>();
    private @Nullable ProposalLookups lookups;

    private static final class PendingEntry {
        final Pending pending;
        final ProposalEndDetector endDetector;
        String lastStatus = "";

        /** The reason why the gateway seems not to have stored the proposal, while a lookup checks it. */
        @Nullable
        RemoteProblem unconfirmedRefusal;

        PendingEntry(Pending pending, String proposer) {
            this.pending = pending;
            this.endDetector = new ProposalEndDetector(pending.id(), proposer, pending.call());
        }

        boolean awaitsAnswer() {
            return endDetector.request().isPresent();
        }
    }

    synchronized void start(ProposalLookups proposalLookups) {
        lookups = proposalLookups;
    }

    synchronized void add(Pending pending, String proposer) {
        if (byId.putIfAbsent(pending.id(), new PendingEntry(pending, proposer)) != null) {
            throw new IllegalArgumentException("the proposal " + pending.id() + " is already awaited");
        }
    }

    /** The gateway has stored the proposal. */
    synchronized void onAccepted(String id) {
        PendingEntry pendingEntry = byId.get(id);
        if (pendingEntry != null) {
            pendingEntry.pending.markAccepted();
            if (pendingEntry.pending.wantsGuidance() || pendingEntry.pending.mayExistAlready()) {
                scheduleLookup(pendingEntry, Duration.ZERO);
            }
        }
    }

    /** The gateway refused the proposal, or seems to have refused it. */
    synchronized void onRefused(String id, RemoteProblem problem) {
        PendingEntry pendingEntry = byId.get(id);
        if (pendingEntry == null) {
            return;
        }
        if (lookups != null && mayBeStored(problem)) {
            pendingEntry.unconfirmedRefusal = problem;
            lookups.lookupNow(id);
        } else {
            complete(pendingEntry, new End.Refused(id, problem));
        }
    }

    /**
     * Whether the proposal may be stored in spite of the refusal. With {@code unavailable}, an earlier attempt may have
     * been stored before the ledger failed; with {@code too_large}, the gateway does not report which frame was too
     * large.
     */
    private static boolean mayBeStored(RemoteProblem problem) {
        return problem.code().equals("unavailable") || problem.code().equals("too_large");
    }

    private void complete(PendingEntry pendingEntry, End result) {
        byId.remove(pendingEntry.pending.id());
        pendingEntry.endDetector.request().ifPresent(byRequest::remove);
        pendingEntry.pending.end(result);
    }

    synchronized void onEnvelope(Envelope envelope) {
        if (envelope.kind().toString().equals("system.presence")) {
            onPresence(PayloadJsonConverter.of(envelope));
            return;
        }
        // Answers refer to the request; all other envelopes refer to the proposal.
        Map<String, PendingEntry> candidates = envelope.category() == KindCategory.RESPONSE ? byRequest : byId;
        for (String id : envelope.correlationIds()) {
            PendingEntry pendingEntry = candidates.get(id);
            if (pendingEntry != null) {
                onEnvelope(pendingEntry, envelope);
            }
        }
    }

    private void onEnvelope(PendingEntry pendingEntry, Envelope envelope) {
        Optional<End> end = pendingEntry.endDetector.applyEnvelope(envelope);
        if (end.isPresent()) {
            complete(pendingEntry, end.get());
            return;
        }
        awaitAnswer(pendingEntry);
        if (envelope.category() == KindCategory.RESPONSE || envelope.category() == KindCategory.WITHDRAW) {
            scheduleLookup(pendingEntry, UNVERIFIED_DELAY);
        } else if (pendingEntry.pending.wantsGuidance()) {
            scheduleLookup(pendingEntry, Duration.ZERO);
        }
    }

    private void awaitAnswer(PendingEntry pendingEntry) {
        pendingEntry.endDetector.request().ifPresent(request -> {
            byRequest.put(request, pendingEntry);
            scheduleLookup(pendingEntry, LOOKUP_INTERVAL);
        });
    }

    private void onPresence(Json payload) {
        String participantId = payload.at("participant").at("id").text();
        boolean left = payload.at("event").text().equals("leave");
        for (PendingEntry pendingEntry : byId.values()) {
            if ((left && pendingEntry.endDetector.isAwaitedRunner(participantId))
                    || pendingEntry.pending.wantsGuidance()) {
                scheduleLookup(pendingEntry, left ? AFTER_LEAVE_DELAY : Duration.ofSeconds(1));
            }
        }
    }

    private void scheduleLookup(PendingEntry pendingEntry, Duration delay) {
        if (lookups == null || !pendingEntry.pending.isAccepted()) {
            return;
        }
        if (delay.isZero()) {
            lookups.lookupNow(pendingEntry.pending.id());
        } else {
            lookups.lookupAfter(pendingEntry.pending.id(), delay);
        }
    }

    /**
     * Looks up all proposals, after a reconnect or a resync. The gateway does not repeat all envelopes, and it may have
     * a different ledger than before, which no envelope reports.
     */
    synchronized void lookupAll() {
        byId.values().forEach(pendingEntry -> scheduleLookup(pendingEntry, Duration.ZERO));
    }

    synchronized void onLookupResult(String id, Optional<Json> view) {
        PendingEntry pendingEntry = byId.get(id);
        if (pendingEntry == null) {
            return;
        }
        RemoteProblem refusal = pendingEntry.unconfirmedRefusal;
        if (refusal != null) {
            pendingEntry.unconfirmedRefusal = null;
            if (view.filter(pendingEntry.endDetector::isOf).isEmpty()) {
                complete(pendingEntry, new End.Refused(id, refusal));
                return;
            }
            pendingEntry.pending.markAccepted();
        }
        Optional<End> end = view.isEmpty()
                ? Optional.of(pendingEntry.endDetector.endAfterPruning())
                : pendingEntry.endDetector.applyView(view.get());
        if (end.isPresent()) {
            complete(pendingEntry, end.get());
            return;
        }
        Guidance guidance = Guidance.of(view.orElseThrow().at("guidance"));
        if (pendingEntry.awaitsAnswer()) {
            if (!byRequest.containsValue(pendingEntry)) {
                // The answer may have arrived before this request was known.
                scheduleLookup(pendingEntry, UNVERIFIED_DELAY);
            }
            awaitAnswer(pendingEntry);
            guidance.until()
                    .map(until -> Duration.between(Instant.now(), until.plusSeconds(1)))
                    .filter(delay -> delay.isPositive() && delay.compareTo(LOOKUP_INTERVAL) < 0)
                    .ifPresent(delay -> scheduleLookup(pendingEntry, delay));
        }
        if (!guidance.status().equals(pendingEntry.lastStatus)) {
            pendingEntry.lastStatus = guidance.status();
            pendingEntry.pending.notifyGuidance(guidance);
        }
    }

    synchronized void fail(String id, GavelException failure) {
        PendingEntry pendingEntry = byId.remove(id);
        if (pendingEntry != null) {
            pendingEntry.pending.fail(failure);
        }
    }

    synchronized void failAll(GavelException failure) {
        List<PendingEntry> all = new ArrayList<>(byId.values());
        byId.clear();
        byRequest.clear();
        all.forEach(pendingEntry -> pendingEntry.pending.fail(failure));
    }
}
