/**
 * The benchmark suite ({@code ./gavel-bench}): measures everything that {@code docs/benchmarks.md} claims, and writes
 * the figures and charts there.
 */
@NullMarked
package dev.gavel.bench.suite;

import org.jspecify.annotations.NullMarked;
