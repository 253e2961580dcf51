package dev.gavel.client;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * A call that another participant asks this tool server to run. Immutable.
 *
 * @param id the envelope's id
 * @param from who sent it: where it fulfils a proposal, the one who approved it
 * @param call what to run
 * @param proposal the proposal it fulfils, if it does
 * @param envelope all of it
 */
public record ToolRequest(String id, String from, Call call, Optional<String> proposal, Envelope envelope) {
    static ToolRequest of(Envelope envelope, Json payload) {
        List<String> about = envelope.correlationIds();
        return new ToolRequest(
                envelope.id(),
                String.valueOf(envelope.from()),
                Call.of(payload),
                about.stream().findFirst(),
                envelope);
    }

    /** The arguments of the tool. */
    public Json arguments() {
        return call.arguments();
    }

    /** The text of an argument; empty where there is none. */
    public String argument(String name) {
        return arguments().at(name).text();
    }
}
