/**
 * Traces of proposals for an OpenTelemetry collector: {@link dev.gavel.app.trace.ProposalSpans} makes spans of what has
 * happened, {@link dev.gavel.app.trace.SpanExporter} sends them. Nothing here is kept in memory until something ends, so a
 * restart loses no trace.
 */
@NullMarked
package dev.gavel.app.trace;

import org.jspecify.annotations.NullMarked;
