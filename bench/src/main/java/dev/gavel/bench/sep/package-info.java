/**
 * The SEP benchmarks ({@code bench/seps}): document work, the static board and queries, measured within one process.
 */
@NullMarked
package dev.gavel.bench.sep;

import org.jspecify.annotations.NullMarked;
