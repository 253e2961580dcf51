package dev.gavel.faults.chaos;

import dev.gavel.bench.client.EnvelopeTemplates;
import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.ClusterGatewayProcess;
import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.client.End;
import dev.gavel.client.http.RemoteProblem;
import dev.gavel.faults.chaos.ChaosLedgerHistory.ExpectedDelivery;
import dev.gavel.faults.chaos.ChaosLedgerHistory.LedgerEvent;
import dev.gavel.faults.cluster.ClusterTestResult;
import dev.gavel.faults.cluster.GuaranteeViolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Runs the chaos test for one seed: injects faults, waits until nothing is in progress any more, and checks the
 * guarantees. Used by one thread.
 */
public final class ChaosRun {
    private static final Duration CONNECTED = Duration.ofSeconds(30);
    private static final Duration SETTLED = Duration.ofSeconds(90);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int MAX_LEDGER_READS = 10;

    private final GatewayCluster gatewayCluster;
    private final Path directory;
    private final ChaosPlan plan;
    private final Duration time;
    private final long start = System.nanoTime();
    private final List<GuaranteeViolation> violations = new ArrayList<>();
    private final List<String> phases = new ArrayList<>();
    private long phaseStart = start;

    private ChaosRun(GatewayCluster gatewayCluster, Path directory, ChaosPlan plan, Duration time) {
        this.gatewayCluster = gatewayCluster;
        this.directory = directory;
        this.plan = plan;
        this.time = time;
    }

    /**
     * Runs the chaos test on a cluster that has the topic of {@link ChaosParticipants}.
     *
     * @param directory where journals are written if a guarantee is violated
     */
    public static ClusterTestResult run(GatewayCluster gatewayCluster, Path directory, long seed, Duration time)
            throws IOException, InterruptedException {
        ChaosPlan plan = ChaosPlan.of(
                seed,
                Math.toIntExact(time.toMillis()),
                gatewayCluster.gateways().size(),
                gatewayCluster.database().isPresent());
        return new ChaosRun(gatewayCluster, directory, plan, time).run();
    }

    /** The configuration that a cluster needs for this test. */
    public static String configuration() {
        return ChaosTopicConfig.configuration();
    }

    private ClusterTestResult run() throws IOException, InterruptedException {
        try (RecordingGatewayProxies proxies = new RecordingGatewayProxies(gatewayCluster);
                ChaosParticipants chaosParticipants = new ChaosParticipants(proxies, plan.seed(), start)) {
            FaultInjector faultInjector = new FaultInjector(gatewayCluster, chaosParticipants::rawParticipants, start);
            ChaosLedgerHistory chaosLedgerHistory = new ChaosLedgerHistory(List.of());
            try {
                ConditionWaiter.require(
                        "all participants to connect",
                        CONNECTED,
                        () -> chaosParticipants.rawParticipants().stream()
                                .allMatch(JournalingSocketParticipant::isConnected));
                long begin = System.nanoTime();
                faultInjector.inject(plan);
                long left = time.toMillis() - (System.nanoTime() - begin) / 1_000_000;
                Thread.sleep(Math.max(0, left));
                recordPhase("chaos");
                chaosParticipants.stopProposing();
                gatewayCluster.awaitReady();
                awaitSettled(chaosParticipants);
                checkConnectivity(chaosParticipants);
                chaosLedgerHistory = awaitDeliveredLedger(chaosParticipants);
                recordPhase("settling");
                gatewayCluster.runLedgerCommand("verify");
                checkReplays(chaosLedgerHistory);
                violations.addAll(GuaranteeChecker.check(
                        chaosLedgerHistory,
                        chaosParticipants.runRecords(),
                        reportedOutcomes(chaosParticipants),
                        chaosParticipants.toolRuns(),
                        proxies.traces()));
                violations.addAll(workload(faultInjector, chaosLedgerHistory, chaosParticipants)
                        .check());
                recordPhase("checking");
            } catch (RunFailedException e) {
                addViolation("the run failed: " + e.getMessage(), List.of());
            } catch (IOException | RuntimeException e) {
                addViolation(
                        "the run failed: " + e,
                        Stream.of(e.getStackTrace()).map(Object::toString).toList());
            } catch (InterruptedException e) {
                writeDiagnostics(chaosParticipants, faultInjector);
                throw e;
            }
            chaosParticipants.failures().forEach(what -> addViolation(what, List.of()));
            faultInjector.unexpectedErrors().forEach(what -> addViolation(what, List.of()));
            for (ClusterGatewayProcess clusterGatewayProcess : gatewayCluster.gateways()) {
                clusterGatewayProcess.unexpectedErrors().forEach(what -> addViolation(what, List.of()));
            }
            if (!violations.isEmpty()) {
                writeDiagnostics(chaosParticipants, faultInjector);
            }
            return new ClusterTestResult(
                    workload(faultInjector, chaosLedgerHistory, chaosParticipants)
                                    .summary() + "; " + String.join(", ", phases),
                    violations.stream().map(GuaranteeViolation::toString).toList());
        }
    }

    private WorkloadSizeChecker workload(
            FaultInjector faultInjector, ChaosLedgerHistory chaosLedgerHistory, ChaosParticipants chaosParticipants) {
        return new WorkloadSizeChecker(
                plan, faultInjector.completedFaults(), time, chaosLedgerHistory, chaosParticipants.runRecords());
    }

    /** Records the duration of a phase. */
    private void recordPhase(String name) {
        long now = System.nanoTime();
        phases.add(name + " " + (now - phaseStart) / 1_000_000_000 + " s");
        phaseStart = now;
    }

    private void addViolation(String what, List<String> evidence) {
        violations.add(new GuaranteeViolation(what, evidence));
    }

    /** Waits until nothing is in progress: every envelope is settled and no proposal is open. */
    private void awaitSettled(ChaosParticipants chaosParticipants) throws InterruptedException {
        if (!ConditionWaiter.waitUntil(
                SETTLED,
                () -> describeUnsettled(chaosParticipants).isEmpty()
                        && openProposals().isEmpty())) {
            addViolation(
                    "the run has not settled " + SETTLED.toSeconds() + " s after the last fault",
                    describeUnsettled(chaosParticipants));
            openProposals().ifPresent(open -> addViolation("proposals are still open", List.of(open)));
        }
    }

    private static List<String> describeUnsettled(ChaosParticipants chaosParticipants) {
        List<String> left = new ArrayList<>();
        for (JournalingSocketParticipant each : chaosParticipants.rawParticipants()) {
            if (!each.isConnected()) {
                left.add(each.name() + " is not connected");
            } else if (each.pendingCount() > 0) {
                left.add(each.name() + " has " + each.pendingCount()
                        + " envelopes that were neither echoed nor refused");
            }
        }
        chaosParticipants.pendingProposals().forEach((id, pending) -> {
            if (!pending.end().isDone()) {
                left.add("the library reported no end of " + id);
            }
        });
        return left;
    }

    /** The open proposals, as a gateway reports them; empty if there are none. */
    private Optional<String> openProposals() {
        return gatewayCluster
                .gateways()
                .getFirst()
                .httpGet("observer", "/topics/" + ChaosParticipants.TOPIC + "/proposals?state=open&limit=5")
                .map(answer -> answer.statusCode() == 200 ? answer.body() : "HTTP " + answer.statusCode())
                .or(() -> Optional.of("no answer"))
                .filter(body -> !body.contains("\"proposals\":[]"));
    }

    /** Lets every participant send one more message, to check that the topic is connected again. */
    private void checkConnectivity(ChaosParticipants chaosParticipants) throws InterruptedException {
        List<String> ids = new ArrayList<>();
        for (JournalingSocketParticipant each : chaosParticipants.rawParticipants()) {
            String id = "probe-" + each.name();
            each.sendOnce(id, EnvelopeTemplates.chatMessage(id));
            ids.add(id);
        }
        Set<String> missing = ConcurrentHashMap.newKeySet();
        boolean connected = ConditionWaiter.waitUntil(SOON, () -> {
            missing.clear();
            for (ParticipantJournal journal : chaosParticipants.journals()) {
                for (String id : ids) {
                    if (!id.equals("probe-" + journal.name()) && !journal.hasReceived(id)) {
                        missing.add(id + " did not reach " + journal.name());
                    }
                }
            }
            return missing.isEmpty();
        });
        if (!connected) {
            addViolation(
                    "after all repairs, messages did not reach all participants", List.copyOf(new TreeSet<>(missing)));
        }
    }

    /** Reads the ledger once every fulfilled proposal has an outcome, or after a time limit. */
    private ChaosLedgerHistory awaitSettledLedger() throws IOException, InterruptedException {
        long end = System.nanoTime() + SETTLED.toNanos();
        while (true) {
            ChaosLedgerHistory chaosLedgerHistory = new ChaosLedgerHistory(gatewayCluster.exportLedger());
            boolean settled = chaosLedgerHistory.proposals().values().stream().noneMatch(ChaosRun::awaitsAnswer);
            if (settled || System.nanoTime() > end) {
                return chaosLedgerHistory;
            }
            Thread.sleep(1_000);
        }
    }

    private static boolean awaitsAnswer(List<LedgerEvent> events) {
        return events.stream().anyMatch(event -> event.type().equals("fulfilled"))
                && events.stream()
                        .noneMatch(event ->
                                event.type().equals("answered") || event.type().equals("outcome_unknown"));
    }

    /** Reads the ledger once every participant has received all of it and nothing was added in the meantime. */
    private ChaosLedgerHistory awaitDeliveredLedger(ChaosParticipants chaosParticipants)
            throws IOException, InterruptedException {
        ChaosLedgerHistory chaosLedgerHistory = awaitSettledLedger();
        for (int i = 0; i < MAX_LEDGER_READS; i++) {
            awaitLastDelivery(chaosParticipants, chaosLedgerHistory);
            ChaosLedgerHistory later = awaitSettledLedger();
            if (later.events().size() == chaosLedgerHistory.events().size()) {
                return chaosLedgerHistory;
            }
            chaosLedgerHistory = later;
        }
        throw new RunFailedException("the ledger still grows although no participant sends anything");
    }

    private static void awaitLastDelivery(ChaosParticipants chaosParticipants, ChaosLedgerHistory chaosLedgerHistory)
            throws InterruptedException {
        if (!chaosLedgerHistory.expectedDeliveries().isEmpty()) {
            String last = chaosLedgerHistory.expectedDeliveries().getLast().id();
            ConditionWaiter.waitUntil(
                    SOON,
                    () -> chaosParticipants.journals().stream()
                            .allMatch(journal -> journal.isDirected() || journal.hasReceived(last)));
        }
    }

    /** Checks that every gateway replays the same events to a new participant: those of the ledger. */
    private void checkReplays(ChaosLedgerHistory chaosLedgerHistory) throws IOException, InterruptedException {
        for (ClusterGatewayProcess clusterGatewayProcess : gatewayCluster.gateways()) {
            List<ExpectedDelivery> expectedDelivery = new CopyOnWriteArrayList<>();
            try (RawSocketClient _ = RawSocketClient.eventStream(
                    clusterGatewayProcess.address(),
                    "/topics/" + ChaosParticipants.TOPIC + "/messages?since=0",
                    GavelConfigBuilder.token("newcomer"),
                    receivedEnvelope -> addReplayed(expectedDelivery, receivedEnvelope))) {
                ConditionWaiter.waitUntil(
                        SOON,
                        () -> expectedDelivery.size()
                                >= chaosLedgerHistory.expectedDeliveries().size());
            }
            if (!expectedDelivery.equals(chaosLedgerHistory.expectedDeliveries())) {
                int same = 0;
                while (same
                                < Math.min(
                                        expectedDelivery.size(),
                                        chaosLedgerHistory.expectedDeliveries().size())
                        && expectedDelivery
                                .get(same)
                                .equals(chaosLedgerHistory.expectedDeliveries().get(same))) {
                    same++;
                }
                addViolation(
                        clusterGatewayProcess + " replays events that differ from the ledger",
                        List.of("the first " + same + " of "
                                + chaosLedgerHistory.expectedDeliveries().size() + " are equal; then "
                                + expectedDelivery.stream().skip(same).limit(3).toList() + " instead of "
                                + chaosLedgerHistory.expectedDeliveries().stream()
                                        .skip(same)
                                        .limit(3)
                                        .toList()));
            }
        }
    }

    private static void addReplayed(List<ExpectedDelivery> expectedDelivery, ReceivedEnvelope receivedEnvelope) {
        if (receivedEnvelope.seq() >= 0 && !receivedEnvelope.kind().equals("system.welcome")) {
            expectedDelivery.add(new ExpectedDelivery(receivedEnvelope.seq(), receivedEnvelope.id()));
        }
    }

    /** The outcomes of the client library's proposals, as the library reports them. */
    private static Map<String, String> reportedOutcomes(ChaosParticipants chaosParticipants) {
        Map<String, String> outcomes = new HashMap<>();
        chaosParticipants.pendingProposals().forEach((id, pending) -> {
            CompletableFuture<End> end = pending.end();
            outcomes.put(
                    id,
                    end.isCompletedExceptionally()
                            ? "failed: " + end.exceptionNow()
                            : end.isDone() ? reportedOutcomes(end.resultNow()) : "open");
        });
        return outcomes;
    }

    private static String reportedOutcomes(End end) {
        return end instanceof End.Refused(String _, RemoteProblem problem)
                ? GuaranteeChecker.REFUSED_PREFIX + problem.code()
                : end.getClass().getSimpleName();
    }

    private void writeDiagnostics(ChaosParticipants chaosParticipants, FaultInjector faultInjector) throws IOException {
        Files.write(
                directory.resolve("plan.txt"),
                plan.faults().stream().map(Object::toString).toList());
        Files.write(directory.resolve("done.txt"), faultInjector.log());
        Files.write(
                directory.resolve("violations.txt"),
                violations.stream().map(GuaranteeViolation::toString).toList());
        for (ParticipantJournal journal : chaosParticipants.journals()) {
            Files.write(directory.resolve(journal.name() + ".journal"), journal.allLines());
        }
    }
}
