package dev.gavel.mcp.facade.call;

import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One thing to be done after a while; setting it anew forgets what was set before. Confined to the topic's loop. */
final class Alarm {
    private final Room room;
    private @Nullable Future<?> set;

    Alarm(Room room) {
        this.room = room;
    }

    void set(long millis, Runnable then) {
        stop();
        set = room.topic().loop().schedule(then, millis, TimeUnit.MILLISECONDS);
    }

    void stop() {
        if (set != null) {
            set.cancel(false);
        }
    }
}
