package dev.gavel.web.console.live;

import dev.gavel.gateway.topic.SubscriptionScope;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.web.console.live.ChangeFeed.FeedEntry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Decides which changes concern one open console page, and renders the updates for that page. Called on the stream's
 * own context, one call after the other.
 *
 * @param <T> the subject of an update; equal subjects in one batch are sent once
 */
public interface LiveUpdateSource<T> {
    /** Returns how the page reacts to a change. */
    Reaction<T> onChange(FeedEntry feedEntry);

    /** Renders the events that update a subject. If the future fails, the page is reloaded after a delay. */
    CompletableFuture<List<PageEvent>> render(T subject);

    /** Which envelopes of a topic the page receives. */
    default SubscriptionScope deliveryMode(Topic topic) {
        return SubscriptionScope.DIRECTED;
    }

    /**
     * Returns the subject that an envelope concerns, if any. Called on the topic's loop, for the envelopes that {@link
     * #deliveryMode} selects.
     */
    default Optional<T> onEnvelope(Topic topic, byte[] envelope) {
        return Optional.empty();
    }

    /**
     * An event that is sent to the page.
     *
     * @param event the name under which scripts listen for it
     */
    record PageEvent(String event, String data) {}

    /** How a page reacts to a change. */
    sealed interface Reaction<T> {
        /** Does nothing: the change does not concern this page. */
        record Ignore<T>() implements Reaction<T> {}

        /** Sends an update of the subject. */
        record Send<T>(T subject) implements Reaction<T> {}

        /**
         * Sends an update of the subject, but at most twice a second: such changes come in bursts and are expensive to
         * render.
         */
        record SendThrottled<T>(T subject) implements Reaction<T> {}

        /** Reloads the page. */
        record Reload<T>() implements Reaction<T> {}
    }
}
