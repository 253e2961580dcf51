package dev.gavel.faults.repeatedcalls;

import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.client.Answer;
import dev.gavel.client.Gavel;
import dev.gavel.client.GavelException;
import dev.gavel.client.IncomingToolRequest;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.client.Tools;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The tool server of the repeated-calls test: counts and records each run of its tool, is slow at random, and
 * disconnects at random while faults are injected. Thread-safe.
 */
final class CountingToolServer implements AutoCloseable {
    private static final int MIN_CONNECTED_MILLIS = 3_000;
    private static final int MAX_CONNECTED_MILLIS = 9_000;
    private static final int MAX_ABSENT_MILLIS = 1_500;
    private static final int RETRY_MILLIS = 200;

    private final List<String> addresses;
    private final Random random;
    private final Queue<ToolRun> runs = new ConcurrentLinkedQueue<>();
    private final Queue<String> disconnects = new ConcurrentLinkedQueue<>();
    private final Map<String, ToolRun> runsByRequest = new ConcurrentHashMap<>();
    private final Map<String, Integer> runCounts = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean settling;

    /** Connects to one of the gateways and starts to serve. */
    CountingToolServer(List<String> addresses, long seed) {
        this.addresses = List.copyOf(addresses);
        this.random = new Random(seed);
        this.thread = Thread.ofVirtual().start(this::connectRepeatedly);
    }

    private void connectRepeatedly() {
        try {
            while (true) {
                Participant participant = tryConnect();
                if (participant == null) {
                    Thread.sleep(RETRY_MILLIS);
                    continue;
                }
                try (participant) {
                    participant.serve(new Tools().tool(RepeatedCallsTopicConfig.TOOL, this::run));
                    long end =
                            System.nanoTime() + random.nextLong(MIN_CONNECTED_MILLIS, MAX_CONNECTED_MILLIS) * 1_000_000;
                    while (settling || System.nanoTime() < end) {
                        Thread.sleep(RETRY_MILLIS);
                    }
                }
                disconnects.add(Instant.now() + " the tool server disconnected");
                Thread.sleep(random.nextLong(MAX_ABSENT_MILLIS));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Participant tryConnect() {
        try {
            return Gavel.at(addresses.getFirst(), addresses.stream().skip(1).toArray(String[]::new))
                    .token(Token.of(GavelConfigBuilder.token(RepeatedCallsTopicConfig.SERVER)))
                    .topic(RepeatedCallsTopicConfig.TOPIC)
                    .connect();
        } catch (GavelException _) {
            return null;
        }
    }

    private Answer run(IncomingToolRequest request) throws InterruptedException {
        // After the server has connected to another gateway, it may receive a request again.
        ToolRun run = runsByRequest.computeIfAbsent(request.id(), _ -> countRun(request));
        Thread.sleep(durationMillis());
        return Answer.text(run.name().toString());
    }

    private ToolRun countRun(IncomingToolRequest request) {
        String path = request.argument("path");
        ToolRun run = new ToolRun(
                new ToolRun.Name(path, runCounts.merge(path, 1, Integer::sum)),
                request.proposal().orElse(""),
                request.id(),
                Instant.now());
        runs.add(run);
        return run;
    }

    private long durationMillis() {
        int percent = random.nextInt(100);
        return settling || percent < 60
                ? random.nextLong(80)
                : percent < 90 ? random.nextLong(300, 1_500) : random.nextLong(1_500, 3_500);
    }

    /** Disconnects no more, and runs calls without a delay. */
    void settle() {
        settling = true;
    }

    /** All runs so far. */
    List<ToolRun> runs() {
        return List.copyOf(runs);
    }

    /** The times at which it disconnected, for people. */
    List<String> disconnects() {
        return List.copyOf(disconnects);
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
