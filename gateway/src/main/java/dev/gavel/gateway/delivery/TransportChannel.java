package dev.gavel.gateway.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;

/**
 * The port to one connection's transport: writes framed envelopes, reports pending bytes and closes. A slow connection
 * is the outlet's to notice and to close; nobody ever waits for it.
 */
public interface TransportChannel {
    /** The event loop on which {@link #write} is called. */
    EventExecutor loop();

    /** How this outlet wants envelopes framed. */
    TransportFraming framing();

    /** Writes framed envelopes, on {@link #loop}; the buffer's reference passes to the outlet. Never blocks. */
    void write(ByteBuf frames);

    /**
     * Has something done, on {@link #loop}, once most of what was written has been taken: at once where nothing waits, and
     * never once the connection has ended. Called on {@link #loop}; one thing at a time.
     */
    void whenDrained(Runnable next);

    /** How many bytes were written here and have not been sent, more or less; from any thread. */
    long pendingBytes();

    /** Ends the connection, from any thread; what was written before is sent first if it can be sent soon. */
    void close(ConnectionCloseReason connectionCloseReason);
}
