package dev.gavel.gateway.topic;

import dev.gavel.gateway.admission.AdmissionResult;
import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.MemberRegistry;
import dev.gavel.gateway.metrics.TopicCounters;
import dev.gavel.gateway.routing.AddressedEnvelope;
import dev.gavel.gateway.routing.ConnectionlessSenderCallback;
import dev.gavel.gateway.routing.EnvelopeSenderCallback;
import dev.gavel.gateway.routing.ResolvedRecipients;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.routing.UnproposedRequestCache;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.InputExcerptFormatter;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.RedactionMarker;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes members' envelopes to a topic in order, hands those about proposals to the topic's proposals, and routes the
 * others. Confined to the topic's loop, except for {@link #submit}.
 */
final class InboundEnvelopeDispatcher {
    private final MemberRegistry memberRegistry;
    private final PresenceRegistry presenceRegistry;
    private final SubscriberEnvelopeSender broadcaster;
    private final TopicCounters counters;
    private final SystemMessageFactory systemMessages;
    private final InstantSource clock;
    private final Executor loopExecutor;
    private final UnproposedRequestCache unproposedRequests;

    private final RecipientEnvelopeRouter router;
    private final DefinitionPinGuard definitionPinGuard;

    /** Null if the topic has no ledger; proposals are then routed like other envelopes. */
    private final @Nullable TopicProposals proposals;

    /**
     * Creates the dispatcher of a topic.
     *
     * @param loopExecutor runs a task on the topic's loop; at once if called on that loop
     * @param envelopeRouter routes the envelopes that concern no proposal
     * @param unproposedRequests the recent requests of the topic
     */
    InboundEnvelopeDispatcher(
            MemberRegistry memberRegistry,
            PresenceRegistry presenceRegistry,
            SubscriberEnvelopeSender subscriberEnvelopeSender,
            TopicCounters counters,
            TopicServices topicServices,
            Executor loopExecutor,
            RecipientEnvelopeRouter envelopeRouter,
            DefinitionPinGuard definitionPinGuard,
            UnproposedRequestCache unproposedRequests,
            @Nullable TopicProposals topicProposals) {
        this.memberRegistry = memberRegistry;
        this.presenceRegistry = presenceRegistry;
        this.broadcaster = subscriberEnvelopeSender;
        this.counters = counters;
        this.systemMessages = topicServices.systemMessages();
        this.clock = topicServices.clock();
        this.loopExecutor = loopExecutor;
        this.router = envelopeRouter;
        this.definitionPinGuard = definitionPinGuard;
        this.unproposedRequests = unproposedRequests;
        this.proposals = topicProposals;
    }

    /**
     * Processes an envelope that was submitted without a connection.
     *
     * @param joinsEqualProposal whether a proposal is not stored if the member waits for an equal one
     */
    CompletionStage<SubmitResult> submit(
            Member member, Optional<String> tokenHash, boolean joinsEqualProposal, AdmissionResult admissionResult) {
        return switch (admissionResult) {
            case AdmissionResult.Refused refused -> {
                count(refused);
                yield CompletableFuture.completedStage(new SubmitResult.Refused(List.of(refused.toFailure(member))));
            }
            case AdmissionResult.Admitted(Envelope envelope) -> {
                CompletableFuture<SubmitResult> result = new CompletableFuture<>();
                loopExecutor.execute(() -> {
                    try {
                        process(
                                new ConnectionlessSenderCallback(
                                        member, tokenHash, envelope.id(), joinsEqualProposal, result),
                                envelope,
                                admissionResult);
                    } catch (RuntimeException e) {
                        result.completeExceptionally(e);
                    }
                });
                yield result;
            }
        };
    }

    private void process(
            ConnectionlessSenderCallback connectionlessSenderCallback,
            Envelope envelope,
            AdmissionResult admissionResult) {
        AddressedEnvelope addressedEnvelope = address(connectionlessSenderCallback, envelope);
        if (proposals != null && needsLedger(admissionResult)) {
            submitToProposals(proposals, addressedEnvelope);
        } else {
            route(addressedEnvelope, connectionlessSenderCallback::onSettled);
        }
    }

    /** Takes the envelopes of a connection, in order. */
    void receive(TopicConnection sender, List<AdmissionResult> admissionResults) {
        for (AdmissionResult admissionResult : admissionResults) {
            if (sender.isClosed()) {
                // The connection was closed meanwhile, possibly by an earlier envelope: the rest is discarded.
                return;
            }
            if (sender.inboundQueue().canProcess(admissionResult)) {
                process(sender, admissionResult);
            } else if (!sender.inboundQueue().offer(admissionResult)) {
                refuseForFullQueue(sender, admissionResult);
            }
        }
    }

    private void refuseForFullQueue(TopicConnection sender, AdmissionResult admissionResult) {
        AdmissionResult.Refused refused = switch (admissionResult) {
            case AdmissionResult.Refused refusedBefore -> refusedBefore;
            case AdmissionResult.Admitted(Envelope envelope) ->
                new AdmissionResult.Refused(
                        envelope.refuse(
                                EnvelopeErrorCode.UNAVAILABLE,
                                "Too many of your envelopes are waiting to be written to the ledger. Try again later."),
                        1000);
        };
        count(refused);
        sender.onRefused(refused.toFailure(sender.member()), clock.instant());
    }

    private void count(AdmissionResult.Refused refused) {
        counters.countRefused(refused.refusal().kind(), refused.refusal().code());
    }

    private void process(TopicConnection sender, AdmissionResult admissionResult) {
        switch (admissionResult) {
            case AdmissionResult.Admitted(Envelope envelope) -> {
                switchToLegacySyntax(sender, envelope.syntax());
                AddressedEnvelope addressedEnvelope = address(sender, envelope);
                if (proposals != null && needsLedger(admissionResult)) {
                    sender.inboundQueue().onSubmitted(admissionResult);
                    submitToProposals(proposals, addressedEnvelope);
                } else if (router.mustWait(envelope)) {
                    sender.inboundQueue().onRecordingCall(admissionResult);
                    route(addressedEnvelope, sender::onSettled);
                } else {
                    route(addressedEnvelope, accepted -> {});
                }
            }
            case AdmissionResult.Refused refused -> {
                count(refused);
                switchToLegacySyntax(sender, refused.refusal().syntax());
                sender.onRefused(refused.toFailure(sender.member()), clock.instant());
            }
        }
    }

    private void submitToProposals(TopicProposals topicProposals, AddressedEnvelope addressedEnvelope) {
        unproposedRequests.addLedgerRequest(addressedEnvelope.envelope());
        topicProposals.submit(addressedEnvelope);
    }

    private void route(AddressedEnvelope addressedEnvelope, Consumer<Boolean> onSettled) {
        if (hasIdOfFulfilment(addressedEnvelope.envelope())) {
            refuse(
                    addressedEnvelope,
                    EnvelopeErrorCode.DUPLICATE_ID,
                    "Not sent: the id "
                            + InputExcerptFormatter.quote(
                                    addressedEnvelope.envelope().id())
                            + " was already used for a request about a proposal. Send this request with a new id.",
                    onSettled);
            return;
        }
        if (addressedEnvelope.envelope().category().isCall()
                && RedactionMarker.isNamedIn(addressedEnvelope.envelope())) {
            refuse(
                    addressedEnvelope,
                    EnvelopeErrorCode.MALFORMED,
                    "The call contains '" + RedactionMarker.NAME
                            + "', the marker of a hidden secret value. A call must not contain it, because readers would"
                            + " take what it holds for a secret. Nothing was sent.",
                    onSettled);
            return;
        }
        Optional<DefinitionPinGuard.StoppedCall> stopped = definitionPinGuard.check(
                addressedEnvelope.envelope(), addressedEnvelope.recipients().memberIds());
        if (stopped.isPresent()) {
            refuse(addressedEnvelope, stopped.get().code(), stopped.get().message(), onSettled);
            return;
        }
        unproposedRequests.addDirect(
                addressedEnvelope.envelope(),
                addressedEnvelope.sender().member().id());
        router.route(addressedEnvelope, refused -> {
            refused.ifPresentOrElse(
                    code -> counters.countRefused(addressedEnvelope.envelope().category(), code),
                    () -> counters.countAdmitted(addressedEnvelope.envelope().category()));
            onSettled.accept(refused.isEmpty());
        });
    }

    private void refuse(
            AddressedEnvelope addressedEnvelope, EnvelopeErrorCode code, String message, Consumer<Boolean> onSettled) {
        addressedEnvelope.refuse(code, message, 0);
        counters.countRefused(addressedEnvelope.envelope().category(), code);
        onSettled.accept(false);
    }

    /** Whether a request without a proposal has the id of one that fulfils a proposal: its answer would count for both. */
    private boolean hasIdOfFulfilment(Envelope envelope) {
        return proposals != null
                && envelope.category() == KindCategory.REQUEST
                && (unproposedRequests.isLedgerRequest(envelope.id()) || proposals.awaitsAnswerTo(envelope.id()));
    }

    /** Processes an envelope that was sent and admitted in another process. */
    void receive(ForwardedEnvelope forwardedEnvelope, Envelope envelope) {
        unproposedRequests.addDirect(envelope, forwardedEnvelope.from());
        router.deliverRemote(forwardedEnvelope, envelope);
    }

    /**
     * Records a request, accepted in another process, that fulfils a proposal: a response to it concerns the proposal.
     */
    void onRemoteFulfilment(Envelope envelope) {
        unproposedRequests.addRemoteFulfilment(envelope);
    }

    private AddressedEnvelope address(EnvelopeSenderCallback envelopeSenderCallback, Envelope envelope) {
        ResolvedRecipients recipients =
                ResolvedRecipients.resolve(envelope.to(), this::isKnownRecipient, this::presentMembersThatMaySend);
        // Truncated to milliseconds, the precision of an envelope's timestamp, so that the ledger and the
        // envelope show the same time.
        return new AddressedEnvelope(
                envelopeSenderCallback, envelope, recipients, clock.instant().truncatedTo(ChronoUnit.MILLIS));
    }

    /** Whether an envelope has to become durable before it is sent to its recipients. */
    boolean needsLedger(AdmissionResult admissionResult) {
        return proposals != null
                && admissionResult instanceof AdmissionResult.Admitted(Envelope envelope)
                && envelope.needsLedgerCheck()
                && !unproposedRequests.isResponseToDirectRequest(envelope);
    }

    /**
     * The ledger has decided on an envelope of a connection: later envelopes of that connection need not wait any
     * longer.
     */
    void onSettled(TopicConnection sender) {
        sender.inboundQueue().onSettled();
        drainQueue(sender);
    }

    void drainQueue(TopicConnection sender) {
        for (Optional<AdmissionResult> next = sender.inboundQueue().poll();
                next.isPresent();
                next = sender.inboundQueue().poll()) {
            // A response is still accepted after a revocation: it reports a call that is already running.
            if (!sender.isRevoked() || isResponse(next.get())) {
                process(sender, next.get());
            }
        }
    }

    private static boolean isResponse(AdmissionResult admissionResult) {
        return admissionResult instanceof AdmissionResult.Admitted(Envelope envelope)
                && envelope.category() == KindCategory.RESPONSE;
    }

    /** A connection that once used the legacy syntax is sent that syntax from then on. */
    private void switchToLegacySyntax(TopicConnection connection, EnvelopeSyntax syntaxVersion) {
        if (syntaxVersion == EnvelopeSyntax.LEGACY) {
            broadcaster.changeSyntax(connection.receiver(), syntaxVersion);
        }
    }

    /** The gateway itself can be a recipient: it requests the lists of what members offer, and they respond to it. */
    private boolean isKnownRecipient(String id) {
        return memberRegistry.contains(id) || presenceRegistry.isPresent(id) || id.equals(SystemMessage.GATEWAY);
    }

    /** Returns the present members that could send such an envelope. */
    private List<String> presentMembersThatMaySend(Kind kind) {
        return presenceRegistry
                .presentMembers()
                .filter(member -> member.capabilitySet().admitsKind(kind))
                .map(Member::id)
                .toList();
    }

    /** Sends a connection the error for a refused envelope. */
    void sendRefusal(TopicConnection sender, Failure failure, Instant now) {
        broadcaster.sendTo(sender.receiver(), systemMessages.error(sender.member(), failure, now));
    }

    /**
     * Sends an envelope back to its sender, in order with replayed events, so that an echo implies that everything
     * before it was delivered.
     */
    void echo(TopicConnection sender, OutgoingEnvelope envelope) {
        broadcaster.sendInOrder(sender.receiver(), envelope);
    }
}
