package dev.gavel.app.edge.console.live;

import dev.gavel.app.edge.console.live.Newsroom.News;
import dev.gavel.gateway.Mode;
import dev.gavel.gateway.Topic;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What one open page is told of what happens. Called on the stream's own context, one after the other.
 *
 * @param <T> what there may be to tell about; equal ones that come together are told once
 */
public interface Teller<T> {
    /** What is to be done about news. */
    Reaction<T> hear(News news);

    /** What to tell about something; a failed one has the page made anew a while later. */
    CompletableFuture<List<Message>> tell(T subject);

    /** How much of a topic the page listens to itself. */
    default Mode listensTo(Topic topic) {
        return Mode.DIRECTED;
    }

    /** An envelope that was heard in a topic, by {@link #listensTo}. Called on the topic's loop. */
    default Optional<T> overhear(Topic topic, byte[] envelope) {
        return Optional.empty();
    }

    /**
     * What is sent to the page.
     *
     * @param event what scripts know it by
     */
    record Message(String event, String data) {}

    /** What is done about news. */
    sealed interface Reaction<T> {
        /** Nothing: it does not matter to this page. */
        record Ignore<T>() implements Reaction<T> {}

        /** It is told about. */
        record Tell<T>(T subject) implements Reaction<T> {}

        /** It is told about, but not more often than twice a second: such news come in flocks and cost much. */
        record TellSoon<T>(T subject) implements Reaction<T> {}

        /** The page is made anew. */
        record Renew<T>() implements Reaction<T> {}
    }
}
