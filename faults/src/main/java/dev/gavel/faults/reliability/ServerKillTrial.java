package dev.gavel.faults.reliability;

import dev.gavel.bench.client.EnvelopeTemplates;
import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.bench.server.LedgerExportLine;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.SingleGatewayProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Trial that kills the server twenty times under load and checks that no acknowledged envelope is lost or applied
 * twice.
 */
final class ServerKillTrial implements ReliabilityTrial {
    private static final int KILLS = 20;
    private static final int PROPOSERS = 4;
    private static final int MOST_PENDING = 32;
    private static final String TOPIC = "ops";
    private static final Duration QUIET = Duration.ofSeconds(4);
    private static final Duration SETTLE = Duration.ofSeconds(90);
    private static final Set<String> END_TYPES = Set.of("fulfilled", "closed_by_rejections", "withdrawn", "expired");

    /** The only errors that a participant may receive when it loses a race. */
    private static final Set<String> LOST_RACE_CODES = Set.of("proposal_closed", "already_fulfilled");

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(8);
    }

    @Override
    public void run(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception {
        GavelConfigBuilder gavelConfigBuilder = new GavelConfigBuilder()
                .topic(TOPIC, "")
                .reviewer(TOPIC, "r0")
                .reviewer(TOPIC, "r1")
                .server(TOPIC, "server")
                .watcher(TOPIC, "watcher");
        for (int i = 0; i < PROPOSERS; i++) {
            gavelConfigBuilder.proposer(TOPIC, "p" + i);
        }
        SingleGatewayProcess singleGatewayProcess = new SingleGatewayProcess(runWorkspace, "kill", gavelConfigBuilder);
        singleGatewayProcess.start();
        Participants allParticipants = new Participants(singleGatewayProcess);
        try {
            int[] echoes = runLives(singleGatewayProcess, allParticipants);
            allParticipants.proposing = false;
            boolean settled = ConditionWaiter.waitUntil(SETTLE, allParticipants::isSettled);
            trialReport.addFigure(
                    "kills under load (minimum and maximum of echoes before each)",
                    KILLS + " (" + echoes[0] + ", " + TrialReport.formatNumber(echoes[1]) + ")");
            trialReport.check(
                    "every sent envelope was echoed or refused in the end",
                    settled,
                    allParticipants.participants.stream()
                                    .mapToInt(ReconnectingParticipant::pendingCount)
                                    .sum() + " unanswered");
            List<LedgerExportLine> events = singleGatewayProcess.exportLedger();
            long last = events.stream()
                    .filter(event -> !event.envelope().isEmpty())
                    .mapToLong(LedgerExportLine::seq)
                    .max()
                    .orElseThrow();
            boolean heardAll = ConditionWaiter.waitUntil(SETTLE, () -> allParticipants.watcher.seq() >= last);
            check(trialReport, allParticipants, events);
            trialReport.check(
                    "a participant that reconnects with since received everything",
                    heardAll && receivedAll(allParticipants, events),
                    "sequence number " + TrialReport.formatNumber(allParticipants.watcher.seq()) + " of "
                            + TrialReport.formatNumber(last));
            trialReport.check(
                    "the database file is intact", singleGatewayProcess.isLedgerIntact(), "PRAGMA integrity_check");
        } finally {
            allParticipants.close();
        }
    }

    /** The minimum and maximum number of echoes between two kills. */
    private static int[] runLives(SingleGatewayProcess singleGatewayProcess, Participants allParticipants)
            throws InterruptedException {
        Random random = new Random(20);
        int least = Integer.MAX_VALUE;
        int maxEchoes = 0;
        for (int life = 0; life < KILLS; life++) {
            int before = allParticipants.echoCount();
            int echoTarget = 100 + random.nextInt(3000);
            ConditionWaiter.require(
                    echoTarget + " echoes before the next kill",
                    SingleGatewayProcess.START_TIMEOUT,
                    () -> allParticipants.echoCount() - before >= echoTarget);
            singleGatewayProcess.kill();
            int echoes = allParticipants.echoCount() - before;
            least = Math.min(least, echoes);
            maxEchoes = Math.max(maxEchoes, echoes);
            singleGatewayProcess.start();
        }
        return new int[] {least, maxEchoes};
    }

    private static void check(TrialReport trialReport, Participants allParticipants, List<LedgerExportLine> events) {
        Map<String, Long> byEnvelope = events.stream()
                .filter(event -> !event.envelope().isEmpty())
                .collect(Collectors.groupingBy(LedgerExportLine::envelope, Collectors.counting()));
        Set<String> echoed = new HashSet<>();
        allParticipants.participants.forEach(
                reconnectingParticipant -> echoed.addAll(reconnectingParticipant.echoed()));
        trialReport.addFigure(
                "events in the ledger, and those caused by envelopes",
                TrialReport.formatNumber(events.size()) + ", " + TrialReport.formatNumber(byEnvelope.size()));
        trialReport.checkCount(
                "echoed envelopes in the ledger",
                echoed.size(),
                echoed.stream().filter(byEnvelope::containsKey).count());
        trialReport.checkCount(
                "envelopes in the ledger twice",
                0,
                byEnvelope.values().stream().filter(count -> count > 1).count());
        trialReport.checkCount(
                "envelopes in the ledger that were not echoed",
                0,
                byEnvelope.keySet().stream().filter(id -> !echoed.contains(id)).count());
        Set<String> refused = new HashSet<>();
        Set<String> codes = new HashSet<>();
        allParticipants.participants.forEach(reconnectingParticipant -> {
            refused.addAll(reconnectingParticipant.refused().keySet());
            codes.addAll(reconnectingParticipant.refused().values());
        });
        trialReport.check("only envelopes that lost a race were refused", LOST_RACE_CODES.containsAll(codes), codes);
        trialReport.checkCount(
                "refused envelopes in the ledger",
                0,
                refused.stream().filter(byEnvelope::containsKey).count());
        trialReport.check(
                "sequence numbers without a gap",
                isContiguous(events),
                "1 to " + TrialReport.formatNumber(events.size()));
        Map<String, Long> endings = events.stream()
                .filter(event -> END_TYPES.contains(event.type()))
                .collect(Collectors.groupingBy(LedgerExportLine::proposal, Collectors.counting()));
        trialReport.checkCount(
                "proposals that ended twice",
                0,
                endings.values().stream().filter(count -> count > 1).count());
        trialReport.checkCount(
                "proposals whose call reached the server under two ids",
                0,
                allParticipants.requestIds.values().stream()
                        .filter(ids -> ids.size() > 1)
                        .count());
        long fulfilled = events.stream()
                .filter(event -> event.type().equals("fulfilled"))
                .count();
        trialReport.checkCount(
                "approved proposals whose call reached the server", fulfilled, allParticipants.requestIds.size());
    }

    private static boolean isContiguous(List<LedgerExportLine> events) {
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).seq() != i + 1) {
                return false;
            }
        }
        return true;
    }

    private static boolean receivedAll(Participants allParticipants, List<LedgerExportLine> events) {
        return events.stream()
                .map(LedgerExportLine::envelope)
                .filter(id -> !id.isEmpty())
                .allMatch(allParticipants.watcher.receivedIds()::contains);
    }

    /** All participants. The number of a proposal determines its planned outcome, including races. */
    private static final class Participants implements AutoCloseable {
        final List<ReconnectingParticipant> participants = new ArrayList<>();
        final Map<String, Set<String>> requestIds = new ConcurrentHashMap<>();
        final Watcher watcher;
        volatile boolean proposing = true;
        private int echoesSeen;
        private long quietSince = System.nanoTime();
        private final List<Thread> threads = new ArrayList<>();

        Participants(SingleGatewayProcess singleGatewayProcess) {
            watcher = new Watcher(singleGatewayProcess, "watcher", TOPIC);
            participants.add(new ReconnectingParticipant(singleGatewayProcess, "server", TOPIC, this::serve));
            participants.add(new ReconnectingParticipant(singleGatewayProcess, "r0", TOPIC, this::review));
            participants.add(new ReconnectingParticipant(singleGatewayProcess, "r1", TOPIC, this::review));
            for (int i = 0; i < PROPOSERS; i++) {
                ReconnectingParticipant proposer =
                        new ReconnectingParticipant(singleGatewayProcess, "p" + i, TOPIC, this::withdraw);
                participants.add(proposer);
                threads.add(Thread.ofVirtual().start(() -> propose(proposer)));
            }
        }

        /**
         * Whether nothing is in progress. The last received envelope may still cause a response, so this requires a
         * while without any.
         */
        boolean isSettled() {
            if (participants.stream().anyMatch(reconnectingParticipant -> reconnectingParticipant.pendingCount() > 0)
                    || echoCount() != echoesSeen) {
                echoesSeen = echoCount();
                quietSince = System.nanoTime();
            }
            return System.nanoTime() - quietSince > QUIET.toNanos();
        }

        int echoCount() {
            return participants.stream()
                    .mapToInt(ReconnectingParticipant::echoCount)
                    .sum();
        }

        private void propose(ReconnectingParticipant proposer) {
            try {
                for (int i = 0; proposing; i++) {
                    while (proposer.pendingCount() >= MOST_PENDING) {
                        Thread.sleep(1);
                    }
                    String id = proposer.name() + "-" + i;
                    proposer.send(id, EnvelopeTemplates.proposal(id, 3600, 100));
                    Thread.sleep(1);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        private static int caseOf(String proposal) {
            return Integer.parseInt(proposal.substring(proposal.indexOf('-') + 1)) % 5;
        }

        private void withdraw(ReconnectingParticipant proposer, ReceivedEnvelope receivedEnvelope) {
            if (receivedEnvelope.kind().startsWith("mcp.proposal.")
                    && receivedEnvelope.id().startsWith(proposer.name() + "-")
                    && caseOf(receivedEnvelope.id()) == 0) {
                proposer.send(
                        "w-" + receivedEnvelope.id(),
                        EnvelopeTemplates.withdrawal("w-" + receivedEnvelope.id(), receivedEnvelope.id()));
            }
        }

        private void review(ReconnectingParticipant reviewer, ReceivedEnvelope receivedEnvelope) {
            if (!receivedEnvelope.kind().startsWith("mcp.proposal.")) {
                return;
            }
            String proposal = receivedEnvelope.id();
            boolean first = reviewer.name().equals("r0");
            switch (caseOf(proposal)) {
                case 0 -> {
                    if (first) {
                        fulfil(reviewer, proposal);
                    }
                }
                case 1, 2 -> fulfil(reviewer, proposal);
                case 3 -> {
                    if (first) {
                        reject(reviewer, proposal);
                    }
                }
                default -> {
                    if (first) {
                        fulfil(reviewer, proposal);
                    } else {
                        reject(reviewer, proposal);
                    }
                }
            }
        }

        private static void fulfil(ReconnectingParticipant reviewer, String proposal) {
            String id = "f-" + reviewer.name() + "-" + proposal;
            reviewer.send(id, EnvelopeTemplates.fulfilment(id, proposal, "server"));
        }

        private static void reject(ReconnectingParticipant reviewer, String proposal) {
            String id = "x-" + reviewer.name() + "-" + proposal;
            reviewer.send(id, EnvelopeTemplates.rejection(id, proposal));
        }

        private void serve(ReconnectingParticipant server, ReceivedEnvelope receivedEnvelope) {
            if (receivedEnvelope.kind().startsWith("mcp.request.")) {
                requestIds
                        .computeIfAbsent(receivedEnvelope.correlationId(), proposal -> ConcurrentHashMap.newKeySet())
                        .add(receivedEnvelope.id());
                String id = "a-" + receivedEnvelope.id();
                server.send(
                        id, EnvelopeTemplates.response(id, receivedEnvelope.id(), receivedEnvelope.textField("from")));
            }
        }

        @Override
        public void close() throws IOException {
            proposing = false;
            threads.forEach(Thread::interrupt);
            watcher.close();
            for (ReconnectingParticipant reconnectingParticipant : participants) {
                reconnectingParticipant.close();
            }
        }
    }

    /** A participant that only listens, by event stream, and resumes after the last event's id. */
    private static final class Watcher implements AutoCloseable {
        private static final long RETRY_NANOS = 50_000_000;

        private final Set<String> receivedIds = ConcurrentHashMap.newKeySet();
        private volatile long seq;
        private volatile boolean closed;
        private volatile @Nullable RawSocketClient current;

        Watcher(SingleGatewayProcess singleGatewayProcess, String name, String topic) {
            Thread.ofVirtual().start(() -> runLoop(singleGatewayProcess, name, topic));
        }

        private void runLoop(SingleGatewayProcess singleGatewayProcess, String name, String topic) {
            while (!closed) {
                try (RawSocketClient client =
                        singleGatewayProcess.openEventStream(name, topic, "?since=" + seq, this::onEnvelope)) {
                    current = client;
                    var _ = client.closeCode().join();
                } catch (IOException | RuntimeException _) {
                    // The server is not running yet, or not any more.
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }

        private void onEnvelope(ReceivedEnvelope each) {
            if (each.seq() >= 0) {
                receivedIds.add(each.id());
                seq = Math.max(seq, each.seq());
            }
        }

        long seq() {
            return seq;
        }

        Set<String> receivedIds() {
            return receivedIds;
        }

        @Override
        public void close() throws IOException {
            closed = true;
            RawSocketClient client = current;
            if (client != null) {
                client.close();
            }
        }
    }
}
