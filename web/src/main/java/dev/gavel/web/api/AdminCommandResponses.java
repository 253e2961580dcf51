package dev.gavel.web.api;

import dev.gavel.mcpx.MemberId;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.JsonResponses;
import dev.gavel.web.registry.RegistryCommandResult;
import dev.gavel.web.registry.RegistryDecisionResult;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Maps the result of an admin command to an HTTP response. Stateless. */
final class AdminCommandResponses {
    private static final HttpProblem NO_LEDGER = new HttpProblem(
            409, "no_ledger", "this server has no ledger to store the change; change the configuration instead");

    private AdminCommandResponses() {}

    /** Sends the response after the command is executed: the value on success, otherwise the problem. */
    static <T> void whenComplete(
            CompletionStage<AdminCommandExecutor.AdminCommandResult<T>> stage,
            RoutingContext context,
            Consumer<T> consumer) {
        JsonResponses.whenComplete(stage, context, adminCommandResult -> {
            switch (adminCommandResult) {
                case AdminCommandExecutor.AdminCommandResult.Done<T>(T value) -> consumer.accept(value);
                case AdminCommandExecutor.AdminCommandResult.Refused<T>(HttpProblem problem) ->
                    problem.send(context.response());
            }
        });
    }

    /** The problem that explains why a command was not executed. */
    static HttpProblem toProblem(RegistryCommandResult registryCommandResult) {
        return switch (registryCommandResult) {
            case RegistryCommandResult.Done _ -> throw new IllegalArgumentException("the command was executed");
            case RegistryCommandResult.Refused(
                    RegistryDecisionResult.Refused(RegistryDecisionResult.Reason refusalReason, String detail)) ->
                new HttpProblem(status(refusalReason), refusalReason.name().toLowerCase(Locale.ROOT), detail);
            case RegistryCommandResult.NoLedger() -> NO_LEDGER;
            case RegistryCommandResult.NotDurable(String reason, boolean survivesRestart, var retryAfter) ->
                new HttpProblem(
                        503,
                        "not_durable",
                        "the revocation is in effect on this server, but it is not stored in the ledger yet: " + reason
                                + ". Gavel stores it as soon as the ledger is available. Until then, other gateways still"
                                + " accept the identity"
                                + (survivesRestart ? "" : ", and a restart of this server ends the revocation"),
                        Math.max(1, retryAfter.toMillis()));
            case RegistryCommandResult.Unavailable(String reason, var retryAfter) ->
                new HttpProblem(
                        503, "unavailable", "nothing was changed: " + reason, Math.max(1, retryAfter.toMillis()));
        };
    }

    private static int status(RegistryDecisionResult.Reason refusalReason) {
        return switch (refusalReason) {
            case UNAUTHENTICATED -> 401;
            case NOT_ADMIN -> 403;
            case UNKNOWN_IDENTITY, UNKNOWN_TOKEN, NO_SUCH_TOPIC, NOT_A_MEMBER -> 404;
            case ALREADY_REVOKED, LAST_ADMIN, TOO_MANY, NAME_TAKEN, BRIDGED -> 409;
            case BAD_CAPABILITY -> 400;
        };
    }

    /** Returns the problem with a name, or empty if the name is valid. */
    static Optional<HttpProblem> validateName(String name) {
        return MemberId.parse(name) instanceof ValueParseResult.Invalid<MemberId>(String error)
                ? Optional.of(new HttpProblem(400, "bad_name", error))
                : Optional.empty();
    }
}
