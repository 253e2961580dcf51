package dev.gavel.sep.desk;

import dev.gavel.mcpx.json.Json;
import java.util.concurrent.CompletionStage;

/** The one way to proposals: command line, HTTP and MCP all come here. Thread-safe. */
@FunctionalInterface
public interface Desk {
    /** Has something done for somebody, as far as they may. */
    CompletionStage<Reply> ask(Caller caller, Verb verb, Json arguments);
}
