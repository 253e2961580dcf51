package dev.gavel.app.edge.console.inbox;

import dev.gavel.app.config.Defaults;
import dev.gavel.app.edge.console.live.Live;
import dev.gavel.app.edge.console.session.Fields;
import dev.gavel.app.edge.console.session.Guard;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.app.identity.TokenFiles;
import dev.gavel.console.Frame;
import dev.gavel.console.inbox.Card;
import dev.gavel.console.inbox.CardWriter;
import dev.gavel.console.inbox.Inbox;
import dev.gavel.console.inbox.InboxPages;
import dev.gavel.console.inbox.ProposalPage;
import dev.gavel.console.topic.Story;
import dev.gavel.gateway.Approved;
import dev.gavel.gateway.Decisions;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.Topic;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.mcpx.text.SafeText;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Where people see what waits on them, and decide it. Thread-safe. */
public final class InboxRoutes {
    private static final String PROPOSAL = "/console/proposals/:topic/:id";

    /** Nobody looks through more; the rest comes up when these are decided. */
    private static final int MOST = 100;

    private static final String NONE = "There is no such proposal in a topic of yours.";

    private final Guard guard;
    private final Gateway gateway;
    private final Decisions decisions;
    private final Live live;
    private final InstantSource clock;
    private final Hint hint;

    public InboxRoutes(
            Guard guard,
            Gateway gateway,
            Live live,
            Optional<URI> publicUrl,
            boolean tls,
            TokenFiles tokens,
            InstantSource clock) {
        this.guard = guard;
        this.gateway = gateway;
        this.decisions = new Decisions(gateway, clock);
        this.live = live;
        this.clock = clock;
        this.hint = new Hint(
                // Set by the script that starts the program.
                Objects.requireNonNullElse(System.getenv("GAVEL_COMMAND"), "gavel"),
                publicUrl,
                tls,
                tokens.file(Defaults.AGENT));
    }

    public void mount(Router router) {
        router.get("/console/live").handler(context -> {
            boolean whole = "true".equals(context.request().getParam("whole"));
            live.listen(context, visitor -> new CardTeller(visitor, whole, clock));
        });
        router.get("/").handler(context -> guard.page(context, visitor -> inbox(context, visitor)));
        router.get(PROPOSAL)
                .handler(context -> guard.page(
                        context,
                        visitor -> find(
                                context, visitor, matter -> show(context, visitor, matter, 200, Optional.empty()))));
        router.post(PROPOSAL + "/approve")
                .handler(context -> guard.form(
                        context,
                        (visitor, fields) ->
                                find(context, visitor, matter -> approve(context, visitor, matter, fields))));
        router.post(PROPOSAL + "/reject")
                .handler(context -> guard.form(
                        context,
                        (visitor, fields) ->
                                find(context, visitor, matter -> reject(context, visitor, matter, fields))));
    }

    /** A proposal that somebody asks for, in a topic where they are a member. */
    private record Matter(Topic topic, Member member, Records records, String id) {}

    private record Shown(Card card, Story story) {}

    private void find(RoutingContext context, Visitor visitor, Consumer<Matter> then) {
        String id = Objects.requireNonNull(context.pathParam("id"));
        gateway.topic(Objects.requireNonNull(context.pathParam("topic")))
                .flatMap(topic -> topic.member(visitor.id())
                        .flatMap(member -> topic.records().map(records -> new Matter(topic, member, records, id))))
                .ifPresentOrElse(then, () -> Replies.refuse(context, 404, "Not found", NONE));
    }

    private void inbox(RoutingContext context, Visitor visitor) {
        // Before anything is read, so that what happens meanwhile is told afterwards.
        String mark = live.mark();
        List<String> topics = new ArrayList<>();
        List<CompletableFuture<List<Card>>> coming = new ArrayList<>();
        for (Topic topic : gateway.topics()) {
            topic.member(visitor.id()).ifPresent(member -> {
                topics.add(topic.name());
                topic.records().ifPresent(records -> coming.add(waiting(topic, member, records, visitor)));
            });
        }
        CompletableFuture<List<Card>> all = CompletableFuture.allOf(coming.toArray(CompletableFuture[]::new))
                .thenApply(done -> coming.stream()
                        .flatMap(each -> each.join().stream())
                        .sorted(Comparator.comparing(Card::proposedAt))
                        .toList());
        Waiting.on(all, context, cards -> {
            boolean more = cards.size() > MOST;
            Replies.page(
                    context,
                    200,
                    InboxPages.inbox(
                            new Inbox(
                                    visitor.frame("Inbox", Frame.Place.INBOX).live("/console/live", mark),
                                    more ? cards.subList(0, MOST) : cards,
                                    more,
                                    topics,
                                    hint.command(),
                                    hint.options(context.request())),
                            clock.instant()));
        });
    }

    static CompletableFuture<List<Card>> waiting(Topic topic, Member member, Records records, Visitor visitor) {
        return records.waitingOn(member, MOST + 1)
                .thenApply(views -> views.stream()
                        .map(view -> new CardWriter(visitor.id(), false).write(topic.name(), view))
                        .filter(Card::open)
                        .toList());
    }

    /** Shows how a proposal stands now: as a page, or as a part of the open one. */
    private void show(RoutingContext context, Visitor visitor, Matter matter, int status, Optional<String> complaint) {
        boolean part = Replies.byScript(context);
        // Where the reader was shown all of it, they are shown all of it again.
        boolean whole = !part || "true".equals(context.request().getHeader("X-Whole"));
        String mark = live.mark();
        CompletableFuture<Optional<Shown>> coming = matter.records()
                .view(matter.member(), matter.id())
                .thenApply(found -> found.map(view -> {
                    Card card = new CardWriter(visitor.id(), whole)
                            .write(matter.topic().name(), view);
                    return new Shown(complaint.map(card::with).orElse(card), Story.of(view, visitor.id()));
                }));
        Waiting.on(coming, context, found -> {
            if (found.isEmpty()) {
                Replies.refuse(context, 404, "Not found", NONE);
            } else if (part) {
                Replies.page(context, status, InboxPages.card(found.get().card(), visitor.csrf(), clock.instant()));
            } else {
                Replies.page(
                        context,
                        status,
                        InboxPages.proposal(
                                new ProposalPage(
                                        visitor.frame(found.get().card().what(), Frame.Place.INBOX)
                                                .live("/console/live?whole=true", mark),
                                        found.get().card(),
                                        found.get().story()),
                                clock.instant()));
            }
        });
    }

    private void approve(RoutingContext context, Visitor visitor, Matter matter, Fields fields) {
        Optional<String> to = fields.text("to");
        if (to.isEmpty()) {
            // Who runs it is what the reader saw when they approved, never whoever is there when the form comes in.
            show(context, visitor, matter, 400, Optional.of("Say who is to run it."));
            return;
        }
        Waiting.on(
                decisions.approve(matter.topic(), matter.member(), matter.id(), Optional.empty(), to),
                context,
                approved -> {
                    switch (approved) {
                        case Approved.Sent _ -> done(context, visitor, matter);
                        case Approved.Unclear(List<String> couldRun) ->
                            show(
                                    context,
                                    visitor,
                                    matter,
                                    409,
                                    Optional.of(
                                            couldRun.isEmpty()
                                                    ? "Nobody is connected who could run it. Have the tool's server"
                                                            + " connect, then approve it."
                                                    : SafeText.line(to.get())
                                                            + " cannot run it any more. Nothing was sent: look"
                                                            + " who would run it now, and approve it again."));
                        case Approved.Refused(List<Failure> failures) ->
                            show(context, visitor, matter, 409, Optional.of(words(failures)));
                        case Approved.Unfit(String why) -> show(context, visitor, matter, 409, Optional.of(why));
                        case Approved.Unknown() -> Replies.refuse(context, 404, "Not found", NONE);
                    }
                });
    }

    private void reject(RoutingContext context, Visitor visitor, Matter matter, Fields fields) {
        Optional<String> reason = fields.text("reason")
                .flatMap(chosen -> chosen.equals("own") ? fields.text("words") : Optional.of(chosen));
        if (reason.isEmpty()) {
            show(context, visitor, matter, 400, Optional.of("Say why you reject it: choose a reason, or write one."));
            return;
        }
        Waiting.on(
                decisions.reject(matter.topic(), matter.member(), matter.id(), reason.get(), fields.text("note")),
                context,
                posted -> {
                    switch (posted) {
                        case Posted.Taken _ -> done(context, visitor, matter);
                        case Posted.Refused(List<Failure> failures) ->
                            show(context, visitor, matter, 409, Optional.of(words(failures)));
                    }
                });
    }

    private void done(RoutingContext context, Visitor visitor, Matter matter) {
        if (Replies.byScript(context)) {
            show(context, visitor, matter, 200, Optional.empty());
        } else {
            Replies.redirect(context, Card.path(matter.topic().name(), matter.id()));
        }
    }

    private static String words(List<Failure> failures) {
        return failures.stream().map(each -> SafeText.line(each.message())).collect(Collectors.joining(" "));
    }
}
