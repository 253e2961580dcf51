package dev.gavel.app.edge.console.inbox;

import dev.gavel.app.edge.console.live.Newsroom.Matter;
import dev.gavel.app.edge.console.live.Newsroom.News;
import dev.gavel.app.edge.console.live.Teller;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.console.inbox.Card;
import dev.gavel.console.inbox.InboxPages;
import dev.gavel.gateway.Topic;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Tells pages with cards which stand otherwise now, each as HTML, and how many wait in all.
 *
 * @param only the path of the proposal whose page it is, all of which is shown; the inbox has all, each in short
 */
record CardTeller(Cards cards, Visitor visitor, Optional<String> only, InstantSource clock)
        implements Teller<CardTeller.About> {
    /** What may stand otherwise. */
    sealed interface About {
        /** A proposal. */
        record One(Topic topic, String id) implements About {}

        /** All that wait in a topic. */
        record All(Topic topic) implements About {}

        /** The SEPs whose next move is the reader's. */
        record Seps() implements About {}

        /** The one proposal of a page, which then asks for itself again. */
        record Page() implements About {}
    }

    @Override
    public Reaction<About> hear(News news) {
        return switch (news.matter()) {
            case Matter.Proposal(Topic topic, String id) ->
                mine(topic) && shown(topic, id)
                        ? new Reaction.Tell<>(new About.One(topic, id))
                        : new Reaction.Ignore<>();
            case Matter.Presence(Topic topic) -> all(topic);
            case Matter.Rights(Topic topic, String identity) ->
                identity.equals(visitor.id()) ? new Reaction.Renew<>() : all(topic);
            case Matter.Seps() ->
                only.isPresent() ? new Reaction.Ignore<>() : new Reaction.TellSoon<>(new About.Seps());
        };
    }

    private boolean mine(Topic topic) {
        return topic.member(visitor.id()).isPresent();
    }

    private boolean shown(Topic topic, String id) {
        return only.isEmpty() || only.get().equals(Card.path(topic.name(), id));
    }

    /** Who may run calls may have changed, and with that every card of the topic. */
    private Reaction<About> all(Topic topic) {
        if (!mine(topic)
                || only.filter(path -> !path.startsWith(Card.path(topic.name(), "")))
                        .isPresent()) {
            return new Reaction.Ignore<>();
        }
        return new Reaction.TellSoon<>(only.isPresent() ? new About.Page() : new About.All(topic));
    }

    @Override
    public CompletableFuture<List<Message>> tell(About about) {
        return switch (about) {
            case About.One(Topic topic, String id) ->
                Cards.own(topic, visitor)
                        .map(own -> counted(own.records()
                                .view(own.member(), id)
                                .thenApply(found -> found.stream()
                                        .map(view -> cards.writer(own.member(), only.isPresent())
                                                .write(topic.name(), view))
                                        .toList())))
                        .orElseGet(CardTeller::nothing);
            case About.All(Topic topic) ->
                Cards.own(topic, visitor)
                        .map(own -> counted(cards.waiting(own)))
                        .orElseGet(CardTeller::nothing);
            case About.Page() -> CompletableFuture.completedFuture(List.of(new Message("stale", "-")));
            case About.Seps() ->
                cards.seps(visitor)
                        .thenApply(seps -> List.of(new Message("seps", InboxPages.seps(seps, clock.instant()))));
        };
    }

    private static CompletableFuture<List<Message>> nothing() {
        return CompletableFuture.completedFuture(List.of());
    }

    /** Cards are written where they are read, not on the loop. */
    private CompletableFuture<List<Message>> counted(CompletableFuture<List<Card>> coming) {
        return coming.thenApply(found -> found.stream()
                        .map(card -> new Message("card", InboxPages.card(card, visitor.csrf(), clock.instant())))
                        .toList())
                .thenCombine(cards.count(visitor), (messages, count) -> {
                    List<Message> all = new ArrayList<>(messages);
                    all.add(new Message("count", Integer.toString(count)));
                    return all;
                });
    }
}
