/**
 * WebSocket connections of participants: handshake, pipeline and frames. Only this package depends on the internals of
 * Vert.x and Netty pipelines.
 */
@NullMarked
package dev.gavel.web.socket;

import org.jspecify.annotations.NullMarked;
