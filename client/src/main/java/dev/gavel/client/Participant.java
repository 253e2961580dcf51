package dev.gavel.client;

import dev.gavel.client.http.Problem;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.link.Ending;
import dev.gavel.client.link.Hearing;
import dev.gavel.client.link.Link;
import dev.gavel.client.link.NotConnected;
import dev.gavel.client.link.Receipt;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.KindRule;
import dev.gavel.mcpx.Reading;
import dev.gavel.mcpx.Refusal;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.draft.Drafts;
import dev.gavel.mcpx.draft.EnvelopeIds;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Somebody in a topic: proposes, answers, reviews. Stays connected until it is closed or the gateway wants it no more.
 * Thread-safe. Callbacks run on virtual threads, never on the one that reads, so they may take their time.
 */
public final class Participant implements AutoCloseable {
    private static final Duration FAREWELL = Duration.ofSeconds(5);
    private static final int MOST_WAITING = 4096;
    private static final int MOST_WAITING_BYTES = 32 * 1024 * 1024;

    private final RemoteGateway gateway;
    private final String topic;
    private final Link link;
    private final Executor executor =
            task -> Thread.ofVirtual().name("gavel callback").start(task);
    private final Mailbox<LinkEvent> events;
    private final Pendings pendings = new Pendings();
    private final Lookups lookups;
    private final Serving serving = new Serving(this, executor);
    private final List<Reviewing> reviewings = new CopyOnWriteArrayList<>();
    private final List<Mailbox<Envelope>> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong missed = new AtomicLong();
    private final CompletableFuture<GavelException> over = new CompletableFuture<>();
    private volatile @Nullable String you;

    Participant(RemoteGateway gateway, String topic, Link link, Consumer<LinkEvent> onLink) {
        this.gateway = gateway;
        this.topic = topic;
        this.link = link;
        this.events = new Mailbox<>(executor, onLink, MOST_WAITING);
        this.lookups = new Lookups(gateway, topic, executor, pendings::found);
        pendings.start(lookups);
    }

    void open() {
        try {
            link.open(new Ears());
        } catch (NotConnected e) {
            throw e.ending()
                    .map(why -> GavelException.of(why, where()))
                    .orElseGet(() -> new GavelException.Unreachable(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            throw interrupted("connecting");
        }
    }

    private String where() {
        return "topic '" + topic + "' at " + gateway.access();
    }

    private static GavelException interrupted(String doing) {
        Thread.currentThread().interrupt();
        return new GavelException.Interrupted("interrupted while " + doing);
    }

    /** Who this is, as the gateway says. */
    public String id() {
        return String.valueOf(you);
    }

    /** The topic it is in. */
    public String topic() {
        return topic;
    }

    // --- proposing

    /** Begins a proposal: a call that somebody else is to approve. */
    public Proposing propose(Call call) {
        return new Proposing(this, call);
    }

    Pending propose(
            Optional<String> chosen,
            Call call,
            List<String> to,
            Optional<Duration> ttl,
            Optional<Consumer<Guidance>> onGuidance) {
        if (!link.hasLedger()) {
            throw new IllegalStateException(where() + " keeps no ledger, so proposals have no end there");
        }
        String id = chosen.orElseGet(() -> EnvelopeIds.next('p', Instant.now()));
        Mailbox<Guidance> guidance =
                onGuidance.map(listener -> new Mailbox<>(executor, listener, 1)).orElse(null);
        Pending pending = new Pending(id, executor, this::withdraw, guidance, chosen.isPresent());
        byte[] envelope = Drafts.proposal(id, call.kind("proposal"), call.params(), to, ttl);
        pendings.add(pending, id());
        try {
            transmit(envelope, true, receipt -> {
                switch (receipt) {
                    case Receipt.Kept _, Receipt.HandedOver _ -> pendings.accepted(id);
                    case Receipt.Refused(Problem problem) -> pendings.refused(id, problem);
                    case Receipt.Over(Ending why) -> pendings.fail(id, GavelException.of(why, where()));
                    case Receipt.Broken _ -> pendings.fail(id, new GavelException.Unreachable(where() + ": lost"));
                }
            });
        } catch (RuntimeException e) {
            pendings.fail(id, new GavelException.Closed(where() + ": the proposal was not sent"));
            throw e;
        }
        return pending;
    }

    private CompletableFuture<Void> withdraw(Pending pending, String reason) {
        // Not before the proposal is there: sent again, the two might change places.
        return pending.accepted().thenCompose(id -> remark("withdraw", id, Map.of("reason", reason)));
    }

    // --- deciding

    /**
     * Shows a reviewer every proposal it may decide: those open now, and new ones as they come.
     *
     * @return this
     */
    public Participant review(Reviewer reviewer) {
        Reviewing reviewing = new Reviewing(this, reviewer, gateway, executor);
        reviewings.add(reviewing);
        reviewing.list();
        return this;
    }

    /** A proposal as it stands now. */
    public Proposal proposal(String id) {
        try {
            return Proposal.of(gateway.proposal(topic, id));
        } catch (RemoteException.Refused e) {
            throw new GavelException.Refused(e.problem());
        } catch (RemoteException e) {
            throw new GavelException.Unreachable(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw interrupted("reading " + id);
        }
    }

    /**
     * Decides a proposal.
     *
     * @return done when the decision is kept; fails with {@link GavelException.Refused} where it was not taken: somebody
     *     was faster ({@code already_fulfilled}, {@code proposal_closed}), it is not said who is to run it
     *     ({@code unknown_recipient}), ...
     */
    public CompletableFuture<Void> decide(Proposal proposal, Decision decision) {
        return switch (decision) {
            case Decision.Approve approve -> approve(proposal, approve);
            case Decision.Reject(String reason, Optional<String> note) ->
                remark("reject", proposal.id(), words("reason", reason, note));
            case Decision.Say(String status, Optional<String> note) ->
                remark("status", proposal.id(), words("status", status, note));
            case Decision.Leave _ -> CompletableFuture.completedFuture(null);
        };
    }

    private CompletableFuture<Void> approve(Proposal proposal, Decision.Approve approve) {
        Optional<String> runner = approve.runner().or(proposal::runner);
        if (runner.isEmpty()) {
            return CompletableFuture.failedFuture(new GavelException.Refused(new Problem(
                    0,
                    "unknown_recipient",
                    proposal.couldRun().isEmpty()
                            ? "nobody is here who could run it; say who by runBy(…) once somebody is"
                            : "it could be run by " + String.join(" or ", proposal.couldRun())
                                    + "; say by whom by runBy(…)",
                    0,
                    Optional.of(proposal.id()),
                    Optional.of(proposal.state()))));
        }
        Call call = approve.edited().orElse(proposal.call());
        return transmit(
                Drafts.fulfilment(
                        EnvelopeIds.next('r', Instant.now()),
                        proposal.id(),
                        proposal.kind(),
                        call.params(),
                        List.of(runner.get())),
                true);
    }

    private static Map<String, String> words(String name, String word, Optional<String> note) {
        Map<String, String> words = new LinkedHashMap<>();
        words.put(name, word);
        note.ifPresent(text -> words.put("note", text));
        return words;
    }

    private CompletableFuture<Void> remark(String operation, String proposal, Map<String, String> payload) {
        return transmit(
                Drafts.remark(
                        EnvelopeIds.next(operation.charAt(0), Instant.now()), operation, List.of(proposal), payload),
                true);
    }

    // --- answering

    /**
     * Answers requests that are addressed to this participant, those included that came since it connected.
     *
     * @return this
     */
    public Participant serve(Tools tools) {
        serving.start(tools.copy());
        return this;
    }

    // --- everything else

    /**
     * Hears every envelope from now on: one at a time, in order, each once. Who is more than some thousands behind misses
     * what comes meanwhile, and {@link LinkEvent.Missed} says so.
     *
     * @return this
     */
    public Participant onEnvelope(Consumer<Envelope> listener) {
        listeners.add(new Mailbox<>(executor, listener, MOST_WAITING, Envelope::length, MOST_WAITING_BYTES));
        return this;
    }

    /** Says something to everybody. Sent once at most. */
    public CompletableFuture<Void> chat(String text) {
        return send(
                EnvelopeDraft.of(EnvelopeIds.next('c', Instant.now()), Kind.of("chat.message")),
                Json.object().with("text", Json.ofText(text)));
    }

    /** Sends an envelope with this payload; see {@link #send(byte[])}. */
    public CompletableFuture<Void> send(EnvelopeDraft draft, Json payload) {
        return send(draft.encode(Spelling.CURRENT, json -> json.writeRawValue(payload.raw())));
    }

    /**
     * Sends an envelope. Waits where too much is on its way already.
     *
     * @return done, for envelopes about proposals (proposals, requests that fulfil one, withdrawals, rejections, statuses),
     *     when they are kept: these are sent until they are. Others are sent once at most, and done when the socket has
     *     taken them. Fails with a {@link GavelException}
     */
    public CompletableFuture<Void> send(byte[] envelope) {
        return transmit(envelope, isAboutProposals(read(envelope)));
    }

    /** Sends an envelope until it is kept: for an answer to a fulfilment, which only its sender knows to be one. */
    public CompletableFuture<Void> sendUntilKept(byte[] envelope) {
        return transmit(envelope, true);
    }

    private static boolean isAboutProposals(Envelope envelope) {
        // Whether an answer is one to a fulfilment only the gateway knows.
        return envelope.mayBeLifecycle() && envelope.rule() != KindRule.RESPONSE;
    }

    private Envelope read(byte[] bytes) {
        Reading reading = link.reader().read(bytes);
        return switch (reading) {
            case Envelope envelope -> envelope;
            case Refusal refusal -> throw new IllegalArgumentException(refusal.message());
        };
    }

    private CompletableFuture<Void> transmit(byte[] bytes, boolean durable) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        transmit(
                bytes,
                durable,
                receipt -> executor.execute(() -> {
                    switch (receipt) {
                        case Receipt.Kept _, Receipt.HandedOver _ -> done.complete(null);
                        case Receipt.Refused(Problem problem) ->
                            done.completeExceptionally(new GavelException.Refused(problem));
                        case Receipt.Over(Ending why) -> done.completeExceptionally(GavelException.of(why, where()));
                        case Receipt.Broken _ ->
                            done.completeExceptionally(new GavelException.Unreachable(
                                    where() + ": the connection broke; whether it arrived is not known"));
                    }
                }));
        return done;
    }

    void transmit(byte[] bytes, boolean durable, Consumer<Receipt> then) {
        try {
            link.send(read(bytes), new String(bytes, StandardCharsets.UTF_8), durable, then);
        } catch (InterruptedException e) {
            throw interrupted("waiting for room to send");
        }
    }

    // --- the end

    /** Why this participant is out of the topic for good, once it is. */
    public CompletableFuture<GavelException> over() {
        return over.copy();
    }

    /** Waits until this participant is out of the topic for good, and gives why: what a server's main thread does. */
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
     * Leaves the topic. What was given to be sent is sent first, as long as that takes no more than a few seconds; what
     * is still awaited then fails with {@link GavelException.Closed}.
     */
    @Override
    public void close() {
        link.flush(FAREWELL);
        link.close();
        gateway.close();
    }

    /** Takes what the link hears. Nothing in here waits, and no callback runs in here. */
    private final class Ears implements Hearing {
        @Override
        public void up(String who) {
            you = who;
            pendings.up();
            events.offer(new LinkEvent.Up());
        }

        @Override
        public void down(String why) {
            events.offer(new LinkEvent.Down(why));
        }

        @Override
        public void heard(Envelope envelope) {
            pendings.hear(envelope);
            serving.hear(envelope);
            reviewings.forEach(each -> each.hear(envelope));
            for (Mailbox<Envelope> listener : listeners) {
                if (!listener.offer(envelope)) {
                    miss(missed.incrementAndGet());
                }
            }
        }

        /** Said less and less often, so that it does not crowd out the rest. */
        private void miss(long count) {
            if (Long.bitCount(count) == 1) {
                events.offer(new LinkEvent.Missed(count));
            }
        }

        @Override
        public void resync() {
            pendings.up();
            reviewings.forEach(Reviewing::resync);
            events.offer(new LinkEvent.Resync());
        }

        @Override
        public void over(Ending why) {
            GavelException exception = GavelException.of(why, where());
            lookups.close();
            reviewings.forEach(Reviewing::over);
            pendings.over(exception);
            events.offer(new LinkEvent.Over(exception));
            over.completeAsync(() -> exception, executor);
        }
    }
}
