package dev.gavel.gateway.call;

import dev.gavel.gateway.proposal.CancellationResponse;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.RunCancelled;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.SecretArgumentPatterns;
import dev.gavel.gateway.proposal.StoredEnvelope;
import dev.gavel.gateway.routing.AddressedEnvelope;
import dev.gavel.gateway.routing.ResolvedRecipients;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.text.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records the calls in a topic and their answers, for all transports. Each call is recorded in the gateway process that
 * accepted it, and its answer in the process that accepted the answer. Confined to the topic's loop.
 */
public final class CallRecorder {
    /** The calls whose answers are awaited. If there are more, the durations of the oldest ones are not recorded. */
    private static final int MAX_OPEN_CALLS = 10_000;

    private final CallRecordAppender appender;
    private final AuditMode mode;
    private final InstantSource clock;
    private final Function<Envelope, SecretArgumentPatterns> secretsOf;
    private final Map<CallKey, OpenCall> openCalls = new LinkedHashMap<>();
    private final MessageDigest sha256 = Sha256.newMessageDigest();

    /**
     * Creates a recorder without open calls.
     *
     * @param secretsOf returns the patterns of a direct call's secret arguments
     */
    public CallRecorder(
            CallRecordAppender callRecordAppender,
            AuditMode mode,
            InstantSource clock,
            Function<Envelope, SecretArgumentPatterns> secretsOf) {
        this.appender = callRecordAppender;
        this.mode = mode;
        this.clock = clock;
        this.secretsOf = secretsOf;
    }

    /** Whether a call waits until its record is durable. */
    public enum AuditMode {
        /** Calls do not wait. */
        ON,
        /** Each call waits, and is refused if its record cannot be written. */
        SYNC
    }

    private record CallKey(String id, String caller) {}

    /**
     * A call whose answer is awaited.
     *
     * @param to the addressees; empty for a broadcast
     * @param payloadDigest the SHA-256 of the payload: payloads can be large, so they are not kept
     * @param calledAt the time in the record of the call
     * @param at when this process began to wait for the answer
     * @param recordedHere whether this process recorded the call
     * @param waiting whether the call is not delivered yet, because its record is not durable yet
     */
    private record OpenCall(
            Set<String> to,
            ByteBuffer payloadDigest,
            Instant calledAt,
            Instant at,
            boolean recordedHere,
            boolean waiting) {
        boolean isAddressedTo(String member) {
            return to.isEmpty() || to.contains(member);
        }

        OpenCall delivered() {
            return new OpenCall(to, payloadDigest, calledAt, at, recordedHere, false);
        }
    }

    /** How the id of an envelope relates to the calls whose answers are awaited. */
    public enum IdUse {
        /** No open call of the sender has the id. */
        NEW,
        /** The envelope is the open call with this id, sent again. It is the same call, so it is not recorded again. */
        RESENT,
        /** Like {@link #RESENT}, but the call will only be delivered when its record is durable. */
        RESENT_TOO_EARLY,
        /** Another call of the sender has the id, so an answer could not be attributed to one of them. */
        REUSED
    }

    /** Compares the id of a call with those of the sender's open calls. */
    public IdUse idUse(AddressedEnvelope call) {
        if (!isCall(call.envelope())) {
            return IdUse.NEW;
        }
        OpenCall open = openCalls.get(
                new CallKey(call.envelope().id(), call.sender().member().id()));
        if (open == null) {
            return IdUse.NEW;
        }
        boolean same = open.to().equals(call.recipients().memberIds())
                && open.payloadDigest().equals(payloadDigest(call.envelope()));
        return !same ? IdUse.REUSED : open.waiting() ? IdUse.RESENT_TOO_EARLY : IdUse.RESENT;
    }

    /** Whether a member's call with this id, without a proposal, is not answered yet. */
    public boolean hasOpenCall(String id) {
        return openCalls.keySet().stream().anyMatch(key -> key.id().equals(id));
    }

    private ByteBuffer payloadDigest(Envelope envelope) {
        sha256.update(envelope.payload().buffer());
        return ByteBuffer.wrap(sha256.digest());
    }

    private static boolean isCallMethod(@Nullable String method) {
        return "tools/call".equals(method) || "prompts/get".equals(method) || "resources/read".equals(method);
    }

    /** Whether an envelope is a call: a request for which an addressee returns a result. */
    public static boolean isCall(Envelope envelope) {
        return envelope.category() == KindCategory.REQUEST
                && isCallMethod(envelope.kind().method());
    }

    private static boolean isAnswer(Envelope envelope) {
        return envelope.category() == KindCategory.RESPONSE
                && isCallMethod(envelope.kind().method());
    }

    /**
     * Whether an envelope must not be delivered before {@link #recordDurably} has completed. Unless each call waits,
     * only those do that are made before the ledger has recorded that this process records calls: so a crash can lose
     * records, but not all traces of having recorded any.
     */
    public boolean mustWait(Envelope envelope) {
        return isCall(envelope) && (mode == AuditMode.SYNC || !appender.isStarted());
    }

    /**
     * Records a call that must wait.
     *
     * @param callback receives, on another thread, the reason why the call must be refused; empty if it may be
     *     delivered
     */
    public void recordDurably(AddressedEnvelope call, Consumer<Optional<String>> callback) {
        String caller = call.sender().member().id();
        track(call.envelope(), caller, call.recipients(), call.receivedAt(), clock.instant(), true, true);
        SecretArgumentPatterns secrets = secretsOf.apply(call.envelope());
        appender.appendDurably(
                call.receivedAt(),
                call.envelope().length(),
                () -> called(call, secrets),
                failure -> callback.accept(mode == AuditMode.SYNC ? failure : Optional.empty()));
    }

    /**
     * Records an envelope that is about to be delivered, if it is a call or the answer to one.
     *
     * @param recorded whether {@link #recordDurably} has recorded the call
     */
    public void onRoute(AddressedEnvelope addressedEnvelope, boolean recorded) {
        Envelope envelope = addressedEnvelope.envelope();
        String from = addressedEnvelope.sender().member().id();
        if (isCall(envelope) && recorded) {
            openCalls.computeIfPresent(new CallKey(envelope.id(), from), (_, call) -> call.delivered());
        } else if (isCall(envelope)) {
            track(
                    envelope,
                    from,
                    addressedEnvelope.recipients(),
                    addressedEnvelope.receivedAt(),
                    clock.instant(),
                    true,
                    false);
            SecretArgumentPatterns secrets = secretsOf.apply(envelope);
            appender.append(
                    addressedEnvelope.receivedAt(), envelope.length(), () -> called(addressedEnvelope, secrets));
        } else if (isAnswer(envelope)) {
            recordAnswer(envelope, from, addressedEnvelope.recipients().memberIds());
        }
    }

    /** Records that a call was not delivered, after {@link #onRoute} or {@link #recordDurably} has recorded it. */
    public void onNotDelivered(AddressedEnvelope addressedEnvelope) {
        if (isCall(addressedEnvelope.envelope())) {
            end(
                    new CallKey(
                            addressedEnvelope.envelope().id(),
                            addressedEnvelope.sender().member().id()),
                    CallOutcome.UNDELIVERED);
        }
    }

    /** Takes note of a call or an answer that another process has accepted and recorded. */
    public void onRemoteEnvelope(String from, Envelope envelope, ResolvedRecipients recipients, Instant receivedAt) {
        if (isCall(envelope)) {
            track(envelope, from, recipients, receivedAt, receivedAt, false, false);
        } else if (isAnswer(envelope)) {
            findAnswered(envelope, from, recipients.memberIds());
        }
    }

    /**
     * Waits for the answer to a call. If another process has accepted a second call with the same id, the first one
     * stays: a participant that runs it ignores the second.
     */
    private void track(
            Envelope call,
            String caller,
            ResolvedRecipients recipients,
            Instant calledAt,
            Instant at,
            boolean recordedHere,
            boolean waiting) {
        openCalls.putIfAbsent(
                new CallKey(call.id(), caller),
                new OpenCall(recipients.memberIds(), payloadDigest(call), calledAt, at, recordedHere, waiting));
        if (openCalls.size() > MAX_OPEN_CALLS) {
            openCalls.remove(openCalls.keySet().iterator().next());
        }
    }

    private static CallRecord called(AddressedEnvelope call, SecretArgumentPatterns secrets) {
        return called(
                call.envelope(),
                call.sender().member().id(),
                // A call that matches no member is recorded with the names that its sender used.
                call.recipients().matchesNobody()
                        ? call.envelope().to()
                        : List.copyOf(call.recipients().memberIds()),
                call.receivedAt(),
                secrets,
                null);
    }

    private static CallRecord called(
            Envelope envelope,
            String caller,
            List<String> to,
            Instant at,
            SecretArgumentPatterns secrets,
            @Nullable String proposal) {
        return new CallRecord.Called(
                at,
                envelope.id(),
                caller,
                to,
                String.valueOf(envelope.kind().method()),
                envelope.kindWithContext().context(),
                // Members can read the records, and could find a short secret from a digest that covers it.
                CallParamsDigest.of(secrets.redact(envelope.payload())),
                envelope.payload().length(),
                proposal);
    }

    private void recordAnswer(Envelope answer, String from, Collection<String> to) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        boolean cancelled = CancellationResponse.matches(answer);
        CallOutcome outcome = cancelled
                ? CallOutcome.CANCELLED
                : answer.payloadFields().failed() ? CallOutcome.ERROR : CallOutcome.OK;
        String id = answer.correlationIds().getFirst();
        Optional<Map.Entry<CallKey, OpenCall>> call = findAnswered(answer, from, to);
        if (cancelled && call.isEmpty()) {
            // The gateway recorded the cancellation itself, or the sender did not receive the call.
            return;
        }
        // An answer to a call that this process does not know, such as one from before its start, is recorded too.
        String caller = call.map(entry -> entry.getKey().caller())
                .orElseGet(() -> to.isEmpty() ? "" : to.iterator().next());
        @Nullable
        Long micros = call.map(entry -> micros(entry.getValue().at(), now)).orElse(null);
        @Nullable
        Instant calledAt = call.map(entry -> entry.getValue().calledAt()).orElse(null);
        append(new CallRecord.Answered(now, id, caller, from, outcome, micros, calledAt));
    }

    /** Removes and returns the open call that an envelope answers. */
    private Optional<Map.Entry<CallKey, OpenCall>> findAnswered(Envelope answer, String from, Collection<String> to) {
        if (to.isEmpty()) {
            return openCalls.entrySet().stream()
                    .filter(call ->
                            call.getKey().id().equals(answer.correlationIds().getFirst())
                                    && call.getValue().isAddressedTo(from))
                    .findFirst()
                    .map(call -> {
                        openCalls.remove(call.getKey());
                        return call;
                    });
        }
        for (String recipient : to) {
            CallKey key = new CallKey(answer.correlationIds().getFirst(), recipient);
            OpenCall call = openCalls.get(key);
            if (call != null && call.isAddressedTo(from)) {
                openCalls.remove(key);
                return Optional.of(Map.entry(key, call));
            }
        }
        return Optional.empty();
    }

    /** Records the run of an approved proposal, its answer, or that its outcome is unknown. */
    public void onProposalWrite(AppliedProposalEvent change) {
        ProposalSnapshot proposal = change.after();
        Instant at = change.entry().at();
        switch (change.entry().event()) {
            case Fulfilled fulfilled -> {
                StoredEnvelope request = fulfilled.storedEnvelope();
                if (isCall(request.envelope())) {
                    appender.append(
                            at,
                            request.envelope().length(),
                            () -> called(
                                    request.envelope(),
                                    request.from(),
                                    request.to(),
                                    at,
                                    fulfilled.secrets(),
                                    proposal.id()));
                }
            }
            case Answered answer -> {
                // The first answer sets the outcome; later ones change nothing.
                Fulfilment fulfilment = proposal.fulfilment();
                if (fulfilment != null && answer.equals(fulfilment.answer())) {
                    recordRunEnd(proposal, at, answer.actor(), answer.failed() ? CallOutcome.ERROR : CallOutcome.OK);
                }
            }
            case OutcomeUnknown(OutcomeUnknown.Reason reason) ->
                recordRunEnd(
                        proposal,
                        at,
                        SystemMessage.GATEWAY,
                        reason == OutcomeUnknown.Reason.ADDRESSEE_LEFT ? CallOutcome.LEFT : CallOutcome.TIMEOUT);
            case RunCancelled cancelled -> recordRunEnd(proposal, at, cancelled.actor(), CallOutcome.CANCELLED);
            default -> {}
        }
    }

    private void recordRunEnd(ProposalSnapshot proposal, Instant at, String by, CallOutcome outcome) {
        Fulfilment fulfilment = proposal.fulfilment();
        if (fulfilment != null && isCall(fulfilment.fulfilled().storedEnvelope().envelope())) {
            append(new CallRecord.Answered(
                    at,
                    fulfilment.fulfilled().envelopeId(),
                    fulfilment.fulfilled().actor(),
                    by,
                    outcome,
                    micros(proposal.stateSince(), at),
                    proposal.stateSince()));
        }
    }

    /** Records that a member left without having answered the calls that are addressed to it alone. */
    public void onParticipantLeft(String member) {
        List<CallKey> unanswered = new ArrayList<>();
        openCalls.forEach((key, call) -> {
            if (call.to().size() == 1 && call.to().contains(member)) {
                unanswered.add(key);
            }
        });
        unanswered.forEach(key -> end(key, CallOutcome.LEFT));
    }

    /** Records that the gateway no longer waits for the answer to a call. */
    public void onGivenUp(String id, String caller, CallOutcome outcome) {
        end(new CallKey(id, caller), outcome);
    }

    private void end(CallKey key, CallOutcome outcome) {
        OpenCall call = openCalls.remove(key);
        if (call != null && call.recordedHere()) {
            Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
            append(new CallRecord.Answered(
                    now,
                    key.id(),
                    key.caller(),
                    SystemMessage.GATEWAY,
                    outcome,
                    micros(call.at(), now),
                    call.calledAt()));
        }
    }

    private void append(CallRecord.Answered answered) {
        appender.append(answered.at(), 0, () -> answered);
    }

    /** The clocks of two processes may differ, so the difference may be negative. */
    private static long micros(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toNanos() / 1_000);
    }
}
