package dev.gavel.app.edge.console.live;

import dev.gavel.app.edge.console.live.Newsroom.Matter;
import dev.gavel.app.edge.console.live.Newsroom.News;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Tells a page that it is no longer true, and nothing else: the page asks for itself again and takes over what differs.
 *
 * @param concerns what the page is about
 */
public record Watch(Predicate<Matter> concerns) implements Teller<String> {
    private static final String STALE = "stale";

    @Override
    public Reaction<String> hear(News news) {
        return concerns.test(news.matter()) ? new Reaction.TellSoon<>(STALE) : new Reaction.Ignore<>();
    }

    @Override
    public CompletableFuture<List<Message>> tell(String subject) {
        return CompletableFuture.completedFuture(List.of(new Message(subject, "-")));
    }
}
