/**
 * What can be counted of a topic: {@link dev.gavel.gateway.measure.TopicCounters} counts, {@link
 * dev.gavel.gateway.measure.TopicMeasures} is what was counted so far.
 */
@NullMarked
package dev.gavel.gateway.measure;

import org.jspecify.annotations.NullMarked;
