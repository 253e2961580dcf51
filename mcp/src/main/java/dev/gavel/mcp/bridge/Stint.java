package dev.gavel.mcp.bridge;

import dev.gavel.mcp.bridge.Catalogue.Listing;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.Session;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.KindRule;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's one stay in a topic, from its initialisation to its end: requests go to it, what it says goes to the topic.
 * Only its beginning waits. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // answers are passed on, not waited for
final class Stint implements Session.Events, Venue.Occupant {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    /** How long a page of a list may take, and how long a call may be silent. */
    private static final Duration LISTING = Duration.ofSeconds(60);

    private static final Duration SILENCE = Duration.ofHours(1);
    private static final Duration LOOKING = Duration.ofSeconds(5);

    /** How long the server may take to say that it will tell us what changes. */
    private static final Duration LISTENING = Duration.ofSeconds(5);

    /** How long what came before it leaves may take to be told that it comes too late. */
    private static final Duration LEAVING = Duration.ofSeconds(1);

    private final String name;
    private final String topic;
    private final EnvelopeReader reader;
    private final Proposers proposers;
    private final Inbox inbox;
    private final Outlet outlet;
    private final CompletableFuture<End> over = new CompletableFuture<>();
    private volatile @Nullable Work work;

    /**
     * What is there while the server is.
     *
     * @param standin where the server's version leaves things to us
     */
    private record Work(
            Session session,
            Catalogue lists,
            Errands errands,
            Subscriptions subscriptions,
            Optional<Standin> standin) {}

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
        this.outlet = new Outlet(name, reader);
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

    /** Brings the server into the topic: with its lists at hand, and everybody told that they are there. Waits for the server. */
    void begin(Session with, Venue venue) throws IOException, InterruptedException {
        Catalogue lists = new Catalogue(with);
        Subscriptions subscriptions = new Subscriptions(name, with, uris -> missed(with, lists, uris));
        Work begun = new Work(
                with,
                lists,
                new Errands(name, topic, with, outlet, proposers, venue::ours),
                subscriptions,
                with.stateless() ? Optional.of(new Standin(name, subscriptions, outlet)) : Optional.empty());
        work = begun;
        if (with.stateless()) {
            // A list that changes between its answer and our listening would be wrong for good.
            listening(subscriptions.begin());
        }
        for (Listing listing : Listing.values()) {
            lists.ask(listing);
        }
        outlet.open(venue.join(this));
        inbox.open();
        venue.unanswered(begun.errands()::disown);
        announce(with);
        Thread.ofVirtual().name("bridge " + name + " clock").start(() -> watch(begun));
    }

    private static void listening(CompletableFuture<Boolean> ready) throws InterruptedException {
        try {
            ready.get(LISTENING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.debug("the server does not say whether it tells what changes");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Gives up what the server leaves unanswered, for as long as this lasts. */
    private void watch(Work now) {
        while (!over.isDone()) {
            try {
                over.get(LOOKING.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                now.lists().giveUpAfter(LISTING);
                now.errands().giveUpAfter(SILENCE);
            } catch (InterruptedException | ExecutionException e) {
                return;
            }
        }
    }

    private void announce(Session with) {
        for (Listing listing : new Listing[] {Listing.TOOLS, Listing.PROMPTS, Listing.RESOURCES}) {
            if (listing == Listing.TOOLS || with.offers(listing.capability())) {
                outlet.broadcast(new Message.Notification(listing.changed(), Optional.empty()));
            }
        }
    }

    /** The server may have said that something changed while nobody listened. */
    private void missed(Session with, Catalogue lists, Set<String> uris) {
        for (Listing listing : new Listing[] {Listing.TOOLS, Listing.PROMPTS, Listing.RESOURCES}) {
            lists.heard(listing.changed());
        }
        announce(with);
        uris.forEach(uri -> outlet.broadcast(Notices.updated(uri)));
    }

    /** How many tools the server has, as far as that is known. */
    OptionalInt tools() {
        Work now = work;
        return now == null ? OptionalInt.empty() : now.lists().count(Listing.TOOLS);
    }

    /** The version of MCP that is spoken with the server. */
    Optional<String> version() {
        return Optional.ofNullable(work).map(now -> now.session().version());
    }

    /** Does something once it is known which tools the server has, or that it does not say. */
    void whenListed(Runnable then) {
        Work now = work;
        if (now != null) {
            now.lists().ask(Listing.TOOLS).thenRun(then);
        }
    }

    /** Answers what is under way, ends the server, answers what came meanwhile, leaves. */
    void end() {
        Work now = work;
        if (now != null) {
            now.errands().close();
            now.subscriptions().close();
            now.session().close();
            inbox.awaitEmpty(LEAVING);
        }
        outlet.close();
        over.complete(new End("closed", false));
    }

    // --- from the topic

    @Override
    public void heard(byte[] envelope) {
        if (!inbox.offer(envelope)
                && reader.read(envelope) instanceof Envelope request
                && isForUs(request)
                && request.rule() == KindRule.REQUEST) {
            outlet.answer(
                    Asked.of(request), RpcError.BUSY.failure("null", "far too much waits for '" + name + "' already"));
        }
    }

    @Override
    public void returned() {
        Work now = work;
        if (now != null) {
            announce(now.session());
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
        Work now = work;
        if (method.equals(Notices.CANCELLED)) {
            if (now != null) {
                now.errands().cancel(envelope);
            }
        } else if (!method.startsWith(Notices.PREFIX)) {
            run(Asked.of(envelope), now);
        }
    }

    private void run(Asked asked, @Nullable Work now) {
        if (now == null) {
            outlet.answer(asked, RpcError.UNAVAILABLE.failure("null", "the server of '" + name + "' is not up"));
            return;
        }
        Optional<Listing> listing = Listing.by(asked.method());
        if (listing.isPresent()) {
            list(asked, now.lists(), listing.get());
        } else if (asked.method().equals("initialize")) {
            outlet.answer(
                    asked,
                    RpcError.METHOD_NOT_FOUND.failure(
                            "null", "the server of '" + name + "' is initialised; call its methods as they are"));
        } else if (now.standin().filter(each -> each.takes(asked)).isEmpty()) {
            now.errands().forward(asked);
        }
    }

    private void list(Asked asked, Catalogue lists, Listing listing) {
        if (asked.params().flatMap(raw -> RawJson.at(raw, "cursor")).isPresent()) {
            outlet.answer(
                    asked,
                    RpcError.INVALID_PARAMS.failure(
                            "null", "there is no such cursor: '" + name + "' lists everything at once"));
            return;
        }
        lists.ask(listing).thenAccept(answer -> outlet.answer(asked, answer));
    }

    // --- from the server

    @Override
    public void notified(Message.Notification notification) {
        Work now = work;
        if (now == null) {
            return;
        }
        Optional<Message.Notification> heard =
                now.standin().isPresent() ? now.subscriptions().heard(notification) : Optional.of(notification);
        heard.ifPresent(each -> {
            switch (each.method()) {
                case Notices.PROGRESS_METHOD -> now.errands().progressed(each);
                // It calls off what it asked us, which we refused at once.
                case Notices.CANCELLED -> {}
                default -> {
                    now.lists().heard(each.method());
                    outlet.broadcast(each);
                }
            }
        });
    }

    @Override
    public void lost(String why) {
        over.complete(new End(why, false));
    }
}
