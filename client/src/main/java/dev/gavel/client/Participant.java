package dev.gavel.client;

import dev.gavel.client.connection.ClientSendResult;
import dev.gavel.client.connection.ConnectFailedException;
import dev.gavel.client.connection.PermanentCloseReason;
import dev.gavel.client.connection.ReconnectingConnection;
import dev.gavel.client.connection.ReconnectingConnectionListener;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteProblem;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeReadResult;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.ApprovalOptions;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.proposal.ProposalEnvelopeFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client program's connection to a topic, through which it proposes calls, serves tools, reviews proposals and sends
 * envelopes. It reconnects automatically until it is closed or the gateway ends its participation. Callbacks run on
 * virtual threads, never on the thread that reads from the connection, so they may block. Thread-safe.
 */
public final class Participant implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_QUEUED_ENVELOPES = 4096;
    private static final int MAX_QUEUED_BYTES = 32 * 1024 * 1024;

    private final RemoteGateway gateway;
    private final String topic;
    private final ReconnectingConnection connection;
    private final Executor executor =
            task -> Thread.ofVirtual().name("gavel callback").start(task);
    private final CallbackQueue<LinkEvent> linkEvents;
    private final OwnProposalTracker ownProposalTracker = new OwnProposalTracker();
    private final ProposalLookups lookups;
    private final ToolRequestDispatcher toolDispatcher = new ToolRequestDispatcher(this, executor);
    private final List<ReviewDispatcher> reviewDispatchers = new CopyOnWriteArrayList<>();
    private final List<CallbackQueue<Envelope>> envelopeListeners = new CopyOnWriteArrayList<>();
    private final AtomicLong missedEnvelopes = new AtomicLong();
    private final CompletableFuture<GavelException> over = new CompletableFuture<>();
    private volatile @Nullable String participantId;

    Participant(
            RemoteGateway gateway,
            String topic,
            ReconnectingConnection reconnectingConnection,
            Consumer<LinkEvent> onLink) {
        this.gateway = gateway;
        this.topic = topic;
        this.connection = reconnectingConnection;
        this.linkEvents = new CallbackQueue<>(executor, onLink, MAX_QUEUED_ENVELOPES);
        this.lookups = new ProposalLookups(gateway, topic, executor, ownProposalTracker::onLookupResult);
        ownProposalTracker.start(lookups);
    }

    void open() {
        try {
            connection.open(new ConnectionHandler());
        } catch (ConnectFailedException e) {
            throw e.reason()
                    .map(closeReason -> GavelException.of(closeReason, describeTopic()))
                    .orElseGet(() -> new GavelException.Unreachable(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            throw interrupted("connecting");
        }
    }

    private String describeTopic() {
        return "topic '" + topic + "' at " + gateway.endpoint();
    }

    private static GavelException interrupted(String activity) {
        Thread.currentThread().interrupt();
        return new GavelException.Interrupted("interrupted while " + activity);
    }

    /** Returns this participant's id, as the gateway reports it. */
    public String id() {
        return String.valueOf(participantId);
    }

    /** Returns the topic of this participant. */
    public String topic() {
        return topic;
    }

    // --- proposing

    /** Starts a proposal: a call that is run only after a reviewer has approved it. */
    public ProposalBuilder propose(Call call) {
        return new ProposalBuilder(this, call);
    }

    Pending propose(
            Optional<String> chosenId,
            Call call,
            List<String> to,
            Optional<Duration> ttl,
            Optional<Consumer<Guidance>> onGuidance) {
        if (!connection.hasLedger()) {
            throw new IllegalStateException(describeTopic() + " has no ledger, so it does not support proposals");
        }
        String id = chosenId.orElseGet(() -> EnvelopeIdGenerator.next('p', Instant.now()));
        CallbackQueue<Guidance> guidance = onGuidance
                .map(listener -> new CallbackQueue<>(executor, listener, 1))
                .orElse(null);
        Pending pending = new Pending(id, call, executor, this::withdraw, guidance, chosenId.isPresent());
        byte[] envelope = ProposalEnvelopeFactory.proposal(id, call.kind("proposal"), call.params(), to, ttl);
        ownProposalTracker.add(pending, id());
        try {
            transmit(envelope, true, clientSendResult -> {
                switch (clientSendResult) {
                    case ClientSendResult.Stored _, ClientSendResult.Written _ -> ownProposalTracker.onAccepted(id);
                    case ClientSendResult.Refused(RemoteProblem problem) -> ownProposalTracker.onRefused(id, problem);
                    case ClientSendResult.ConnectionClosed(PermanentCloseReason closeReason) ->
                        ownProposalTracker.fail(id, GavelException.of(closeReason, describeTopic()));
                    case ClientSendResult.ConnectionLost _ ->
                        ownProposalTracker.fail(
                                id, new GavelException.Unreachable(describeTopic() + ": the connection was lost"));
                }
            });
        } catch (RuntimeException e) {
            ownProposalTracker.fail(id, new GavelException.Closed(describeTopic() + ": the proposal was not sent"));
            throw e;
        }
        return pending;
    }

    private CompletableFuture<Void> withdraw(Pending pending, String reason) {
        // Only after the proposal is accepted: a resend could otherwise reverse the order of the two.
        return pending.accepted().thenCompose(id -> sendProposalUpdate("withdraw", id, Map.of("reason", reason)));
    }

    // --- deciding

    /**
     * Passes every proposal that this participant may decide to a reviewer: those that are open now, and new ones as
     * they arrive.
     *
     * @return this participant
     */
    public Participant review(Reviewer reviewer) {
        ReviewDispatcher reviewDispatcher = new ReviewDispatcher(this, reviewer, gateway, executor);
        reviewDispatchers.add(reviewDispatcher);
        reviewDispatcher.listOpen();
        return this;
    }

    /**
     * Returns the current state of a proposal.
     *
     * @throws GavelException.Refused if the gateway refuses, for example because it does not know the proposal
     * @throws GavelException.Unreachable if no gateway answers
     */
    public Proposal proposal(String id) {
        try {
            return Proposal.of(gateway.proposal(topic, id));
        } catch (RemoteGatewayException.Refused e) {
            throw new GavelException.Refused(e.problem());
        } catch (RemoteGatewayException e) {
            throw new GavelException.Unreachable(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw interrupted("reading " + id);
        }
    }

    /**
     * Decides a proposal.
     *
     * @return completes when the decision is stored, and says whether the proposal is closed now; fails with {@link GavelException.Refused} if it was not accepted.
     *     Codes are, among others, {@code already_fulfilled} and {@code proposal_closed} if another decision was
     *     faster, and {@code unknown_recipient} if the decision does not say which participant runs the call
     */
    public CompletableFuture<DecisionReceipt> decide(Proposal proposal, Decision decision) {
        CompletableFuture<DecisionReceipt> receipt = new CompletableFuture<>();
        var _ = sendDecision(proposal, decision).whenComplete((received, failure) -> {
            if (failure == null) {
                receipt.complete(received);
            } else {
                // A dependent stage wraps the failure; callers expect the failure itself.
                receipt.completeExceptionally(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            }
        });
        return receipt;
    }

    private CompletableFuture<DecisionReceipt> sendDecision(Proposal proposal, Decision decision) {
        return switch (decision) {
            case Decision.Approve approve ->
                // The approval may be held until the caller calls again.
                approve(proposal, approve).thenApplyAsync(stored -> receipt(proposal.id()), executor);
            case Decision.Reject(String reason, Optional<String> note) ->
                // Whether the rejection closed the proposal depends on who sent it and on the topic's rules, so the
                // gateway has to say so.
                sendProposalUpdate("reject", proposal.id(), updatePayload("reason", reason, note))
                        .thenApplyAsync(stored -> receipt(proposal.id()), executor);
            case Decision.ReportStatus(String status, Optional<String> note) ->
                sendProposalUpdate("status", proposal.id(), updatePayload("status", status, note))
                        .thenApply(stored -> new DecisionReceipt(false, status));
            case Decision.Leave _ -> CompletableFuture.completedFuture(new DecisionReceipt(false, ""));
        };
    }

    /** Asks whether a stored decision closed the proposal. The decision is stored even if there is no answer. */
    private DecisionReceipt receipt(String proposalId) {
        try {
            Proposal after = proposal(proposalId);
            return new DecisionReceipt(!after.isOpen(), after.guidance().status());
        } catch (GavelException e) {
            return new DecisionReceipt(
                    false,
                    "the decision is stored, but it is not known whether the proposal is closed: " + e.getMessage());
        }
    }

    private CompletableFuture<Void> approve(Proposal proposal, Decision.Approve approve) {
        Optional<String> runner = approve.runner().or(proposal::runner);
        if (runner.isEmpty()) {
            return CompletableFuture.failedFuture(new GavelException.Refused(new RemoteProblem(
                    0,
                    "unknown_recipient",
                    !proposal.couldRun().isEmpty()
                            ? "the call can be run by " + String.join(" or ", proposal.couldRun())
                                    + "; choose one with runBy(…)"
                            : proposal.couldRunInstead().isEmpty()
                                    ? "no connected participant can run the call; try again later, or name one with"
                                            + " runBy(…)"
                                    : "the participant that the call is addressed to cannot run it now; try again"
                                            + " later, or choose another one with runBy(…): "
                                            + String.join(" or ", proposal.couldRunInstead()),
                    0,
                    Optional.of(proposal.id()),
                    Optional.of(proposal.state()))));
        }
        Call call = approve.edited().orElse(proposal.call());
        return transmit(
                ProposalEnvelopeFactory.fulfilment(
                        EnvelopeIdGenerator.next('r', Instant.now()),
                        proposal.id(),
                        proposal.kind(),
                        call.params(),
                        List.of(runner.get()),
                        new ApprovalOptions(
                                approve.unchecked(),
                                approve.definition().or(() -> proposal.newDefinition(runner.get())).stream()
                                        .toList())),
                true);
    }

    private static Map<String, String> updatePayload(String name, String value, Optional<String> note) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(name, value);
        note.ifPresent(text -> fields.put("note", text));
        return fields;
    }

    private CompletableFuture<Void> sendProposalUpdate(String operation, String proposal, Map<String, String> payload) {
        return transmit(
                ProposalEnvelopeFactory.proposalUpdate(
                        EnvelopeIdGenerator.next(operation.charAt(0), Instant.now()),
                        operation,
                        List.of(proposal),
                        payload),
                true);
    }

    // --- answering

    /**
     * Answers requests addressed to this participant, including those received since it connected.
     *
     * @return this participant
     */
    public Participant serve(Tools tools) {
        toolDispatcher.start(tools.copy());
        return this;
    }

    // --- everything else

    /**
     * Adds a listener for all envelopes from now on. It gets one at a time, in order, each once. A listener that is
     * more than 4,096 envelopes or 32 MiB behind misses further ones, which {@link LinkEvent.Missed} reports.
     *
     * @return this participant
     */
    public Participant onEnvelope(Consumer<Envelope> listener) {
        envelopeListeners.add(
                new CallbackQueue<>(executor, listener, MAX_QUEUED_ENVELOPES, Envelope::length, MAX_QUEUED_BYTES));
        return this;
    }

    /** Sends a chat message to all participants, at most once. */
    public CompletableFuture<Void> chat(String text) {
        return send(
                EnvelopeDraft.of(EnvelopeIdGenerator.next('c', Instant.now()), Kind.of("chat.message")),
                Json.object().with("text", Json.ofText(text)));
    }

    /** Sends an envelope with this payload; see {@link #send(byte[])}. */
    public CompletableFuture<Void> send(EnvelopeDraft draft, Json payload) {
        return send(draft.encode(EnvelopeSyntax.CURRENT, json -> json.writeRawValue(payload.raw())));
    }

    /**
     * Sends an envelope. Blocks while too many envelopes are queued.
     *
     * @return for envelopes about proposals (proposals, requests that fulfil one, withdrawals, rejections, statuses),
     *     completes when the envelope is stored; these are resent until then. Other envelopes are sent at most once,
     *     and the future completes when the envelope is written to the socket. Fails with a {@link GavelException}
     */
    public CompletableFuture<Void> send(byte[] envelope) {
        return transmit(envelope, isProposalEnvelope(read(envelope)));
    }

    /**
     * Sends an envelope until it is stored. For an answer to a request that fulfils a proposal, which
     * {@link #send(byte[])} cannot recognise.
     */
    public CompletableFuture<Void> sendUntilStored(byte[] envelope) {
        return transmit(envelope, true);
    }

    private static boolean isProposalEnvelope(Envelope envelope) {
        // Only the gateway knows whether an answer belongs to a request that fulfils a proposal.
        return envelope.needsLedgerCheck() && envelope.category() != KindCategory.RESPONSE;
    }

    private Envelope read(byte[] bytes) {
        EnvelopeReadResult envelopeReadResult = connection.reader().read(bytes);
        return switch (envelopeReadResult) {
            case Envelope envelope -> envelope;
            case EnvelopeRefusal refusal -> throw new IllegalArgumentException(refusal.message());
        };
    }

    private CompletableFuture<Void> transmit(byte[] bytes, boolean durable) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        transmit(
                bytes,
                durable,
                clientSendResult -> executor.execute(() -> {
                    switch (clientSendResult) {
                        case ClientSendResult.Stored _, ClientSendResult.Written _ -> future.complete(null);
                        case ClientSendResult.Refused(RemoteProblem problem) ->
                            future.completeExceptionally(new GavelException.Refused(problem));
                        case ClientSendResult.ConnectionClosed(PermanentCloseReason closeReason) ->
                            future.completeExceptionally(GavelException.of(closeReason, describeTopic()));
                        case ClientSendResult.ConnectionLost _ ->
                            future.completeExceptionally(new GavelException.Unreachable(describeTopic()
                                    + ": the connection was lost; it is unknown whether the envelope arrived"));
                    }
                }));
        return future;
    }

    void transmit(byte[] bytes, boolean durable, Consumer<ClientSendResult> callback) {
        try {
            connection.send(read(bytes), new String(bytes, StandardCharsets.UTF_8), durable, callback);
        } catch (InterruptedException e) {
            throw interrupted("waiting for space in the send queue");
        }
    }

    // --- the end

    /** Returns a future of the reason why this participant's connection is closed for good. */
    public CompletableFuture<GavelException> over() {
        return over.copy();
    }

    /**
     * Waits until this participant's connection is closed for good, and returns the reason. A server's main thread ends
     * with this call.
     */
    public GavelException awaitOver() {
        try {
            return over.get();
        } catch (InterruptedException e) {
            throw interrupted("waiting");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Leaves the topic. Queued envelopes are sent first, for at most 5 seconds. Then all pending futures fail with
     * {@link GavelException.Closed}.
     */
    @Override
    public void close() {
        connection.flush(CLOSE_TIMEOUT);
        connection.close();
        gateway.close();
    }

    /** Receives the events of the connection. It must not block, and runs no user callback. */
    private final class ConnectionHandler implements ReconnectingConnectionListener {
        @Override
        public void onConnect(String assignedId) {
            participantId = assignedId;
            ownProposalTracker.lookupAll();
            linkEvents.offer(new LinkEvent.Up());
        }

        @Override
        public void onDisconnect(String closeReason) {
            linkEvents.offer(new LinkEvent.Down(closeReason));
        }

        @Override
        public void onEnvelope(Envelope envelope) {
            ownProposalTracker.onEnvelope(envelope);
            toolDispatcher.onEnvelope(envelope);
            reviewDispatchers.forEach(each -> each.onEnvelope(envelope));
            for (CallbackQueue<Envelope> listener : envelopeListeners) {
                if (!listener.offer(envelope)) {
                    reportMissed(missedEnvelopes.incrementAndGet());
                }
            }
        }

        /** Reports at powers of two only, so that these events do not crowd out others. */
        private void reportMissed(long count) {
            if (Long.bitCount(count) == 1) {
                linkEvents.offer(new LinkEvent.Missed(count));
            }
        }

        @Override
        public void onResync() {
            ownProposalTracker.lookupAll();
            reviewDispatchers.forEach(ReviewDispatcher::refresh);
            linkEvents.offer(new LinkEvent.Resync());
        }

        @Override
        public void onClose(PermanentCloseReason closeReason) {
            GavelException exception = GavelException.of(closeReason, describeTopic());
            lookups.close();
            reviewDispatchers.forEach(ReviewDispatcher::stop);
            ownProposalTracker.failAll(exception);
            linkEvents.offer(new LinkEvent.Over(exception));
            over.completeAsync(() -> exception, executor);
        }
    }
}
