package dev.gavel.bench.suite;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Samples;
import dev.gavel.bench.reliability.Client;
import dev.gavel.bench.reliability.Gavel;
import dev.gavel.bench.reliability.Heard;
import dev.gavel.bench.reliability.Letters;
import dev.gavel.bench.reliability.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Proposers, one who fulfils whatever is proposed, and one who answers, in one topic: proposals go through their whole life,
 * every step on disk before anybody hears of it. Started and ended by one thread.
 */
final class ProposalLoad implements AutoCloseable {
    static final String TOPIC = "main";

    private static final int PROPOSERS = 4;
    private static final String REVIEWER = "reviewer";
    private static final String SERVER = "server";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final double TTL_SECONDS = 3600;
    private static final int FILLER = 100;
    private static final int MOST_UNDER_WAY = 600;

    private final LongFunction<String> ids;
    private final Map<String, Long> started = new ConcurrentHashMap<>();
    private final AtomicLong made = new AtomicLong();
    private final AtomicLong finished = new AtomicLong();
    private final List<Client> proposers = new ArrayList<>();
    private final Client reviewer;
    private final Client server;
    private volatile boolean again;
    private volatile @Nullable Samples seen;
    private volatile @Nullable String complaint;

    /**
     * Connects everybody.
     *
     * @param ids the id of a proposal, by its number
     */
    ProposalLoad(Gavel gavel, LongFunction<String> ids) throws IOException, InterruptedException {
        this.ids = ids;
        server = gavel.join(SERVER, TOPIC, this::serverHears);
        reviewer = gavel.join(REVIEWER, TOPIC, this::reviewerHears);
        for (int i = 0; i < PROPOSERS; i++) {
            proposers.add(gavel.join("p" + i, TOPIC, this::proposerHears));
        }
    }

    /** The configuration of a server for it. */
    static String configuration() {
        StringBuilder identities = new StringBuilder();
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < PROPOSERS; i++) {
            identities.append("  p%d: {token: \"%s\"}\n".formatted(i, Setting.token("p" + i)));
            members.append("      p%d: [\"mcp.proposal.*\"]\n".formatted(i));
        }
        return """
                limits: {rate: 1000000/s, open: 10000000}
                identities:
                  reviewer: {token: "%s"}
                  server: {token: "%s"}
                %stopics:
                  main:
                    participants:
                      reviewer: ["*"]
                      server: ["mcp.response.*"]
                %s""".formatted(Setting.token(REVIEWER), Setting.token(SERVER), identities, members);
    }

    private void serverHears(Heard heard) {
        if (heard.kind().startsWith("mcp.request.")) {
            send(server, Letters.answer(heard.id() + "a", heard.id(), REVIEWER));
        }
    }

    private void reviewerHears(Heard heard) {
        if (heard.kind().startsWith("mcp.proposal.")) {
            Samples samples = seen;
            if (samples != null) {
                samples.add(System.nanoTime() - started.getOrDefault(heard.id(), 0L));
            }
            send(reviewer, Letters.fulfil(heard.id() + "f", heard.id(), SERVER));
        } else {
            complain(heard);
        }
    }

    private void proposerHears(Heard heard) {
        if (heard.kind().startsWith("mcp.response.") && heard.id().endsWith("fa")) {
            String proposal = heard.id().substring(0, heard.id().length() - 2);
            // All proposers hear of it; the first who does counts.
            if (started.remove(proposal) != null) {
                finished.incrementAndGet();
                if (again) {
                    propose(System.nanoTime());
                }
            }
        } else {
            complain(heard);
        }
    }

    private void complain(Heard heard) {
        if (heard.kind().equals("system.error")) {
            complaint = heard.text();
        }
    }

    private void propose(long since) {
        long number = made.getAndIncrement();
        String id = ids.apply(number);
        started.put(id, since);
        send(proposers.get((int) (number % PROPOSERS)), Letters.propose(id, TTL_SECONDS, FILLER));
    }

    private void send(Client client, String letter) {
        try {
            client.send(letter);
        } catch (IOException e) {
            complaint = String.valueOf(e.getMessage());
        }
    }

    /** How many proposals have had their answer. */
    long finished() {
        String why = complaint;
        if (why != null) {
            throw new LoadFailure("a proposal did not go through: " + why);
        }
        return finished.get();
    }

    /** Has so many under way, each followed by another, until {@link #settle}. */
    void saturate(int underWay) {
        again = true;
        for (int i = 0; i < underWay; i++) {
            propose(System.nanoTime());
        }
    }

    /** Begins no more, and returns when those under way have had their answers. */
    void settle() throws InterruptedException {
        again = false;
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (finished() < made.get()) {
            if (System.nanoTime() > end) {
                throw new LoadFailure(made.get() - finished() + " proposals had no answer");
            }
            Thread.sleep(1);
        }
    }

    /**
     * Proposes evenly, and says how long each took to be seen since it was due: where too many are under way for the
     * gateway to take more from those who fulfil them, the next is late, and that counts.
     */
    Samples even(double perSecond, Duration time) throws InterruptedException {
        Samples samples = new Samples();
        seen = samples;
        long spacing = (long) (1e9 / perSecond);
        long start = System.nanoTime();
        for (long due = start; due - start < time.toNanos(); due += spacing) {
            long wait;
            while ((wait = due - System.nanoTime()) > 0) {
                LockSupport.parkNanos(wait);
            }
            while (started.size() >= MOST_UNDER_WAY) {
                LockSupport.parkNanos(spacing);
            }
            propose(due);
        }
        settle();
        seen = null;
        return samples;
    }

    @Override
    public void close() throws IOException {
        for (Client proposer : proposers) {
            proposer.close();
        }
        reviewer.close();
        server.close();
    }
}
