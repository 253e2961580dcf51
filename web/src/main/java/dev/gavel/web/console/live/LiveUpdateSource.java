package dev.gavel.web.console.live;

import dev.gavel.gateway.topic.SubscriptionMode;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.web.console.live.ChangeFeed.FeedEntry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Decides which changes concern one open console page, and renders the updates for that page. Called on the stream's
 * own context, one after the other.
 *
 * @param <T> what there may be to tell about; equal ones that come together are told once
 */
public interface LiveUpdateSource<T> {
    /** What is to be done about news. */
    Reaction<T> onChange(FeedEntry feedEntry);

    /** What to tell about something; a failed one has the page made anew a while later. */
    CompletableFuture<List<PageEvent>> render(T subject);

    /** How much of a topic the page listens to itself. */
    default SubscriptionMode deliveryMode(Topic topic) {
        return SubscriptionMode.DIRECTED;
    }

    /** An envelope that was heard in a topic, by {@link #deliveryMode}. Called on the topic's loop. */
    default Optional<T> onEnvelope(Topic topic, byte[] envelope) {
        return Optional.empty();
    }

    /**
     * What is sent to the page.
     *
     * @param event what scripts know it by
     */
    record PageEvent(String event, String data) {}

    /** What is done about news. */
    sealed interface Reaction<T> {
        /** Nothing: it does not matter to this page. */
        record Ignore<T>() implements Reaction<T> {}

        /** It is told about. */
        record Send<T>(T subject) implements Reaction<T> {}

        /** It is told about, but not more often than twice a second: such news come in flocks and cost much. */
        record SendThrottled<T>(T subject) implements Reaction<T> {}

        /** The page is made anew. */
        record Reload<T>() implements Reaction<T> {}
    }
}
