package dev.gavel.mcp.facade.call;

import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs one delayed task on the topic's event loop; scheduling again replaces the task that was scheduled before.
 * Confined to the topic's loop.
 */
public final class RestartableTimer {
    private final TopicCalls topicCalls;
    private @Nullable Future<?> scheduledTask;

    public RestartableTimer(TopicCalls topicCalls) {
        this.topicCalls = topicCalls;
    }

    public void schedule(long millis, Runnable task) {
        cancel();
        scheduledTask = topicCalls.topic().loop().schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    public void cancel() {
        if (scheduledTask != null) {
            scheduledTask.cancel(false);
        }
    }
}
