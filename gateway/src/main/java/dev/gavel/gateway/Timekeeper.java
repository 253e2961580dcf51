package dev.gavel.gateway;

import dev.gavel.gateway.docket.Decision;
import dev.gavel.gateway.docket.Docket;
import dev.gavel.gateway.docket.Standing;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees to what time brings to proposals: their expiry, and answers that did not come. It works in turns of a bounded
 * size, one at a time, so that ten thousand proposals that expire together hold nobody up. Confined to the topic's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is scheduled here does not fail, and nobody waits for it
final class Timekeeper {
    /** What could not be written is tried again after so long. */
    static final long RETRY_MILLIS = 1000;

    private final Docket docket;
    private final EventExecutor loop;
    private final InstantSource clock;
    private final Watch watch;
    private final Consumer<Decision.Made> publish;
    private @Nullable Future<?> alarm;
    private @Nullable Instant alarmAt;
    private boolean busy;
    private boolean stopped;

    Timekeeper(Docket docket, EventExecutor loop, InstantSource clock, Watch watch, Consumer<Decision.Made> publish) {
        this.docket = docket;
        this.loop = loop;
        this.clock = clock;
        this.watch = watch;
        this.publish = publish;
    }

    /** Sets the alarm to what is due next; whenever that may have changed. */
    void look() {
        Optional<Instant> next = watch.nextDue();
        if (busy || stopped || next.isEmpty() || next.get().equals(alarmAt)) {
            return;
        }
        if (alarm != null) {
            alarm.cancel(false);
        }
        alarmAt = next.get();
        long millis = Math.max(0, clock.instant().until(next.get()).toMillis());
        alarm = loop.schedule(this::ring, millis + 1, TimeUnit.MILLISECONDS);
    }

    /** Leaves what is due to whoever comes after this process. */
    void stop() {
        stopped = true;
        if (alarm != null) {
            alarm.cancel(false);
        }
    }

    private void ring() {
        alarm = null;
        alarmAt = null;
        List<Standing> due = watch.takeDue(clock.instant());
        if (due.isEmpty()) {
            look();
            return;
        }
        busy = true;
        docket.carryOut(due, decision -> loop.execute(() -> carriedOut(due, decision)));
    }

    private void carriedOut(List<Standing> due, Decision decision) {
        if (decision instanceof Decision.Made made) {
            busy = false;
            publish.accept(made);
            look();
        } else {
            loop.schedule(() -> tryAgain(due), RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void tryAgain(List<Standing> due) {
        busy = false;
        watch.putBack(due);
        look();
    }
}
