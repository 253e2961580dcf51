package dev.gavel.bench.scaling;

import dev.gavel.bench.client.EnvelopeTemplates;
import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.stats.DiskSyncRateMeter;
import dev.gavel.bench.stats.RoundComparison;
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
 * Measures how many proposals per second become durable, compared with the disk's sync rate. The reference is appending
 * a page to a file and syncing it, on the same disk in the same minute. Used by one thread.
 */
final class CommitRateBenchmark {
    private static final int PROPOSERS = 12;
    private static final int IN_FLIGHT = 64;
    private static final int CONNECT_MILLIS = 10_000;

    private final ClusterScalingOptions options;
    private final RunWorkspace runWorkspace;
    private final PrintStream out;

    CommitRateBenchmark(ClusterScalingOptions options, RunWorkspace runWorkspace, PrintStream out) {
        this.options = options;
        this.runWorkspace = runWorkspace;
        this.out = out;
    }

    void run() throws IOException, InterruptedException {
        out.print("""

                %d proposers with %d proposals in flight each. Counts proposals that are durable and echoed. The \
                reference writes a page and syncs it, one after another, on the same disk in the same minute.

                | case | durable proposals/s | syncs/s | ratio |
                |---|--:|--:|--:|
                """.formatted(PROPOSERS, IN_FLIGHT));
        runCase("SQLite, 1 process, 1 topic", 1, false, 1);
        runCase("PostgreSQL, 1 process, 1 topic", 1, true, 1);
        if (options.maxGateways() > 1) {
            runCase("PostgreSQL, " + options.maxGateways() + " processes, 1 topic", options.maxGateways(), true, 1);
            runCase(
                    "PostgreSQL, %1$d processes, %1$d topics".formatted(options.maxGateways()),
                    options.maxGateways(),
                    true,
                    options.maxGateways());
        }
    }

    private static String configuration(int topics) {
        StringBuilder text =
                new StringBuilder("limits: {ask: off, bytes: off, rate: 1000000/s, open: 10000000}\nidentities:\n");
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

    private void runCase(String what, int gateways, boolean shared, int topics)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(runWorkspace.directory(), "fleet");
        List<RawSocketClient> clients = new ArrayList<>();
        try (GatewayCluster gatewayCluster =
                GatewayCluster.start(directory, List.of("./gavel"), gateways, shared, configuration(topics))) {
            AtomicLong echoes = new AtomicLong();
            List<Proposer> proposers = new ArrayList<>();
            for (int i = 0; i < PROPOSERS; i++) {
                Proposer proposer = new Proposer("p" + i, echoes);
                proposer.client = RawSocketClient.webSocket(
                        gatewayCluster.gateways().get(i % gateways).address(),
                        "/ws?mode=directed&topic=t" + i % topics,
                        token(i),
                        CONNECT_MILLIS,
                        proposer::onEnvelope);
                clients.add(proposer.client);
                proposers.add(proposer);
            }
            proposers.forEach(Proposer::start);
            Thread.sleep(options.time().multipliedBy(2));
            List<Double> rates = new ArrayList<>();
            List<Double> syncs = new ArrayList<>();
            for (int i = 0; i < options.rounds(); i++) {
                long before = echoes.get();
                long start = System.nanoTime();
                Thread.sleep(options.time());
                rates.add((echoes.get() - before) * 1e9 / (System.nanoTime() - start));
            }
            proposers.forEach(Proposer::stop);
            Thread.sleep(1_000);
            for (int i = 0; i < options.rounds(); i++) {
                syncs.add(measureSyncRate(directory));
            }
            out.print(String.format(
                    Locale.ROOT,
                    "| %s | %,.0f | %,.0f | **%.2f** |\n",
                    what,
                    RoundComparison.median(rates),
                    RoundComparison.median(syncs),
                    RoundComparison.median(rates) / RoundComparison.median(syncs)));
        } finally {
            for (RawSocketClient client : clients) {
                client.close();
            }
        }
    }

    private double measureSyncRate(Path directory) throws IOException {
        Duration time = options.time().dividedBy(4);
        return DiskSyncRateMeter.perSecond(DiskSyncRateMeter.measure(directory, time), time);
    }

    /** A participant that makes a new proposal for every echo it receives. */
    private static final class Proposer {
        private final String name;
        private final AtomicLong echoes;
        private final AtomicInteger proposalCount = new AtomicInteger();
        private volatile boolean stopped;

        @SuppressWarnings("NullAway.Init") // set before it starts
        private RawSocketClient client;

        Proposer(String name, AtomicLong echoes) {
            this.name = name;
            this.echoes = echoes;
        }

        void start() {
            for (int i = 0; i < IN_FLIGHT; i++) {
                propose();
            }
        }

        void stop() {
            stopped = true;
        }

        private void propose() {
            String id = name + "-" + proposalCount.getAndIncrement();
            try {
                client.send(EnvelopeTemplates.proposal(id, 3600, 60));
            } catch (IOException e) {
                if (!stopped) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        void onEnvelope(ReceivedEnvelope receivedEnvelope) {
            if (receivedEnvelope.kind().startsWith("mcp.proposal.")
                    && receivedEnvelope.textField("from").equals(name)) {
                echoes.incrementAndGet();
                if (!stopped) {
                    propose();
                }
            }
        }
    }
}
