package dev.gavel.app.edge.console.inbox;

import dev.gavel.app.edge.console.live.Newsroom.Matter;
import dev.gavel.app.edge.console.live.Newsroom.News;
import dev.gavel.app.edge.console.live.Teller;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.console.inbox.Card;
import dev.gavel.console.inbox.CardWriter;
import dev.gavel.console.inbox.InboxPages;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.Topic;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Tells pages with cards which stand otherwise now, each as HTML.
 *
 * @param whole whether cards show everything, however long
 */
record CardTeller(Visitor visitor, boolean whole, InstantSource clock) implements Teller<CardTeller.About> {
    /** A proposal, or all that wait in a topic. */
    record About(Topic topic, Optional<String> proposal) {}

    @Override
    public Reaction<About> hear(News news) {
        return switch (news.matter()) {
            case Matter.Proposal(Topic topic, String id) ->
                mine(topic) ? new Reaction.Tell<>(new About(topic, Optional.of(id))) : new Reaction.Ignore<>();
            case Matter.Presence(Topic topic) -> all(topic);
            case Matter.Rights(Topic topic, String identity) ->
                identity.equals(visitor.id()) ? new Reaction.Renew<>() : all(topic);
            case Matter.Seps() -> new Reaction.Ignore<>();
        };
    }

    private boolean mine(Topic topic) {
        return topic.member(visitor.id()).isPresent();
    }

    /** Who may run calls may have changed, and with that every card of the topic. */
    private Reaction<About> all(Topic topic) {
        return mine(topic) ? new Reaction.TellSoon<>(new About(topic, Optional.empty())) : new Reaction.Ignore<>();
    }

    /** Cards are written where they are read, not on the loop. */
    @Override
    public CompletableFuture<List<Message>> tell(About about) {
        Optional<Member> member = about.topic().member(visitor.id());
        Optional<Records> records = about.topic().records();
        if (member.isEmpty() || records.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        CompletableFuture<List<Card>> cards = about.proposal()
                .map(id -> records.get()
                        .view(member.get(), id)
                        .thenApply(found ->
                                found
                                        .map(view -> new CardWriter(visitor.id(), whole)
                                                .write(about.topic().name(), view))
                                        .stream()
                                        .toList()))
                .orElseGet(() -> InboxRoutes.waiting(about.topic(), member.get(), records.get(), visitor));
        return cards.thenApply(all -> all.stream()
                .map(card -> new Message("card", InboxPages.card(card, visitor.csrf(), clock.instant())))
                .toList());
    }
}
