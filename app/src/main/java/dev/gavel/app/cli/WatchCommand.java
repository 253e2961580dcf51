package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteEvent;
import dev.gavel.client.http.RemoteEvents;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteException.Unreachable;
import dev.gavel.client.link.Backoff;
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

/** Prints what is sent in a topic, as it is sent. */
@Command(
        name = "watch",
        description = "Print what is sent in a topic, one line an envelope, until Ctrl-C.",
        footer = {
            "  gavel topic watch main",
            "  gavel topic watch main --since 0   what the ledger keeps, then what is sent",
        })
final class WatchCommand extends InTopicCommand {
    private static final int IDS_REMEMBERED = 10_000;

    @Option(
            names = "--since",
            paramLabel = "SEQ",
            description = "Begin with what the ledger keeps after this number; 0 is everything.")
    private @Nullable Long since;

    /** What came twice where replay and live overlap is told by its id. */
    private final Set<String> seen = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > IDS_REMEMBERED;
        }
    });

    private OptionalLong position = OptionalLong.empty();

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        if (since != null) {
            if (since < 0) {
                throw new Complaint(ExitCode.USAGE, "--since must not be below 0");
            }
            position = OptionalLong.of(since);
        }
        // Being told to stop is how watching ends well; the JVM by itself would say 130.
        try (OnInterrupt _ = new OnInterrupt(() -> {
                    if (client.here().alone()) {
                        Runtime.getRuntime().halt(ExitCode.DONE);
                    }
                });
                RemoteEvents first = client.gateway().events(topic(), position)) {
            return watch(client, first);
        }
    }

    private int watch(Client client, RemoteEvents first) throws RemoteException, InterruptedException {
        Backoff backoff = new Backoff();
        print(client, first, backoff);
        while (!client.screen().unread()) {
            client.screen().warn("lost the server at " + client.gateway().access() + "; trying again until it is back");
            Optional<RemoteEvents> again = Optional.empty();
            while (again.isEmpty()) {
                Thread.sleep(backoff.next());
                again = reopened(client);
            }
            try (RemoteEvents events = again.get()) {
                client.screen().warn("the server is back");
                print(client, events, backoff);
            }
        }
        return ExitCode.DONE;
    }

    private Optional<RemoteEvents> reopened(Client client) throws RemoteException, InterruptedException {
        try {
            return Optional.of(Patience.answer(() -> client.gateway().events(topic(), position)));
        } catch (Unreachable e) {
            return Optional.empty();
        }
    }

    private void print(Client client, RemoteEvents events, Backoff backoff) {
        for (Optional<RemoteEvent> event = events.next(); event.isPresent(); event = events.next()) {
            backoff.reset();
            Json envelope = event.get().envelope();
            note(event.get());
            if (event.get().seq().isEmpty() || seen.add(envelope.at("id").text())) {
                client.screen().document(envelope.compact());
                client.screen()
                        .line(new EnvelopeLine(client.screen(), client.here().zone(), envelope).text());
            }
            if (client.screen().unread()) {
                return;
            }
        }
    }

    /** From where on to ask after a break: after what was seen, or after the beginning where nothing was. */
    private void note(RemoteEvent event) {
        if (event.seq().isPresent()) {
            position = event.seq();
        } else if (position.isEmpty()) {
            Json seq = event.envelope().at("payload").at("seq");
            position = seq.there() ? OptionalLong.of(seq.number(0)) : position;
        }
    }
}
