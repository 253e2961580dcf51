/** Collects the counters of all parts of the server and writes them in the Prometheus text format. */
@NullMarked
package dev.gavel.web.metrics;

import org.jspecify.annotations.NullMarked;
