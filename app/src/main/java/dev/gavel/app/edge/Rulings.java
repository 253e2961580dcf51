package dev.gavel.app.edge;

import dev.gavel.app.register.Answer;
import dev.gavel.app.register.Ruling;
import dev.gavel.mcpx.MemberId;
import dev.gavel.mcpx.Parsed;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** How what became of an admin's command looks in HTTP. Stateless. */
final class Rulings {
    private static final Problem NO_LEDGER = new Problem(
            409, "no_ledger", "there is no ledger here, so there is nowhere to keep this; use the configuration");

    private Rulings() {}

    /** Answers when an order has been carried out, or says why it was not. */
    static <T> void when(CompletionStage<Orders.Outcome<T>> coming, RoutingContext context, Consumer<T> then) {
        Answers.when(coming, context, outcome -> {
            switch (outcome) {
                case Orders.Outcome.Done<T>(T value) -> then.accept(value);
                case Orders.Outcome.Refused<T>(Problem problem) -> problem.send(context.response());
            }
        });
    }

    /** Why a command was not carried out. */
    static Problem problem(Answer answer) {
        return switch (answer) {
            case Answer.Done _ -> throw new IllegalArgumentException("it was carried out");
            case Answer.Refused(Ruling.Refused(Ruling.Why why, String detail)) ->
                new Problem(status(why), why.name().toLowerCase(Locale.ROOT), detail);
            case Answer.NoLedger() -> NO_LEDGER;
            case Answer.Unavailable(String reason, var retryAfter) ->
                new Problem(503, "unavailable", "not done: " + reason, Math.max(1, retryAfter.toMillis()));
        };
    }

    private static int status(Ruling.Why why) {
        return switch (why) {
            case UNAUTHENTICATED -> 401;
            case NOT_ADMIN -> 403;
            case UNKNOWN_IDENTITY, UNKNOWN_TOKEN, NO_SUCH_TOPIC, NOT_A_MEMBER -> 404;
            case ALREADY_REVOKED, LAST_ADMIN, TOO_MANY, BRIDGED -> 409;
            case BAD_CAPABILITY -> 400;
        };
    }

    /** What is wrong with a name, if anything is. */
    static Optional<Problem> badName(String name) {
        return MemberId.parse(name) instanceof Parsed.Invalid<MemberId>(String fault)
                ? Optional.of(new Problem(400, "bad_name", fault))
                : Optional.empty();
    }
}
