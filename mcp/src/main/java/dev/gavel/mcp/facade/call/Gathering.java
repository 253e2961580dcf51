package dev.gavel.mcp.facade.call;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Notifications that say no more than that something has changed: several at once are one. Confined to the topic's loop. */
public final class Gathering {
    private static final long GATHER_MILLIS = 50;

    private final Room room;
    private final Consumer<String> tell;
    private final Set<String> toTell = new LinkedHashSet<>();

    /**
     * Nothing yet.
     *
     * @param tell told each, by its method, after a moment
     */
    public Gathering(Room room, Consumer<String> tell) {
        this.room = room;
        this.tell = tell;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it happens in any case
    public void add(String notification) {
        if (toTell.isEmpty()) {
            room.topic()
                    .loop()
                    .schedule(
                            () -> {
                                List<String> all = List.copyOf(toTell);
                                toTell.clear();
                                all.forEach(tell);
                            },
                            GATHER_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
        toTell.add(notification);
    }
}
