package dev.gavel.faults.repeatedcalls;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.ClusterGatewayProcess;
import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.faults.chaos.ChaosPlan;
import dev.gavel.faults.chaos.FaultInjector;
import dev.gavel.faults.cluster.ClusterTestResult;
import dev.gavel.faults.cluster.GuaranteeViolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Runs the test of repeated calls for one seed: lets clients call while faults are injected, waits until every client
 * has an answer, and checks the guarantees. Used by one thread.
 */
final class RepeatedCallsRun {
    /** How long after the last fault a client that keeps calling may be without an answer. */
    private static final Duration ANSWERED = Duration.ofMinutes(1);

    /**
     * How long a proposal may stay open after its last client was disconnected: the time that clients have to return,
     * and the time until the end of a killed process is noticed.
     */
    private static final Duration WITHDRAWN = Duration.ofMinutes(3);

    private static final int LEDGER_POLL_MILLIS = 4_000;

    private final GatewayCluster gatewayCluster;
    private final Path directory;
    private final ChaosPlan plan;
    private final RepeatedCallsLoad load;
    private final Duration time;
    private final Instant startedAt = Instant.now();
    private final List<GuaranteeViolation> violations = new ArrayList<>();
    private final List<RepeatingCaller> callers = new ArrayList<>();
    private final List<TestMcpHttpClient> clients = new ArrayList<>();

    RepeatedCallsRun(
            GatewayCluster gatewayCluster, Path directory, ChaosPlan plan, RepeatedCallsLoad load, Duration time) {
        this.gatewayCluster = gatewayCluster;
        this.directory = directory;
        this.plan = plan;
        this.load = load;
        this.time = time;
        Random random = new Random(plan.seed());
        for (String agent : RepeatedCallsTopicConfig.AGENTS) {
            TestMcpHttpClient client = new TestMcpHttpClient(agent);
            clients.add(client);
            for (int i = 0; i < load.keysPerAgent() + load.abandonedKeysPerAgent(); i++) {
                callers.add(new RepeatingCaller(
                        CallKey.of(plan.seed(), agent, i, i >= load.keysPerAgent()),
                        gatewayCluster.gateways(),
                        client,
                        random.nextLong()));
            }
        }
    }

    ClusterTestResult run() throws IOException, InterruptedException {
        List<String> addresses = gatewayCluster.gateways().stream()
                .map(gateway -> "http://127.0.0.1:" + gateway.address().getPort())
                .toList();
        List<Thread> threads = new ArrayList<>();
        FaultInjector faultInjector = new FaultInjector(gatewayCluster, System.nanoTime());
        String figures = "";
        try (CountingToolServer toolServer = new CountingToolServer(addresses, plan.seed());
                RandomReviewer alice = new RandomReviewer(addresses, "alice", plan.seed() + 1);
                RandomReviewer bob = new RandomReviewer(addresses, "bob", plan.seed() + 2)) {
            callers.forEach(caller -> threads.add(Thread.ofVirtual().start(() -> run(caller))));
            long begin = System.nanoTime();
            faultInjector.inject(plan);
            Thread.sleep(Math.max(0, time.toMillis() - (System.nanoTime() - begin) / 1_000_000));
            gatewayCluster.awaitReady();
            callers.forEach(RepeatingCaller::settle);
            toolServer.settle();
            alice.settle();
            bob.settle();
            awaitAnswers();
            callers.forEach(RepeatingCaller::closeConnections);
            List<ProposalHistory> proposals = awaitNoOrphans();
            RepeatedCallChecker checker = new RepeatedCallChecker(proposals, toolServer.runs(), attempts());
            violations.addAll(checker.check());
            figures = figures(proposals, toolServer, faultInjector, checker);
            checkActivity(proposals, toolServer);
            if (!violations.isEmpty()) {
                writeDiagnostics(faultInjector, toolServer);
            }
        } catch (RunFailedException e) {
            addViolation("the run failed: " + e.getMessage(), List.of());
        } finally {
            threads.forEach(Thread::interrupt);
            for (Thread thread : threads) {
                thread.join();
            }
            clients.forEach(TestMcpHttpClient::close);
        }
        faultInjector.unexpectedErrors().forEach(what -> addViolation(what, List.of()));
        for (ClusterGatewayProcess gateway : gatewayCluster.gateways()) {
            gateway.unexpectedErrors().forEach(what -> addViolation(what, List.of()));
        }
        return new ClusterTestResult(
                figures, violations.stream().map(GuaranteeViolation::toString).toList());
    }

    private static void run(RepeatingCaller caller) {
        try {
            caller.run();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private List<CallAttempt> attempts() {
        return callers.stream().flatMap(caller -> caller.attempts().stream()).toList();
    }

    private void awaitAnswers() throws IOException, InterruptedException {
        boolean answered = ConditionWaiter.waitUntil(
                ANSWERED,
                () -> callers.stream().allMatch(caller -> caller.finishedAt().isPresent()));
        if (!answered) {
            List<ProposalHistory> proposals = readProposals();
            callers.stream()
                    .filter(caller -> caller.finishedAt().isEmpty())
                    .forEach(caller -> addViolation(
                            "the client that makes the call " + caller.callKey() + " still has no answer "
                                    + ANSWERED.toSeconds() + " s after the last fault",
                            CallTimeline.of(caller.callKey().path(), proposals, List.of(), caller.attempts())
                                    .lines()));
        }
    }

    /**
     * Reads the ledger when no proposal is open without a client, except those whose client was told to call again; or
     * after a time limit.
     */
    private List<ProposalHistory> awaitNoOrphans() throws IOException, InterruptedException {
        long end = System.nanoTime() + (load.abandonedKeysPerAgent() == 0 ? Duration.ZERO : WITHDRAWN).toNanos();
        while (true) {
            List<ProposalHistory> proposals = readProposals();
            List<ProposalHistory> orphans = proposals.stream()
                    .filter(proposal -> load.abandonedKeysPerAgent() > 0)
                    .filter(proposal -> proposal.isOpen() && !proposal.isKeptForCaller())
                    .toList();
            if (orphans.isEmpty()) {
                return proposals;
            }
            if (System.nanoTime() > end) {
                orphans.forEach(orphan -> addViolation(
                        "the proposal " + orphan + " is open, but no client waits for it",
                        CallTimeline.of(orphan.path(), proposals, List.of(), attempts())
                                .lines()));
                return proposals;
            }
            Thread.sleep(LEDGER_POLL_MILLIS);
        }
    }

    private List<ProposalHistory> readProposals() throws IOException, InterruptedException {
        String prefix = "/" + plan.seed() + "/";
        return ProposalHistory.readAll(gatewayCluster.exportLedger()).stream()
                .filter(proposal -> proposal.path().startsWith(prefix)
                        && !proposal.proposed().at().isBefore(startedAt))
                .toList();
    }

    /** A run in which almost nothing happened proves nothing. */
    private void checkActivity(List<ProposalHistory> proposals, CountingToolServer toolServer) {
        int keys = RepeatedCallsTopicConfig.AGENTS.size() * load.keysPerAgent();
        if (toolServer.runs().size() < keys / 2 || proposals.size() < keys) {
            addViolation(
                    "too little happened: " + proposals.size() + " proposals and "
                            + toolServer.runs().size() + " runs for " + keys + " keys",
                    List.of());
        }
    }

    private String figures(
            List<ProposalHistory> proposals,
            CountingToolServer toolServer,
            FaultInjector faultInjector,
            RepeatedCallChecker checker) {
        long joined = proposals.stream()
                .filter(proposal -> proposal.find("caller_waits").isPresent())
                .count();
        return attempts().size() + " requests, " + proposals.size() + " proposals, " + joined
                + " of them joined at another gateway, " + toolServer.runs().size() + " runs, "
                + faultInjector.completedFaults().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum()
                + " faults, " + toolServer.disconnects().size() + " disconnects of the tool server, "
                + checker.lostResults() + " results lost with their connection";
    }

    private void addViolation(String what, List<String> evidence) {
        violations.add(new GuaranteeViolation(what, evidence));
    }

    private void writeDiagnostics(FaultInjector faultInjector, CountingToolServer toolServer) throws IOException {
        Files.write(directory.resolve("faults.txt"), faultInjector.log());
        Files.write(directory.resolve("disconnects.txt"), toolServer.disconnects());
        Files.write(
                directory.resolve("violations.txt"),
                violations.stream().map(GuaranteeViolation::toString).toList());
        for (RepeatingCaller caller : callers) {
            Files.write(
                    directory.resolve(caller.callKey().path().substring(1).replace('/', '-') + ".timeline"),
                    CallTimeline.of(caller.callKey().path(), List.of(), toolServer.runs(), caller.attempts())
                            .lines());
        }
    }
}
