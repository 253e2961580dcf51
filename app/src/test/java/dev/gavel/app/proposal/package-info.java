/**
 * Tests of a proposal's life as the participants of a topic see it: through the sockets and the HTTP API of a running
 * server, without access to its internals.
 */
@NullMarked
package dev.gavel.app.proposal;

import org.jspecify.annotations.NullMarked;
