package dev.gavel.faults.chaos;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.ClusterGatewayProcess;
import dev.gavel.bench.server.ClusterNats;
import dev.gavel.bench.server.FaultyTcpProxy;
import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.faults.chaos.ChaosPlan.FaultType;
import dev.gavel.faults.chaos.ChaosPlan.PlannedFault;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Starts and ends each fault of a {@link ChaosPlan} in a gateway cluster, each on its own thread. Used by one thread.
 */
public final class FaultInjector {
    private final GatewayCluster gatewayCluster;
    private final Supplier<List<JournalingSocketParticipant>> rawParticipants;
    private final long start;
    private final Queue<String> logLines = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Queue<String> unexpectedErrors = new ConcurrentLinkedQueue<>();
    private final Map<FaultType, Integer> completedFaults = new ConcurrentHashMap<>();
    private final ReentrantLock databaseLock = new ReentrantLock();

    /**
     * Creates an injector; {@link #inject} starts the faults.
     *
     * @param sockets the participants on raw sockets
     * @param start the start of the run, in terms of {@link System#nanoTime}
     */
    FaultInjector(GatewayCluster gatewayCluster, Supplier<List<JournalingSocketParticipant>> sockets, long start) {
        this.gatewayCluster = gatewayCluster;
        this.rawParticipants = sockets;
        this.start = start;
    }

    /** Creates an injector for plans without faults of participants. */
    public FaultInjector(GatewayCluster gatewayCluster, long start) {
        this(gatewayCluster, List::of, start);
    }

    /** Carries out a plan, and returns when every fault is repaired, or stops at once if it is interrupted. */
    public void inject(ChaosPlan plan) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        try {
            long begin = System.nanoTime();
            for (PlannedFault plannedFault : plan.faults()) {
                long wait = plannedFault.atMillis() - (System.nanoTime() - begin) / 1_000_000;
                if (wait > 0) {
                    Thread.sleep(wait);
                }
                threads.add(Thread.ofVirtual().start(() -> tryInject(plannedFault)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        } finally {
            threads.forEach(Thread::interrupt);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        if (!failures.isEmpty()) {
            throw new RunFailedException(String.join("\n", failures));
        }
    }

    /** The faults and their times, for people. */
    public List<String> log() {
        return List.copyOf(logLines);
    }

    /** Errors of gateways that no fault may cause. */
    public List<String> unexpectedErrors() {
        return List.copyOf(unexpectedErrors);
    }

    /** The number of completed faults of each type. */
    public Map<FaultType, Integer> completedFaults() {
        return Map.copyOf(completedFaults);
    }

    private void addLogLine(String line) {
        logLines.add(ParticipantJournal.seconds(System.nanoTime() - start) + " " + line);
    }

    private void tryInject(PlannedFault plannedFault) {
        try {
            inject(plannedFault);
        } catch (InterruptedException _) {
            addLogLine(plannedFault + " interrupted");
        } catch (IOException | SQLException | RuntimeException e) {
            addLogLine(plannedFault + " failed: " + e);
            failures.add(plannedFault + ": " + e);
        }
    }

    private void inject(PlannedFault plannedFault) throws IOException, InterruptedException, SQLException {
        if (plannedFault.type().targetsGateway()) {
            ClusterGatewayProcess clusterGatewayProcess =
                    gatewayCluster.gateways().get(plannedFault.target());
            if (!clusterGatewayProcess.isUp()) {
                addLogLine(plannedFault + ": skipped, because the gateway is down");
                return;
            }
            addLogLine("begin " + plannedFault);
            injectAtGateway(plannedFault, clusterGatewayProcess);
        } else {
            addLogLine("begin " + plannedFault);
            injectElsewhere(plannedFault);
        }
        addLogLine("done  " + plannedFault);
        completedFaults.merge(plannedFault.type(), 1, Integer::sum);
    }

    private void injectAtGateway(PlannedFault plannedFault, ClusterGatewayProcess clusterGatewayProcess)
            throws IOException, InterruptedException {
        switch (plannedFault.type()) {
            case KILL -> {
                clusterGatewayProcess.kill();
                Thread.sleep(plannedFault.durationMillis());
                clusterGatewayProcess.start();
            }
            case DRAIN -> {
                OptionalInt code = clusterGatewayProcess.drain();
                if (code.isEmpty()) {
                    unexpectedErrors.add(clusterGatewayProcess + " did not shut down (" + plannedFault + ")");
                } else if (code.getAsInt() != 0) {
                    unexpectedErrors.add(clusterGatewayProcess + " shut down with exit code " + code.getAsInt() + " ("
                            + plannedFault + ")");
                }
                Thread.sleep(plannedFault.durationMillis());
                clusterGatewayProcess.start();
            }
            case PAUSE -> {
                clusterGatewayProcess.pause();
                try {
                    Thread.sleep(plannedFault.durationMillis());
                } finally {
                    clusterGatewayProcess.resume();
                }
            }
            case CUT -> {
                FaultyTcpProxy faultyTcpProxy = gatewayCluster.natsProxy(plannedFault.target());
                faultyTcpProxy.cut();
                try {
                    Thread.sleep(plannedFault.durationMillis());
                } finally {
                    faultyTcpProxy.restore();
                }
            }
            case STALL -> {
                FaultyTcpProxy faultyTcpProxy = gatewayCluster.natsProxy(plannedFault.target());
                faultyTcpProxy.stall();
                try {
                    Thread.sleep(plannedFault.durationMillis());
                } finally {
                    faultyTcpProxy.restore();
                }
            }
            default -> throw new IllegalArgumentException(plannedFault.toString());
        }
    }

    private void injectElsewhere(PlannedFault plannedFault) throws IOException, InterruptedException, SQLException {
        switch (plannedFault.type()) {
            case BUS -> {
                ClusterNats bus = gatewayCluster.nats().orElseThrow();
                bus.kill();
                Thread.sleep(plannedFault.durationMillis());
                bus.start();
            }
            case SESSIONS ->
                withDatabaseLock(() -> addLogLine("ended "
                        + gatewayCluster
                                .database()
                                .orElseThrow()
                                .terminateSessions(0.2 + 0.8 * plannedFault.randomValue(), plannedFault.randomValue())
                        + " sessions"));
            case DATABASE ->
                withDatabaseLock(() -> gatewayCluster.database().orElseThrow().restart());
            case HOP -> {
                List<JournalingSocketParticipant> all = rawParticipants.get();
                JournalingSocketParticipant participant = all.get(plannedFault.target() % all.size());
                addLogLine(participant.name() + " opens a second connection");
                participant.openSecondConnection();
            }
            default -> throw new IllegalArgumentException(plannedFault.toString());
        }
    }

    /** An action that involves the database server. */
    @FunctionalInterface
    private interface DatabaseAction {
        void run() throws IOException, SQLException;
    }

    private void withDatabaseLock(DatabaseAction databaseAction) throws IOException, SQLException {
        databaseLock.lock();
        try {
            databaseAction.run();
        } finally {
            databaseLock.unlock();
        }
    }
}
