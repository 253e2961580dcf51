/**
 * Servers under test as separate processes: starts, kills, restarts and inspects Gavel, gateway clusters, NATS and
 * PostgreSQL, and removes everything they leave behind.
 */
@NullMarked
package dev.gavel.bench.server;

import org.jspecify.annotations.NullMarked;
