package dev.gavel.mcp.facade.call;

import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One thing to be done after a while; setting it anew forgets what was set before. Confined to the topic's loop. */
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
