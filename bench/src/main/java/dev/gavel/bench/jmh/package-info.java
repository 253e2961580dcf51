/**
 * JMH benchmarks of the delivery path and of capability checks: what one message costs in memory and time without a
 * socket.
 */
@NullMarked
package dev.gavel.bench.jmh;

import org.jspecify.annotations.NullMarked;
