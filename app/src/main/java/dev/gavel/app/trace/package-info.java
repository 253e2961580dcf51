/** Makes trace spans of proposals and exports them to an OpenTelemetry collector over OTLP/HTTP. */
@NullMarked
package dev.gavel.app.trace;

import org.jspecify.annotations.NullMarked;
