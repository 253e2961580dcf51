package dev.gavel.app.edge.console;

import dev.gavel.console.Card;
import dev.gavel.console.Inbox;
import dev.gavel.console.Pages;
import dev.gavel.console.ProposalPage;
import dev.gavel.gateway.Approved;
import dev.gavel.gateway.Decisions;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.Topic;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.mcpx.text.SafeText;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where people see what waits on them, and decide it. Thread-safe. */
final class Desk {
    private static final Logger log = LoggerFactory.getLogger(Desk.class);

    private static final String PROPOSAL = "/console/proposals/:topic/:id";

    /** Nobody looks through more; the rest comes up when these are decided. */
    private static final int MOST = 100;

    private static final String NONE = "There is no such proposal in a topic of yours.";

    private final Guard guard;
    private final Gateway gateway;
    private final Decisions decisions;
    private final Newsroom newsroom;
    private final InstantSource clock;
    private final Hint hint;

    Desk(Guard guard, Gateway gateway, Newsroom newsroom, InstantSource clock, Hint hint) {
        this.guard = guard;
        this.gateway = gateway;
        this.decisions = new Decisions(gateway, clock);
        this.newsroom = newsroom;
        this.clock = clock;
        this.hint = hint;
    }

    void mount(Router router) {
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

    private void find(RoutingContext context, Visitor visitor, Consumer<Matter> then) {
        String id = Objects.requireNonNull(context.pathParam("id"));
        gateway.topic(Objects.requireNonNull(context.pathParam("topic")))
                .flatMap(topic -> topic.member(visitor.id())
                        .flatMap(member -> topic.records().map(records -> new Matter(topic, member, records, id))))
                .ifPresentOrElse(then, () -> Replies.refuse(context, 404, "Not found", NONE));
    }

    private void inbox(RoutingContext context, Visitor visitor) {
        // Before anything is read, so that what happens meanwhile is told afterwards.
        String mark = newsroom.mark();
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
        when(all, context, cards -> {
            boolean more = cards.size() > MOST;
            Replies.page(
                    context,
                    200,
                    Pages.inbox(
                            new Inbox(
                                    visitor.frame("Inbox"),
                                    more ? cards.subList(0, MOST) : cards,
                                    more,
                                    topics,
                                    hint.command(),
                                    hint.options(context.request()),
                                    mark),
                            clock.instant()));
        });
    }

    static CompletableFuture<List<Card>> waiting(Topic topic, Member member, Records records, Visitor visitor) {
        return records.waitingOn(member, MOST + 1)
                .thenApply(views -> views.stream()
                        .map(view -> visitor.cards(false).write(topic.name(), view))
                        .filter(Card::open)
                        .toList());
    }

    /** Shows how a proposal stands now: as a page, or as a part of the open one. */
    private void show(RoutingContext context, Visitor visitor, Matter matter, int status, Optional<String> complaint) {
        boolean part = Replies.byScript(context);
        // Where the reader was shown all of it, they are shown all of it again.
        boolean whole = !part || "true".equals(context.request().getHeader("X-Whole"));
        String mark = newsroom.mark();
        CompletableFuture<Optional<Card>> coming = matter.records()
                .view(matter.member(), matter.id())
                .thenApply(found -> found.map(view ->
                                visitor.cards(whole).write(matter.topic().name(), view))
                        .map(card -> complaint.map(card::with).orElse(card)));
        when(coming, context, found -> {
            if (found.isEmpty()) {
                Replies.refuse(context, 404, "Not found", NONE);
            } else if (part) {
                Replies.page(
                        context,
                        status,
                        Pages.card(found.get(), visitor.session().csrf(), clock.instant()));
            } else {
                Replies.page(
                        context,
                        status,
                        Pages.proposal(
                                new ProposalPage(visitor.frame(found.get().what()), found.get(), mark),
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
        when(
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
        when(
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

    /** Goes on, on the request's own loop, when something is there. */
    @SuppressWarnings("FutureReturnValueIgnored") // whichever way it ends, the request is answered
    private static <T> void when(CompletionStage<T> coming, RoutingContext context, Consumer<T> then) {
        ContextInternal here = ContextInternal.current();
        coming.whenComplete((value, failure) -> here.runOnContext(now -> {
            try {
                if (failure == null) {
                    then.accept(value);
                    return;
                }
                log.warn("a page could not be made: {}", failure.toString());
                Replies.refuse(
                        context, 503, "Not now", "The ledger cannot be read at the moment. Try again in a moment.");
            } catch (RuntimeException e) {
                context.fail(e);
            }
        }));
    }
}
