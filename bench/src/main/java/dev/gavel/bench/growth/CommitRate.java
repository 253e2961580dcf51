package dev.gavel.bench.growth;

import dev.gavel.bench.Comparison;
import dev.gavel.bench.SyncRate;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.chaos.Fleet;
import dev.gavel.bench.reliability.Client;
import dev.gavel.bench.reliability.Heard;
import dev.gavel.bench.reliability.Letters;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many proposals a second become durable, with many under way, in one topic or several. The reference is appending a
 * page to a file and syncing it, on the same disk in the same minute. Used by one thread.
 */
final class CommitRate {
    private static final int PROPOSERS = 12;
    private static final int UNDER_WAY = 64;
    private static final int CONNECT_MILLIS = 10_000;

    private final GrowthOptions options;
    private final Workbench workbench;
    private final PrintStream out;

    CommitRate(GrowthOptions options, Workbench workbench, PrintStream out) {
        this.options = options;
        this.workbench = workbench;
        this.out = out;
    }

    void run() throws IOException, InterruptedException {
        out.print("""

                %d proposers with %d proposals under way each; a second's proposals that were durable and echoed, beside \
                writing a page and syncing it, one after the other, on the same disk in the same minute.

                | what | durable proposals/s | syncs/s | ratio |
                |---|--:|--:|--:|
                """.formatted(PROPOSERS, UNDER_WAY));
        one("SQLite, 1 process, 1 topic", 1, false, 1);
        one("PostgreSQL, 1 process, 1 topic", 1, true, 1);
        if (options.most() > 1) {
            one("PostgreSQL, " + options.most() + " processes, 1 topic", options.most(), true, 1);
            one(
                    "PostgreSQL, %1$d processes, %1$d topics".formatted(options.most()),
                    options.most(),
                    true,
                    options.most());
        }
    }

    private static String configuration(int topics) {
        StringBuilder text = new StringBuilder("limits: {rate: 1000000/s, open: 10000000}\nidentities:\n");
        for (int i = 0; i < PROPOSERS; i++) {
            text.append("  p%d: {token: \"%s\"}\n".formatted(i, token(i)));
        }
        text.append("topics:\n");
        for (int topic = 0; topic < topics; topic++) {
            text.append("  t%d:\n    participants:\n".formatted(topic));
            for (int i = 0; i < PROPOSERS; i++) {
                text.append("      p%d: [\"mcp.proposal.*\"]\n".formatted(i));
            }
        }
        return text.toString();
    }

    private static String token(int proposer) {
        return "p" + proposer + "-0123456789abcdef";
    }

    private void one(String what, int gateways, boolean shared, int topics) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(workbench.directory(), "fleet");
        List<Client> clients = new ArrayList<>();
        try (Fleet fleet = Fleet.start(directory, List.of("./gavel"), gateways, shared, configuration(topics))) {
            AtomicLong echoes = new AtomicLong();
            List<Proposer> proposers = new ArrayList<>();
            for (int i = 0; i < PROPOSERS; i++) {
                Proposer proposer = new Proposer("p" + i, echoes);
                proposer.client = Client.webSocket(
                        fleet.nodes().get(i % gateways).address(),
                        "/ws?mode=directed&topic=t" + i % topics,
                        token(i),
                        CONNECT_MILLIS,
                        proposer::hear);
                clients.add(proposer.client);
                proposers.add(proposer);
            }
            proposers.forEach(Proposer::begin);
            Thread.sleep(options.time().multipliedBy(2));
            List<Double> rates = new ArrayList<>();
            List<Double> syncs = new ArrayList<>();
            for (int i = 0; i < options.rounds(); i++) {
                long before = echoes.get();
                long start = System.nanoTime();
                Thread.sleep(options.time());
                rates.add((echoes.get() - before) * 1e9 / (System.nanoTime() - start));
            }
            proposers.forEach(Proposer::end);
            Thread.sleep(1_000);
            for (int i = 0; i < options.rounds(); i++) {
                syncs.add(syncs(directory));
            }
            out.print(String.format(
                    Locale.ROOT,
                    "| %s | %,.0f | %,.0f | **%.2f** |\n",
                    what,
                    Comparison.median(rates),
                    Comparison.median(syncs),
                    Comparison.median(rates) / Comparison.median(syncs)));
        } finally {
            for (Client client : clients) {
                client.close();
            }
        }
    }

    private double syncs(Path directory) throws IOException {
        Duration time = options.time().dividedBy(4);
        return SyncRate.perSecond(SyncRate.measure(directory, time), time);
    }

    /** Somebody who proposes again for every echo. */
    private static final class Proposer {
        private final String name;
        private final AtomicLong echoes;
        private final AtomicInteger made = new AtomicInteger();
        private volatile boolean over;

        @SuppressWarnings("NullAway.Init") // before it begins
        private Client client;

        Proposer(String name, AtomicLong echoes) {
            this.name = name;
            this.echoes = echoes;
        }

        void begin() {
            for (int i = 0; i < UNDER_WAY; i++) {
                propose();
            }
        }

        void end() {
            over = true;
        }

        private void propose() {
            String id = name + "-" + made.getAndIncrement();
            try {
                client.send(Letters.propose(id, 3600, 60));
            } catch (IOException e) {
                if (!over) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        void hear(Heard heard) {
            if (heard.kind().startsWith("mcp.proposal.") && heard.field("from").equals(name)) {
                echoes.incrementAndGet();
                if (!over) {
                    propose();
                }
            }
        }
    }
}
