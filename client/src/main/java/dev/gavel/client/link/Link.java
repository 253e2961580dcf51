package dev.gavel.client.link;

import dev.gavel.client.http.Problem;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A participant's connection to a topic, for as long as it is wanted: it comes back by itself, goes on where it was, and
 * sends again what is not known to be kept. Thread-safe. Threads of its own: one that keeps it up, and one that writes.
 */
public final class Link implements AutoCloseable {
    private static final System.Logger log = System.getLogger("dev.gavel.client");
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(70);
    private static final Duration WELCOME = Duration.ofSeconds(30);
    private static final Duration SETTLED = Duration.ofSeconds(2);
    private static final int TOO_LARGE = 1009;
    private static final int RESTARTING = 1012;

    private final RemoteGateway gateway;
    private final String topic;
    private final EnvelopeReader reader = new EnvelopeReader(Line.LIMITS);
    private final Door door;
    private final CompletableFuture<String> you = new CompletableFuture<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Outbox outbox = new Outbox();
    private final Bookmark bookmark = new Bookmark();
    private final Backoff backoff = new Backoff();
    private @Nullable Hearing hearing;
    private @Nullable Line line;
    private @Nullable Ending ending;
    private @Nullable Thread keeper;
    private boolean welcomed;
    private boolean ledger;
    private boolean looking;

    /** The line whose gateway seems to have another ledger than the one before; null where none does. */
    private @Nullable Line doubted;

    /**
     * A link that is not up yet.
     *
     * @param gateway where to, and with which token; also asked where the socket does not say something
     * @param directed whether only what concerns this participant is wanted
     */
    public Link(RemoteGateway gateway, String topic, boolean directed) {
        this.gateway = gateway;
        this.topic = topic;
        this.door = new Door(gateway, topic, directed);
    }

    /** Connects for the first time; once this returned, the link keeps itself up. */
    public void open(Hearing hears) throws NotConnected, InterruptedException {
        hearing = hears;
        try {
            ledger = gateway.topic(topic).at("ledger").isTrue();
        } catch (RemoteException.Refused e) {
            throw new NotConnected(
                    e.problem().detail(), Ending.ofStatus(e.problem().status()));
        } catch (RemoteException e) {
            throw new NotConnected(String.valueOf(e.getMessage()), Optional.empty());
        }
        Line first;
        try {
            first = door.openAny(this::heard);
        } catch (Line.NotOpened e) {
            throw new NotConnected(
                    "cannot connect to " + gateway.access() + ": " + e.getMessage(), Ending.ofStatus(e.status()));
        }
        begin(first);
        try {
            CompletableFuture.anyOf(you, first.end()).get(WELCOME.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            first.cut("it did not welcome us");
        }
        if (!you.isDone()) {
            Line.End end = first.end().join();
            throw new NotConnected(
                    "cannot connect to " + gateway.access() + ": " + end.reason(), Ending.ofClose(end.code()));
        }
        keeper = Thread.ofVirtual().name("gavel link").start(() -> keep(first));
    }

    /** Whether the topic keeps a ledger: without one nothing is echoed, and nothing said about proposals. */
    public boolean hasLedger() {
        return ledger;
    }

    private OptionalLong since() {
        lock.lock();
        try {
            return ledger ? OptionalLong.of(bookmark.seq()) : OptionalLong.empty();
        } finally {
            lock.unlock();
        }
    }

    private void begin(Line next) {
        lock.lock();
        try {
            line = next;
            welcomed = false;
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual().name("gavel writer").start(() -> write(next));
        next.start();
    }

    /** Sees to it that there is a connection, until there is to be none. */
    private void keep(Line first) {
        Line current = first;
        try {
            while (true) {
                Instant began = Instant.now();
                Line.End end = current.untilEnd(LONGEST_SILENCE);
                ended(end);
                if (Duration.between(began, Instant.now()).compareTo(SETTLED) > 0) {
                    backoff.reset();
                }
                Optional<Ending> why = Ending.ofClose(end.code());
                if (why.isPresent()) {
                    over(why.get());
                    return;
                }
                // Another address, where there is one, is the better bet; whoever said that it stops has made way for
                // it. Somebody who asked there may have turned already, and would be turned back.
                gateway.turn(current.at());
                current = again(end.code() == RESTARTING ? backoff.soon() : backoff.next());
            }
        } catch (InterruptedException e) {
            // Closed, and whoever closed it has seen to the rest.
        } catch (Line.NotOpened e) {
            over(Ending.ofStatus(e.status()).orElse(Ending.CLOSED));
        }
    }

    private Line again(Duration first) throws InterruptedException, Line.NotOpened {
        Duration wait = first;
        while (true) {
            Thread.sleep(wait);
            try {
                Line next = door.open(since(), this::heard);
                begin(next);
                return next;
            } catch (Line.NotOpened e) {
                if (Ending.ofStatus(e.status()).isPresent()) {
                    throw e;
                }
                wait = backoff.next();
            }
        }
    }

    private void ended(Line.End end) {
        lock.lock();
        try {
            line = null;
            if (end.code() == TOO_LARGE) {
                outbox.tooLarge().ifPresent(then -> then.accept(new Receipt.Refused(Refusals.tooLarge())));
            }
            outbox.disconnected();
            changed.signalAll();
            if (ending == null) {
                hearing().down(end.reason().isEmpty() ? "closed with " + end.code() : end.reason());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends what there is to send, as long as a line is up. */
    private void write(Line on) {
        try {
            for (Optional<Letter> next = next(on); next.isPresent(); next = next(on)) {
                Letter letter = next.get();
                boolean sent = on.send(letter.text());
                if (!letter.durable()) {
                    letter.then().accept(sent ? new Receipt.HandedOver() : new Receipt.Broken());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<Letter> next(Line on) throws InterruptedException {
        lock.lock();
        try {
            while (on.equals(line)) {
                Instant now = Instant.now();
                Optional<Letter> next = welcomed ? outbox.next(now) : Optional.empty();
                if (next.isPresent()) {
                    changed.signalAll();
                    return next;
                }
                Optional<Instant> later = outbox.lookAgain(now);
                if (welcomed && later.isPresent()) {
                    changed.awaitNanos(
                            Math.max(1, Duration.between(now, later.get()).toNanos()));
                } else {
                    changed.await();
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends an envelope, after those that were given before. Waits for room where too many wait already.
     *
     * @param durable whether it is one that is echoed once it is kept; it is sent again until then. Others are sent once
     * @param then hears what became of it; must return at once. What was handed over may turn out to have been too large
     */
    public void send(Envelope envelope, String text, boolean durable, Consumer<Receipt> then)
            throws InterruptedException {
        Letter letter =
                new Letter(envelope.id(), text, envelope.length(), envelope.to().size(), durable && ledger, then);
        Ending over;
        lock.lockInterruptibly();
        try {
            while (ending == null && !outbox.hasRoomFor(letter.size())) {
                changed.await();
            }
            over = ending;
            if (over == null) {
                if (letter.durable() && outbox.has(letter.id())) {
                    throw new IllegalArgumentException(
                            "an envelope with the id '" + letter.id() + "' is on its way already");
                }
                outbox.add(letter);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (over != null) {
            then.accept(new Receipt.Over(over));
        }
    }

    /** Reads an envelope that is about to be sent. */
    public EnvelopeReader reader() {
        return reader;
    }

    private void heard(Line from, String text) {
        if (!(reader.read(text.getBytes(StandardCharsets.UTF_8)) instanceof Envelope envelope)) {
            return;
        }
        lock.lock();
        try {
            if (ending != null || !from.equals(line)) {
                return;
            }
            switch (envelope.kind().toString()) {
                case "system.welcome" -> welcome(from, Payloads.of(envelope));
                case "system.resync" -> {
                    doubted = null;
                    bookmark.begin(Payloads.of(envelope).at("seq").number(0));
                    hearing().resync();
                }
                case "system.error" -> refused(envelope);
                default -> {
                    if (!ledger) {
                        break;
                    }
                    if (you.getNow("").equals(envelope.from())) {
                        outbox.echoed(envelope.id())
                                .ifPresent(letter -> letter.then().accept(new Receipt.Kept()));
                        changed.signalAll();
                    }
                    if (!bookmark.first(envelope)) {
                        return;
                    }
                    lookWhereWeAre();
                }
            }
            hearing().heard(envelope);
        } catch (RuntimeException e) {
            // Told again after a reconnect, it would end that connection as well.
            log.log(System.Logger.Level.WARNING, "an envelope of " + envelope.from() + " was passed over", e);
        } finally {
            lock.unlock();
        }
    }

    private void welcome(Line from, Json welcome) {
        long seq = welcome.at("seq").number(0);
        boolean first = !you.isDone();
        if (first) {
            bookmark.begin(seq);
        }
        welcomed = true;
        changed.signalAll();
        String id = first ? welcome.at("you").at("id").text() : you.join();
        hearing().up(id);
        you.complete(id); // last, since whoever waits for it goes on at once, and asks who one is
        if (ledger && !first && bookmark.isBeyond(seq)) {
            doubted = from;
            Whereabouts.unlessReached(gateway, topic, bookmark.reached(), () -> anotherLedger(from, seq));
        }
    }

    /** More was heard than the ledger has by now: it is another one than before. */
    private void anotherLedger(Line from, long seq) {
        lock.lock();
        try {
            if (ending == null && from.equals(line) && from.equals(doubted)) {
                doubted = null;
                bookmark.begin(seq);
                hearing().resync();
            }
        } finally {
            lock.unlock();
        }
    }

    private void refused(Envelope envelope) {
        Problem problem = Refusals.read(envelope);
        Optional<String> id = envelope.correlationIds().stream().findFirst();
        if (id.isPresent() || problem.code().equals("rate_limited")) {
            outbox.refused(id, problem, Instant.now())
                    .ifPresent(letter -> letter.then().accept(new Receipt.Refused(problem)));
            changed.signalAll();
        }
    }

    private Hearing hearing() {
        if (hearing == null) {
            throw new IllegalStateException("not opened");
        }
        return hearing;
    }

    private void lookWhereWeAre() {
        if (bookmark.isFarBehind() && !looking) {
            looking = true;
            Whereabouts.look(gateway, topic, you.getNow(""), reader, this::found);
        }
    }

    private void found(Map<Envelope, Long> kept) {
        lock.lock();
        try {
            bookmark.compare(kept);
            looking = false;
        } finally {
            lock.unlock();
        }
    }

    private void over(Ending why) {
        lock.lock();
        try {
            if (ending != null) {
                return;
            }
            ending = why;
            line = null;
            changed.signalAll();
            outbox.clear().forEach(letter -> letter.then().accept(new Receipt.Over(why)));
            hearing().over(why);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything that was given to be sent has been, and is known to be kept; but no longer than that. */
    public void flush(Duration longest) {
        long left = longest.toNanos();
        lock.lock();
        try {
            while (ending == null && line != null && !outbox.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        Line last;
        lock.lock();
        try {
            last = line;
        } finally {
            lock.unlock();
        }
        if (hearing != null) {
            over(Ending.CLOSED);
        }
        if (keeper != null) {
            keeper.interrupt();
        }
        if (last != null) {
            last.leave();
        }
        door.close();
    }
}
