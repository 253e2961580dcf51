/** Counters and gauges of a topic: {@code TopicCounters} counts, {@code TopicMetrics} is a snapshot of the counts. */
@NullMarked
package dev.gavel.gateway.metrics;

import org.jspecify.annotations.NullMarked;
