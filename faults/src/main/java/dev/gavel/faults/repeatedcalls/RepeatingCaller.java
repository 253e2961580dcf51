package dev.gavel.faults.repeatedcalls;

import dev.gavel.bench.server.ClusterGatewayProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * An MCP client that makes the same call until it has an answer, and then makes it again as a new call. Each time, it
 * chooses at random a gateway, a protocol version, and whether it waits, gives up or cancels. When the faults end, it
 * gives up no more, and ends with the next answer. Runs on its own thread.
 */
final class RepeatingCaller {
    /** How long a client waits that does not give up earlier, as many MCP clients do. */
    private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(15);

    private static final int MAX_PATIENCE_MILLIS = 2_500;
    private static final int MAX_PAUSE_MILLIS = 600;
    private static final int ERROR_PAUSE_MILLIS = 150;
    private static final int MAX_ABANDONED_ATTEMPTS = 3;

    private final CallKey callKey;
    private final List<ClusterGatewayProcess> gateways;
    private final TestMcpHttpClient client;
    private final Random random;
    private final Queue<CallAttempt> attempts = new ConcurrentLinkedQueue<>();
    private Optional<String> session = Optional.empty();
    private volatile boolean settling;
    private volatile @Nullable Instant finishedAt;

    /** How a client behaves that gets no answer at once. */
    private enum Behavior {
        WAIT,
        /** Closes the connection. In the stateless version, this cancels the call. */
        CLOSE,
        /** Stops waiting without telling Gavel, and leaves the connection open. */
        IGNORE,
        CANCEL
    }

    RepeatingCaller(CallKey callKey, List<ClusterGatewayProcess> gateways, TestMcpHttpClient client, long seed) {
        this.callKey = callKey;
        this.gateways = List.copyOf(gateways);
        this.client = client;
        this.random = new Random(seed);
    }

    CallKey callKey() {
        return callKey;
    }

    List<CallAttempt> attempts() {
        return List.copyOf(attempts);
    }

    /** Gives up no more, and makes no new call after the next answer. */
    void settle() {
        settling = true;
    }

    /** When it got the last answer; empty if it still calls. */
    Optional<Instant> finishedAt() {
        return Optional.ofNullable(finishedAt);
    }

    /** Closes the connections that are still open, as the end of a client does. */
    void closeConnections() {
        attempts.forEach(attempt -> attempt.close("closed at the end"));
    }

    /** Makes calls until the run settles and the last call is answered. */
    void run() throws InterruptedException {
        if (callKey.abandoned()) {
            Thread.sleep(random.nextLong(3L * MAX_PATIENCE_MILLIS));
            for (int n = 1 + random.nextInt(MAX_ABANDONED_ATTEMPTS); n > 0; n--) {
                attempt(Behavior.values()[1 + random.nextInt(Behavior.values().length - 1)]);
            }
        } else {
            do {
                callUntilAnswered();
                Thread.sleep(random.nextLong(MAX_PAUSE_MILLIS));
            } while (!settling);
        }
        finishedAt = Instant.now();
    }

    private void callUntilAnswered() throws InterruptedException {
        while (true) {
            int percent = random.nextInt(100);
            if (percent < 20) {
                // The client repeats the call at the same moment, perhaps at another gateway.
                start();
            }
            Optional<CallResponse> response = attempt(settling ? Behavior.WAIT : randomBehavior());
            if (response.filter(CallResponse::isFinal).isPresent()) {
                return;
            }
            Thread.sleep(response.isPresent() ? ERROR_PAUSE_MILLIS : random.nextLong(MAX_PAUSE_MILLIS));
        }
    }

    private Behavior randomBehavior() {
        int percent = random.nextInt(100);
        return percent < 45
                ? Behavior.WAIT
                : percent < 70 ? Behavior.CLOSE : percent < 88 ? Behavior.IGNORE : Behavior.CANCEL;
    }

    /** Makes the call once; returns the response if the client waited for it. */
    private Optional<CallResponse> attempt(Behavior behavior) throws InterruptedException {
        StartedCall call = start();
        if (behavior == Behavior.WAIT) {
            Optional<CallResponse> response = call.attempt().await(CLIENT_TIMEOUT);
            if (response.isEmpty()) {
                call.attempt().ignore();
            }
            return response;
        }
        Optional<CallResponse> response = call.attempt().await(Duration.ofMillis(random.nextLong(MAX_PATIENCE_MILLIS)));
        if (response.isPresent()) {
            return response;
        }
        switch (behavior) {
            case IGNORE -> call.attempt().ignore();
            case CANCEL -> cancel(call);
            case CLOSE, WAIT -> call.attempt().close("connection closed");
        }
        return Optional.empty();
    }

    private void cancel(StartedCall call) throws InterruptedException {
        call.attempt().markCancelled();
        if (call.session().isPresent()) {
            client.cancel(call.gateway(), call.session().get(), call.id());
        } else {
            call.attempt().close("connection closed");
        }
    }

    /** A request that was sent. */
    private record StartedCall(
            ClusterGatewayProcess gateway, Optional<String> session, String id, CallAttempt attempt) {}

    private StartedCall start() throws InterruptedException {
        ClusterGatewayProcess gateway = gateways.get(random.nextInt(gateways.size()));
        boolean stateless = random.nextInt(100) < 40;
        boolean progress = random.nextInt(100) < 40;
        boolean newSession = random.nextInt(100) < 40;
        if (!stateless && (newSession || session.isEmpty())) {
            session = client.openSession(gateway);
        }
        Optional<String> usedSession = stateless ? Optional.empty() : session;
        int number = attempts.size() + 1;
        List<String> description = new ArrayList<>(List.of(
                "at " + gateway,
                usedSession.isPresent()
                        ? "in session "
                                + usedSession
                                        .get()
                                        .substring(
                                                0, Math.min(6, usedSession.get().length()))
                        : "stateless"));
        if (progress) {
            description.add("with progress");
        }
        CallAttempt attempt = new CallAttempt(callKey, number, String.join(" ", description));
        attempts.add(attempt);
        String id = "c" + number;
        client.call(gateway, usedSession, id, progress, attempt);
        return new StartedCall(gateway, usedSession, id, attempt);
    }
}
