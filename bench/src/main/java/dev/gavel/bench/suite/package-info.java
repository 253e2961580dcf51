/**
 * Everything that {@code docs/benchmarks.md} claims, measured by one command: {@link dev.gavel.bench.suite.Suite} runs the
 * parts, each of which puts its figures on a {@link dev.gavel.bench.suite.Sheet} beside what they are compared with.
 */
@NullMarked
package dev.gavel.bench.suite;

import org.jspecify.annotations.NullMarked;
