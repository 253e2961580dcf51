package dev.gavel.web.console.sep.action;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepCaller;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import dev.gavel.sep.service.SepService;
import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.http.RequestWorkTracker;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Sends queries and commands to the SEP service with the rights of the signed-in user. Immutable. */
record ConsoleSepClient(SepService sepService, ConsoleUser consoleUser) {
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,8}");

    /** A query to the SEP service. */
    record SepQuery(SepOperation sepOperation, Json arguments) {
        static SepQuery of(SepOperation sepOperation) {
            return new SepQuery(sepOperation, Json.object());
        }

        static SepQuery about(SepOperation sepOperation, long number) {
            return new SepQuery(sepOperation, Json.object().with("number", Json.of(number)));
        }
    }

    /** Returns the number in the path, if it can be the number of a SEP. */
    static Optional<Long> parseNumber(RoutingContext context) {
        return Optional.ofNullable(context.pathParam("number"))
                .filter(text -> NUMBER.matcher(text).matches())
                .map(Long::parseLong);
    }

    /** Continues with a client for the user, or refuses the request if this server stores no SEPs. */
    static void withSepService(
            RoutingContext context,
            Optional<SepService> sepService,
            ConsoleUser consoleUser,
            Consumer<ConsoleSepClient> then) {
        sepService.ifPresentOrElse(
                it -> then.accept(new ConsoleSepClient(it, consoleUser)),
                () -> ConsoleResponses.refuse(
                        context,
                        404,
                        consoleUser.terms().text("{proposals} are not enabled"),
                        consoleUser
                                .terms()
                                .text("{proposals} are stored in a ledger, and this server has none. An admin can set"
                                        + " 'ledger: on' for a topic or add a section 'sep:' in the configuration.")));
    }

    CompletionStage<SepResult> send(SepOperation sepOperation, Json arguments) {
        return sepService.execute(
                new SepCaller(consoleUser.id(), consoleUser.identity().roles()), sepOperation, arguments);
    }

    /**
     * Sends all queries and continues with their answers. If one of them fails, the user gets a refusal page instead.
     */
    void queryAll(RoutingContext context, List<SepQuery> sepQueries, Consumer<List<Json>> then) {
        List<CompletableFuture<SepResult>> pendingResults = sepQueries.stream()
                .map(sepQuery ->
                        send(sepQuery.sepOperation(), sepQuery.arguments()).toCompletableFuture())
                .toList();
        pendingResults.forEach(pending -> RequestWorkTracker.attach(context, pending));
        CompletableFuture<List<SepResult>> all = CompletableFuture.allOf(
                        pendingResults.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        pendingResults.stream().map(CompletableFuture::join).toList());
        AsyncPageContinuation.whenLoaded(all, context, sepResults -> {
            List<Json> answers = new ArrayList<>();
            for (SepResult sepResult : sepResults) {
                if (sepResult instanceof SepResult.Success(Json body)) {
                    answers.add(body);
                } else {
                    ConsoleResponses.refuse(
                            context,
                            httpStatus(sepResult),
                            refusalHeading(sepResult),
                            SepFormErrorMarker.refusalText(sepResult));
                    return;
                }
            }
            then.accept(answers);
        });
    }

    private static String refusalHeading(SepResult sepResult) {
        return sepResult instanceof SepResult.NotFound ? "Not found" : "Not possible now";
    }

    /** Returns the HTTP status for a result. */
    static int httpStatus(SepResult sepResult) {
        return switch (sepResult) {
            case SepResult.Success _ -> 200;
            case SepResult.Refused refused -> refused.code().equals("not-allowed") ? 403 : 409;
            case SepResult.InvalidRequest _ -> 400;
            case SepResult.NotFound _ -> 404;
            case SepResult.Unavailable _ -> 503;
        };
    }
}
