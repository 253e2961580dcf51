package dev.gavel.mcp.facade.call;

import dev.gavel.mcpx.json.Json;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends the status of a call to one waiting client periodically, and forwards the tool's own progress to it. Confined to
 * the topic's loop.
 */
final class WaiterStatusReporter {
    /** How often a waiting client receives a notification. */
    private static final long TICK_MILLIS = 8_000;

    /** The status is loaded again after this many ticks, because the reviewers who are available may change. */
    private static final int TICKS_PER_REFRESH = 4;

    private final TopicCalls topicCalls;
    private final PendingCall pendingCall;
    private final ResponseChannel response;
    private final ProgressNotificationFactory progress;
    private final Instant startedAt;
    private String lastStatus = "";
    private int ticks;
    private boolean stopped;
    private @Nullable Future<?> tickTimer;

    WaiterStatusReporter(
            TopicCalls topicCalls, PendingCall call, ResponseChannel response, ProgressNotificationFactory progress) {
        this.topicCalls = topicCalls;
        this.pendingCall = call;
        this.response = response;
        this.progress = progress;
        this.startedAt = topicCalls.now();
    }

    /** Loads the status, sends it to the client and repeats it periodically. */
    void reportStatus() {
        topicCalls.loadStatus(pendingCall, status -> {
            lastStatus = status;
            sendStatus();
        });
    }

    private void sendStatus() {
        if (!stopped) {
            response.sendReplaceable(progress.waitingNotification(lastStatus + elapsedText()));
            scheduleTick();
        }
    }

    /** Sends the tool's own progress to the client. */
    void forwardToolProgress(Json params) {
        response.send(progress.toolNotification(params));
        // Ticks begin with the first status, which calls without a proposal do not have.
        if (tickTimer != null) {
            scheduleTick();
        }
    }

    private void scheduleTick() {
        cancelTick();
        tickTimer = topicCalls
                .topic()
                .loop()
                .schedule(
                        () -> {
                            if (++ticks % TICKS_PER_REFRESH == 0) {
                                reportStatus();
                            } else {
                                sendStatus();
                            }
                        },
                        TICK_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /** Ends the notifications. */
    void stop() {
        stopped = true;
        cancelTick();
    }

    private void cancelTick() {
        if (tickTimer != null) {
            tickTimer.cancel(false);
        }
    }

    private String elapsedText() {
        Duration elapsed = Duration.between(startedAt, topicCalls.now());
        return elapsed.toSeconds() < 5
                ? ""
                : " ("
                        + (elapsed.toMinutes() < 1 ? elapsed.toSeconds() + " s" : elapsed.toMinutes() + " min")
                        + " elapsed)";
    }
}
