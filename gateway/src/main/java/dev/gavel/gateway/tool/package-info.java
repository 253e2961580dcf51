/**
 * Definitions of the tools that participants offer: the port through which topics look them up, their digests, and the
 * check of arguments against a tool's schema.
 */
@NullMarked
package dev.gavel.gateway.tool;

import org.jspecify.annotations.NullMarked;
