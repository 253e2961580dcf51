/**
 * The hot path by itself, for JMH: what one message costs in memory and time where no socket is in the way.
 */
@NullMarked
package dev.gavel.bench.hot;

import org.jspecify.annotations.NullMarked;
