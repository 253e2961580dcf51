package dev.gavel.mcp.facade.call;

import dev.gavel.mcpx.json.Json;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a call does while time passes: tells a client that asked for progress how it stands, again and again, or does one
 * thing after a while. Confined to the topic's loop.
 */
final class Vigil {
    /** How often a client hears that it still waits. */
    private static final long TICK_MILLIS = 8_000;

    /** After so many ticks it is looked up anew who is waited for: people come and go. */
    private static final int TICKS_A_LOOK = 4;

    private final Room room;
    private final Call call;
    private final Instant since;
    private final Alarm alarm;
    private String words = "";
    private int ticks;
    private @Nullable Future<?> timer;

    Vigil(Room room, Call call) {
        this.room = room;
        this.call = call;
        this.since = room.now();
        this.alarm = new Alarm(room);
    }

    /** Finds out what to say of it, says it, and goes on saying it. */
    void look() {
        room.standing(call, status -> {
            words = status;
            tell();
        });
    }

    private void tell() {
        Client waiting = call.client();
        if (waiting != null && waiting.progress() != null) {
            waiting.out().update(waiting.progress().waiting(words + soFar()));
            tickLater();
        }
    }

    /** The tool itself says how far it is. */
    void tool(Client waiting, Progress progress, Json params) {
        waiting.out().send(progress.tool(params));
        tickLater();
    }

    private void tickLater() {
        stopTelling();
        timer = room.topic()
                .loop()
                .schedule(
                        () -> {
                            if (++ticks % TICKS_A_LOOK == 0) {
                                look();
                            } else {
                                tell();
                            }
                        },
                        TICK_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /** Has something done after a while, and nothing told meanwhile. */
    void set(long millis, Runnable then) {
        stop();
        alarm.set(millis, then);
    }

    /** Neither tells anything nor does anything any more. */
    void stop() {
        stopTelling();
        alarm.stop();
    }

    private void stopTelling() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private String soFar() {
        Duration waited = Duration.between(since, room.now());
        return waited.toSeconds() < 5
                ? ""
                : " (waiting for " + (waited.toMinutes() < 1 ? waited.toSeconds() + " s" : waited.toMinutes() + " min")
                        + ")";
    }
}
