package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteGateway;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Model.CommandSpec;

/** A server that may be there and is not needed: asked where it is, and done without where it is not. Stateless. */
public final class Bystander {
    /** Nobody is kept waiting for what they did not ask for. */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private Bystander() {}

    /** Something a server is asked. */
    @FunctionalInterface
    public interface Question<T> {
        T ask(RemoteGateway gateway) throws RemoteException, InterruptedException;
    }

    /** What the server says that options, variables and files lead to; nothing where it does not answer at once. */
    public static <T> Optional<T> ask(CommandSpec spec, Question<T> question) {
        GavelCommand root = (GavelCommand) spec.root().userObject();
        FutureTask<T> asking = new FutureTask<>(() -> {
            try (RemoteGateway gateway = new RemoteGateway(root.options().access(root.surroundings(), warning -> {}))) {
                return question.ask(gateway);
            }
        });
        Thread.ofVirtual().start(asking);
        try {
            return Optional.of(asking.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            asking.cancel(true);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
