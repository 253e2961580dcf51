/**
 * Handles the MCP methods that are the same in every protocol version: lists, calls, completions and resource
 * subscriptions.
 */
@NullMarked
package dev.gavel.mcp.facade.dispatch;

import org.jspecify.annotations.NullMarked;
