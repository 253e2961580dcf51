package dev.gavel.cli.topic;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.RateLimitRetry;
import dev.gavel.cli.ShutdownAction;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.client.connection.Backoff;
import dev.gavel.client.http.RemoteEvent;
import dev.gavel.client.http.RemoteEventStream;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Unreachable;
import dev.gavel.mcpx.json.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel topic watch} command: prints the envelopes of a topic as they arrive. */
@Command(
        name = "watch",
        description = "Print a topic's envelopes as they are sent, one per line, until Ctrl-C.",
        footer = {
            "  gavel topic watch main",
            "  gavel topic watch main --since 0   stored envelopes first, then new ones",
        })
final class TopicWatchCommand extends TopicClientCommand {
    private static final int MAX_SEEN_IDS = 10_000;

    @Option(
            names = "--since",
            paramLabel = "SEQ",
            description = "Start with the stored envelopes after this sequence number. 0 means all.")
    private @Nullable Long since;

    /** Ids already printed, to drop an envelope that arrives twice because replay and live events overlap. */
    private final Set<String> seenIds = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_SEEN_IDS;
        }
    });

    private OptionalLong position = OptionalLong.empty();

    /** The display names of the members when the command started, by id. */
    private Json names = Json.object();

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        if (since != null) {
            if (since < 0) {
                throw new CommandException(ExitCode.USAGE, "--since must be 0 or more");
            }
            position = OptionalLong.of(since);
        }
        names = RateLimitRetry.retry(() -> clientCommandContext.gateway().topic(topic()))
                .at("names");
        // Stopping the command is its normal end, so the exit code is 0; the JVM by itself would exit with 130.
        try (ShutdownAction _ = new ShutdownAction(() -> {
                    if (clientCommandContext.environment().ownsProcess()) {
                        Runtime.getRuntime().halt(ExitCode.SUCCESS);
                    }
                });
                RemoteEventStream initialStream = clientCommandContext.gateway().openEventStream(topic(), position)) {
            return watch(clientCommandContext, initialStream);
        }
    }

    private int watch(ClientCommandContext clientCommandContext, RemoteEventStream initialStream)
            throws RemoteGatewayException, InterruptedException {
        Backoff backoff = new Backoff();
        print(clientCommandContext, initialStream, backoff);
        while (!clientCommandContext.output().isClosedByReader()) {
            clientCommandContext
                    .output()
                    .warn("lost the connection to the server at "
                            + clientCommandContext.gateway().endpoint() + "; reconnecting");
            Optional<RemoteEventStream> reopened = Optional.empty();
            while (reopened.isEmpty()) {
                Thread.sleep(backoff.next());
                reopened = reopen(clientCommandContext);
            }
            try (RemoteEventStream events = reopened.get()) {
                clientCommandContext.output().warn("reconnected to the server");
                print(clientCommandContext, events, backoff);
            }
        }
        return ExitCode.SUCCESS;
    }

    private Optional<RemoteEventStream> reopen(ClientCommandContext clientCommandContext)
            throws RemoteGatewayException, InterruptedException {
        try {
            return Optional.of(
                    RateLimitRetry.retry(() -> clientCommandContext.gateway().openEventStream(topic(), position)));
        } catch (Unreachable e) {
            return Optional.empty();
        }
    }

    private void print(ClientCommandContext clientCommandContext, RemoteEventStream events, Backoff backoff) {
        for (Optional<RemoteEvent> event = events.next(); event.isPresent(); event = events.next()) {
            backoff.reset();
            Json envelope = event.get().envelope();
            updatePosition(event.get());
            if (event.get().seq().isEmpty() || seenIds.add(envelope.at("id").text())) {
                clientCommandContext.output().printJson(envelope.compact());
                clientCommandContext
                        .output()
                        .printLine(new EnvelopeLineFormatter(
                                        clientCommandContext.output(),
                                        clientCommandContext.environment().zone(),
                                        envelope,
                                        names)
                                .format());
            }
            if (clientCommandContext.output().isClosedByReader()) {
                return;
            }
        }
    }

    /**
     * Records the position to resume from after a broken connection: the last event, or the position at the start if
     * none arrived.
     */
    private void updatePosition(RemoteEvent event) {
        if (event.seq().isPresent()) {
            position = event.seq();
        } else if (position.isEmpty()) {
            Json seq = event.envelope().at("payload").at("seq");
            position = seq.isPresent() ? OptionalLong.of(seq.asLong(0)) : position;
        }
    }
}
