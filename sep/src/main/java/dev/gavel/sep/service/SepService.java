package dev.gavel.sep.service;

import dev.gavel.mcpx.json.Json;
import java.util.concurrent.CompletionStage;

/** Executes operations on SEPs for a caller; command line, HTTP and MCP all use it. Thread-safe. */
@FunctionalInterface
public interface SepService {
    /** Executes an operation with the rights of the caller. */
    CompletionStage<SepResult> execute(SepCaller caller, SepOperation sepOperation, Json arguments);
}
