/** The client library against a running server: over sockets that break, servers that restart, and others in the topic. */
@NullMarked
package dev.gavel.app.client;

import org.jspecify.annotations.NullMarked;
