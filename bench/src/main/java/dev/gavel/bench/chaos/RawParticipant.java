package dev.gavel.bench.chaos;

import dev.gavel.bench.chaos.Journal.Visit;
import dev.gavel.bench.reliability.Client;
import dev.gavel.bench.reliability.Heard;
import dev.gavel.bench.reliability.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A participant on a bare socket that takes down all it sends and hears. It comes back to any gateway with {@code since},
 * and sends again, under the same id, what is about proposals and was neither echoed nor refused; anything else it sends
 * once. Thread-safe.
 */
final class RawParticipant implements AutoCloseable {
    private static final int CONNECT_MILLIS = 3_000;
    private static final long TICK_MILLIS = 20;

    /** After so long without an echo it looks for another gateway. */
    private static final long ECHO_NANOS = Duration.ofSeconds(4).toNanos();

    private static final long AGAIN_NANOS = Duration.ofMillis(400).toNanos();
    private static final String PLAIN = "chat.message";
    private static final String NOTICE = "system:event-";

    /** Errors that settle nothing: the same may well be done a moment later. */
    private static final Set<String> PASSING = Set.of("unavailable", "rate_limited", "unknown_recipient");

    private final Fleet fleet;
    private final String name;
    private final Journal journal;
    private final Random random;
    private final BiConsumer<RawParticipant, Heard> reaction;
    private final Map<String, Pending> pending = new LinkedHashMap<>();
    private final Set<String> echoed = new HashSet<>();
    private final Map<String, String> refused = new HashMap<>();
    private final Thread.UncaughtExceptionHandler mourner;
    private final Thread thread;
    private @Nullable Connected current;
    private long sure = Visit.FRESH;
    private volatile boolean hopping;
    private volatile boolean over;

    private record Connected(Client client, Visit visit) {}

    /** Something on its way; {@code due} is when it is to be sent again. */
    private record Pending(String letter, @Nullable Visit first, long sentAt, long due) {}

    /**
     * A participant that does nothing yet.
     *
     * @param reaction what it does about what it hears
     * @param mourner is told where one of its threads dies of something
     */
    RawParticipant(
            Fleet fleet,
            String name,
            boolean directed,
            long start,
            long seed,
            BiConsumer<RawParticipant, Heard> reaction,
            Thread.UncaughtExceptionHandler mourner) {
        this.fleet = fleet;
        this.name = name;
        this.journal = new Journal(name, directed, start);
        this.random = new Random(seed);
        this.reaction = reaction;
        this.mourner = mourner;
        this.thread =
                Thread.ofVirtual().name(name).uncaughtExceptionHandler(mourner).unstarted(this::live);
    }

    void begin() {
        thread.start();
    }

    String name() {
        return name;
    }

    Journal journal() {
        return journal;
    }

    private void live() {
        try {
            while (!over) {
                if (isLost()) {
                    connect();
                } else if (hopping) {
                    hopping = false;
                    connect();
                }
                resend();
                Thread.sleep(TICK_MILLIS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isLost() {
        Connected now = current;
        return now == null || !now.client().isOpen();
    }

    /** Connects to any gateway; a connection there was is left to the gateways to close. */
    private void connect() throws InterruptedException {
        int gateway = random.nextInt(fleet.nodes().size());
        Node node = fleet.nodes().get(gateway);
        long since;
        synchronized (this) {
            since = sure;
        }
        Visit visit = journal.visit(gateway, since);
        try {
            Client client = Client.webSocket(
                    node.address(),
                    "/ws?topic=" + Cast.TOPIC + (journal.isDirected() ? "&mode=directed" : "")
                            + (since == Visit.FRESH ? "" : "&since=" + since),
                    Setting.token(name),
                    CONNECT_MILLIS,
                    heard -> hear(visit, heard));
            var _ = client.ended().thenAccept(code -> journal.left(visit, code));
            try {
                client.welcome().get(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception _) {
                client.close();
                return;
            }
            synchronized (this) {
                current = new Connected(client, visit);
                pending.replaceAll((id, each) -> new Pending(each.letter(), each.first(), each.sentAt(), 0));
            }
        } catch (IOException _) {
            journal.left(visit, 0);
        }
    }

    private synchronized void resend() {
        Connected now = current;
        if (now == null || !now.client().isOpen()) {
            return;
        }
        long time = System.nanoTime();
        List<String> due = new ArrayList<>();
        boolean stuck = false;
        for (Map.Entry<String, Pending> each : pending.entrySet()) {
            if (each.getValue().due() <= time) {
                due.add(each.getKey());
            }
            stuck |= each.getValue().due() == Long.MAX_VALUE
                    && time - each.getValue().sentAt() > ECHO_NANOS;
        }
        if (stuck) {
            close(now.client());
            current = null;
            return;
        }
        for (String id : due) {
            Pending each = pending.get(id);
            if (each != null) {
                pending.put(id, new Pending(each.letter(), each.first(), time, Long.MAX_VALUE));
                write(now, id, each.letter(), false);
            }
        }
    }

    private void hear(Visit visit, Heard heard) {
        try {
            take(visit, heard);
            reaction.accept(this, heard);
        } catch (RuntimeException e) {
            // The connection's thread dies of it, and would be taken for a connection that broke.
            mourner.uncaughtException(Thread.currentThread(), e);
            throw e;
        }
    }

    private synchronized void take(Visit visit, Heard heard) {
        journal.heard(visit, heard);
        if (heard.kind().equals("system.welcome")) {
            journal.welcomed(visit, heard.number("seq"));
            if (sure == Visit.FRESH) {
                sure = visit.welcomed;
            }
        } else if (heard.kind().equals("system.error")) {
            refuse(heard);
        } else if (heard.id().startsWith(NOTICE)) {
            // It came in its turn, so everything before it did.
            sure = Math.max(sure, Long.parseLong(heard.id().substring(NOTICE.length())));
        } else if (heard.field("from").equals(name) && !heard.kind().equals(PLAIN)) {
            echoed(visit, heard.id());
        }
    }

    private void echoed(Visit visit, String id) {
        echoed.add(id);
        Pending sent = pending.remove(id);
        if (sent != null && sent.first() == visit) {
            // What was decided after the welcome is echoed after all that came before it.
            sure = Math.max(sure, visit.welcomed);
        }
    }

    private void refuse(Heard error) {
        Pending sent = pending.get(error.about());
        if (sent != null && PASSING.contains(error.error())) {
            pending.put(
                    error.about(),
                    new Pending(sent.letter(), sent.first(), sent.sentAt(), System.nanoTime() + AGAIN_NANOS));
        } else if (!echoed.contains(error.about()) || !PASSING.contains(error.error())) {
            // One of several attempts may well find the ledger away after another was kept.
            pending.remove(error.about());
            refused.put(error.about(), error.error());
        }
    }

    /** Sends something about a proposal until it is known what became of it. */
    synchronized void send(String id, String letter) {
        if (over || echoed.contains(id) || refused.containsKey(id) || pending.containsKey(id)) {
            return;
        }
        Connected now = current;
        if (now == null || !now.client().isOpen()) {
            pending.put(id, new Pending(letter, null, System.nanoTime(), 0));
        } else {
            pending.put(id, new Pending(letter, now.visit(), System.nanoTime(), Long.MAX_VALUE));
            write(now, id, letter, false);
        }
    }

    /** Sends something else, if there is a connection; what becomes of it nobody says. */
    synchronized void say(String id, String letter) {
        Connected now = current;
        // Behind what has to be sent again, or the order would not be the sender's.
        if (!over
                && now != null
                && now.client().isOpen()
                && pending.values().stream().noneMatch(each -> each.due() <= System.nanoTime())) {
            write(now, id, letter, true);
        }
    }

    private void write(Connected now, String id, String letter, boolean plain) {
        journal.sent(now.visit(), id, plain);
        try {
            now.client().send(letter);
        } catch (IOException _) {
            // It will be sent again on the next connection, if it is to be.
        }
    }

    /** Connects once more, elsewhere, while the connection there is stays open. */
    void hop() {
        hopping = true;
    }

    synchronized int pending() {
        return pending.size();
    }

    synchronized boolean isConnected() {
        return !isLost();
    }

    synchronized Set<String> echoes() {
        return Set.copyOf(echoed);
    }

    /** What was refused for good, and why. */
    synchronized Map<String, String> refusals() {
        return Map.copyOf(refused);
    }

    private static void close(Client client) {
        try {
            client.close();
        } catch (IOException _) {
            // Then it is closed enough.
        }
    }

    @Override
    public void close() {
        over = true;
        thread.interrupt();
        synchronized (this) {
            if (current != null) {
                close(current.client());
            }
        }
    }
}
