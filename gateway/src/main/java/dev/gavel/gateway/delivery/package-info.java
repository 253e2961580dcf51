/**
 * Delivery: how envelopes leave a topic. What is sent during one pass of the topic's event loop is framed once, merged
 * into one buffer, and written once to each receiver. {@link dev.gavel.gateway.delivery.Outlet} is the port that a
 * transport implements; nothing here knows of WebSocket connections or HTTP beyond how a frame looks.
 */
@NullMarked
package dev.gavel.gateway.delivery;

import org.jspecify.annotations.NullMarked;
