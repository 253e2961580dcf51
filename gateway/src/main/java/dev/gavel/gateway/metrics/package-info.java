/** Counters and gauges of a topic: {@code TopicCounters} counts, {@code TopicMetricsSnapshot} holds the counts. */
@NullMarked
package dev.gavel.gateway.metrics;

import org.jspecify.annotations.NullMarked;
