package dev.gavel.sep.service;

import dev.gavel.mcpx.json.Json;
import java.util.concurrent.CompletionStage;

/** Executes operations on SEPs for a caller; command line, HTTP and MCP all use it. Thread-safe. */
@FunctionalInterface
public interface SepService {
    /**
     * Executes an operation with the rights of the caller. If the result is a {@link
     * dev.gavel.ledger.executor.QueuedResult}, cancelling it drops the operation unless it has started.
     */
    CompletionStage<SepResult> execute(SepCaller caller, SepOperation sepOperation, Json arguments);
}
