package dev.gavel.mcp.bridge;

import dev.gavel.mcp.bridge.Catalogue.Listing;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.Session;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.KindRule;
import dev.gavel.mcpx.Reading;
import dev.gavel.mcpx.Refusal;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's one stay in a topic, from its initialisation to its end: requests go to it, what it says goes to the topic.
 * Nothing in here waits. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // answers are passed on, not waited for
final class Stint implements Session.Events, Venue.Occupant {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    /** How long a page of a list may take, and how long a call may be silent. */
    private static final Duration LISTING = Duration.ofSeconds(60);

    private static final Duration SILENCE = Duration.ofHours(1);
    private static final Duration LOOKING = Duration.ofSeconds(5);

    private final String name;
    private final String topic;
    private final EnvelopeReader reader;
    private final Proposers proposers;
    private final Inbox inbox;
    private final Calls calls = new Calls();
    private final Allowance allowance = new Allowance();
    private final CompletableFuture<End> over = new CompletableFuture<>();

    private volatile @Nullable Session session;
    private volatile @Nullable Catalogue catalogue;
    private volatile Venue.@Nullable Place place;

    /**
     * A stay that is yet to begin.
     *
     * @param name the member that the server is in the topic
     * @param reader holds envelopes to what the gateway takes
     */
    Stint(String name, String topic, EnvelopeReader reader, Proposers proposers) {
        this.name = name;
        this.topic = topic;
        this.reader = reader;
        this.proposers = proposers;
        this.inbox = new Inbox("bridge " + name, this::read);
    }

    /**
     * Why it ended.
     *
     * @param forGood whether another try is of no use
     */
    record End(String why, boolean forGood) {}

    /** Why it ended, once it has. */
    CompletableFuture<End> over() {
        return over;
    }

    /** Brings the server into the topic: with its lists at hand, and everybody told that they are there. */
    void begin(Session with, Venue venue) throws IOException {
        Catalogue lists = new Catalogue(with);
        session = with;
        catalogue = lists;
        for (Listing listing : Listing.values()) {
            lists.ask(listing);
        }
        place = venue.join(this);
        inbox.open();
        announce(with);
        Thread.ofVirtual().name("bridge " + name + " clock").start(() -> watch(with, lists));
    }

    /** Gives up what the server leaves unanswered, for as long as this lasts. */
    private void watch(Session with, Catalogue lists) {
        while (!over.isDone()) {
            try {
                over.get(LOOKING.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                lists.giveUpAfter(LISTING);
                calls.silentFor(SILENCE).forEach(id -> giveUp(with, id));
            } catch (InterruptedException | ExecutionException e) {
                return;
            }
        }
    }

    private void giveUp(Session with, String id) {
        Asked taken = calls.take(id);
        if (taken != null) {
            with.forget(id);
            with.tell(
                    Notices.CANCELLED, Notices.cancellation(id, Optional.of("no answer and no progress for too long")));
            answer(
                    taken,
                    RpcError.UNAVAILABLE.failure(
                            "null",
                            "the server of '" + name + "' did not answer within an hour, nor did it report progress;"
                                    + " whether the call ran is not known"));
        }
    }

    private void announce(Session with) {
        for (Listing listing : new Listing[] {Listing.TOOLS, Listing.PROMPTS, Listing.RESOURCES}) {
            if (listing == Listing.TOOLS || with.offers(listing.capability())) {
                broadcast(new Message.Notification(listing.changed(), Optional.empty()));
            }
        }
    }

    /** How many tools the server has, as far as that is known. */
    OptionalInt tools() {
        Catalogue lists = catalogue;
        return lists == null ? OptionalInt.empty() : lists.count(Listing.TOOLS);
    }

    /** Does something once it is known which tools the server has, or that it does not say. */
    void whenListed(Runnable then) {
        Catalogue lists = catalogue;
        if (lists != null) {
            lists.ask(Listing.TOOLS).thenRun(then);
        }
    }

    /** Answers what is under way, ends the server, leaves. */
    void end() {
        Session with = session;
        if (with != null) {
            with.close();
        }
        Venue.Place from = place;
        if (from != null) {
            from.close();
        }
        over.complete(new End("closed", false));
    }

    // --- from the topic

    @Override
    public void heard(byte[] envelope) {
        if (!inbox.offer(envelope)
                && reader.read(envelope) instanceof Envelope request
                && isForUs(request)
                && request.rule() == KindRule.REQUEST) {
            answer(Asked.of(request), RpcError.BUSY.failure("null", "far too much waits for '" + name + "' already"));
        }
    }

    @Override
    public void returned() {
        Session with = session;
        if (with != null) {
            announce(with);
        }
    }

    @Override
    public void expelled(String why, boolean forGood) {
        over.complete(new End(why, forGood));
    }

    private boolean isForUs(Envelope envelope) {
        return envelope.to().contains(name);
    }

    private void read(byte[] bytes) {
        try {
            if (reader.read(bytes) instanceof Envelope envelope) {
                take(envelope);
            }
        } catch (RuntimeException e) {
            log.error("bridge {}: an envelope could not be dealt with", name, e);
        }
    }

    private void take(Envelope envelope) {
        switch (envelope.rule()) {
            case PROPOSAL -> {
                if (isForUs(envelope)) {
                    proposers.note(envelope.id(), String.valueOf(envelope.from()));
                }
            }
            case REQUEST -> {
                // A broadcast is for nobody in particular, so nothing is run for it.
                if (isForUs(envelope)) {
                    asked(envelope);
                }
            }
            case SYSTEM -> {
                if (envelope.kind().operation().equals("error")) {
                    Json error = Payloads.of(envelope);
                    log.warn(
                            "bridge {}: the gateway did not take what it sent: {}: {}",
                            name,
                            error.at("code").text(),
                            error.at("message").text());
                }
            }
            default -> {}
        }
    }

    private void asked(Envelope envelope) {
        String method = String.valueOf(envelope.kind().method());
        if (method.equals(Notices.CANCELLED)) {
            cancel(envelope);
        } else if (!method.startsWith(Notices.PREFIX)) {
            run(Asked.of(envelope));
        }
    }

    private void run(Asked asked) {
        Session with = session;
        Catalogue lists = catalogue;
        if (with == null || lists == null) {
            answer(asked, RpcError.UNAVAILABLE.failure("null", "the server of '" + name + "' is not up"));
            return;
        }
        Optional<Listing> listing = Listing.by(asked.method());
        if (listing.isPresent()) {
            list(asked, lists, listing.get());
        } else if (asked.method().equals("initialize")) {
            answer(
                    asked,
                    RpcError.METHOD_NOT_FOUND.failure(
                            "null", "the server of '" + name + "' is initialised; call its methods as they are"));
        } else {
            forward(asked, with);
        }
    }

    private void list(Asked asked, Catalogue lists, Listing listing) {
        if (asked.params().flatMap(raw -> RawJson.at(raw, "cursor")).isPresent()) {
            answer(
                    asked,
                    RpcError.INVALID_PARAMS.failure(
                            "null", "there is no such cursor: '" + name + "' lists everything at once"));
            return;
        }
        lists.ask(listing).thenAccept(answer -> answer(asked, answer));
    }

    private void forward(Asked asked, Session with) {
        if (calls.find(each ->
                        each.envelope().equals(asked.envelope()) && each.from().equals(asked.from()))
                .isPresent()) {
            return;
        }
        String id = with.nextId();
        if (!calls.add(id, asked)) {
            answer(
                    asked,
                    RpcError.BUSY.failure(
                            "null",
                            "'" + name + "' has as many calls under way as it may, " + Calls.MOST
                                    + " or 64 MiB; send it again later"));
            return;
        }
        Optional<String> params = asked.params()
                .map(raw -> RawJson.replaced(raw, id, "_meta", "progressToken").orElse(raw))
                .map(raw -> asked.traced(raw, topic));
        with.ask(id, asked.method(), params, answer -> {
            Asked taken = calls.take(id);
            if (taken != null) {
                answer(taken, answer);
            }
        });
    }

    /** Who asked may call it off, and so may who proposed it; and the gateway, which does so for either. */
    private void cancel(Envelope envelope) {
        Json params = Payloads.of(envelope).at("params");
        Json wanted = params.at("requestId");
        String from = String.valueOf(envelope.from());
        Optional<String> found = calls.find(asked -> {
            boolean requester = asked.from().equals(from);
            boolean entitled = requester
                    || from.equals(SystemMessage.GATEWAY)
                    || asked.proposal()
                            .flatMap(proposers::of)
                            .filter(from::equals)
                            .isPresent();
            return entitled
                    && (wanted.ifText().filter(asked.envelope()::equals).isPresent()
                            || (requester && wanted.there() && wanted.raw().equals(asked.id())));
        });
        Session with = session;
        if (found.isEmpty() || with == null) {
            return;
        }
        Asked taken = calls.take(found.get());
        if (taken != null) {
            with.forget(found.get());
            with.tell(
                    Notices.CANCELLED,
                    Notices.cancellation(found.get(), params.at("reason").ifText()));
            answer(taken, RpcError.CANCELLED.failure("null", "cancelled by '" + from + "'"));
        }
    }

    // --- from the server

    @Override
    public void notified(Message.Notification notification) {
        switch (notification.method()) {
            case Notices.PROGRESS_METHOD -> progressed(notification);
            // It calls off what it asked us, which we refused at once.
            case Notices.CANCELLED -> {}
            default -> {
                Catalogue lists = catalogue;
                if (lists != null) {
                    lists.heard(notification.method());
                }
                broadcast(notification);
            }
        }
    }

    private void progressed(Message.Notification notification) {
        Optional<String> token = notification.params().flatMap(raw -> RawJson.at(raw, "progressToken"));
        if (token.isEmpty()) {
            return;
        }
        boolean allowed = allowed();
        // While it cannot be answered: nothing follows an answer.
        calls.with(
                token.get(),
                asked -> asked.progressToken()
                        .filter(original -> allowed)
                        .flatMap(original ->
                                notification.params().flatMap(raw -> RawJson.replaced(raw, original, "progressToken")))
                        .ifPresent(params -> notice(asked.progressed(params))));
    }

    private void broadcast(Message.Notification notification) {
        if (allowed()) {
            Notices.broadcast(notification).ifPresent(this::notice);
        }
    }

    private boolean allowed() {
        if (allowance.take()) {
            return true;
        }
        long dropped = allowance.toTell();
        if (dropped > 0) {
            log.warn("bridge {}: its server notifies too often; {} notifications were not passed on", name, dropped);
        }
        return false;
    }

    @Override
    public void lost(String why) {
        over.complete(new End(why, false));
    }

    // --- to the topic

    private void answer(Asked asked, Message.Answer answer) {
        byte[] envelope = asked.answered(answer);
        objection(envelope)
                .ifPresentOrElse(
                        why -> unsendable(asked, why),
                        () -> send(
                                envelope,
                                asked.proposal().isPresent() ? Venue.Worth.KEPT : Venue.Worth.ANSWER,
                                why -> unsendable(asked, why)));
    }

    private void unsendable(Asked asked, String why) {
        sent(
                asked.answered(RpcError.UNSENDABLE.failure("null", "the server's answer cannot be sent on: " + why)),
                Venue.Worth.ANSWER);
    }

    private void notice(byte[] envelope) {
        sent(envelope, Venue.Worth.NOTICE);
    }

    private void sent(byte[] envelope, Venue.Worth worth) {
        objection(envelope)
                .ifPresentOrElse(
                        why -> log.warn("bridge {}: what its server says cannot be sent on: {}", name, why),
                        () -> send(envelope, worth, why -> {}));
    }

    /** Why the gateway would not take it: asked here, because nobody would hear of it there. */
    private Optional<String> objection(byte[] envelope) {
        Reading reading = reader.read(envelope);
        return reading instanceof Refusal refusal ? Optional.of(refusal.message()) : Optional.empty();
    }

    private void send(byte[] envelope, Venue.Worth worth, Consumer<String> failed) {
        Venue.Place to = place;
        if (to != null) {
            to.send(envelope, worth, failed);
        }
    }
}
