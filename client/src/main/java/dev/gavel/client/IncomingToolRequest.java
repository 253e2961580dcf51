package dev.gavel.client;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * A call that another participant asks this tool server to run. Immutable.
 *
 * @param id the envelope's id
 * @param from the sender; if the request fulfils a proposal, the reviewer who approved it
 * @param call the call to run
 * @param proposal the proposal that the request fulfils; empty for a plain request
 * @param envelope the whole envelope
 */
public record IncomingToolRequest(String id, String from, Call call, Optional<String> proposal, Envelope envelope) {
    static IncomingToolRequest of(Envelope envelope, Json payload) {
        List<String> correlationIds = envelope.correlationIds();
        return new IncomingToolRequest(
                envelope.id(),
                String.valueOf(envelope.from()),
                Call.of(payload),
                correlationIds.stream().findFirst(),
                envelope);
    }

    /** Returns the arguments of the tool call. */
    public Json arguments() {
        return call.arguments();
    }

    /** Returns an argument as text; empty if it is missing. */
    public String argument(String name) {
        return arguments().at(name).text();
    }
}
