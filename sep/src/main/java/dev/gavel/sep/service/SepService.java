package dev.gavel.sep.service;

import dev.gavel.mcpx.json.Json;
import java.util.concurrent.CompletionStage;

/** The one way to proposals: command line, HTTP and MCP all come here. Thread-safe. */
@FunctionalInterface
public interface SepService {
    /** Has something done for somebody, as far as they may. */
    CompletionStage<SepResult> execute(SepCaller caller, SepOperation sepOperation, Json arguments);
}
