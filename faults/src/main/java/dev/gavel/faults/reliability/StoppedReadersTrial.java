package dev.gavel.faults.reliability;

import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.load.LoadGenerator;
import dev.gavel.bench.load.LoadParticipantCredentials;
import dev.gavel.bench.load.SendRate;
import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.SingleGatewayProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Trial in which clients stop reading a busy topic: the server must disconnect them and not slow down other receivers.
 */
final class StoppedReadersTrial implements ReliabilityTrial {
    private static final String TOPIC = "fast";
    private static final int RECEIVERS = 20;
    private static final int ROUNDS = 10;
    private static final int STOPPED = 5;
    /** Several times what the server needs, and less than what was queued for all these readers. */
    private static final long MOST_HEAP = 48 * 1024 * 1024;

    private static final Duration ROUND = Duration.ofMillis(1500);
    private static final Duration MOMENT = Duration.ofMillis(200);
    private static final Duration SOON = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "stopped";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(4);
    }

    @Override
    public void run(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception {
        GavelConfigBuilder gavelConfigBuilder = new GavelConfigBuilder().topic(TOPIC, "    ledger: off\n");
        List<LoadParticipantCredentials> credentials = new ArrayList<>();
        for (int i = 0; i <= RECEIVERS; i++) {
            gavelConfigBuilder.watcher(TOPIC, "w" + i);
            credentials.add(new LoadParticipantCredentials("w" + i, GavelConfigBuilder.token("w" + i)));
        }
        for (int i = 0; i < STOPPED; i++) {
            gavelConfigBuilder.watcher(TOPIC, "socket" + i).watcher(TOPIC, "stream" + i);
        }
        SingleGatewayProcess singleGatewayProcess =
                new SingleGatewayProcess(runWorkspace, "stopped", gavelConfigBuilder);
        singleGatewayProcess.start();
        try (LoadGenerator loadGenerator =
                LoadGenerator.connect(singleGatewayProcess.address(), "/ws?topic=" + TOPIC, credentials, 1, true)) {
            loadGenerator.send(new SendRate.Saturating(), ROUND.multipliedBy(2));
            AlternatingRounds rounds = new AlternatingRounds(singleGatewayProcess, loadGenerator);
            for (int i = 0; i < ROUNDS; i++) {
                rounds.runWithout();
                rounds.runWith();
            }
            int readers = ROUNDS * STOPPED;
            trialReport.checkCount(
                    "WebSockets that stopped reading and were closed with 4008", readers, rounds.closedAsTooSlow);
            trialReport.checkCount("event streams that stopped reading and were ended", readers, rounds.endedStreams);
            trialReport.addRatio("deliveries to the others, ratio to a round without stopped readers", rounds.ratio());
            trialReport.addFigure(
                    "resident memory after rounds 1, " + ROUNDS / 2 + " and " + ROUNDS, rounds.formatResidents());
            long heap = singleGatewayProcess.heapBytes();
            trialReport.check(
                    "no memory is used for them afterwards",
                    heap < MOST_HEAP,
                    TrialReport.formatBytes(heap) + " of heap");
        }
    }

    /** Alternating rounds with and without readers that stop. */
    private static final class AlternatingRounds {
        final SingleGatewayProcess singleGatewayProcess;
        final LoadGenerator loadGenerator;
        final List<Double> ratios = new ArrayList<>();
        double without;
        final List<Long> residents = new ArrayList<>();
        int closedAsTooSlow;
        int endedStreams;

        AlternatingRounds(SingleGatewayProcess singleGatewayProcess, LoadGenerator loadGenerator) {
            this.singleGatewayProcess = singleGatewayProcess;
            this.loadGenerator = loadGenerator;
        }

        void runWithout() {
            without = perSecond();
        }

        void runWith() throws IOException, InterruptedException {
            List<RawSocketClient> sockets = new ArrayList<>();
            List<RawSocketClient> streams = new ArrayList<>();
            for (int i = 0; i < STOPPED; i++) {
                sockets.add(singleGatewayProcess.join("socket" + i, TOPIC, receivedEnvelope -> {}));
                RawSocketClient stream =
                        singleGatewayProcess.openEventStream("stream" + i, TOPIC, "", receivedEnvelope -> {});
                var _ = ConditionWaiter.require("the welcome", SOON, stream.welcome());
                streams.add(stream);
            }
            sockets.forEach(client -> client.input().pause());
            streams.forEach(client -> client.input().pause());
            Thread watching = Thread.ofVirtual().start(() -> resumeWhenDropped(sockets));
            ratios.add(perSecond() / without);
            // On a slow machine, readers may not fall behind far enough within one round.
            long end = System.nanoTime() + SOON.toNanos();
            while ((watching.isAlive() || !areDropped("stream")) && System.nanoTime() < end) {
                loadGenerator.send(new SendRate.Saturating(), MOMENT);
            }
            watching.join();
            streams.forEach(client -> client.input().resume());
            for (RawSocketClient socket : sockets) {
                closedAsTooSlow +=
                        ConditionWaiter.require("the end of a stopped WebSocket", SOON, socket.closeCode()) == 4008
                                ? 1
                                : 0;
                socket.close();
            }
            for (RawSocketClient stream : streams) {
                endedStreams += ConditionWaiter.require("the end of a stopped event stream", SOON, stream.closeCode())
                                == RawSocketClient.NO_CLOSE_CODE
                        ? 1
                        : 0;
                stream.close();
            }
            residents.add(singleGatewayProcess.residentBytes());
        }

        /**
         * Lets the stopped readers read again as soon as the server has dropped them: then they can still learn why.
         */
        private void resumeWhenDropped(List<RawSocketClient> sockets) {
            try {
                ConditionWaiter.waitUntil(SOON, () -> areDropped("socket"));
                sockets.forEach(client -> client.input().resume());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        /** Whether the server reports no connected participant with such a name any more. */
        private boolean areDropped(String name) {
            try {
                return !singleGatewayProcess
                        .httpGet("w0", "/topics/" + TOPIC)
                        .body()
                        .contains("\"" + name);
            } catch (IOException _) {
                return false;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return true;
            }
        }

        private double perSecond() {
            var loadResult = loadGenerator.send(new SendRate.Saturating(), ROUND);
            return loadResult.deliveries() * 1e9 / loadResult.nanos();
        }

        double ratio() {
            List<Double> sorted = new ArrayList<>(ratios);
            Collections.sort(sorted);
            return sorted.get(sorted.size() / 2);
        }

        String formatResidents() {
            return TrialReport.formatBytes(residents.getFirst()) + ", "
                    + TrialReport.formatBytes(residents.get(ROUNDS / 2 - 1)) + ", "
                    + TrialReport.formatBytes(residents.getLast());
        }
    }
}
