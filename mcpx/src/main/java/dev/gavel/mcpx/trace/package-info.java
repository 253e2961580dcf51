/**
 * Derives a proposal's trace and span ids from its topic and id, so that gateways, bridges and tools join one trace
 * without coordination.
 */
@NullMarked
package dev.gavel.mcpx.trace;

import org.jspecify.annotations.NullMarked;
