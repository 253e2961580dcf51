package dev.gavel.gateway.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import org.jspecify.annotations.Nullable;

/**
 * One pass on its way to the receivers of one loop: the buffer most of them share, and those that some have instead.
 * Written once, on that loop.
 */
final class Batch {
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
                ByteBuf share = own[i];
                if (share == null && shared.isReadable()) {
                    receivers[i].outlet().write(shared.retainedDuplicate());
                } else if (share != null && share.isReadable()) {
                    receivers[i].outlet().write(share);
                }
            }
        } finally {
            shared.release();
        }
    }
}
