package dev.gavel.app.client.examples;

import dev.gavel.client.*;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** The shorter code fragments that docs/client.md shows. */
public final class Fragments {
    private Fragments() {}

    /** Withdraws a proposal that takes too long. */
    public static End patience(Participant agent, Call call, Duration longest) {
        Pending pending = agent.propose(call).to("files").send();
        try {
            return pending.await(longest);
        } catch (TimeoutException e) {
            pending.withdraw("took too long").exceptionally(alreadyDecided -> null);
            return pending.await();
        }
    }

    /** Marks a proposal as under consideration and decides later. */
    public static Reviewer atLeisure() {
        return proposal -> Decision.considering("back after lunch");
    }

    /** Sends and receives envelopes for which the library has no methods. */
    public static void raw(Participant agent) {
        agent.onEnvelope(envelope -> System.out.println(envelope.from() + " " + envelope.kind()));
        agent.send(
                        EnvelopeDraft.of("note-1", Kind.of("chat.message")),
                        Json.object().with("text", Json.ofText("hello")))
                .join();
    }

    /** Logs the events of the connection. */
    public static Gavel logged(Gavel gavel) {
        return gavel.onLink(event -> System.err.println(
                switch (event) {
                    case LinkEvent.Up _ -> "connected";
                    case LinkEvent.Down(String why) -> "connection lost, reconnecting: " + why;
                    case LinkEvent.Resync _ -> "disconnected for too long: some envelopes are missing";
                    case LinkEvent.Missed(long envelopes) -> "listener too slow: missed " + envelopes + " envelopes";
                    case LinkEvent.Over(GavelException why) -> "disconnected for good: " + why.getMessage();
                }));
    }
}
