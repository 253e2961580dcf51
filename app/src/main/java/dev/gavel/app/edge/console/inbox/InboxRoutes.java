package dev.gavel.app.edge.console.inbox;

import dev.gavel.app.edge.console.live.Live;
import dev.gavel.app.edge.console.session.Guard;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.app.identity.TokenFiles;
import dev.gavel.client.http.LocalServer;
import dev.gavel.console.Frame;
import dev.gavel.console.inbox.Card;
import dev.gavel.console.inbox.Inbox;
import dev.gavel.console.inbox.InboxPages;
import dev.gavel.console.inbox.Lately;
import dev.gavel.console.inbox.SepChores;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Topic;
import dev.gavel.mcp.directory.Directory;
import dev.gavel.sep.desk.Desk;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The first page: what waits on somebody. Thread-safe. */
public final class InboxRoutes {
    private final Guard guard;
    private final Gateway gateway;
    private final Live live;
    private final Cards cards;
    private final ProposalRoutes proposals;
    private final InstantSource clock;
    private final Hint hint;

    public InboxRoutes(
            Guard guard,
            Gateway gateway,
            Directory directory,
            Optional<Desk> desk,
            Live live,
            Optional<URI> publicUrl,
            boolean tls,
            TokenFiles tokens,
            InstantSource clock) {
        this.guard = guard;
        this.gateway = gateway;
        this.live = live;
        this.cards = new Cards(gateway, directory, desk);
        this.proposals = new ProposalRoutes(guard, gateway, cards, live, clock);
        this.clock = clock;
        this.hint = new Hint(
                // Set by the script that starts the program.
                Objects.requireNonNullElse(System.getenv("GAVEL_COMMAND"), "gavel"),
                publicUrl,
                tls,
                tokens.file(LocalServer.AGENT));
    }

    public void mount(Router router) {
        router.get("/").handler(context -> guard.page(context, visitor -> inbox(context, visitor)));
        router.get("/console/live").handler(context -> {
            Optional<String> only = Optional.ofNullable(context.request().getParam("of"));
            live.listen(context, visitor -> new CardTeller(cards, visitor, only, clock));
        });
        proposals.mount(router);
    }

    /** What there is to show. */
    private record Found(List<Card> cards, int count, SepChores seps, List<Lately> lately) {}

    private void inbox(RoutingContext context, Visitor visitor) {
        // Before anything is read, so that what happens meanwhile is told afterwards.
        String mark = live.mark();
        Waiting.on(
                cards.waiting(visitor)
                        .thenCombine(
                                cards.count(visitor),
                                (list, count) -> new Found(list, count, SepChores.NONE, List.of()))
                        .thenCombine(
                                cards.seps(visitor),
                                (found, seps) -> new Found(found.cards(), found.count(), seps, List.of()))
                        .thenCombine(
                                cards.lately(visitor),
                                (found, lately) -> new Found(found.cards(), found.count(), found.seps(), lately))
                        .thenApply(found -> InboxPages.inbox(page(context, visitor, mark, found), clock.instant())),
                context,
                html -> Replies.page(context, 200, html));
    }

    private Inbox page(RoutingContext context, Visitor visitor, String mark, Found found) {
        boolean full = found.cards().size() == Cards.MOST;
        return new Inbox(
                visitor.frame("Inbox", Frame.Place.INBOX).live("/console/live", mark),
                found.cards(),
                full ? Math.max(0, found.count() - Cards.MOST) : 0,
                found.seps(),
                found.lately(),
                gateway.topics().stream()
                        .filter(topic -> topic.member(visitor.id()).isPresent())
                        .map(Topic::name)
                        .toList(),
                hint.command(),
                hint.options(context.request(), visitor.id()));
    }
}
