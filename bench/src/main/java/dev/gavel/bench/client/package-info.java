/**
 * A participant on a plain socket for tests and benchmarks: connects by WebSocket or event stream, sends envelope texts
 * and can read slowly.
 */
@NullMarked
package dev.gavel.bench.client;

import org.jspecify.annotations.NullMarked;
