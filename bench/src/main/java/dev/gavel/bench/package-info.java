/**
 * Benchmarks and load. A server under test runs as its own process beside {@link dev.gavel.bench.RawRelay}, the least
 * that can be done for the same deliveries; {@link dev.gavel.bench.Load} drives either with the same traffic and checks
 * every delivery; {@link dev.gavel.bench.FanOut} alternates the two and prints ratios. Figures from here are ratios to
 * something run in the same minute, since times alone say more of the machine than of the server.
 */
@NullMarked
package dev.gavel.bench;

import org.jspecify.annotations.NullMarked;
