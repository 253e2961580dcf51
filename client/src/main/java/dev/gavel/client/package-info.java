/**
 * The Java client library for participants: agents that propose calls, servers that run tools, and reviewers that
 * decide proposals. Start at {@code Gavel.at}; {@code docs/client.md} shows complete programs.
 */
@NullMarked
package dev.gavel.client;

import org.jspecify.annotations.NullMarked;
