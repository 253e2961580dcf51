package dev.gavel.gateway.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;

/**
 * The gateway's interface to one client connection: writes framed envelopes, reports how many bytes are pending, and
 * closes the connection. The channel detects and closes a slow connection; callers never wait for it.
 */
public interface TransportChannel {
    /** The event loop on which {@link #write} is called. */
    EventExecutor loop();

    /** The framing that this channel needs. */
    TransportFraming framing();

    /** Writes framed envelopes, on {@link #loop}; the buffer's reference passes to the channel. Never blocks. */
    void write(ByteBuf frames);

    /**
     * Runs a task on {@link #loop} once most of the written bytes have been sent: at once if no bytes are pending, and
     * never after the connection has ended. Called on {@link #loop}; one task at a time.
     */
    void whenDrained(Runnable next);

    /** The approximate number of bytes that were written here and have not been sent; from any thread. */
    long pendingBytes();

    /** Closes the connection, from any thread. Bytes written before are sent first if that is possible soon. */
    void close(ConnectionCloseReason connectionCloseReason);
}
