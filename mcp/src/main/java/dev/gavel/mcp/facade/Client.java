package dev.gavel.mcp.facade;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a call: where it is answered, and under which id.
 *
 * @param id the request's, as the client wrote it
 * @param out where the answer goes
 * @param progress what it is told meanwhile; null where it did not ask to be
 * @param done told, with its call, when it waits no more
 */
record Client(String id, Outflow out, @Nullable Progress progress, Consumer<Call> done) {}
