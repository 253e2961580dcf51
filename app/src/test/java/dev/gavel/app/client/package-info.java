/**
 * Tests of the client library against a running server: with broken connections, restarted servers and other
 * participants.
 */
@NullMarked
package dev.gavel.app.client;

import org.jspecify.annotations.NullMarked;
