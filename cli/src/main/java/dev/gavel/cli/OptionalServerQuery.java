package dev.gavel.cli;

import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Model.CommandSpec;

/** Asks a server for information that a command can do without, and gives up after two seconds. Stateless. */
public final class OptionalServerQuery {
    /** Short, because the command also works without the server's answer and must not make the user wait for it. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private OptionalServerQuery() {}

    /** A query to the server. */
    @FunctionalInterface
    public interface Query<T> {
        T run(RemoteGateway gateway) throws RemoteGatewayException, InterruptedException;
    }

    /**
     * Runs the query against the server that options, variables and files name; empty if the server does not answer in
     * time.
     */
    public static <T> Optional<T> tryQuery(CommandSpec spec, Query<T> query) {
        return tryQuery(spec, TokenSourcePolicy.LOGIN_OR_AGENT, query);
    }

    /** Runs the query as {@link #tryQuery} does, but never with the token of the local agent. */
    public static <T> Optional<T> tryQueryAsUser(CommandSpec spec, Query<T> query) {
        return tryQuery(spec, TokenSourcePolicy.LOGIN_REQUIRED, query);
    }

    private static <T> Optional<T> tryQuery(CommandSpec spec, TokenSourcePolicy tokenSourcePolicy, Query<T> query) {
        GavelRootCommand root = (GavelRootCommand) spec.root().userObject();
        FutureTask<T> task = new FutureTask<>(() -> {
            try (RemoteGateway gateway = new RemoteGateway(root.options()
                    .endpoint(root.environment(), tokenSourcePolicy, warning -> {})
                    .gateway())) {
                return query.run(gateway);
            }
        });
        Thread.ofVirtual().start(task);
        try {
            return Optional.of(task.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            task.cancel(true);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
