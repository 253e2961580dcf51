package dev.gavel.gateway.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass on its way to the receivers of one loop: the buffer most of them share, and those that some have instead.
 * Written once, on that loop.
 */
final class Batch {
    private static final Logger log = LoggerFactory.getLogger(Batch.class);

    private final EventExecutor loop;
    private final Receiver[] receivers;
    private final @Nullable ByteBuf[] own;
    private final ByteBuf shared;

    /**
     * A batch to be written.
     *
     * @param loop where every one of the receivers is written
     * @param own by receiver: what it is sent instead of the shared buffer, or null
     * @param shared what the others are sent; its reference passes to the batch
     */
    Batch(EventExecutor loop, Receiver[] receivers, @Nullable ByteBuf[] own, ByteBuf shared) {
        this.loop = loop;
        this.receivers = receivers;
        this.own = own;
        this.shared = shared;
    }

    /** Writes it on its loop: at once if that is where we are. */
    void hand() {
        if (loop.inEventLoop()) {
            write();
        } else {
            loop.execute(this::write);
        }
    }

    private void write() {
        try {
            for (int i = 0; i < receivers.length; i++) {
                write(receivers[i].outlet(), own[i]);
            }
        } finally {
            shared.release();
        }
    }

    /** One receiver's trouble is its own: the others still get theirs. */
    private void write(Outlet outlet, @Nullable ByteBuf share) {
        try {
            if (share == null && shared.isReadable()) {
                outlet.write(shared.retainedDuplicate());
            } else if (share != null && share.isReadable()) {
                outlet.write(share);
            }
        } catch (RuntimeException e) {
            log.warn("a receiver could not be written to", e);
            outlet.close(Closing.FAILED);
        }
    }
}
