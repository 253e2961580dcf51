/**
 * Keeps a participant connected to a topic across WebSocket failures: resends unconfirmed envelopes, requests missed
 * ones, and drops duplicates.
 */
@NullMarked
package dev.gavel.client.connection;

import org.jspecify.annotations.NullMarked;
