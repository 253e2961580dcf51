package dev.gavel.app.edge.console.inbox;

import dev.gavel.app.edge.console.live.Live;
import dev.gavel.app.edge.console.session.Fields;
import dev.gavel.app.edge.console.session.Guard;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.console.Frame;
import dev.gavel.console.inbox.Card;
import dev.gavel.console.inbox.Editor;
import dev.gavel.console.inbox.InboxPages;
import dev.gavel.console.inbox.ProposalPage;
import dev.gavel.console.inbox.Rejecting;
import dev.gavel.console.topic.Story;
import dev.gavel.gateway.Approved;
import dev.gavel.gateway.Decisions;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A proposal's page, and where it is decided. Thread-safe. */
final class ProposalRoutes {
    private static final String PROPOSAL = "/console/proposals/:topic/:id";

    private static final String NONE = "There is no such proposal in a topic of yours.";

    /** An envelope may have a quarter of it, and a form writes many characters as three. */
    private static final int LONGEST_EDIT = 4 * 1024 * 1024;

    private final Guard guard;
    private final Gateway gateway;
    private final Cards cards;
    private final Decisions decisions;
    private final Live live;
    private final InstantSource clock;

    ProposalRoutes(Guard guard, Gateway gateway, Cards cards, Live live, InstantSource clock) {
        this.guard = guard;
        this.gateway = gateway;
        this.cards = cards;
        this.decisions = new Decisions(gateway, clock);
        this.live = live;
        this.clock = clock;
    }

    void mount(Router router) {
        page(router, PROPOSAL, matter -> show(matter, 200, Optional.empty()));
        page(router, PROPOSAL + "/edit", matter -> edit(matter, 200, Editor::of));
        page(router, PROPOSAL + "/reject", matter -> reasons(matter, 200, Rejecting::of));
        form(router, "/edit", (matter, fields) -> edit(matter, 200, again(fields, Optional.empty())));
        form(router, "/check", this::check);
        form(router, "/approve", this::approve);
        form(router, "/reject", this::reject);
        form(
                router,
                "/consider",
                (matter, fields) -> decided(
                        matter,
                        decisions.consider(matter.own().topic(), matter.own().member(), matter.id()),
                        why -> show(matter, 409, Optional.of(why))));
    }

    private void page(Router router, String path, Consumer<Matter> then) {
        router.get(path).handler(context -> guard.page(context, visitor -> find(context, visitor, then)));
    }

    private void form(Router router, String path, BiConsumer<Matter, Fields> then) {
        router.post(PROPOSAL + path)
                .handler(context -> guard.longForm(
                        context,
                        LONGEST_EDIT,
                        (visitor, fields) -> find(context, visitor, matter -> then.accept(matter, fields))));
    }

    /** A proposal that somebody asks for, in a topic where they are a member. */
    private record Matter(RoutingContext context, Visitor visitor, Cards.Own own, String id) {
        boolean byScript() {
            return Replies.byScript(context);
        }

        /** Where the reader was shown all of it, they are shown all of it again. */
        boolean whole() {
            return !byScript() || "true".equals(context.request().getHeader("X-Whole"));
        }

        void unknown() {
            Replies.refuse(context, 404, "Not found", NONE);
        }
    }

    private void find(RoutingContext context, Visitor visitor, Consumer<Matter> then) {
        String id = Objects.requireNonNull(context.pathParam("id"));
        gateway.topic(Objects.requireNonNull(context.pathParam("topic")))
                .flatMap(topic -> Cards.own(topic, visitor))
                .ifPresentOrElse(
                        own -> then.accept(new Matter(context, visitor, own, id)),
                        () -> Replies.refuse(context, 404, "Not found", NONE));
    }

    /** A proposal as it stands, and its card. */
    private record Sight(ProposalView view, Card card) {
        /** What it is called with. */
        Json arguments() {
            Json arguments = Json.parse(view.payload().toString())
                    .orElseGet(Json::object)
                    .at("params")
                    .at("arguments");
            return arguments.type() == Json.Type.OBJECT ? arguments : Json.object();
        }
    }

    private void look(Matter matter, Consumer<Sight> then) {
        work(matter, sight -> sight, then);
    }

    /** Works something out from how a proposal stands, not on the loop: what others wrote may take long to go through. */
    private <T> void work(Matter matter, Function<Sight, T> work, Consumer<T> then) {
        cards.askForTools(matter.own());
        Waiting.on(
                matter.own()
                        .records()
                        .view(matter.own().member(), matter.id())
                        .thenApply(found -> found.map(view -> work.apply(new Sight(
                                view,
                                cards.writer(matter.own().member(), matter.whole())
                                        .write(matter.own().topic().name(), view))))),
                matter.context(),
                found -> found.ifPresentOrElse(then, matter::unknown));
    }

    /** Shows how a proposal stands now: as a page, or as a part of the open one. */
    private void show(Matter matter, int status, Optional<String> complaint) {
        String mark = live.mark();
        look(matter, sight -> {
            Card card = complaint.map(sight.card()::with).orElse(sight.card());
            if (matter.byScript()) {
                // Also where a form of it was asked for.
                matter.context()
                        .response()
                        .putHeader("HX-Retarget", "#" + card.key())
                        .putHeader("HX-Reswap", "outerHTML");
            }
            Replies.page(
                    matter.context(),
                    status,
                    matter.byScript()
                            ? InboxPages.card(card, matter.visitor().csrf(), clock.instant())
                            : InboxPages.proposal(
                                    new ProposalPage(
                                            frame(matter, card.call().what()).live(stream(matter), mark),
                                            card,
                                            Story.of(
                                                    sight.view(),
                                                    matter.visitor().id())),
                                    clock.instant()));
        });
    }

    /** Where a proposal's page is told of that one; its path is a value there, and escaped once more. */
    private static String stream(Matter matter) {
        String path = Card.path(matter.own().topic().name(), matter.id());
        return "/console/live?of=" + URLEncoder.encode(path, StandardCharsets.UTF_8);
    }

    private static Frame frame(Matter matter, String title) {
        return matter.visitor().frame(title, Frame.Place.INBOX);
    }

    /** What an editor is to have in it. */
    @FunctionalInterface
    private interface Filled {
        Editor with(Card card, Json proposed);
    }

    /** An editor with what somebody wrote in it before. */
    private static Filled again(Fields fields, Optional<String> complaint) {
        return (card, proposed) -> new Editor(card, proposed, written(fields), fields.text("to"), complaint);
    }

    private static String written(Fields fields) {
        return fields.text("arguments").orElse("").replace("\r\n", "\n");
    }

    /** A form that was drawn, and the card it belongs to; none where that is not for the reader to change now. */
    private record Drawn(Card card, Optional<String> html) {}

    private void edit(Matter matter, int status, Filled filled) {
        work(
                matter,
                sight -> new Drawn(
                        sight.card(),
                        sight.card().moves().edit()
                                ? Optional.of(draw(matter, filled.with(sight.card(), sight.arguments())))
                                : Optional.empty()),
                drawn -> drawn.html()
                        .ifPresentOrElse(
                                html -> {
                                    intoSlot(matter, drawn.card());
                                    Replies.page(matter.context(), status, html);
                                },
                                // It is over, or never was theirs to change: how it stands says which.
                                () -> show(matter, 409, Optional.of("It cannot be edited now."))));
    }

    private static String draw(Matter matter, Editor editor) {
        return matter.byScript()
                ? InboxPages.editor(editor, matter.visitor().csrf())
                : InboxPages.editing(
                        frame(matter, "Edit " + editor.card().call().what()), editor);
    }

    private void check(Matter matter, Fields fields) {
        work(
                matter,
                sight -> sight.card().moves().edit() ? InboxPages.checked(checked(sight, fields)) : InboxPages.over(),
                html -> Replies.page(matter.context(), 200, html));
    }

    private static Editor.Checked checked(Sight sight, Fields fields) {
        return Editor.check(
                sight.arguments(), written(fields), sight.card().call().tool());
    }

    private void approve(Matter matter, Fields fields) {
        if (!fields.has("arguments")) {
            approve(matter, fields, Optional.empty(), (status, why) -> show(matter, status, Optional.of(why)));
            return;
        }
        work(matter, sight -> checked(sight, fields), checked -> {
            if (checked.good()) {
                approve(
                        matter,
                        fields,
                        // What is as it was is sent letter for letter.
                        checked.value().filter(value -> !checked.difference().isEmpty()),
                        (status, why) -> edit(matter, status, again(fields, Optional.of(why))));
            } else {
                edit(matter, 400, again(fields, Optional.of("Nothing was approved: the arguments are not right yet.")));
            }
        });
    }

    /** Says why something came to nothing. */
    @FunctionalInterface
    private interface Complaint {
        void accept(int status, String why);
    }

    private void approve(Matter matter, Fields fields, Optional<Json> arguments, Complaint refused) {
        Optional<String> to = fields.text("to");
        if (to.isEmpty()) {
            // Who runs it is what the reader saw when they approved, never whoever is there when the form comes in.
            refused.accept(400, "Say who is to run it.");
            return;
        }
        Waiting.on(
                decisions.approve(matter.own().topic(), matter.own().member(), matter.id(), arguments, to),
                matter.context(),
                approved -> {
                    switch (approved) {
                        case Approved.Sent _ -> done(matter);
                        case Approved.Unclear(List<String> couldRun) ->
                            refused.accept(
                                    409,
                                    couldRun.isEmpty()
                                            ? "Nobody is connected who could run it. Have the tool's server connect,"
                                                    + " then approve it."
                                            : SafeText.line(to.get())
                                                    + " cannot run it any more. Nothing was sent: look who would run"
                                                    + " it now, and approve it again.");
                        case Approved.Refused(List<Failure> failures) -> refused.accept(409, words(failures));
                        case Approved.Unfit(String why) -> refused.accept(409, why);
                        case Approved.Unknown() -> matter.unknown();
                    }
                });
    }

    /** Wherever it was asked for, a form goes where a card has its forms. */
    private static void intoSlot(Matter matter, Card card) {
        if (matter.byScript()) {
            matter.context()
                    .response()
                    .putHeader("HX-Retarget", "#" + card.key() + "-form")
                    .putHeader("HX-Reswap", "innerHTML");
        }
    }

    private void reasons(Matter matter, int status, Function<Card, Rejecting> filled) {
        look(matter, sight -> {
            Card card = sight.card();
            if (!card.moves().reject()) {
                show(matter, 409, Optional.of("It is not for you to reject now."));
                return;
            }
            Rejecting rejecting = filled.apply(card);
            intoSlot(matter, card);
            Replies.page(
                    matter.context(),
                    status,
                    matter.byScript()
                            ? InboxPages.reasons(rejecting, matter.visitor().csrf())
                            : InboxPages.rejecting(
                                    frame(matter, "Reject " + card.call().what()), rejecting));
        });
    }

    private void reject(Matter matter, Fields fields) {
        Optional<String> reason = fields.text("reason")
                .flatMap(chosen -> chosen.equals("own") ? fields.text("words") : Optional.of(chosen));
        if (reason.isEmpty()) {
            reasons(
                    matter,
                    400,
                    card -> new Rejecting(
                            card,
                            fields.text("words").orElse(""),
                            fields.text("note").orElse(""),
                            Optional.of("Say why you reject it: choose a reason, or write one.")));
            return;
        }
        decided(
                matter,
                decisions.reject(
                        matter.own().topic(), matter.own().member(), matter.id(), reason.get(), fields.text("note")),
                why -> show(matter, 409, Optional.of(why)));
    }

    private void decided(Matter matter, CompletionStage<Posted> coming, Consumer<String> refused) {
        Waiting.on(coming, matter.context(), posted -> {
            switch (posted) {
                case Posted.Taken _ -> done(matter);
                case Posted.Refused(List<Failure> failures) -> refused.accept(words(failures));
            }
        });
    }

    private void done(Matter matter) {
        if (matter.byScript()) {
            show(matter, 200, Optional.empty());
        } else {
            Replies.redirect(matter.context(), Card.path(matter.own().topic().name(), matter.id()));
        }
    }

    private static String words(List<Failure> failures) {
        return failures.stream().map(each -> SafeText.line(each.message())).collect(Collectors.joining(" "));
    }
}
