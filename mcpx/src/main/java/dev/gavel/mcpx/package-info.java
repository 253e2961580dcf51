/**
 * The MCPx protocol: envelopes, kinds, capabilities, error codes and system messages, in the current syntax and in the
 * legacy syntax that it replaced (ADR-008). Pure functions from bytes to values; time is an argument.
 */
@NullMarked
package dev.gavel.mcpx;

import org.jspecify.annotations.NullMarked;
