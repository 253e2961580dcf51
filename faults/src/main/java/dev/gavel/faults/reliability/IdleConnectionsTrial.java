package dev.gavel.faults.reliability;

import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.SingleGatewayProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Trial with five thousand idle connections: measures their memory and checks that proposals still get through. */
final class IdleConnectionsTrial implements ReliabilityTrial {
    private static final int TOPICS = 50;
    private static final int IDENTITIES = 100;
    private static final int FLOWS = 200;
    /** Longer than two ping intervals. */
    private static final long IDLE_MILLIS = 45_000;

    private static final Pattern FILES = Pattern.compile("Max open files\\s+\\S+\\s+(\\d+)");

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(5);
    }

    @Override
    public void run(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception {
        int wanted = TOPICS * IDENTITIES;
        if (mostFiles() < wanted + 500) {
            throw new RunFailedException("the limit of " + mostFiles() + " open files is too low for " + wanted
                    + " connections; raise the hard limit (ulimit -Hn) and run the trial again");
        }
        SingleGatewayProcess singleGatewayProcess = new SingleGatewayProcess(runWorkspace, "idle", setting());
        singleGatewayProcess.start();
        List<RawSocketClient> idle = new ArrayList<>();
        try (ProposalRoundTripTimer proposalRoundTripTimer = new ProposalRoundTripTimer(singleGatewayProcess, "t0")) {
            long few = proposalRoundTripTimer.medianNanos(FLOWS);
            few = Math.min(few, proposalRoundTripTimer.medianNanos(FLOWS));
            long resident = singleGatewayProcess.residentBytes();
            long heap = singleGatewayProcess.heapBytes();
            connect(singleGatewayProcess, idle);
            long residentThen = singleGatewayProcess.residentBytes();
            trialReport.addBytes("heap per connection", (singleGatewayProcess.heapBytes() - heap) / wanted);
            trialReport.addBytes("resident memory per connection", (residentThen - resident) / wanted);
            long many = proposalRoundTripTimer.medianNanos(FLOWS);
            many = Math.min(many, proposalRoundTripTimer.medianNanos(FLOWS));
            trialReport.addRatio(
                    "time from a proposal to its outcome, ratio to the time without the connections",
                    (double) many / few);
            Thread.sleep(IDLE_MILLIS);
            trialReport.checkCount(
                    "connections still open after " + IDLE_MILLIS / 1000 + " s without traffic",
                    wanted,
                    idle.stream().filter(RawSocketClient::isOpen).count());
            trialReport.check(
                    "proposals still work",
                    proposalRoundTripTimer.medianNanos(FLOWS) > 0,
                    TrialReport.formatNumber(proposalRoundTripTimer.proposalCount()) + " proposals");
        } finally {
            for (RawSocketClient client : idle) {
                client.close();
            }
        }
        ProposalRoundTripTimer again = new ProposalRoundTripTimer(singleGatewayProcess, "t1");
        again.runOne();
        again.close();
        trialReport.check(
                "proposals still work after all connections closed at once", singleGatewayProcess.isAlive(), "yes");
    }

    private static GavelConfigBuilder setting() {
        GavelConfigBuilder gavelConfigBuilder = new GavelConfigBuilder();
        for (int t = 0; t < TOPICS; t++) {
            gavelConfigBuilder.topic("t" + t, "");
            for (int i = 0; i < IDENTITIES; i++) {
                gavelConfigBuilder.watcher("t" + t, "idle" + i);
            }
        }
        ProposalRoundTripTimer.addParticipants(gavelConfigBuilder, "t0");
        ProposalRoundTripTimer.addParticipants(gavelConfigBuilder, "t1");
        return gavelConfigBuilder;
    }

    private static void connect(SingleGatewayProcess singleGatewayProcess, List<RawSocketClient> idle)
            throws IOException, InterruptedException {
        for (int t = 0; t < TOPICS; t++) {
            for (int i = 0; i < IDENTITIES; i++) {
                idle.add(singleGatewayProcess.join("idle" + i, "t" + t, receivedEnvelope -> {}));
            }
        }
    }

    private static long mostFiles() throws IOException {
        Path limits = Path.of("/proc/self/limits");
        if (!Files.isReadable(limits)) {
            return Long.MAX_VALUE;
        }
        Matcher matcher = FILES.matcher(Files.readString(limits));
        return matcher.find() ? Long.parseLong(matcher.group(1)) : Long.MAX_VALUE;
    }
}
