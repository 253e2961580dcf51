package dev.gavel.mcp.facade.call;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Collects change notifications for a short interval and sends each distinct one to the client once. Confined to the
 * topic's loop.
 */
public final class ChangeNotificationBatcher {
    private static final long BATCH_MILLIS = 50;

    private final TopicCalls topicCalls;
    private final Consumer<String> sender;
    private final Set<String> pendingNotifications = new LinkedHashSet<>();

    /**
     * Creates an empty batcher.
     *
     * @param sender receives the method of each notification after the interval
     */
    public ChangeNotificationBatcher(TopicCalls topicCalls, Consumer<String> sender) {
        this.topicCalls = topicCalls;
        this.sender = sender;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the task runs in any case
    public void add(String notification) {
        if (pendingNotifications.isEmpty()) {
            topicCalls
                    .topic()
                    .loop()
                    .schedule(
                            () -> {
                                List<String> batch = List.copyOf(pendingNotifications);
                                pendingNotifications.clear();
                                batch.forEach(sender);
                            },
                            BATCH_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
        pendingNotifications.add(notification);
    }
}
