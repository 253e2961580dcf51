package dev.gavel.app.edge.sep;

import dev.gavel.app.edge.Annex;
import dev.gavel.app.edge.Answers;
import dev.gavel.app.edge.Bodies;
import dev.gavel.app.edge.Problem;
import dev.gavel.app.edge.Visits;
import dev.gavel.app.identity.Identity;
import dev.gavel.app.sepdesk.Route;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Caller;
import dev.gavel.sep.desk.Desk;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The SEP desk over HTTP, for everybody with a token; a member of a topic one need not be. Thread-safe. */
public final class SepRoutes implements Annex {
    /** No document of people is longer. */
    static final int LONGEST = 4 * 1024 * 1024;

    private static final Problem NO_LEDGER = new Problem(
            404, "no_ledger", "nothing is kept here, and so there is no desk: a topic must have 'ledger: on'");

    private final Visits visits;
    private final Optional<Desk> desk;
    private final Supplier<CompletionStage<String>> feed;

    /**
     * The desk's routes.
     *
     * @param desk none where there is no ledger to keep anything in
     * @param feed what was lately told to people, as an Atom document
     */
    public SepRoutes(Visits visits, Optional<Desk> desk, Supplier<CompletionStage<String>> feed) {
        this.visits = visits;
        this.desk = desk;
        this.feed = feed;
    }

    @Override
    public void mount(Router router) {
        router.get("/seps/feed.atom").handler(this::atom);
        for (Route route : Route.EVERY) {
            router.route(HttpMethod.valueOf(route.method()), route.path()).handler(context -> visit(context, route));
        }
    }

    private void visit(RoutingContext context, Route route) {
        visits.grantIdentity(context, known -> {
            if (desk.isEmpty()) {
                NO_LEDGER.send(context.response());
            } else if (route.queried()) {
                ask(
                        context,
                        route,
                        known.identity(),
                        Arguments.ofQuery(route.verb(), context.queryParams().entries()));
            } else {
                Bodies.read(context, LONGEST, body -> ask(context, route, known.identity(), Arguments.ofBody(body)));
            }
        });
    }

    private void ask(RoutingContext context, Route route, Identity identity, Parsed<Json> read) {
        switch (read) {
            case Parsed.Invalid<Json>(String problem) -> Outcomes.wrong(problem).send(context.response());
            case Parsed.Valid<Json>(Json given) -> {
                if (!route.numbered()) {
                    ask(context, route, identity, given);
                    return;
                }
                String number = Objects.requireNonNull(context.pathParam(Route.NUMBER));
                if (given.at(Route.NUMBER).there()) {
                    Outcomes.wrong("the path says which number it is; leave 'number' out")
                            .send(context.response());
                    return;
                }
                Arguments.number(number)
                        .ifPresentOrElse(
                                value -> ask(context, route, identity, given.with(Route.NUMBER, value)),
                                () -> new Problem(404, "unknown_sep", "there is no SEP '" + number + "'")
                                        .send(context.response()));
            }
        }
    }

    private void ask(RoutingContext context, Route route, Identity identity, Json arguments) {
        Caller caller = new Caller(identity.id(), identity.roles());
        Answers.when(
                desk.orElseThrow().ask(caller, route.verb(), arguments),
                context,
                reply -> Outcomes.send(context, route.verb(), reply));
    }

    private void atom(RoutingContext context) {
        visits.grantIdentity(context, known -> {
            if (desk.isEmpty()) {
                NO_LEDGER.send(context.response());
                return;
            }
            Answers.when(feed.get(), context, text -> {
                if (!context.response().ended() && !context.response().closed()) {
                    context.response()
                            .putHeader(HttpHeaders.CONTENT_TYPE, "application/atom+xml; charset=utf-8")
                            .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                            .end(text);
                }
            });
        });
    }
}
