/**
 * A library for participants: agents that propose, servers that run tools, reviewers who decide. It begins at
 * {@link dev.gavel.client.Gavel#at}. {@code docs/client.md} has whole programs.
 */
@NullMarked
package dev.gavel.client;

import org.jspecify.annotations.NullMarked;
