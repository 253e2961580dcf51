/**
 * What can be read at {@code /metrics}: {@link dev.gavel.app.metrics.Metrics} gathers what the parts of the program
 * counted and writes it as Prometheus reads it.
 */
@NullMarked
package dev.gavel.app.metrics;

import org.jspecify.annotations.NullMarked;
