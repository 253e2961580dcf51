package dev.gavel.web.console.live;

import dev.gavel.web.console.live.ChangeFeed.ChangeSubject;
import dev.gavel.web.console.live.ChangeFeed.FeedEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Tells an open page that it is out of date after a relevant change, so that the page reloads itself.
 *
 * @param relevant selects the changes that concern the page
 */
public record PageReloadUpdateSource(Predicate<ChangeSubject> relevant) implements LiveUpdateSource<String> {
    private static final String STALE = "stale";

    @Override
    public Reaction<String> onChange(FeedEntry feedEntry) {
        return relevant.test(feedEntry.subject()) ? new Reaction.SendThrottled<>(STALE) : new Reaction.Ignore<>();
    }

    @Override
    public CompletableFuture<List<PageEvent>> render(String subject) {
        return CompletableFuture.completedFuture(List.of(new PageEvent(subject, "-")));
    }
}
