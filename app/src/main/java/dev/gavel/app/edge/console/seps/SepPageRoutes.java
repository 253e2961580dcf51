package dev.gavel.app.edge.console.seps;

import dev.gavel.app.edge.console.live.Live;
import dev.gavel.app.edge.console.live.Newsroom.Matter;
import dev.gavel.app.edge.console.live.Watch;
import dev.gavel.app.edge.console.session.Guard;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.console.Frame;
import dev.gavel.console.sep.Board;
import dev.gavel.console.sep.Column;
import dev.gavel.console.sep.Figures;
import dev.gavel.console.sep.Filter;
import dev.gavel.console.sep.Paper;
import dev.gavel.console.sep.SepNotice;
import dev.gavel.console.sep.SepPage;
import dev.gavel.console.sep.SepPages;
import dev.gavel.console.sep.Sponsors;
import dev.gavel.console.sep.StatePage;
import dev.gavel.console.sep.Tab;
import dev.gavel.console.sep.Triage;
import dev.gavel.console.sep.Viewer;
import dev.gavel.console.sep.act.Did;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Caller;
import dev.gavel.sep.desk.Desk;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.desk.Verb;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/** Where people read about SEPs, whatever topics they are a member of. Thread-safe. */
public final class SepPageRoutes {
    private static final String LIVE = SepPages.PATH + "/live";
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,8}");

    /** So many of a state are on the board; the rest have a page. */
    private static final int MOST_OPEN = 8;

    private static final int MOST_SETTLED = 8;
    private static final int MOST_LISTED = 50;
    private static final int MOST_WAITING = 100;

    private final Guard guard;
    private final Live live;
    private final Optional<Desk> desk;
    private final Process process;
    private final InstantSource clock;
    private final Papers papers = new Papers();

    /**
     * The pages.
     *
     * @param desk none where no SEPs are kept
     * @param process what SEPs go by
     */
    public SepPageRoutes(Guard guard, Live live, Optional<Desk> desk, Process process, InstantSource clock) {
        this.guard = guard;
        this.live = live;
        this.desk = desk;
        this.process = process;
        this.clock = clock;
    }

    public void mount(Router router) {
        router.get("/seps/:number").handler(this::fromElsewhere);
        router.get(LIVE)
                .handler(context ->
                        live.listen(context, visitor -> new Watch(matter -> matter instanceof Matter.Seps)));
        router.get(Tab.BOARD.path()).handler(context -> guard.page(context, visitor -> board(context, visitor)));
        router.get(Tab.TRIAGE.path())
                .handler(context -> page(
                        context,
                        Tab.TRIAGE,
                        Verb.TRIAGE,
                        Json.object().with("limit", Json.of(MOST_WAITING)),
                        (visit, json) -> SepPages.triage(
                                Triage.of(visit.frame(), json, visit.viewer()),
                                visit.viewer().now())));
        router.get(Tab.SPONSORS.path())
                .handler(context -> page(
                        context,
                        Tab.SPONSORS,
                        Verb.MAINTAINERS,
                        Json.object(),
                        (visit, json) -> SepPages.sponsors(Sponsors.of(visit.frame(), json, visit.viewer()))));
        router.get(Tab.STATISTICS.path())
                .handler(context -> page(
                        context,
                        Tab.STATISTICS,
                        Verb.STATS,
                        Json.object(),
                        // All that ever happened is read for it: not whenever anything does.
                        (visit, json) -> SepPages.figures(
                                Figures.of(visit.visitor().frame(Tab.STATISTICS.words(), Frame.Place.SEPS), json),
                                visit.viewer().now())));
        router.get(SepPages.PATH + "/:number").handler(this::sep);
    }

    /** A link in a notice or a feed names a SEP as programs do: whoever follows it in a browser wants to read it. */
    private void fromElsewhere(RoutingContext context) {
        String number = Objects.requireNonNull(context.pathParam("number"));
        String accept = Objects.requireNonNullElse(context.request().getHeader(HttpHeaders.ACCEPT), "");
        if (NUMBER.matcher(number).matches()
                && accept.contains("text/html")
                && context.request().getHeader(HttpHeaders.AUTHORIZATION) == null) {
            Replies.redirect(context, SepPages.PATH + "/" + number);
        } else {
            context.next();
        }
    }

    /** Somebody who reads, and what stands around what they read. */
    private record Visit(Visitor visitor, Viewer viewer, Frame frame, Desk desk) {
        CompletableFuture<Reply> ask(Verb verb, Json arguments) {
            Caller caller = new Caller(visitor.id(), visitor.identity().roles());
            return desk.ask(caller, verb, arguments).toCompletableFuture();
        }
    }

    /** Somebody comes to read; the mark is taken before anything is, so that what happens meanwhile is told afterwards. */
    private Optional<Visit> visit(RoutingContext context, Visitor visitor, String title) {
        Frame frame = visitor.frame(title, Frame.Place.SEPS).live(LIVE, live.mark());
        if (desk.isEmpty()) {
            notice(
                    context,
                    visitor,
                    404,
                    "No SEPs are kept here",
                    "SEPs are kept in a ledger, and no topic of this server has one. Whoever runs it can give a topic"
                            + " 'ledger: on' in the configuration, or begin a section 'sep:'.");
            return Optional.empty();
        }
        Viewer viewer = new Viewer(process, visitor.id(), visitor.identity().roles(), clock.instant());
        return Optional.of(new Visit(visitor, viewer, frame, desk.get()));
    }

    /** A page that one question answers. */
    private void page(
            RoutingContext context, Tab tab, Verb verb, Json arguments, BiFunction<Visit, Json, String> page) {
        guard.page(
                context,
                visitor -> visit(context, visitor, tab.words())
                        .ifPresent(visit -> Waiting.on(visit.ask(verb, arguments), context, reply -> {
                            if (reply instanceof Reply.Done(Json json)) {
                                Replies.page(context, 200, page.apply(visit, json));
                            } else {
                                excuse(context, visitor, reply);
                            }
                        })));
    }

    private void board(RoutingContext context, Visitor visitor) {
        Filter filter =
                Filter.of(name -> Optional.ofNullable(context.queryParams().get(name)));
        Optional<String> state =
                Optional.ofNullable(context.queryParams().get("state")).filter(name -> !name.isBlank());
        visit(
                        context,
                        visitor,
                        state.map(name -> "SEPs in " + SafeText.brief(name, 40)).orElse("SEPs"))
                .ifPresent(visit -> {
                    if (state.isPresent()) {
                        listed(context, visit, filter, state.get());
                    } else {
                        columns(context, visit, filter);
                    }
                });
    }

    private void columns(RoutingContext context, Visit visit, Filter filter) {
        List<String> states = List.copyOf(process.states().keySet());
        List<CompletableFuture<Reply>> coming = new ArrayList<>();
        for (String state : states) {
            boolean first = coming.isEmpty();
            coming.add(visit.ask(
                    Verb.LIST,
                    filter.arguments()
                            .with("state", Json.ofText(state))
                            .with("counts", Json.of(first))
                            .with("limit", Json.of(visit.viewer().open(state) ? MOST_OPEN : MOST_SETTLED))));
        }
        Waiting.on(all(coming), context, replies -> {
            List<Column> columns = new ArrayList<>();
            Json counts = Json.object();
            for (int i = 0; i < replies.size(); i++) {
                if (!(replies.get(i) instanceof Reply.Done(Json list))) {
                    excuse(context, visit.visitor(), replies.get(i));
                    return;
                }
                counts = i == 0 ? list.at("counts") : counts;
                columns.add(Column.of(states.get(i), list, counts, filter, visit.viewer()));
            }
            Board board = Board.of(visit.frame(), filter, columns, visit.viewer());
            Replies.page(context, 200, SepPages.board(board, visit.viewer().now()));
        });
    }

    private void listed(RoutingContext context, Visit visit, Filter filter, String state) {
        Optional<String> cursor = Optional.ofNullable(context.queryParams().get("cursor"));
        Json arguments = filter.arguments()
                .with("state", Json.ofText(state))
                .with("counts", Json.of(true))
                .with("limit", Json.of(MOST_LISTED));
        Json asked =
                cursor.map(from -> arguments.with("cursor", Json.ofText(from))).orElse(arguments);
        Waiting.on(visit.ask(Verb.LIST, asked), context, reply -> {
            if (reply instanceof Reply.Done(Json list)) {
                String name = process.stateNamed(state.strip()).orElse(state);
                StatePage page = StatePage.of(visit.frame(), name, list, filter, cursor.isEmpty(), visit.viewer());
                Replies.page(context, 200, SepPages.state(page, visit.viewer().now()));
            } else {
                excuse(context, visit.visitor(), reply);
            }
        });
    }

    private void sep(RoutingContext context) {
        String number = Objects.requireNonNull(context.pathParam("number"));
        if (!NUMBER.matcher(number).matches()) {
            context.next();
            return;
        }
        guard.page(
                context,
                visitor -> visit(context, visitor, "SEP-" + number)
                        .ifPresent(visit -> sep(context, visit, Long.parseLong(number))));
    }

    private void sep(RoutingContext context, Visit visit, long number) {
        Json which = Json.object().with("number", Json.of(number));
        CompletableFuture<List<Reply>> coming = all(List.of(
                visit.ask(Verb.SHOW, which),
                visit.ask(Verb.EXPLAIN, which),
                visit.ask(Verb.HISTORY, which),
                visit.ask(Verb.EXPORT, which)));
        Waiting.on(coming, context, replies -> {
            if (!(replies.get(0) instanceof Reply.Done(Json show)
                    && replies.get(1) instanceof Reply.Done(Json explain)
                    && replies.get(2) instanceof Reply.Done(Json history)
                    && replies.get(3) instanceof Reply.Done(Json export))) {
                replies.stream()
                        .filter(reply -> !(reply instanceof Reply.Done))
                        .findFirst()
                        .ifPresent(reply -> excuse(context, visit.visitor(), reply));
                return;
            }
            SepPage.Told told = new SepPage.Told(show, explain, history);
            CompletableFuture<Paper> paper = papers.draw(export.at("document").text());
            Waiting.on(paper, context, drawn -> show(context, visit, told, drawn));
        });
    }

    private static void show(RoutingContext context, Visit visit, SepPage.Told told, Paper paper) {
        boolean whole = context.queryParams().contains("all");
        Frame frame = visit.frame().called(SepPage.name(told.show()));
        SepPage page = SepPage.of(frame, told, paper, whole, visit.viewer());
        Optional<String> did = Optional.ofNullable(context.queryParams().get(Did.NAME))
                .flatMap(which -> Did.words(which, page.card().state()));
        Replies.page(context, 200, SepPages.sep(page, did, visit.viewer().now()));
    }

    private static CompletableFuture<List<Reply>> all(List<CompletableFuture<Reply>> coming) {
        return CompletableFuture.allOf(coming.toArray(CompletableFuture[]::new))
                .thenApply(done -> coming.stream().map(CompletableFuture::join).toList());
    }

    /** Says why there is no page of what was asked. */
    private void excuse(RoutingContext context, Visitor visitor, Reply reply) {
        switch (reply) {
            case Reply.Unknown _ ->
                notice(
                        context,
                        visitor,
                        404,
                        "There is no such SEP",
                        "No SEP has this number. The board shows those there are.");
            case Reply.Wrong(String message) -> notice(context, visitor, 400, "Not understood", message);
            case Reply.Refused refused -> notice(context, visitor, 403, "Not allowed", refused.message());
            case Reply.Unavailable unavailable ->
                Replies.refuse(context, 503, "Not now", "Try again in a moment: " + unavailable.reason() + ".");
            case Reply.Done _ -> throw new IllegalArgumentException("what is answered needs no excuse");
        }
    }

    private void notice(RoutingContext context, Visitor visitor, int status, String heading, String why) {
        Frame frame = visitor.frame(heading, Frame.Place.SEPS);
        String words = SafeText.line(why);
        String sentence =
                Character.toUpperCase(words.charAt(0)) + words.substring(1) + (words.endsWith(".") ? "" : ".");
        Replies.page(context, status, SepPages.notice(new SepNotice(frame, heading, sentence, desk.isPresent())));
    }
}
