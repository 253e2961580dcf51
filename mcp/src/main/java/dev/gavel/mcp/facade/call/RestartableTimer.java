package dev.gavel.mcp.facade.call;

import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs one delayed task on the topic's event loop; scheduling again replaces the task that was scheduled before.
 * Confined to the topic's loop.
 */
final class RestartableTimer {
    private final TopicCalls topicCalls;
    private @Nullable Future<?> scheduled;

    RestartableTimer(TopicCalls room) {
        this.topicCalls = room;
    }

    void schedule(long millis, Runnable then) {
        cancel();
        scheduled = topicCalls.topic().loop().schedule(then, millis, TimeUnit.MILLISECONDS);
    }

    void cancel() {
        if (scheduled != null) {
            scheduled.cancel(false);
        }
    }
}
