package dev.gavel.mcp.facade.call;

import dev.gavel.mcpx.json.Json;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends a pending call's status to the waiting client periodically, and runs the call's scheduled actions, such as a
 * timeout. Confined to the topic's loop.
 */
final class PendingCallTimer {
    /** How often a waiting client receives a notification. */
    private static final long TICK_MILLIS = 8_000;

    /** The status is loaded again after this many ticks, because the reviewers who are available may change. */
    private static final int TICKS_PER_REFRESH = 4;

    private final TopicCalls topicCalls;
    private final PendingCall pendingCall;
    private final Instant startedAt;
    private final RestartableTimer actionTimer;
    private String lastStatus = "";
    private int ticks;
    private @Nullable Future<?> tickTimer;

    PendingCallTimer(TopicCalls topicCalls, PendingCall call) {
        this.topicCalls = topicCalls;
        this.pendingCall = call;
        this.startedAt = topicCalls.now();
        this.actionTimer = new RestartableTimer(topicCalls);
    }

    /** Loads the status, sends it to the client and repeats it periodically. */
    void reportStatus() {
        topicCalls.loadStatus(pendingCall, status -> {
            lastStatus = status;
            sendStatus();
        });
    }

    private void sendStatus() {
        InFlightClientRequest client = pendingCall.waitingClient();
        if (client != null && client.progress() != null) {
            client.response().sendReplaceable(client.progress().waitingNotification(lastStatus + elapsedText()));
            scheduleTick();
        }
    }

    /** Sends the tool's own progress to the client. */
    void forwardToolProgress(InFlightClientRequest client, ProgressNotificationFactory progress, Json params) {
        client.response().send(progress.toolNotification(params));
        scheduleTick();
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

    /** Schedules an action and stops the periodic notifications. */
    void schedule(long millis, Runnable action) {
        cancel();
        actionTimer.schedule(millis, action);
    }

    /** Stops the notifications and the scheduled action. */
    void cancel() {
        cancelTick();
        actionTimer.cancel();
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
