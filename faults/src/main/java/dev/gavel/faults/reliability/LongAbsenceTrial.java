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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tests that returning clients, even slow or pausing ones, can read fifty thousand missed events while new proposals
 * arrive.
 */
final class LongAbsenceTrial implements ReliabilityTrial {
    private static final int EVENTS = 50_000;
    private static final int PROPOSERS = 4;
    private static final int SLOW_BYTES_PER_SECOND = 200 * 1024;
    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String TOPIC = "ops";

    @Override
    public String name() {
        return "absent";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(8);
    }

    /** A participant that reconnected, and the ids it received, in order. */
    private static final class ReturningReader {
        final String description;
        final List<String> ids = new ArrayList<>();
        final AtomicLong bytes = new AtomicLong();
        volatile String last = "";
        final RawSocketClient client;

        ReturningReader(String how, SingleGatewayProcess singleGatewayProcess, String name, boolean socket)
                throws IOException {
            this.description = how;
            this.client = socket
                    ? RawSocketClient.webSocket(
                            singleGatewayProcess.address(),
                            "/ws?topic=" + TOPIC + "&since=0",
                            GavelConfigBuilder.token(name),
                            this::onEnvelope)
                    : singleGatewayProcess.openEventStream(name, TOPIC, "?since=0", this::onEnvelope);
        }

        private void onEnvelope(ReceivedEnvelope receivedEnvelope) {
            bytes.addAndGet(receivedEnvelope.text().length());
            if (receivedEnvelope.kind().startsWith("mcp")) {
                synchronized (ids) {
                    ids.add(receivedEnvelope.id());
                }
                last = receivedEnvelope.id();
            }
        }

        List<String> receivedIds() {
            synchronized (ids) {
                return List.copyOf(ids);
            }
        }
    }

    @Override
    public void run(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception {
        GavelConfigBuilder gavelConfigBuilder =
                new GavelConfigBuilder().topic(TOPIC, "").reviewer(TOPIC, "r").proposer(TOPIC, "live");
        for (int i = 0; i < PROPOSERS; i++) {
            gavelConfigBuilder.proposer(TOPIC, "p" + i);
        }
        for (String name : List.of("quick", "slow-socket", "slow-stream", "pausing-socket", "pausing-stream")) {
            gavelConfigBuilder.watcher(TOPIC, name);
        }
        SingleGatewayProcess singleGatewayProcess =
                new SingleGatewayProcess(runWorkspace, "absent", gavelConfigBuilder);
        singleGatewayProcess.start();
        makeHistory(singleGatewayProcess);
        long heap = singleGatewayProcess.heapBytes();
        long resident = singleGatewayProcess.residentBytes();

        List<ReturningReader> returningReader = new ArrayList<>();
        ReturningReader quick = new ReturningReader("a fast WebSocket", singleGatewayProcess, "quick", true);
        returningReader.add(quick);
        LiveProposer liveProposer = new LiveProposer(singleGatewayProcess);
        try {
            for (String how : List.of("slow", "pausing")) {
                returningReader.add(
                        new ReturningReader("a " + how + " WebSocket", singleGatewayProcess, how + "-socket", true));
                returningReader.add(new ReturningReader(
                        "a " + how + " event stream", singleGatewayProcess, how + "-stream", false));
            }
            for (ReturningReader each : returningReader) {
                if (each.description.contains("slow")) {
                    each.client.input().setBytesPerSecond(SLOW_BYTES_PER_SECOND);
                } else if (each.description.contains("pausing")) {
                    each.client.input().pause();
                }
            }
            Thread.sleep(PAUSE);
            returningReader.stream()
                    .filter(each -> each.description.contains("pausing"))
                    .forEach(each -> each.client.input().resume());
            trialReport.addBytes("additional heap during the replay", singleGatewayProcess.heapBytes() - heap);
            trialReport.addBytes(
                    "additional resident memory during the replay", singleGatewayProcess.residentBytes() - resident);
            ConditionWaiter.waitUntil(
                    LONG,
                    () -> returningReader.stream()
                            .allMatch(each -> each.receivedIds().size() >= EVENTS || !each.client.isOpen()));
            String last = liveProposer.stop();
            ConditionWaiter.waitUntil(
                    LONG,
                    () -> returningReader.stream().allMatch(each -> each.last.equals(last) || !each.client.isOpen()));
            check(singleGatewayProcess, returningReader, liveProposer, trialReport);
        } finally {
            liveProposer.close();
            for (ReturningReader each : returningReader) {
                each.client.close();
            }
        }
    }

    private static void check(
            SingleGatewayProcess singleGatewayProcess,
            List<ReturningReader> returningReader,
            LiveProposer liveProposer,
            TrialReport trialReport)
            throws Exception {
        List<String> storedIds = singleGatewayProcess.exportLedger().stream()
                .map(LedgerExportLine::envelope)
                .filter(id -> !id.isEmpty())
                .toList();
        trialReport.addFigure(
                "envelopes in the ledger at the end, proposals made during the replay",
                TrialReport.formatNumber(storedIds.size()) + ", "
                        + TrialReport.formatNumber(liveProposer.proposalCount()));
        for (ReturningReader each : returningReader) {
            List<String> received = withoutRepeats(each.receivedIds());
            trialReport.check(
                    each.description + " received everything in order and was not disconnected",
                    received.equals(storedIds) && each.client.isOpen(),
                    TrialReport.formatNumber(received.size()) + " envelopes, "
                            + TrialReport.formatBytes(each.bytes.get())
                            + (each.client.isOpen() ? "" : ", closed with " + each.client.currentCloseCode()));
        }
    }

    /** Replay and live envelopes may overlap: the first occurrence counts. */
    private static List<String> withoutRepeats(List<String> ids) {
        Set<String> seen = new HashSet<>();
        return ids.stream().filter(seen::add).toList();
    }

    private static void makeHistory(SingleGatewayProcess singleGatewayProcess)
            throws IOException, InterruptedException {
        Set<String> echoed = ConcurrentHashMap.newKeySet();
        List<RawSocketClient> proposers = new ArrayList<>();
        try (RawSocketClient reviewer = singleGatewayProcess.join("r", TOPIC, receivedEnvelope -> {})) {
            for (int i = 0; i < PROPOSERS; i++) {
                String name = "p" + i;
                proposers.add(singleGatewayProcess.join(name, TOPIC, receivedEnvelope -> {
                    if (receivedEnvelope.textField("from").equals(name)) {
                        echoed.add(receivedEnvelope.id());
                    }
                }));
            }
            int sent = 0;
            for (int n = 0; sent < EVENTS; n++) {
                for (int i = 0; i < PROPOSERS; i++) {
                    String id = "p" + i + "-" + n;
                    proposers.get(i).send(EnvelopeTemplates.proposal(id, 3600, 150));
                    proposers.get(i).send(EnvelopeTemplates.withdrawal("w-" + id, id));
                    sent += 2;
                }
                if (n % 200 == 0) {
                    int soFar = sent;
                    ConditionWaiter.require("the history to be echoed", LONG, () -> echoed.size() == soFar);
                }
            }
            int all = sent;
            ConditionWaiter.require("the history to be echoed", LONG, () -> echoed.size() == all);
            if (!reviewer.isOpen()) {
                throw singleGatewayProcess.failure("the reviewer was disconnected");
            }
        } finally {
            for (RawSocketClient proposer : proposers) {
                proposer.close();
            }
        }
    }

    /** Makes some twenty proposals per second during the replay. */
    private static final class LiveProposer implements AutoCloseable {
        private final RawSocketClient client;
        private final Set<String> echoed = ConcurrentHashMap.newKeySet();
        private final Thread thread;
        private final AtomicInteger proposalCount = new AtomicInteger();
        private volatile boolean stopped;

        LiveProposer(SingleGatewayProcess singleGatewayProcess) throws IOException, InterruptedException {
            client = singleGatewayProcess.join("live", TOPIC, receivedEnvelope -> {
                if (receivedEnvelope.textField("from").equals("live")) {
                    echoed.add(receivedEnvelope.id());
                }
            });
            thread = Thread.ofVirtual().start(this::proposeUntilStopped);
        }

        private void proposeUntilStopped() {
            try {
                while (!stopped) {
                    client.send(EnvelopeTemplates.proposal("live-" + proposalCount.getAndIncrement(), 3600, 150));
                    Thread.sleep(50);
                }
            } catch (IOException _) {
                // The check will report that it is missing.
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        /** Stops and returns the id of the last proposal. */
        String stop() throws InterruptedException {
            stopped = true;
            thread.join();
            ConditionWaiter.require("the last proposal to be echoed", LONG, () -> echoed.size() == proposalCount.get());
            return "live-" + (proposalCount.get() - 1);
        }

        int proposalCount() {
            return proposalCount.get();
        }

        @Override
        public void close() throws IOException {
            stopped = true;
            client.close();
        }
    }
}
