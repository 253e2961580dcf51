package dev.gavel.bench.reliability;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A participant that outlives servers, as the protocol asks of one: it comes back with {@code since}, and sends again,
 * under the same id, whatever was neither echoed nor refused. Thread-safe.
 */
final class Survivor implements AutoCloseable {
    private static final long RESEND_NANOS = Duration.ofMillis(1500).toNanos();
    private static final long TICK_MILLIS = 50;

    /** Errors that settle nothing: the same may well be done a moment later. */
    private static final Set<String> PASSING = Set.of("unavailable", "rate_limited", "unknown_recipient");

    private final Gavel gavel;
    private final String name;
    private final String topic;
    private final BiConsumer<Survivor, Heard> reaction;
    private final Thread thread;
    private final Map<String, Pending> pending = new LinkedHashMap<>();
    private final Set<String> echoed = new HashSet<>();
    private final Map<String, String> refused = new HashMap<>();
    private @Nullable Client client;
    private int connections;
    private long since;
    private long welcomed;
    private volatile boolean over;

    private record Pending(String letter, long sentAt, int firstSentOn) {}

    Survivor(Gavel gavel, String name, String topic, BiConsumer<Survivor, Heard> reaction) {
        this.gavel = gavel;
        this.name = name;
        this.topic = topic;
        this.reaction = reaction;
        this.thread = Thread.ofVirtual().name(name).start(this::live);
    }

    String name() {
        return name;
    }

    private void live() {
        try {
            while (!over) {
                connect();
                resend();
                Thread.sleep(TICK_MILLIS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void connect() throws InterruptedException {
        long from;
        synchronized (this) {
            if (client != null && client.isOpen()) {
                return;
            }
            client = null;
            from = since;
        }
        try {
            Client next = gavel.join(name, topic, "&since=" + from, this::hear);
            synchronized (this) {
                client = next;
                // At once, whenever it was sent before: that connection is gone.
                pending.replaceAll((id, each) -> new Pending(each.letter(), 0, each.firstSentOn()));
            }
        } catch (IOException | RuntimeException _) {
            // Not there yet, or no more; the next turn tries again.
        }
    }

    private void resend() {
        List<String> letters = new ArrayList<>();
        synchronized (this) {
            long now = System.nanoTime();
            pending.replaceAll((id, each) -> {
                if (client == null || (now - each.sentAt() < RESEND_NANOS && each.sentAt() != 0)) {
                    return each;
                }
                letters.add(each.letter());
                return new Pending(each.letter(), now, each.firstSentOn());
            });
        }
        letters.forEach(this::write);
    }

    private void hear(Heard heard) {
        synchronized (this) {
            if (heard.kind().equals("system.welcome")) {
                welcomed = heard.number("seq");
                connections++;
            } else if (heard.kind().equals("system.error")) {
                settleRefused(heard);
            } else if (heard.field("from").equals(name)) {
                settleEchoed(heard.id());
            }
        }
        reaction.accept(this, heard);
    }

    private void settleEchoed(String id) {
        echoed.add(id);
        Pending sent = pending.remove(id);
        if (sent != null && sent.firstSentOn() == connections) {
            // What was decided after the welcome is echoed after all that came before it.
            since = welcomed;
        }
    }

    private void settleRefused(Heard error) {
        if (!PASSING.contains(error.error())) {
            pending.remove(error.about());
            refused.put(error.about(), error.error());
        }
    }

    /** Sends something until it is known what became of it. */
    void send(String id, String letter) {
        synchronized (this) {
            if (echoed.contains(id) || refused.containsKey(id) || pending.containsKey(id)) {
                return;
            }
            pending.put(id, new Pending(letter, System.nanoTime(), client == null ? -1 : connections));
        }
        write(letter);
    }

    private void write(String letter) {
        Client current;
        synchronized (this) {
            current = client;
        }
        if (current != null) {
            try {
                current.send(letter);
            } catch (IOException _) {
                // It will be sent again to the next server.
            }
        }
    }

    synchronized int pending() {
        return pending.size();
    }

    synchronized Set<String> echoed() {
        return Set.copyOf(echoed);
    }

    synchronized int echoes() {
        return echoed.size();
    }

    synchronized Map<String, String> refused() {
        return Map.copyOf(refused);
    }

    @Override
    public void close() throws IOException {
        over = true;
        thread.interrupt();
        synchronized (this) {
            if (client != null) {
                client.close();
            }
        }
    }
}
