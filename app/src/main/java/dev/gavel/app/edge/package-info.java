/**
 * The HTTP edge: where bytes from outside become calls of the gateway. {@link dev.gavel.app.edge.HttpEdge} listens and
 * routes, {@link dev.gavel.app.edge.SocketEdge} turns a request to {@code /ws} into a connection, {@link
 * dev.gavel.app.edge.SocketTap} is that connection in Netty's pipeline. Only the last two know of Vert.x' and Netty's
 * insides.
 */
@NullMarked
package dev.gavel.app.edge;

import org.jspecify.annotations.NullMarked;
