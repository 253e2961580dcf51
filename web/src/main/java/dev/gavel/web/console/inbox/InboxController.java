package dev.gavel.web.console.inbox;

import dev.gavel.client.http.LocalServerDefaults;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.sep.service.SepService;
import dev.gavel.web.console.live.LiveUpdateEndpoint;
import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleRequestGuard;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.identity.InitialTokenFiles;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;

/** Serves the console's start page with everything that waits for the signed-in user. Thread-safe. */
public final class InboxController {
    private final ConsoleRequestGuard guard;
    private final Gateway gateway;
    private final LiveUpdateEndpoint liveUpdateEndpoint;
    private final InboxQueries inboxQueries;
    private final ProposalController proposals;
    private final InstantSource clock;
    private final ProposeCommandHint hint;

    public InboxController(
            ConsoleRequestGuard guard,
            Gateway gateway,
            CatalogRegistry catalogRegistry,
            Optional<SepService> sepService,
            LiveUpdateEndpoint liveUpdateEndpoint,
            IntFunction<String> apiBaseUrl,
            InitialTokenFiles tokens,
            InstantSource clock) {
        this.guard = guard;
        this.gateway = gateway;
        this.liveUpdateEndpoint = liveUpdateEndpoint;
        this.inboxQueries = new InboxQueries(gateway, catalogRegistry, sepService);
        this.proposals = new ProposalController(guard, gateway, inboxQueries, liveUpdateEndpoint, clock);
        this.clock = clock;
        this.hint = new ProposeCommandHint(
                // Set by the script that starts the program.
                Objects.requireNonNullElse(System.getenv("GAVEL_COMMAND"), "gavel"),
                apiBaseUrl,
                tokens.file(LocalServerDefaults.AGENT));
    }

    public void mount(Router router) {
        router.get("/").handler(context -> guard.handlePage(context, consoleUser -> inbox(context, consoleUser)));
        router.get("/console/live").handler(context -> {
            Optional<String> only = Optional.ofNullable(context.request().getParam("of"));
            liveUpdateEndpoint.openStream(
                    context, consoleUser -> new InboxUpdateSource(inboxQueries, consoleUser, only, clock));
        });
        proposals.mount(router);
    }

    /** The data of the inbox page. */
    private record InboxContent(
            List<ProposalCard> cards, int count, InboxSepList seps, List<EndedProposalRow> recentlyEnded) {}

    private void inbox(RoutingContext context, ConsoleUser consoleUser) {
        // Taken before any data is read, so that the page later receives the changes made meanwhile.
        String mark = liveUpdateEndpoint.mark();
        AsyncPageContinuation.whenLoaded(
                inboxQueries
                        .waitingCards(consoleUser)
                        .thenCombine(
                                inboxQueries.countWaiting(consoleUser),
                                (list, count) -> new InboxContent(
                                        list, count, InboxSepList.none(consoleUser.terms()), List.of()))
                        .thenCombine(
                                inboxQueries.seps(consoleUser),
                                (inboxContent, seps) ->
                                        new InboxContent(inboxContent.cards(), inboxContent.count(), seps, List.of()))
                        .thenCombine(
                                inboxQueries.recentlyEnded(consoleUser),
                                (inboxContent, endedProposalRow) -> new InboxContent(
                                        inboxContent.cards(),
                                        inboxContent.count(),
                                        inboxContent.seps(),
                                        endedProposalRow))
                        .thenApply(inboxContent -> InboxAndProposalRenderer.inbox(
                                page(context, consoleUser, mark, inboxContent), clock.instant())),
                context,
                html -> ConsoleResponses.sendPage(context, 200, html));
    }

    private InboxPage page(RoutingContext context, ConsoleUser consoleUser, String mark, InboxContent inboxContent) {
        boolean full = inboxContent.cards().size() == InboxQueries.MAX_CARDS;
        return new InboxPage(
                consoleUser.frame("Inbox", PageLayoutData.Section.INBOX).live("/console/live", mark),
                inboxContent.cards(),
                full ? Math.max(0, inboxContent.count() - InboxQueries.MAX_CARDS) : 0,
                inboxContent.seps(),
                inboxContent.recentlyEnded(),
                gateway.topics().stream()
                        .filter(topic -> topic.member(consoleUser.id()).isPresent())
                        .map(Topic::name)
                        .toList(),
                hint.command(),
                hint.options(context.request(), consoleUser.id()));
    }
}
