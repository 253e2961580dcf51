package dev.gavel.web.console.sep;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.service.SepCaller;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import dev.gavel.sep.service.SepService;
import dev.gavel.web.console.live.ChangeFeed.ChangeSubject;
import dev.gavel.web.console.live.LiveUpdateEndpoint;
import dev.gavel.web.console.live.PageReloadUpdateSource;
import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleRequestGuard;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
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

/**
 * Serves the console pages on which users read SEPs: board, lists, details, triage, sponsors and statistics.
 * Thread-safe.
 */
public final class SepController {
    private static final String LIVE = SepPageRenderer.PATH + "/live";
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,8}");

    /** The board shows this many SEPs of each state; the rest are on the state's page. */
    private static final int MAX_OPEN = 8;

    private static final int MAX_SETTLED = 8;
    private static final int MAX_LISTED = 50;
    private static final int MAX_WAITING = 100;

    private final ConsoleRequestGuard guard;
    private final LiveUpdateEndpoint liveUpdateEndpoint;
    private final Optional<SepService> sepService;
    private final ProcessDefinition processDefinition;
    private final ProposalTerms terms;
    private final InstantSource clock;
    private final SepDocumentViewCache sepDocumentViewCache = new SepDocumentViewCache();

    /**
     * Creates the controller.
     *
     * @param sepService empty if there is no ledger to store SEPs in
     * @param processDefinition the process that SEPs follow
     */
    public SepController(
            ConsoleRequestGuard guard,
            LiveUpdateEndpoint liveUpdateEndpoint,
            Optional<SepService> sepService,
            ProcessDefinition processDefinition,
            InstantSource clock) {
        this.guard = guard;
        this.liveUpdateEndpoint = liveUpdateEndpoint;
        this.sepService = sepService;
        this.processDefinition = processDefinition;
        this.terms = processDefinition.terms();
        this.clock = clock;
    }

    public void mount(Router router) {
        router.get("/seps/:number").handler(this::redirectBrowser);
        router.get(LIVE)
                .handler(context -> liveUpdateEndpoint.openStream(
                        context,
                        consoleUser -> new PageReloadUpdateSource(
                                changeSubject -> changeSubject instanceof ChangeSubject.Seps)));
        router.get(SepNavigationTab.BOARD.path())
                .handler(context -> guard.handlePage(context, consoleUser -> board(context, consoleUser)));
        router.get(SepNavigationTab.TRIAGE.path())
                .handler(context -> page(
                        context,
                        SepNavigationTab.TRIAGE,
                        SepOperation.TRIAGE,
                        Json.object().with("limit", Json.of(MAX_WAITING)),
                        (sepPageRequest, json) -> SepPageRenderer.triage(
                                SepTriagePage.of(sepPageRequest.frame(), json, sepPageRequest.sepPageContext()),
                                sepPageRequest.sepPageContext().now())));
        router.get(SepNavigationTab.SPONSORS.path())
                .handler(context -> page(
                        context,
                        SepNavigationTab.SPONSORS,
                        SepOperation.MAINTAINERS,
                        Json.object(),
                        (sepPageRequest, json) -> SepPageRenderer.sponsors(
                                SepSponsorsPage.of(sepPageRequest.frame(), json, sepPageRequest.sepPageContext()))));
        router.get(SepNavigationTab.STATISTICS.path())
                .handler(context -> page(
                        context,
                        SepNavigationTab.STATISTICS,
                        SepOperation.STATS,
                        Json.object(),
                        // Without live updates: the statistics read the complete history, which is too expensive to
                        // repeat for every change.
                        (sepPageRequest, json) -> SepPageRenderer.statistics(
                                SepStatisticsPage.of(
                                        sepPageRequest
                                                .consoleUser()
                                                .frame(
                                                        SepNavigationTab.STATISTICS.label(),
                                                        PageLayoutData.Section.SEPS),
                                        json),
                                sepPageRequest.sepPageContext().now())));
        router.get(SepPageRenderer.PATH + "/:number").handler(this::sep);
    }

    /**
     * Redirects a browser to the SEP's page. Links in notifications and feeds contain the API path of a SEP, and a
     * person who follows such a link wants to read the page.
     */
    private void redirectBrowser(RoutingContext context) {
        String number = Objects.requireNonNull(context.pathParam("number"));
        String accept = Objects.requireNonNullElse(context.request().getHeader(HttpHeaders.ACCEPT), "");
        if (NUMBER.matcher(number).matches()
                && accept.contains("text/html")
                && context.request().getHeader(HttpHeaders.AUTHORIZATION) == null) {
            ConsoleResponses.redirect(context, SepPageRenderer.PATH + "/" + number);
        } else {
            context.next();
        }
    }

    /** A request for a SEP page, with the data that every such page needs. */
    private record SepPageRequest(
            ConsoleUser consoleUser, SepPageContext sepPageContext, PageLayoutData frame, SepService sepService) {
        CompletableFuture<SepResult> query(SepOperation sepOperation, Json arguments) {
            SepCaller caller =
                    new SepCaller(consoleUser.id(), consoleUser.identity().roles());
            return sepService.execute(caller, sepOperation, arguments).toCompletableFuture();
        }
    }

    /**
     * Starts a page request, or sends a notice if no SEPs are stored here. Takes the mark before any data is read, so
     * that the page later receives the changes made meanwhile.
     */
    private Optional<SepPageRequest> startRequest(RoutingContext context, ConsoleUser consoleUser, String title) {
        PageLayoutData frame =
                consoleUser.frame(title, PageLayoutData.Section.SEPS).live(LIVE, liveUpdateEndpoint.mark());
        if (sepService.isEmpty()) {
            sendNotice(
                    context,
                    consoleUser,
                    404,
                    terms.text("{proposals} are not enabled"),
                    terms.text("{proposals} are stored in a ledger, and this server has none. An admin can set"
                            + " 'ledger: on' for a topic or add a section 'sep:' in the configuration."));
            return Optional.empty();
        }
        SepPageContext sepPageContext = new SepPageContext(
                processDefinition, consoleUser.id(), consoleUser.identity().roles(), clock.instant());
        return Optional.of(new SepPageRequest(consoleUser, sepPageContext, frame, sepService.get()));
    }

    /** Serves a page that needs a single query. */
    private void page(
            RoutingContext context,
            SepNavigationTab tab,
            SepOperation sepOperation,
            Json arguments,
            BiFunction<SepPageRequest, Json, String> page) {
        guard.handlePage(
                context,
                consoleUser -> startRequest(context, consoleUser, tab.label())
                        .ifPresent(sepPageRequest -> AsyncPageContinuation.whenLoaded(
                                sepPageRequest.query(sepOperation, arguments), context, sepResult -> {
                                    if (sepResult instanceof SepResult.Success(Json json)) {
                                        ConsoleResponses.sendPage(context, 200, page.apply(sepPageRequest, json));
                                    } else {
                                        sendRefusal(context, consoleUser, sepResult);
                                    }
                                })));
    }

    private void board(RoutingContext context, ConsoleUser consoleUser) {
        SepFilter filter =
                SepFilter.of(name -> Optional.ofNullable(context.queryParams().get(name)));
        Optional<String> state =
                Optional.ofNullable(context.queryParams().get("state")).filter(name -> !name.isBlank());
        startRequest(
                        context,
                        consoleUser,
                        state.map(name -> terms.plural() + " in the state " + SafeText.brief(name, 40))
                                .orElse(terms.plural()))
                .ifPresent(sepPageRequest -> {
                    if (state.isPresent()) {
                        showState(context, sepPageRequest, filter, state.get());
                    } else {
                        showBoard(context, sepPageRequest, filter);
                    }
                });
    }

    private void showBoard(RoutingContext context, SepPageRequest sepPageRequest, SepFilter filter) {
        List<String> states = List.copyOf(processDefinition.states().keySet());
        List<CompletableFuture<SepResult>> pendingResults = new ArrayList<>();
        for (String state : states) {
            boolean first = pendingResults.isEmpty();
            pendingResults.add(sepPageRequest.query(
                    SepOperation.LIST,
                    filter.arguments()
                            .with("state", Json.ofText(state))
                            .with("counts", Json.of(first))
                            .with(
                                    "limit",
                                    Json.of(sepPageRequest.sepPageContext().isOpen(state) ? MAX_OPEN : MAX_SETTLED))));
        }
        AsyncPageContinuation.whenLoaded(joinAll(pendingResults), context, sepResults -> {
            List<SepBoardColumn> columns = new ArrayList<>();
            Json counts = Json.object();
            for (int i = 0; i < sepResults.size(); i++) {
                if (!(sepResults.get(i) instanceof SepResult.Success(Json list))) {
                    sendRefusal(context, sepPageRequest.consoleUser(), sepResults.get(i));
                    return;
                }
                counts = i == 0 ? list.at("counts") : counts;
                columns.add(SepBoardColumn.of(states.get(i), list, counts, filter, sepPageRequest.sepPageContext()));
            }
            SepBoardPage sepBoardPage =
                    SepBoardPage.of(sepPageRequest.frame(), filter, columns, sepPageRequest.sepPageContext());
            ConsoleResponses.sendPage(
                    context,
                    200,
                    SepPageRenderer.board(
                            sepBoardPage, sepPageRequest.sepPageContext().now()));
        });
    }

    private void showState(RoutingContext context, SepPageRequest sepPageRequest, SepFilter filter, String state) {
        Optional<String> cursor = Optional.ofNullable(context.queryParams().get("cursor"));
        Json arguments = filter.arguments()
                .with("state", Json.ofText(state))
                .with("counts", Json.of(true))
                .with("limit", Json.of(MAX_LISTED));
        Json listArguments =
                cursor.map(from -> arguments.with("cursor", Json.ofText(from))).orElse(arguments);
        AsyncPageContinuation.whenLoaded(sepPageRequest.query(SepOperation.LIST, listArguments), context, sepResult -> {
            if (sepResult instanceof SepResult.Success(Json list)) {
                String name = processDefinition.findState(state.strip()).orElse(state);
                SepsInStatePage page = SepsInStatePage.of(
                        sepPageRequest.frame(), name, list, filter, cursor.isEmpty(), sepPageRequest.sepPageContext());
                ConsoleResponses.sendPage(
                        context,
                        200,
                        SepPageRenderer.state(
                                page, sepPageRequest.sepPageContext().now()));
            } else {
                sendRefusal(context, sepPageRequest.consoleUser(), sepResult);
            }
        });
    }

    private void sep(RoutingContext context) {
        String number = Objects.requireNonNull(context.pathParam("number"));
        if (!NUMBER.matcher(number).matches()) {
            context.next();
            return;
        }
        guard.handlePage(
                context,
                consoleUser -> startRequest(context, consoleUser, terms.numberLabel(number))
                        .ifPresent(sepPageRequest -> sep(context, sepPageRequest, Long.parseLong(number))));
    }

    private void sep(RoutingContext context, SepPageRequest sepPageRequest, long number) {
        Json which = Json.object().with("number", Json.of(number));
        CompletableFuture<List<SepResult>> pendingResults = joinAll(List.of(
                sepPageRequest.query(SepOperation.SHOW, which),
                sepPageRequest.query(SepOperation.EXPLAIN, which),
                sepPageRequest.query(SepOperation.HISTORY, which),
                sepPageRequest.query(SepOperation.EXPORT, which)));
        AsyncPageContinuation.whenLoaded(pendingResults, context, sepResults -> {
            if (!(sepResults.get(0) instanceof SepResult.Success(Json show)
                    && sepResults.get(1) instanceof SepResult.Success(Json explain)
                    && sepResults.get(2) instanceof SepResult.Success(Json history)
                    && sepResults.get(3) instanceof SepResult.Success(Json export))) {
                sepResults.stream()
                        .filter(sepResult -> !(sepResult instanceof SepResult.Success))
                        .findFirst()
                        .ifPresent(sepResult -> sendRefusal(context, sepPageRequest.consoleUser(), sepResult));
                return;
            }
            SepDetailPage.SepServiceAnswers sepServiceAnswers =
                    // The actions on the page are bound to the document that the page shows.
                    new SepDetailPage.SepServiceAnswers(show.with("hash", export.at("hash")), explain, history);
            CompletableFuture<SepDocumentView> sepDocumentView =
                    sepDocumentViewCache.render(export.at("document").text());
            CompletableFuture<Optional<SepDocumentDiffView>> diff = SepDocumentDiffView.isNeeded(show)
                    ? sepPageRequest.query(SepOperation.DIFF, which).thenApply(SepDocumentDiffView::of)
                    : CompletableFuture.completedFuture(Optional.empty());
            AsyncPageContinuation.whenLoaded(
                    sepDocumentView.thenCombine(diff, (documentView, diffView) ->
                            (Runnable) () -> show(context, sepPageRequest, sepServiceAnswers, documentView, diffView)),
                    context,
                    Runnable::run);
        });
    }

    private static void show(
            RoutingContext context,
            SepPageRequest sepPageRequest,
            SepDetailPage.SepServiceAnswers sepServiceAnswers,
            SepDocumentView sepDocumentView,
            Optional<SepDocumentDiffView> diff) {
        boolean whole = context.queryParams().contains("all");
        PageLayoutData frame = sepPageRequest
                .frame()
                .withTitle(SepDetailPage.name(
                        sepServiceAnswers.show(), sepPageRequest.frame().terms()));
        SepDetailPage page = SepDetailPage.of(
                frame, sepServiceAnswers, sepDocumentView, diff, whole, sepPageRequest.sepPageContext());
        Optional<String> confirmation = Optional.ofNullable(
                        context.queryParams().get(SepActionSuccessMessages.PARAMETER))
                .flatMap(which ->
                        SepActionSuccessMessages.message(which, page.card().state(), frame.terms()));
        ConsoleResponses.sendPage(
                context,
                200,
                SepPageRenderer.sep(
                        page, confirmation, sepPageRequest.sepPageContext().now()));
    }

    private static CompletableFuture<List<SepResult>> joinAll(List<CompletableFuture<SepResult>> pendingResults) {
        return CompletableFuture.allOf(pendingResults.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        pendingResults.stream().map(CompletableFuture::join).toList());
    }

    /** Sends a notice that says why the requested page cannot be shown. */
    private void sendRefusal(RoutingContext context, ConsoleUser consoleUser, SepResult sepResult) {
        switch (sepResult) {
            case SepResult.NotFound _ ->
                sendNotice(
                        context,
                        consoleUser,
                        404,
                        terms.text("{proposal} not found"),
                        terms.text("No {proposal} has this number. The board lists all {proposals}."));
            case SepResult.InvalidRequest(String message) ->
                sendNotice(context, consoleUser, 400, "Invalid request", message);
            case SepResult.Refused refused -> sendNotice(context, consoleUser, 403, "Not allowed", refused.message());
            case SepResult.Unavailable unavailable ->
                ConsoleResponses.refuse(
                        context,
                        503,
                        terms.text("{proposals} are unavailable"),
                        EnglishTextFormatter.capitalize(unavailable.reason()) + ". Try again in a moment.");
            case SepResult.Success _ -> throw new IllegalArgumentException("a successful result has no error page");
        }
    }

    private void sendNotice(
            RoutingContext context, ConsoleUser consoleUser, int status, String heading, String reason) {
        PageLayoutData frame = consoleUser.frame(heading, PageLayoutData.Section.SEPS);
        String words = SafeText.line(reason);
        String sentence =
                Character.toUpperCase(words.charAt(0)) + words.substring(1) + (words.endsWith(".") ? "" : ".");
        ConsoleResponses.sendPage(
                context,
                status,
                SepPageRenderer.notice(new SepErrorPage(frame, heading, sentence, sepService.isPresent())));
    }
}
